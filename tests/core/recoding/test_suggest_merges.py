"""Suggested merges against every recode into runs there is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import RecipeError
from core.base.progress import Cancelled
from core.recoding import suggest_merges as module
from core.recoding.suggest_merges import MergeSuggestion, TableJudgement, losses_of_runs, suggest
from tests import naive_suggest as naive

UNITS, OTHERS = 6, 3


@st.composite
def surveys(draw: st.DrawFn) -> tuple[list[naive.Record], list[tuple[tuple[int, ...], int]]]:
    units = draw(st.integers(1, UNITS))
    other = st.integers(0, OTHERS - 1)
    records = [(u, draw(other), draw(other)) for u in range(units)]
    records += draw(st.lists(st.tuples(st.integers(0, units - 1), other, other), max_size=25))
    tables = st.sampled_from([((), 1), ((), 4), ((1,), 1), ((1,), 3), ((2,), 2), ((1, 2), 1), ((1, 2), 2)])
    return records, draw(st.lists(tables, min_size=1, max_size=3, unique_by=lambda table: table[0]))


def judged(records: list[naive.Record], others: tuple[int, ...], threshold: int) -> TableJudgement:
    keys = [tuple(record[j] for j in others) for record in records]
    number = {key: i for i, key in enumerate(sorted(set(keys)))}
    sets = np.array([number[key] for key in keys])
    ones = np.ones(len(records), np.int64)
    unit = np.array([record[0] for record in records])
    return TableJudgement(sets, unit, ones, ones.astype(np.float64), np.full(threshold + 1, math.inf), sets)


def suggested(records: list[naive.Record], tables: list[tuple[tuple[int, ...], int]]) -> tuple[MergeSuggestion, ...]:
    unit = np.array([record[0] for record in records])
    return suggest(
        np.bincount(unit).tolist(),
        unit,
        np.ones(len(records), np.int64),
        [judged(records, others, threshold) for others, threshold in tables],
    )


@given(surveys())
def test_choices_are_the_corners_of_all_recodes(survey: tuple) -> None:
    records, tables = survey
    units = 1 + max(record[0] for record in records)
    everything = [
        (naive.unsafe_records(records, run, tables), naive.loss(records, run)) for run in naive.partitions(units)
    ]
    found = [(choice.unsafe, choice.loss) for choice in suggested(records, tables)]
    expected = naive.corners(everything)
    assert [unsafe for unsafe, _ in found] == [unsafe for unsafe, _ in expected]
    assert [lost for _, lost in found] == pytest.approx([lost for _, lost in expected], abs=1e-6)


@given(surveys())
def test_figures_of_a_choice_are_those_of_its_runs_alone(survey: tuple) -> None:
    records, tables = survey
    units = 1 + max(record[0] for record in records)
    for choice in suggested(records, tables):
        run_of = list(range(units))
        for run in choice.runs:
            run_of[run.first : run.last + 1] = [run.first] * (run.last + 1 - run.first)
            alone = [run.first if run.first <= u <= run.last else u for u in range(units)]
            before = naive.unsafe_records(records, range(units), tables)
            gone = before - naive.unsafe_records(records, alone, tables)
            assert run.unsafe_before - run.unsafe_after == gone
            assert run.loss == pytest.approx(naive.loss(records, alone), abs=1e-9)
            assert run.records == sum(run.first <= record[0] <= run.last for record in records)
        assert choice.categories == len(set(run_of))
        assert choice.unsafe == naive.unsafe_records(records, run_of, tables)


def test_a_cell_that_no_table_judges_is_never_unsafe() -> None:
    records = [(0, 0, 0), (1, 0, 0)]
    table = judged(records, (), 5)
    table = TableJudgement(
        table.set_of_entry, table.unit_of_entry, table.records, table.people, table.least, np.array([0, -1])
    )
    choices = suggest([1, 1], np.array([0, 1]), np.array([1, 1]), [table])
    assert [choice.unsafe for choice in choices] == [1]


def test_people_are_compared_with_the_least_that_is_safe() -> None:
    sets, unit = np.array([0, 0, 0]), np.array([0, 1, 2])
    people = np.array([10.0, 10.0, 10.0])
    table = TableJudgement(sets, unit, np.array([1, 1, 1]), people, np.array([0.0, 99.0, 20.0]), sets)
    choices = suggest([1, 1, 1], unit, np.array([1, 1, 1]), [table])
    assert [(choice.unsafe, choice.categories) for choice in choices] == [(3, 3), (1, 2), (0, 1)]


def test_many_points_are_thinned_and_stay_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    unit, other = rng.integers(0, 30, 900), rng.integers(0, 25, 900)
    records = [(int(u), int(o), 0) for u, o in zip(unit, other, strict=True)]
    whole = {(c.unsafe, round(c.loss, 6)) for c in suggested(records, [((1,), 2)])}
    monkeypatch.setattr(module, "MOST_POINTS", 5)
    thinned = {(c.unsafe, round(c.loss, 6)) for c in suggested(records, [((1,), 2)])}
    assert len(thinned) == 5 < len(whole)
    assert thinned < whole


def test_losses_of_runs() -> None:
    lost = losses_of_runs([1, 1, 2])
    assert lost[0, 1] == pytest.approx(2.0)
    assert lost[0, 2] == pytest.approx(4 * 2 - 2)
    assert lost.diagonal().tolist() == [0, 0, 0]


def test_too_many_categories_are_refused_and_none_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = np.zeros(0, np.int64)
    assert suggest([], nothing, nothing, []) == (MergeSuggestion(0, 0, 0.0, ()),)
    monkeypatch.setattr(module, "MOST_UNITS", 2)
    with pytest.raises(RecipeError) as error:
        suggest([1, 1, 1], nothing, nothing, [])
    assert error.value.id == "suggest-too-many-categories"


class Impatient:
    def report(self, done: float, total: float, text: str) -> None:
        self.done = done

    def check(self) -> None:
        raise Cancelled


def test_it_can_be_stopped() -> None:
    unit = np.arange(5)
    table = TableJudgement(unit * 0, unit, unit * 0 + 1, unit + 1.0, np.full(3, math.inf), unit * 0)
    with pytest.raises(Cancelled):
        suggest([1] * 5, unit, np.ones(5, np.int64), [table], Impatient())
