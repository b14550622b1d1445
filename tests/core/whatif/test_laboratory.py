"""A measure that somebody tries: before and after protection, and what stands behind it."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import DataError
from core.recipe.model import Combination, Input, Measure, Output, Recipe, Suppression, VariableEdit
from core.release.run import carry_out
from core.results.results import Protection
from core.risk.measures import frequencies
from core.risk.measures.shown import Listing
from core.session import Session
from core.whatif.laboratory import recipe_to_try, try_measure, uncoded_variables
from core.whatif.measures import Measured

ROWS = [
    ("a", "x", "1"), ("a", "x", "2"), ("a", "y", "3"), ("b", "y", "4"), ("b", "y", "5"), ("b", "x", "6"),
    ("c", "x", "7"), ("a", "x", "1"), ("b", "y", "1"), ("", "y", "1"), ("c", "z", "1"), ("c", "z", "2"),
]  # fmt: skip
BY_TWO = Measure("frequencies", ("A", "B"), (("k", 2), ("missing_rule", "category")))


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    with (tmp_path / "d.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("A", "B", "N"), *ROWS])
    return Recipe(
        input=Input(data=tmp_path / "d.csv"),
        variables=(VariableEdit("N", numeric=True, categorical=False),),
        combinations=(Combination(("A", "B"), model="k-anonymity", k=2, missing_rule="category"),),
        suppression=Suppression(criterion="entropy"),
    )


def alone(rows: list[tuple[str, ...]]) -> int:
    """Records that share A and B with nobody, a blank being a value."""
    counts = Counter(row[:2] for row in rows)
    return sum(counts[row[:2]] < 2 for row in rows)


def test_a_measure_after_protection_is_that_of_the_file_once_written(recipe: Recipe, tmp_path: Path) -> None:
    session = Session()
    found = try_measure(session.derive(recipe), BY_TWO, session.protect(recipe))
    assert found.before.evaluation.figures["violations"] == alone(ROWS) == 4
    carry_out(session, recipe.with_(output=replace(Output(), data=tmp_path / "safe.csv")))
    with (tmp_path / "safe.csv").open(encoding="utf-8", newline="") as file:
        _header, *written = (tuple(row) for row in csv.reader(file))
    assert isinstance(found.after, Measured)
    assert found.after.evaluation.figures["violations"] == alone(written)


def test_one_that_looks_at_the_safe_file_is_taken_on_the_original_both_times(recipe: Recipe) -> None:
    session, wanted = Session(), Measure("intruder", ("A", "B"))
    found = try_measure(session.derive(recipe), wanted, session.protect(recipe))
    assert isinstance(found.after, Measured)
    before, after = found.before.evaluation.figures, found.after.evaluation.figures
    assert before["expected"] == after["expected"]
    assert before["blanks"] == 0 < after["blanks"]


def test_what_cannot_be_taken_after_protection_is_the_error(recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = frequencies.evaluate

    def once(*given: object) -> object:
        monkeypatch.setattr(frequencies, "evaluate", refuse)
        return taken(*given)  # type: ignore[arg-type]

    def refuse(*_given: object) -> object:
        raise DataError("nothing-left", "Nothing is left.")

    session = Session()
    monkeypatch.setattr(frequencies, "evaluate", once)
    found = try_measure(session.derive(recipe), BY_TWO, session.protect(recipe))
    assert isinstance(found.after, DataError)


def test_a_protection_is_known_once_it_was_looked_for(recipe: Recipe) -> None:
    session = Session()
    assert session.planned(recipe) is None
    plan = session.protect(recipe).plan
    known = session.planned(recipe)
    assert isinstance(known, Protection)
    assert known.plan is plan
    other = recipe.with_(suppression=replace(recipe.suppression, criterion="weights"))
    assert session.planned(other) is None
    assert session.planned(recipe.with_(combinations=(Combination(("A", "B")),))) is None, "without a threshold"


def test_rows_about_keys_have_their_codes_and_their_first_record(recipe: Recipe) -> None:
    session = Session()
    listing = try_measure(session.derive(recipe), BY_TWO, None).behind
    assert isinstance(listing, Listing)
    assert listing.records is not None
    titles = [column.title for column in listing.columns]
    assert titles[:3] == ["A", "B", "in the file"]
    rows = zip(*(column.values.tolist() for column in listing.columns[:3]), strict=True)
    for record, (first, second, count) in zip(listing.records.tolist(), rows, strict=True):
        same = [place for place, row in enumerate(ROWS) if row[:2] == (first.replace("missing", ""), second)]
        assert (same[0], len(same)) == (record, count)


def test_a_number_can_be_tried_as_it_stands(recipe: Recipe) -> None:
    session, wanted = Session(), Measure("frequencies", ("N",))
    metadata = session.metadata(recipe)
    assert uncoded_variables(recipe, metadata, wanted) == ("N",)
    assert uncoded_variables(recipe, metadata, BY_TWO) == ()
    found = try_measure(session.derive(recipe_to_try(recipe, metadata, wanted)), wanted, None)
    counts = Counter(row[2] for row in ROWS)
    assert found.before.evaluation.figures["unique"] == sum(count == 1 for count in counts.values())
    assert found.after is None
    assert np.isfinite(found.before.evaluation.figures["max"])
