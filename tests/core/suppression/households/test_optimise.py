"""Suppression in households against exhaustive search, and its refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.recipe.model import HouseholdSettings as Settings
from core.risk.household import household_risk
from core.risk.individual import individual_risk
from core.suppression.households import forecast as household_grid
from core.suppression.households.forecast import By, household_forecast
from core.suppression.households.limits import refusal, told_apart
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable
from tests.core.small_households import households
from tests.core.suppression.files import Case, cases, optimise
from tests.members import members_of
from tests.naive_households import Twin


def small_groups(drawn: list[int]) -> list[int]:
    """Groups of three at most: the twin tries every combination of what members may lose."""
    return [group + 100 * (drawn[:i].count(group) // 3) for i, group in enumerate(drawn)]


@st.composite
def household_cases(draw: st.DrawFn, tables: int = 1) -> tuple[Case, list[int], frozenset[str]]:
    """A small file, the household of each record, and the household variables."""
    case = draw(cases(tables=tables))
    names = [*case.rows][:3] if tables == 1 else [*case.rows]
    n = min(len(case.weights), 6)
    case = Case(
        tuple(tuple(k for k in keys if k in names) for keys in case.keys),
        {name: case.rows[name][:n] for name in names},
        case.weights[:n],
        case.rule,
        case.alpha,
        {name: case.costs[name] for name in names},
        {a: b for a, b in case.related.items() if a in names and b in names},
        case.fixed & set(names),
    )
    groups = small_groups(draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n)))
    shared = draw(st.frozensets(st.sampled_from(names), max_size=2))
    return case, groups, shared


def levels_of(case: Case, groups: list[int], household: bool) -> list[float]:
    """Thresholds at, around and between the levels of the file."""
    found = set()
    homes = households(groups)
    for table in case.tables(*[None] * len(case.keys)):
        risk = individual_risk(table.cells.f, table.cells.F)
        levels = household_risk(risk, table.cell_index.of_record, homes) if household else risk
        found |= {float(r) for r in levels}
    levels = sorted(found)
    between = [(a + b) / 2 for a, b in pairwise(levels)]
    return [*levels, *between, levels[0] / 2, levels[0] / 1.5, min(1.0, levels[-1])]


def thresholds(case: Case, groups: list[int], data: st.DataObject, household: bool) -> float | None:
    """None, or a threshold at, around or between the levels of the file."""
    return data.draw(st.sampled_from([None, *levels_of(case, groups, household)]))


def twin(case: Case, tables: list[ProtectedTable], shared: frozenset[str]) -> Twin:
    alpha = Fraction(case.alpha).limit_denominator(100)
    rows = [
        (keys, case.rows_of(keys), t.threshold, t.household_threshold, case.rule, alpha)
        for keys, t in zip(case.keys, tables, strict=True)
    ]
    reach = {name for keys in case.keys for key in keys for name in case.rules.closure(key)}
    missing = [{n for n, values in case.rows.items() if values[i] is None} for i in range(len(case.weights))]
    costs = {name: cost for name, cost in case.costs.items() if name in reach}
    return Twin(rows, case.weights, missing, costs, case.related, set(case.fixed), set(shared) & reach)


def check(case: Case, tables: list[ProtectedTable], homes: HouseholdProblem) -> Plan | None:
    """Optimise, and compare household by household with the twin."""
    by_hand = twin(case, tables, homes.variables)
    groups = [members_of(homes.households, g).tolist() for g in range(len(homes.households))]
    expected = [by_hand.best(members) for members in groups]
    try:
        plan = optimise(tables, case.columns, case.coded_costs, case.rules, homes)
    except ProtectionError as error:
        if None not in expected or error.values.get("households", 0) > expected.count(None):
            raise
        return None
    assert None not in expected
    for members, best in zip(groups, expected, strict=True):
        gone = [frozenset(n for n, flags in plan.suppressed.items() if flags[i]) for i in members]
        assert by_hand.safe(members, gone)
        cost = sum(case.costs[n] for g in gone for n in g), sum(map(len, gone))
        assert best is not None and cost[0] == pytest.approx(best[0], abs=1e-9) and cost[1] == best[1]
    assert plan.exact and plan.gap == 0
    return plan


@given(household_cases(), st.data())
def test_every_household_is_protected_at_least_loss(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject
) -> None:
    case, groups, shared = drawn
    individual = thresholds(case, groups, data, household=False)
    of_households = thresholds(case, groups, data, household=True)
    tables = [replace(t, household_threshold=of_households) for t in case.tables(individual)]
    check(case, tables, HouseholdProblem(households(groups), shared))


@given(household_cases(tables=2), st.data())
def test_two_tables_coupled_by_relations_and_households(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject
) -> None:
    case, groups, shared = drawn
    case = replace(case, related=case.related | {case.keys[0][0]: case.keys[1][0]})
    limits = [thresholds(case, groups, data, household) for household in (False, True) for _ in case.keys]
    tables = [replace(t, household_threshold=limits[k + 2]) for k, t in enumerate(case.tables(limits[0], limits[1]))]
    check(case, tables, HouseholdProblem(households(groups), shared))


def test_a_household_whose_members_prevent_each_other_is_named() -> None:
    """S goes for all or for none; it has to in one record, and takes with it what the other may not lose."""
    rows: dict[str, list[int | None]] = {"S": [1, 0, 0, 0, 0, 0, 0, 0], "X": [None, 0, 0, 0, 0, 0, 0, 0]}
    case = Case((("S",),), rows, [9] * 8, "observed", 1.0, {"S": 1.0, "X": 1.0}, {"S": "X"}, frozenset({"X"}))
    (table,) = case.tables(None)
    tables = [replace(table, threshold=0.1, household_threshold=0.2)]
    homes = HouseholdProblem(households([7, 7, 8, 8, 9, 9, 9, 9]), frozenset({"S"}))
    with pytest.raises(ProtectionError) as raised:
        optimise(tables, case.columns, case.coded_costs, case.rules, homes)
    assert raised.value.id == "households-without-choice" and raised.value.values["records"] == 2
    assert str(raised.value).startswith("The household 7, of size 2, cannot be protected")


@pytest.mark.parametrize("free", [False, True])
def test_more_household_variables_than_are_combined(free: bool) -> None:
    """Four of thirteen have to go; only three at a time are tried, and all that may go."""
    names = [chr(ord("A") + i) for i in range(13)]
    rows: dict[str, list[int | None]] = {
        name: [int(i // 2 == j % 3 and name != "M") for i in range(12)] for j, name in enumerate(names)
    }
    fixed = frozenset("" if free else "M")
    costs = dict.fromkeys(names, 1.0)
    case = Case((tuple(names),), rows, [9] * 12, "observed", 1.0, costs, {}, fixed)
    (table,) = case.tables(None)
    homes = HouseholdProblem(households([i // 2 for i in range(12)]), frozenset(names))
    plan = optimise([replace(table, household_threshold=0.1)], case.columns, case.coded_costs, case.rules, homes)
    assert plan.total == 6 * (12 + free) and not plan.exact and plan.lower_bound == 0


def test_households_that_cannot_be_protected_are_named() -> None:
    case = Case((("S",),), {"S": [0, 0, 0, 0, 1, 1]}, [10] * 6, "observed", 1.0, {"S": 1.0}, {}, frozenset({"S"}))
    tables = [replace(t, household_threshold=0.1) for t in case.tables(None)]
    homes = HouseholdProblem(households([7, 7, 8, 8, 9, 9]), frozenset({"S"}))
    with pytest.raises(ProtectionError) as raised:
        optimise(tables, case.columns, case.coded_costs, case.rules, homes)
    said = raised.value.values
    assert (raised.value.id, said["households"], said["records"]) == ("households-unprotectable", 1, 2)
    assert said["identifiers"] == "9" and said["sizes"] == "2" and "S" in said["combination"]
    assert str(raised.value).startswith("The household 9, of size 2, cannot be brought below the household ")
    assert f"threshold of {said['enough']} or more" in str(raised.value) and len(said["enough"]) < 10
    better = [replace(tables[0], household_threshold=float(said["enough"]))]
    assert optimise(better, case.columns, case.coded_costs, case.rules, homes).total == 0
    told = refusal(tables[0], case.columns, case.rules, homes)
    assert told is not None and (told.id, told.values) == (raised.value.id, said)
    assert refusal(better[0], case.columns, case.rules, homes) is None


@given(st.floats(1e-9, 1.0), st.floats(0, 1e-3) | st.sampled_from([0.0, 1e-12, 1e-15, 1e-7]))
def test_thresholds_are_told_apart_in_few_digits(threshold: float, more: float) -> None:
    reachable = threshold * (1 - 1e-12) + more
    shown, enough = told_apart(threshold, reachable)
    if not enough:
        assert reachable > 1 - 1e-9
        return
    assert float(shown) < float(enough) and float(enough) * (1 - 1e-12) > reachable
    assert float(enough) <= reachable * (1 + 2e-5)


def test_ten_thousand_persons_with_one_identifier() -> None:
    """An institution: all of them lose a value; as single persons nobody does."""
    n = 12_000
    sexes, ages = [i % 2 for i in range(n)], [i * i % 3 for i in range(n)]
    costs = {"A": 1.0, "B": 1.5}
    case = Case((("A", "B"),), {"A": sexes, "B": ages}, [20] * n, "observed", 1.0, costs, {}, frozenset())
    (table,) = case.tables(None)
    groups = [0 if i < 10_000 else i // 2 for i in range(n)]
    limited = replace(table, household_threshold=0.1)
    homes = HouseholdProblem(households(groups), frozenset({"A"}))
    plan = optimise([limited], case.columns, case.coded_costs, case.rules, homes)
    assert plan.total == 10_000 and plan.by_variable == {"A": 0, "B": 10_000}
    assert household_forecast(limited, case.columns, case.coded_costs, case.rules, homes).at(0.1).total == 10_000
    alone = replace(homes, households=households(groups, Settings(single_persons_above=50)))
    assert optimise([limited], case.columns, case.coded_costs, case.rules, alone).total == 0


@given(household_cases(), st.data(), st.sampled_from(["individual", "household"]))
def test_the_forecast_is_the_plan_at_every_threshold(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject, by: By
) -> None:
    case, groups, _ = drawn
    check_forecast(drawn, by, thresholds(case, groups, data, household=by == "individual"))


def check_forecast(drawn: tuple[Case, list[int], frozenset[str]], by: By, other: float | None) -> None:
    """Compare forecast and plan at, around and between all levels; `other` is the threshold of the other kind."""
    case, groups, shared = drawn
    homes = HouseholdProblem(households(groups), shared)
    individual = by == "individual"
    plain, kind = case.tables(None)[0], "threshold" if individual else "household_threshold"
    given_table = replace(plain, **{"threshold": other, "household_threshold": other, kind: None})
    forecast = household_forecast(given_table, case.columns, case.coded_costs, case.rules, homes, by)
    assert forecast.exact
    for threshold in levels_of(case, groups, household=not individual):
        table = replace(given_table, **{kind: threshold})
        point = forecast.at(threshold)
        try:
            plan = optimise([table], case.columns, case.coded_costs, case.rules, homes)
        except ProtectionError:
            assert point.unsafe_left and threshold * (1 - 1e-12) <= forecast.lowest_threshold
            continue
        assert (point.by_variable, point.total) == (plan.by_variable, plan.total)
        assert (point.records_touched, point.unsafe_left) == (plan.records_touched, 0)
        assert point.loss == plan.loss and point.entropy_loss == plan.entropy_loss


def test_a_threshold_just_above_what_cannot_be_met_is_not_met_either() -> None:
    """A single person's household risk, by way of logarithms, is a little above the person's own."""
    rows: dict[str, list[int | None]] = {"A": [0, 1], "B": [0, 0], "C": [0, 0]}
    free = dict.fromkeys("ABC", 0.0)
    case = Case((("A", "B", "C"),), rows, [5, 5], "observed", 1.0, free, {}, frozenset({"A"}))
    (table,) = case.tables(None)
    own = individual_risk(table.cells.f, table.cells.F)
    homes = households([0, 1])
    assert 0 < household_risk(own, table.cell_index.of_record, homes).max() - own.max() < 1e-15
    check_forecast((case, [0, 1], frozenset()), "household", None)


@given(household_cases(), st.data(), st.sampled_from(["individual", "household"]), st.sampled_from([2, 5]))
def test_a_forecast_of_few_thresholds_is_a_bound(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject, by: By, few: int
) -> None:
    case, groups, shared = drawn
    homes = HouseholdProblem(households(groups), shared)
    other = thresholds(case, groups, data, household=by == "individual")
    asked = "household_threshold" if by == "individual" else "threshold"
    table = replace(case.tables(None)[0], **{asked: other})
    given_ = table, case.columns, case.coded_costs, case.rules, homes, by
    every = household_forecast(*given_)
    with patch.multiple(household_grid, MOST_LEVELS=0, FEW_LEVELS=few, WORK=0):
        some = household_forecast(*given_)
    assert not some.exact and every.exact and some.lowest_threshold == every.lowest_threshold
    for threshold in levels_of(case, groups, household=by == "household"):
        point, bound = every.at(threshold), some.at(threshold)
        assert bound.loss >= point.loss - 1e-9 or point.unsafe_left
        assert (bound.unsafe_left > 0) == (point.unsafe_left > 0) and bound.unsafe_left >= point.unsafe_left
