"""A description under edit, and the least that a recipe has to say for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import MetadataError
from core.data.variable_uses import USES, uses_of, with_use, without_use
from core.data.variables import Variable
from core.metadata.describe import describe_unverified
from core.metadata.description import Description, edits_of, load_description
from core.recipe.model import Input, VariableEdit

CODES = st.lists(st.sampled_from(["", "9", "99", "x"]), unique=True, max_size=3).map(tuple)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "label": st.sampled_from(["", "Place"]),
        "categorical": st.booleans(),
        "numeric": st.booleans(),
        "household": st.booleans(),
        "sensitive": st.booleans(),
        "truncable": st.booleans(),
        "removed": st.booleans(),
        "role": st.sampled_from(["weight", "household-id", "direct-identifier", "other"]),
        "identification_level": st.integers(0, 5),
        "missing": CODES,
        "codelist": st.sampled_from([None, Path("/x/a.cdl")]),
        "related": st.sampled_from([None, "B"]),
        "suppression_weight": st.integers(0, 100),
        "suppressible": st.booleans(),
        "decimals": st.integers(0, 3),
    },
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    (made / "plain.csv").write_text("A,B,C\n1,2,3\n4,5,6\n", encoding="utf-8")
    (made / "bare.csv").write_text("1,2,3\n4,5,6\n", encoding="utf-8")
    (made / "fixed.asc").write_text("1234567\n7654321\n", encoding="utf-8")
    rda = 'A 1 2 "99"\n <RECODABLE>\n <CODELIST> "a.cdl"\n <RELATED> "B"\nB 3 1\n <RECODABLE>\nC 4 3\n <NUMERIC>\n'
    (made / "fixed.rda").write_text(rda, encoding="utf-8")
    (made / "free.rda").write_text('<SEPARATOR> ","\n<NAMESINFRONT>\nA 1 "9"\n <RECODABLE>\nB 1\nC 1\n', "utf-8")
    return made


def sources(folder: Path) -> list[Input]:
    return [
        Input(folder / "plain.csv"),
        Input(folder / "bare.csv", header=False),
        Input(folder / "fixed.asc", folder / "fixed.rda"),
        Input(folder / "plain.csv", folder / "free.rda"),
    ]


@given(st.integers(0, 3), st.lists(CHANGES, min_size=3, max_size=3), st.booleans())
def test_the_recipe_says_what_was_edited(folder: Path, which: int, changes: list[dict[str, Any]], here: bool) -> None:
    source = sources(folder)[which]
    loaded = load_description(source, ())
    if here:  # everything said in the recipe to begin with
        first = edits_of(replace(loaded, input=replace(source, variables="here")))
        loaded = load_description(*first)
    names = loaded.metadata.names
    wanted = []
    for variable, change in zip(loaded.metadata.variables, changes, strict=True):
        if "related" in change and change["related"] is not None:
            change = {**change, "related": names[1] if variable.name != names[1] else names[0]}
        wanted.append(replace(variable, **change))
    said, edits = edits_of(loaded.with_variables(wanted))
    assert describe_unverified(said, edits)[0].variables == tuple(wanted)
    if not here and not (which == 2 and changes[0].get("codelist", 0) is None):
        assert said == source
        assert {edit.name for edit in edits} == {v.name for v in set(wanted) - set(loaded.metadata.variables)}


def test_only_differences_are_written(folder: Path) -> None:
    loaded = load_description(Input(folder / "fixed.asc", folder / "fixed.rda"), ())
    a, b, c = loaded.metadata.variables
    assert edits_of(loaded) == (loaded.input, ())
    said = edits_of(loaded.with_variables([a, with_use(b, "key"), with_use(c, "weight")]))
    assert said == (
        loaded.input,
        (VariableEdit("B", identification_level=3), VariableEdit("C", role="weight")),
    )


def test_a_weight_of_a_csv_takes_one_word(folder: Path) -> None:
    loaded = load_description(Input(folder / "plain.csv"), ())
    a, b, c = loaded.metadata.variables
    assert edits_of(loaded.with_variables([a, b, with_use(c, "weight")]))[1] == (VariableEdit("C", role="weight"),)


def test_renaming_and_taking_out_describe_the_file_here(folder: Path) -> None:
    loaded = load_description(Input(folder / "fixed.asc", folder / "fixed.rda"), ())
    a, _, c = loaded.metadata.variables
    wanted = (replace(a, name="REGION", related=None), c)
    said, edits = edits_of(loaded.with_variables(wanted))
    assert said.variables == "here"
    assert [edit.name for edit in edits] == ["REGION", "C"]
    assert describe_unverified(said, edits)[0].variables == wanted


def test_a_column_of_a_header_cannot_be_renamed(folder: Path) -> None:
    loaded = load_description(Input(folder / "plain.csv"), ())
    assert loaded.names_are_given
    a, b, c = loaded.metadata.variables
    with pytest.raises(MetadataError) as refusal:
        edits_of(loaded.with_variables([replace(a, name="Z"), b, c]))
    assert refusal.value.id == "description-unsayable"


def test_a_fixed_file_without_description_is_empty(folder: Path) -> None:
    loaded = load_description(Input(folder / "fixed.asc"), ())
    assert (loaded.metadata.format, loaded.metadata.variables, loaded.origins) == ("fixed", (), ())
    described = Description(
        loaded.input, replace(loaded.metadata, variables=(Variable("X", 1, 2, categorical=True),)), ("",)
    )
    said, edits = edits_of(described)
    assert said == replace(loaded.input, variables="here")
    assert edits == (VariableEdit("X", start=1, length=2),)


def test_a_use_excludes_or_joins_others() -> None:
    plain = Variable("X", categorical=True)
    assert uses_of(plain) == ("keep",)
    key = with_use(plain, "key")
    assert (key.identification_level, uses_of(key)) == (3, ("key",))
    assert with_use(replace(plain, identification_level=1), "key").identification_level == 1
    both = with_use(with_use(key, "household"), "sensitive")
    assert uses_of(both) == ("key", "household", "sensitive")
    weight = with_use(both, "weight")
    assert (uses_of(weight), weight.numeric, weight.categorical, weight.identification_level) == (
        ("weight",),
        True,
        False,
        0,
    )
    assert uses_of(with_use(weight, "key")) == ("key",)
    assert with_use(weight, "key").categorical
    identifier = with_use(plain, "household-id")
    assert (identifier.role, identifier.categorical) == ("household-id", False)
    assert with_use(identifier, "keep").categorical
    assert uses_of(with_use(both, "keep")) == ("keep",)


@pytest.mark.parametrize("use", [use for use in USES if use != "keep"])
def test_a_use_can_be_taken_away(use: Any) -> None:
    plain = Variable("X", categorical=True)
    used = with_use(plain, use)
    assert uses_of(used) == (use,)
    assert uses_of(without_use(used, use)) == ("keep",)
    assert without_use(plain, use) == plain
