"""A draft of a description as plain values: through JSON and back it is the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.variables import Variable
from core.metadata.description import Description, load, load_description, to_plain
from core.recipe.model import Input, VariableEdit

NAMES = ("REGION", "SEX", "AGE")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Input:
    path = tmp_path_factory.mktemp("kept") / "x.csv"
    path.write_text(",".join(NAMES) + "\n1,2,3\n4,5,6\n", encoding="utf-8")
    return Input(path)


def kept(source: Input, draft: Description, labels: dict[str, dict[str, str]] | None = None) -> dict[str, object]:
    text = json.dumps(to_plain(draft, load_description(source, ()), labels or {}))
    plain: dict[str, object] = json.loads(text)
    return plain


TEXT = st.text(max_size=4)
VARIABLES = st.builds(
    Variable,
    name=st.sampled_from([*NAMES, "New", ""]),
    start=st.integers(0, 9),
    length=st.integers(0, 9),
    column=st.integers(0, 9),
    decimals=st.integers(0, 9),
    label=TEXT,
    categorical=st.booleans(),
    household=st.booleans(),
    removed=st.booleans(),
    role=st.sampled_from(["weight", "household-id", "direct-identifier", "other"]),
    identification_level=st.integers(0, 9),
    missing=st.lists(TEXT, max_size=3).map(tuple),
    codelist=st.sampled_from([None, Path("/x/y.cdl"), Path("y.cdl")]),
    related=st.sampled_from([None, "SEX"]),
    suppressible=st.booleans(),
    labels=st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple),
    missing_ranges=st.lists(st.tuples(st.floats(-9, 0), st.floats(0, 9)), max_size=2).map(tuple),
)


@given(st.lists(st.tuples(st.none() | VARIABLES, st.sampled_from([*NAMES, ""])), min_size=1, max_size=5))
def test_any_draft_comes_back(source: Input, entries: list[tuple[Variable | None, str]]) -> None:
    base = load_description(source, ())
    pairs = [(base.metadata[origin or "SEX"] if made is None else made, origin) for made, origin in entries]
    draft = base.with_variables([variable for variable, _ in pairs], [origin for _, origin in pairs])
    labels = {"SEX": {"1": "m"}}
    again = load(source, (), kept(source, draft, labels))
    assert (again.base, again.draft, again.labels) == (base, draft, labels)
    assert not again.overtaken
    assert again.lost is None


def test_what_was_not_touched_follows_the_recipe_and_that_is_told(source: Input) -> None:
    base = load_description(source, ())
    region, sex, age = base.metadata.variables
    plain = kept(source, base.with_variables([replace(region, label="mine"), sex, age]))
    again = load(source, (VariableEdit("SEX", label="theirs"),), plain)
    assert [v.label for v in again.draft.metadata.variables] == ["mine", "theirs", ""]
    assert again.overtaken


def test_variables_that_are_gone_are_left_out(source: Input, tmp_path: Path) -> None:
    base = load_description(source, ())
    plain = kept(
        source, base.with_variables([replace(v, label="x") if v.name == "AGE" else v for v in base.metadata.variables])
    )
    path = tmp_path / "y.csv"
    path.write_text("SEX,AGE\n1,2\n3,4\n", encoding="utf-8")
    again = load(Input(path), (), plain)
    assert again.draft.metadata.names == ("SEX", "AGE")


def test_a_metadata_file_that_is_gone_is_told(source: Input, tmp_path: Path) -> None:
    base = load_description(source, ())
    draft = replace(base, input=replace(source, metadata=tmp_path / "gone.rda"))
    again = load(source, (), kept(source, draft))
    assert again.draft == base
    assert again.lost is not None
    assert "gone.rda" in str(again.lost)


@pytest.mark.parametrize(
    "plain", [{}, {"variables": 1}, {"metadata": 3, "said": "here", "variables": [], "labels": {}}]
)
def test_nonsense_is_not_taken_up(source: Input, plain: dict[str, object]) -> None:
    again = load(source, (), plain)
    assert again.draft == again.base == load_description(source, ())
