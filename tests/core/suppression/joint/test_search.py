"""Releases are safe, never below the bound, and at their best what trying everything finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.base.progress import Cancelled
from core.kernels import released_keys as kernel
from core.suppression.joint import problem as joint_problem
from core.suppression.joint.bound import Prices
from core.suppression.joint.exact import is_safe, solve, thoroughly
from core.suppression.joint.optimise import few_suppressions
from core.suppression.joint.problem import ReleaseProblem, demands, entries
from core.suppression.joint.search import Effort, Search, release
from tests.core.suppression.joint.problems import Small, small_files
from tests.naive_joint import least_loss

QUICK = Effort(500, 0, 60)


@given(small_files())
def test_releases_are_safe_and_lie_between_bound_and_optimum(small: Small) -> None:
    best = least_loss(small.keys, small.records, small.need, small.costs, small.fixed, small.closures)
    if best is None:
        with pytest.raises(ProtectionError):
            release(small.problem(), QUICK)
        return
    found = release(small.problem(), QUICK)
    small.check(found)
    assert found.bound <= best + 1e-9
    assert found.loss >= best - 1e-9


@given(small_files())
def test_the_programme_finds_the_least_loss(small: Small) -> None:
    best = least_loss(small.keys, small.records, small.need, small.costs, small.fixed, small.closures)
    if best is None:
        return
    problem = small.problem()
    ways = entries(problem)
    taken, bound = solve(problem.records, problem.need, ways.unit, ways.group, ways.price, len(ways.total))
    assert taken is not None
    whole = np.rint(taken).astype(np.int32)
    assert is_safe(problem, ways, whole)
    assert np.dot(ways.price, whole) == pytest.approx(best, abs=1e-9)
    assert bound <= best + 1e-6


@given(small_files(), st.integers(0, 2**32))
def test_any_prices_give_a_bound(small: Small, seed: int) -> None:
    best = least_loss(small.keys, small.records, small.need, small.costs, small.fixed, small.closures)
    if best is None:
        return
    problem = small.problem()
    prices = Prices(problem, entries(problem))
    generator = np.random.default_rng(seed)
    for _ in range(20):
        prices._now[:] = generator.uniform(0, 4, len(prices._now))
        assert prices.climb(best + 1, 1) <= best + 1e-9


@given(small_files(most=40, plain=True), st.integers(0, 100))
def test_what_is_carried_on_is_what_a_recount_finds(small: Small, seed: int) -> None:
    problem = small.problem()
    if any(entries(problem).stuck):
        return
    search = Search(problem, entries(problem), seed)
    try:
        search.start()
    except ProtectionError:
        return
    for done in range(25, 525, 25):
        search.go_to(done, 5)
        check_state(search, problem)


def check_state(search: Search, problem: ReleaseProblem) -> None:
    """Counts, demands, lists and the loss are what the entries say."""
    s, ways = search._state, search._ways
    taken = s.ent[:, kernel.TAKEN]
    assert is_safe(problem, ways, taken)
    assert search.loss == pytest.approx(float(np.dot(ways.price, taken)), abs=1e-9)
    assert s.grp[:, kernel.COUNT].tolist() == np.bincount(ways.group, taken, len(ways.total)).tolist()
    for g in range(len(ways.total)):
        used = {e for e in np.flatnonzero(ways.group == g).tolist() if taken[e]}
        listed, e = [], int(s.grp[g, kernel.HEAD])
        while e >= 0:
            listed.append(e)
            e = int(s.ent[e, kernel.NEXT])
        assert sorted(listed) == sorted(used)
        assert s.grp[g, kernel.DEMAND] == max((int(problem.need[ways.unit[e]]) for e in used), default=0)
    for u in range(len(problem.records)):
        assert s.uni[u, kernel.FREE] == 0
        listed, e = [], int(s.uni[u, kernel.PRESENT])
        while e >= 0:
            listed.append(e)
            e = int(s.ent[e, kernel.OTHER])
        assert sorted(listed) == [e for e in range(int(ways.ptr[u]), int(ways.ptr[u + 1])) if taken[e]]


def survey(units: int = 200, keys: int = 4, k: int = 3, seed: int = 1, least: int = 0) -> ReleaseProblem:
    """A file of skewed codes, with k-anonymity."""
    generator = np.random.default_rng(seed)
    rows = np.minimum(generator.geometric(0.4, (units, keys)) - 1, 4).astype(np.uint32)
    found, count = np.unique(rows, axis=0, return_counts=True)
    return ReleaseProblem(
        [np.ascontiguousarray(found[:, j]) for j in range(keys)], [5] * keys, count.astype(np.int32),
        demands(np.zeros(len(found), np.int32), k, least), [1.0 + 0.37 * j for j in range(keys)],
        [1 << j for j in range(keys)], np.zeros(len(found), np.uint64),
    )  # fmt: skip


def test_the_same_seed_gives_the_same_release_and_more_rounds_lose_no_more() -> None:
    problem = survey()
    first, second = (release(problem, Effort(1000, 0), seed=5) for _ in range(2))
    assert np.array_equal(first.unit, second.unit)
    assert np.array_equal(first.lost, second.lost)
    assert np.array_equal(first.records, second.records)
    assert (first.loss, first.bound, first.rounds) == (second.loss, second.bound, second.rounds)
    assert release(problem, Effort(0, 0), seed=5).loss >= first.loss >= first.bound > 0


def test_the_thorough_search_proves_its_release_and_can_be_stopped() -> None:
    problem = survey(80)
    found = release(problem, Effort(50, 0, 20))
    best = thoroughly(problem, found)
    assert best.optimal
    assert found.bound <= best.loss <= found.loss
    assert thoroughly(problem, replace(found, bound=0.0), stop=lambda: True).loss == found.loss


def test_both_can_be_cancelled() -> None:
    class Impatient:
        def report(self, done: float, total: float, text: str) -> None: ...

        def check(self) -> None:
            raise Cancelled

    problem = survey(80)
    with pytest.raises(Cancelled):
        release(problem, progress=Impatient())
    found = replace(release(problem, Effort(50, 0, 20)), bound=0.0)
    with pytest.raises(Cancelled):
        thoroughly(problem, found, progress=Impatient())


def test_a_size_can_be_asked_of_every_released_key() -> None:
    problem = survey(k=0, least=4)
    found = release(problem, Effort(200, 0))
    assert problem.need.tolist() == [4] * len(problem.need)
    keys = list(zip(*(code.tolist() for code in problem.codes), strict=True))
    table = list(zip(found.unit.tolist(), found.lost.tolist(), found.records.tolist(), strict=True))
    small = Small(tuple(keys), tuple(problem.records.tolist()), tuple(problem.need.tolist()),
                  tuple(problem.costs), tuple(problem.closures), 0)  # fmt: skip
    small.check(found)
    assert len({(unit, mask) for unit, mask, _ in table}) == len(table)


def test_what_goes_with_a_key_outside_the_table_is_paid_and_counted_unless_it_is_missing_already() -> None:
    # Key 1 takes variable 2 with it, which one of the two rare units lacks already.
    problem = ReleaseProblem(
        [np.array([0, 0], np.uint32), np.array([0, 1], np.uint32)], [1, 2], np.array([1, 1], np.int32),
        np.array([2, 2], np.int32), [10.0, 1.0, 0.25], [1, 6, 4], np.array([0, 4], np.uint64),
    )  # fmt: skip
    found = release(problem, QUICK)
    assert (found.lost.tolist(), found.blanks) == ([2, 2], 3)
    assert found.loss == found.bound == pytest.approx(2.25)
    assert found.optimal


def test_units_that_nothing_helps_are_counted_in_the_refusal() -> None:
    problem = replace(survey(), fixed=0b1111)
    with pytest.raises(ProtectionError) as refusal:
        release(problem, QUICK)
    rare = problem.records < 3
    assert refusal.value.values == {"records": int(problem.records[rare].sum()), "total": 200}


def test_with_many_keys_a_record_loses_few_or_all() -> None:
    problem = survey(400, keys=13)
    found = release(problem, Effort(300, 0, 30))
    assert not found.complete
    assert 0 < found.bound < found.loss
    assert [notice.id for notice in few_suppressions(found, [f"K{j}" for j in range(13)])] == ["few-blanks-tried"]
    counts = np.bitwise_count(found.lost)
    chain = {0}
    for j in range(13):
        chain.add(max(chain) | 1 << j)
    assert all(count <= 3 or mask in chain for count, mask in zip(counts.tolist(), found.lost.tolist(), strict=True))
    small = Small(tuple(zip(*(code.tolist() for code in problem.codes), strict=True)), tuple(problem.records.tolist()),
                  tuple(problem.need.tolist()), tuple(problem.costs), tuple(problem.closures), 0)  # fmt: skip
    small.check(found)


@given(small_files())
def test_where_not_all_sets_are_tried_the_bound_holds_for_all(small: Small) -> None:
    best = least_loss(small.keys, small.records, small.need, small.costs, small.fixed, small.closures)
    if best is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_problem, "MOST_KEYS", 1)
        patch.setattr(joint_problem, "FEW_BLANKS", 1)
        try:
            found = release(small.problem(), QUICK)
        except ProtectionError:
            return  # what is left to try may not do
    small.check(found)
    assert found.bound <= best + 1e-9
    assert found.loss >= best - 1e-9
    assert found.complete == (len(small.costs) == 1 or all(key.count(None) >= len(key) - 1 for key in small.keys))


def test_units_that_are_looked_for_twice_end_no_search_in_a_circle() -> None:
    codes = [[0, 0, 1, 1, 2, 2, 2], [2, 2, 1, 2, 2, 2, 2], [0, 1, 0, 0, 0, 1, 2]]
    problem = ReleaseProblem(
        [np.array(code, np.uint32) for code in codes],
        [2, 2, 2],
        np.array([1, 3, 1, 1, 1, 1, 1], np.int32),
        np.array([4, 4, 2, 2, 2, 2, 3], np.int32),
        [1.0, 2.25, 2.25],
        [3, 2, 4],
        np.array([2, 2, 0, 2, 3, 3, 7], np.uint64),
        0,
    )
    assert release(problem, QUICK).loss > 0
