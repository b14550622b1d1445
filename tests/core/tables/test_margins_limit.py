"""Where a table has very many margins, they are counted up to a dimension that a stated limit gives."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.release.run
import core.session
from core.data.columns import EncodedColumn
from core.recipe.model import Combination, Input, Output, Recipe, Threshold, VariableEdit
from core.release.run import carry_out
from core.session import Session
from core.tables import margins
from core.tables.margins import UnsafeSpec, unsafe_combinations
from tests.naive_tables import columns_of

CARDS = [2, 3, 2, 4]
NAMES = ("A", "B", "C", "D")


def columns(rng: np.random.Generator, n: int = 60) -> dict[str, EncodedColumn]:
    rows = [tuple(None if (v := int(rng.integers(-1, card))) < 0 else v for card in CARDS) for _ in range(n)]
    return {column.name: column for column in columns_of(rows, CARDS)}


def of_dimensions(found: margins.Overview, upto: int) -> list[object]:
    return [table for table in found.tables if len(table.variables) <= upto]


@given(seed=st.integers(0, 1000), limit=st.integers(0, 60 * 15))
def test_margins_within_the_limit_are_those_of_all(seed: int, limit: int) -> None:
    data = columns(np.random.default_rng(seed))
    names = tuple(data)
    spec = UnsafeSpec(names, 2, judges_records=False)
    whole = unsafe_combinations([spec], data)
    found = unsafe_combinations([spec], data, limit=limit)
    cells = min(60, math.prod(len(column.codes) + 1 for column in data.values()))
    assert cells * sum(math.comb(4, d) for d in range(1, found.counted + 1)) <= limit
    assert found.dimensions == 4 == whole.counted
    assert whole.is_whole and whole.work == 0
    assert list(found.tables) == of_dimensions(whole, found.counted)
    assert found.unsafe_by_dimension == {d: whole.unsafe_by_dimension[d] for d in range(1, found.counted + 1)}
    for some, every in zip(found.variables, whole.variables, strict=True):
        assert some.unsafe_by_dimension == {d: every.unsafe_by_dimension[d] for d in range(1, found.counted + 1)}
        np.testing.assert_array_equal(some.codes[:, : found.counted], every.codes[:, : found.counted])
    assert found.is_whole or found.work > 0


@given(seed=st.integers(0, 1000))
def test_tables_that_judge_records_are_counted_whatever_the_limit(seed: int) -> None:
    data = columns(np.random.default_rng(seed))
    names = tuple(data)
    specs = [UnsafeSpec(names, 2, judges_records=False), UnsafeSpec(names[:3], 3)]
    whole, found = unsafe_combinations(specs, data), unsafe_combinations(specs, data, limit=0)
    assert found.counted == 0
    assert found.records_by_dimension == whole.records_by_dimension
    for name in names:
        np.testing.assert_array_equal(found.unsafe_records[name], whole.unsafe_records[name])


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    rng = np.random.default_rng(3)
    rows = [",".join(str(rng.integers(1, 5)) for _ in range(5)) + ",20" for _ in range(300)]
    data = tmp_path / "wide.csv"
    data.write_text("A,B,C,D,E,W\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return Recipe(
        input=Input(data=data, format="delimited"),
        variables=(VariableEdit("W", role="weight"),),
        combinations=(Combination(("A", "B", "C", "D", "E")),),
        threshold=Threshold(individual_risk=0.04),
        output=Output(summary=tmp_path / "summary.json"),
    )


def test_risks_do_not_wait_for_margins_that_take_long(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.session, "AT_ONCE", 300 * 5)
    session = Session()
    derived = session.derive(recipe)
    assert derived.risk_tables[0].staircase.n == 300
    assert derived.overview.counted == 1
    later = session.overview(derived)
    assert later.is_whole
    assert session.overview(derived) is later
    assert Session().overview(derived, 300 * 15).counted == 2


def test_a_run_says_which_margins_it_left_out(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = carry_out(Session(one_recipe=True), recipe).summary
    monkeypatch.setattr(core.session, "AT_ONCE", 300 * 5)
    assert carry_out(Session(one_recipe=True), recipe).summary["overview"] == whole["overview"]
    monkeypatch.setattr(core.session.Session.overview, "__defaults__", (300 * 15, margins.SILENT))
    few = carry_out(Session(one_recipe=True), recipe).summary
    assert list(whole["overview"]["unsafe_by_dimension"]) == ["1", "2", "3", "4", "5"]
    kept = {d: whole["overview"]["unsafe_by_dimension"][d] for d in ("1", "2")}
    assert few["overview"]["unsafe_by_dimension"] == few["combinations"][0]["unsafe_by_dimension"] == kept
    assert not [each for each in whole["warnings"] if each["id"] == "margins-left-out"]
    (said,) = (each for each in few["warnings"] if each["id"] == "margins-left-out")
    assert said["text"].startswith("Unsafe combinations are counted for up to 2 of 5 key variables.")
