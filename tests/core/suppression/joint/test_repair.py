"""Released keys in households: safe for everybody, household variables for all members or none, and never below the
bound nor the least loss that trying everything finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import ProtectionError
from core.data.households import Households
from core.kernels import repair as kernel
from core.suppression.costs import Costs
from core.suppression.households.sharing import HouseholdProblem, Shared, shared_among
from core.suppression.joint.member_choices import member_choices
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.joint.problem import ReleaseProblem
from core.suppression.joint.repair import Annealing, Members, Repaired, repair
from core.suppression.joint.search import Effort
from core.suppression.problem import ProtectedTable, Rules
from core.suppression.search_budget import SearchBudget
from core.tables.tabulate import tabulate_records
from tests.core.small_households import households
from tests.core.suppression.demodata import column

QUICK = Effort(300, 1, 60)
Row = tuple[int | None, ...]


@dataclass(frozen=True)
class Small:
    """A file of few records; ``together`` is the mask of the household variables, related the one that goes with 0."""

    rows: tuple[Row, ...]
    house: tuple[int, ...]
    need: tuple[int, ...]
    costs: tuple[float, ...]
    together: int
    fixed: int
    related: bool

    def parts(self) -> tuple[ReleaseProblem, Shared, NDArray[np.int32], Households]:
        """The same for the search."""
        p = len(self.costs)
        names = [f"V{j}" for j in range(p)]
        rules = Rules(related={"V0": "V1"} if self.related else {})
        household = frozenset(name for j, name in enumerate(names) if self.bit(j))
        joint = shared_among(names, p, self.fixed, rules, household, [self.missing(row) for row in self.rows])
        kinds = sorted(set(zip(self.rows, self.need, strict=True)), key=str)
        unit = np.array([kinds.index(kind) for kind in zip(self.rows, self.need, strict=True)], np.int32)
        problem = ReleaseProblem(
            [np.array([2 if row[j] is None else row[j] for row, _ in kinds], np.uint32) for j in range(p)], [2] * p,
            np.bincount(unit).astype(np.int32), np.array([need for _, need in kinds], np.int32), self.costs,
            joint.closures, np.array([self.missing(row) for row, _ in kinds], np.uint64), self.fixed,
        )  # fmt: skip
        of_record = np.array(self.house, np.uint32)
        size = np.bincount(of_record)
        starts = np.concatenate([[0], np.cumsum(size)])
        members = np.argsort(of_record, kind="stable").astype(np.uint32)
        homes = Households(of_record, size, members, starts, [], np.arange(len(size)), 0)
        return problem, joint, unit, homes

    def bit(self, j: int) -> bool:
        return bool(self.together >> j & 1)

    @staticmethod
    def missing(row: Row) -> int:
        return sum(1 << j for j, value in enumerate(row) if value is None)

    def released(self, newly: list[int]) -> list[Row]:
        return [
            tuple(None if mask >> j & 1 else value for j, value in enumerate(row))
            for row, mask in zip(self.rows, newly, strict=True)
        ]

    def wrong(self, newly: list[int]) -> str:
        """Why these masks are no release; empty where they are one."""
        size = Counter(self.released(newly))
        for key, need in zip(self.released(newly), self.need, strict=True):
            if size[key] < need:
                return "a key is too small"
        for row, mask, house in zip(self.rows, newly, self.house, strict=True):
            if mask & (self.missing(row) | self.fixed):
                return "lost what is missing or must stay"
            if self.related and mask & 1 and not (mask | self.missing(row)) & 2:
                return "what goes with a variable stays"
            for other, lost, theirs in zip(self.rows, newly, self.house, strict=True):
                if theirs == house and mask & self.together & ~lost & ~self.missing(other):
                    return "a household variable is left to a member"
        return ""

    def loss(self, newly: list[int]) -> float:
        return sum(cost for mask in newly for j, cost in enumerate(self.costs) if mask >> j & 1)

    def every(self) -> Iterator[list[int]]:
        return map(list, product(range(1 << len(self.costs)), repeat=len(self.rows)))

    def least(self) -> float | None:
        """The least loss, by trying everything."""
        return min((self.loss(newly) for newly in self.every() if not self.wrong(newly)), default=None)


@st.composite
def small_files(draw: st.DrawFn, most: int = 6, keys: int = 2) -> Small:
    value = st.one_of(st.integers(0, 1), st.integers(0, 1), st.none())
    rows = draw(st.lists(st.tuples(*[value] * keys), min_size=2, max_size=most))
    house = draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    house = [sorted(set(house)).index(h) for h in house]
    asked = draw(st.lists(st.sampled_from([0, 0, 2, 3]), min_size=len(rows), max_size=len(rows)))
    count = Counter(rows)
    need = [k if k > count[row] else 0 for k, row in zip(asked, rows, strict=True)]
    costs = tuple(draw(st.sampled_from([1.0, 1.5, 2.25])) for _ in range(keys))
    fixed = draw(st.sampled_from([0, 0, 0, 1]))
    return Small(
        tuple(rows), tuple(house), tuple(need), costs, draw(st.integers(0, 3)), fixed, draw(st.booleans())
    )  # fmt: skip


def by_place(asked: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Draw records by a number that is neither that of their place nor of anything else."""
    return asked.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def repaired(small: Small, effort: Effort = QUICK) -> Repaired:
    problem, joint, *living = small.parts()
    return repair(problem, member_choices(problem, joint), *living, by_place, joint.all, effort)


