"""Losses under which a blank matches anything: safe, above the bound, at their best what trying everything finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.base.progress import Cancelled
from core.kernels import released_counts as kernel
from core.suppression.counts.bound import least_cost
from core.suppression.counts.exact import NODES, Programme, convex, is_safe, price_of, solve, solve_few, thoroughly
from core.suppression.counts.problem import CountsTable, Rule, build, ways_of
from core.suppression.counts.search import _CYCLE, STARTS, Counting, CountsSearch, losses
from core.tables.grouping import group_rows
from tests.naive_counts import cheapest, lacking, safe


@dataclass(frozen=True)
class File:
    """Complete records, and what makes them safe."""

    rows: list[tuple[int, ...]]
    weights: list[int]
    rule: Rule
    prices: list[float]
    most: int

    def table(self) -> CountsTable:
        """The same for the optimiser."""
        keys = len(self.prices)
        columns = [np.array([row[j] for row in self.rows], np.uint32) for j in range(keys)]
        groups = group_rows(columns, [3] * keys)
        weight = np.array(self.weights, np.float64)
        return CountsTable(
            [column[groups.member] for column in columns], [3] * keys, groups.ids,
            np.bincount(groups.ids).astype(np.float64), np.bincount(groups.ids, weight), weight, self.rule,
            ways_of(self.prices, [1 << j for j in range(keys)], keys, 0), self.most,
        )  # fmt: skip


@st.composite
def files(draw: st.DrawFn, most: int) -> File:
    keys = draw(st.integers(2, 3))
    rows = draw(st.lists(st.tuples(*[st.sampled_from([0, 0, 1, 2])] * keys), min_size=2, max_size=most))
    weights = [draw(st.integers(1, 9)) for _ in rows]
    rule = (
        Rule.by_count(draw(st.integers(2, 3)))
        if draw(st.booleans())
        else Rule.by_risk(draw(st.sampled_from([0.2, 0.3])))
    )
    prices = [draw(st.sampled_from([1.0, 1.0, 1.5])) for _ in range(keys)]
    return File(rows, weights, rule, prices, draw(st.integers(1, 2)))


FIVE_PEOPLE = File(
    [(0, 0), (1, 1), (0, 0), (1, 0), (0, 0), (0, 0)], [2, 1, 1, 1, 1, 1], Rule.by_risk(0.2), [1.0, 1.0], 1
)
"""Five records for five people have the risk 0.2, which is unsafe: the rule asks for 5.000000000006 people."""


@given(files(5))
@example(FIVE_PEOPLE)
def test_the_programme_finds_what_trying_everything_finds_and_the_bound_is_below(file: File) -> None:
    table = file.table()
    ways = [way for way in table.ways if way[0].bit_count() <= file.most]
    best = cheapest(file.rows, file.weights, ways, file.rule.least)
    problem = build(table)
    if best is None or not len(problem.cells):
        assert best is None or best == 0
        return
    assert least_cost(problem) <= best + 1e-9
    programme = Programme(problem)
    taken, bound = solve(*programme.task(), NODES)
    assert taken is not None and bound <= best + 1e-6
    lost = programme.lost(taken)
    assert is_safe(table, lost) and safe(file.rows, file.weights, lost.tolist(), file.rule.least)
    assert price_of(table, lost) == pytest.approx(best)


@given(files(5))
def test_few_columns_give_what_is_safe_and_no_dearer_than_what_is_known(file: File) -> None:
    table = file.table()
    problem = build(table)
    known = losses(problem, 0, 1, thorough=False)
    if known.left.any() or known.beyond or not len(problem.cells) or not convex(np.array(table.rule.least), 1.0):
        return
    programme = Programme(problem)
    taken, bound = solve_few(*programme.task(), programme.taken(known.lost))
    assert taken is not None and bound <= known.cost + 1e-6
    lost = programme.lost(taken)
    assert is_safe(table, lost)
    assert bound - 1e-6 <= price_of(table, lost) <= known.cost / 0.98 + 1e-9


@given(files(12))
def test_the_search_leaves_nothing_unsafe_and_counts_rightly(file: File) -> None:
    table = file.table()
    problem = build(table)
    found = losses(problem, 0, 1, thorough=False)
    assert found.left.any() == (not safe(file.rows, file.weights, [7] * len(file.rows), file.rule.least))
    if found.left.any():
        return
    assert safe(file.rows, file.weights, found.lost.tolist(), file.rule.least) and is_safe(table, found.lost)
    assert found.bound <= found.cost == price_of(table, found.lost)
    assert found.beyond == sum(mask.bit_count() > file.most for mask in found.lost.tolist())


@given(st.integers(1, 5), st.integers(0, 90), st.integers(1, 40), st.integers(0, 30))
def test_what_a_cell_lacks(f: int, people: int, usual: int, step: int) -> None:
    least = [0, *sorted((5 + 3 * step * (6 - i) for i in range(1, 6)), reverse=True)]
    found = kernel.lacking(np.array(least, np.int64), f, people, usual)
    assert found / kernel.ONE == pytest.approx(lacking(least, f, people, usual), abs=2 / kernel.ONE)


def survey(seed: int = 1) -> CountsTable:
    generator = np.random.default_rng(seed)
    rows = [tuple(row) for row in np.minimum(generator.geometric(0.55, (150, 3)) - 1, 2).tolist()]
    return File(rows, generator.integers(5, 40, 150).tolist(), Rule.by_risk(0.02), [1.0, 1.3, 2.1], 1).table()


def test_rounds_keep_the_counts_and_the_same_seed_gives_the_same() -> None:
    problem = build(survey())
    first, second = CountsSearch(problem, 5), CountsSearch(problem, 5)
    first.start()
    begun = first.cost
    first.anneal(300_000, 300_000, 0.7)
    first.settle()
    second.start()
    for work in (0, 1000, 50_000, 300_000):
        second.anneal(work, 300_000, 0.7)
    second.settle()
    assert first.taken == second.taken and first.cost <= begun
    fresh = CountsSearch(problem, 5).go_on(problem, 5)
    lines = first._state.recs[:, kernel.LINE]
    for record in np.flatnonzero(lines >= 0).tolist():
        kernel.take(fresh._state, record, lines[record])
    assert np.array_equal(fresh._state.cells, first._state.cells)
    assert np.array_equal(fresh._state.lines[:, kernel.SCORE], first._state.lines[:, kernel.SCORE])


def test_a_thorough_search_is_no_worse_and_can_be_stopped_or_cancelled() -> None:
    problem = build(survey())
    found = losses(problem, 1, 1, thorough=False)
    best = losses(problem, 1, 1, thorough=True)
    assert found.bound <= best.bound <= best.cost <= found.cost and is_safe(problem.table, best.lost)
    lost, bound = thoroughly(problem, problem, found.lost, found.cost, found.bound, stop=lambda: True)
    assert np.array_equal(lost, found.lost) and bound == found.bound

    class Impatient:
        def report(self, done: float, total: float, text: str) -> None: ...

        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        losses(problem, 1, 1, thorough=True, progress=Impatient())


def test_a_programme_of_few_columns_finds_more_than_the_search_when_all_have_begun() -> None:
    problem = build(survey(2))
    before, after = Counting(problem), Counting(problem)
    before.go_to(STARTS * _CYCLE - 1)
    after.go_to(STARTS * _CYCLE)
    assert before.bound < after.bound <= after.loss < before.loss
    found = after.finish()
    assert found.cost == after.loss == price_of(problem.table, found.lost) and is_safe(problem.table, found.lost)
    assert found.bound >= after.bound and not found.beyond