@given(small_files())
def test_what_is_found_is_safe_and_lies_between_bound_and_optimum(small: Small) -> None:
    least = small.least()
    if least is None:
        with pytest.raises(ProtectionError) as refused:
            repaired(small)
        assert refused.value.id == "records-without-released-key"
        return
    found = repaired(small)
    newly = [int(mask) for mask in found.newly]
    assert small.wrong(newly) == ""
    assert found.loss == pytest.approx(small.loss(newly), abs=1e-9)
    assert found.bound <= least + 1e-9 <= found.loss + 2e-9
    assert found.loss <= 1.5 * least + 1e-9, "of so small a file hardly anything is missed"


def test_a_variable_goes_alone_where_members_lack_what_goes_with_it() -> None:
    rows = ((None, 0), (0, 0), (None, None), (None, None), (0, None), (0, None))
    small = Small(rows, (1, 0, 0, 0, 1, 0), (0, 0, 0, 0, 3, 0), (1.0, 2.25), 3, 0, True)
    assert repaired(small).loss == small.least() == 1.0


@given(small_files(most=40, keys=3), st.integers(0, 100))
def test_what_is_carried_on_is_what_a_recount_finds(small: Small, seed: int) -> None:
    problem, joint, *living = small.parts()
    choices, members = member_choices(problem, joint), Members.of(*living)
    search = Annealing(problem, choices, members, seed)
    s = search._state
    for _ in range(10 if len(search.asking) else 0):
        search._go(kernel.ANNEAL, search.asking, rounds=20, heat=0.5, fine=1.0)
        chosen = s.rec[:, kernel.CHOICE]
        newly = np.zeros(len(chosen), np.uint64)
        newly[members.record] = choices.newly[chosen]
        masks = newly.tolist()
        size = Counter(small.released(masks))
        most: Counter[Row] = Counter()
        for key, need in zip(small.released(masks), small.need, strict=True):
            most[key] = max(most[key], need)
        lacking = sum(max(0, most[key] - size[key]) for key in size)
        assert s.num[kernel.LACKING] == lacking
        assert s.cost[kernel.NOW] == pytest.approx(small.loss(masks), abs=1e-9)
        assert small.wrong(masks) in ("", "a key is too small")
        assert s.num[kernel.AWAY] == np.count_nonzero(choices.price[chosen])


def test_where_the_search_finds_nothing_households_lose_as_much_as_they_can() -> None:
    # No rounds at all: eight records of different keys, each of which needs all others.
    rows = tuple((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1))
    small = Small(rows, (0, 0, 1, 1, 2, 2, 3, 3), (8,) + (0,) * 7, (1.0, 1.0, 1.0), 1, 0, False)
    found = repaired(small, Effort(0, 0, 10))
    assert small.wrong(found.newly.tolist()) == ""
    assert found.loss == 24


def test_the_same_seed_and_draw_give_the_same_release() -> None:
    generator = np.random.default_rng(3)
    rows = tuple((int(a), int(b), int(c)) for a, b, c in generator.integers(0, 2, (60, 3)))
    count = Counter(rows)
    need = tuple(12 if count[row] < 6 else 0 for row in rows)
    small = Small(rows, tuple(i // 3 for i in range(60)), need, (1.0, 1.5, 2.25), 1, 0, False)
    first, second = repaired(small), repaired(small)
    assert first.newly.tolist() == second.newly.tolist()
    assert small.wrong(first.newly.tolist()) == ""
    assert 0 < first.bound <= first.loss


@pytest.mark.parametrize("keys", ["AB", "A"])
def test_household_variables_go_only_where_nothing_else_helps(keys: str) -> None:
    """Then who lives alone lends first, and how much that tells is said."""
    groups = np.repeat(np.arange(300), np.tile([1, 2, 3], 100))
    rare = np.arange(300) < 3  # three households, of one, two and three members
    values = {"A": np.where(rare & (keys == "A"), 0, 1 + np.arange(300) % 2)[groups], "B": np.where(rare[groups], 0, 1)}
    columns = {name: column(name, values[name], 3) for name in keys}
    table = ProtectedTable(*tabulate_records(list(columns.values()), None), 0.1)
    homes = HouseholdProblem(households(groups.tolist()), frozenset("A"))
    costs = Costs("weights", dict.fromkeys(keys, 1.0), dict.fromkeys(keys, 1.0))
    plan = optimise_released_keys([table], columns, costs, Rules(), JointSettings(effort=20), homes)
    assert plan.total > 0
    if keys == "AB":
        assert plan.by_variable["A"] == 0 and not plan.notices
        return
    (said,) = plan.notices
    alone = (np.bincount(groups)[groups] == 1)[plan.suppressed["A"]]
    assert said.id == "lenders-told-by-size"
    assert f"of the {plan.total} records that lost one, {round(100 * alone.mean())} % live alone" in said.text
    assert "of all records 17 % do" in said.text


def test_a_search_that_is_stopped_is_what_one_of_its_effort_is() -> None:
    generator = np.random.default_rng(3)
    rows = tuple((int(a), int(b), int(c)) for a, b, c in generator.integers(0, 2, (60, 3)))
    need = tuple(12 if row == (1, 1, 1) else 0 for row in rows)
    small = Small(rows, tuple(i // 3 for i in range(60)), need, (1.0, 1.5, 2.25), 7, 0, False)
    problem, joint, *living = small.parts()
    choices, asked = member_choices(problem, joint), iter(range(1000))
    stopped = SearchBudget(stop=lambda: next(asked) == 20)
    first = repair(problem, choices, *living, by_place, joint.all, QUICK, reach=stopped)
    assert stopped.ended and stopped.effort == 210
    second = repair(problem, choices, *living, by_place, joint.all, QUICK, reach=SearchBudget(210))
    assert (first.newly.tolist(), first.bound, first.rounds) == (second.newly.tolist(), second.bound, second.rounds)
    whole = repair(problem, choices, *living, by_place, joint.all, QUICK)
    assert small.wrong(first.newly.tolist()) == "" and whole.loss <= first.loss and whole.rounds > first.rounds


def test_members_are_those_of_their_units_whatever_the_order() -> None:
    unit = np.array([3, 1, 2, 2, 1, 3, 2], np.int32)
    homes = households([0, 0, 1, 2, 2, 2, 3])
    members = Members.of(unit, homes)
    assert np.array_equal(unit[members.record], members.unit)
    home = homes.household_of_record[members.record]
    assert all(len(set(part)) == 1 for part in np.split(home, members.starts[1:-1]))
    other = Members.of(unit[::-1].copy(), households([3, 2, 2, 2, 1, 0, 0]))
    assert np.array_equal(members.unit, other.unit) and np.array_equal(members.starts, other.starts)
    assert [part.tolist() for part in members.alike()] == [part.tolist() for part in other.alike()]


@given(st.data())
def test_alike_households_are_drawn_by_their_members_numbers(data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=14).map(sorted))
    groups = [sorted(set(groups)).index(group) for group in groups]
    unit = np.array([data.draw(st.integers(0, 1)) for _ in groups], np.int32)
    own = np.array(data.draw(st.permutations(range(len(groups)))), np.uint64)
    members = Members.of(unit, households(groups))
    choice = np.array([data.draw(st.integers(0, 1)) for _ in groups], np.int32)
    found = members.drawn(choice, lambda asked: own[asked])
    of_home: dict[int, list[int]] = {}
    for place, record in enumerate(members.record.tolist()):
        of_home.setdefault(groups[record], []).append(place)
    kinds: dict[tuple[int, ...], list[list[int]]] = {}
    for places in of_home.values():
        kinds.setdefault(tuple(members.unit[places].tolist()), []).append(places)
    for units, homes in kinds.items():
        given_ = sorted(sorted(zip(units, choice[places].tolist(), strict=True)) for places in homes)
        homes.sort(key=lambda places: sum(own[members.record[places]].tolist()))
        for places, wanted in zip(homes, given_, strict=True):
            ranked = sorted(places, key=lambda place: (members.unit[place], own[members.record[place]]))
            assert [(members.unit[place], found[place]) for place in ranked] == wanted
