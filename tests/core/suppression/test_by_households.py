"""Suppression in households against exhaustive search, and its refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ProtectionError
from core.risk.household import household_risk
from core.risk.individual import individual_risk
from core.suppression.by_households import optimise_households
from core.suppression.homes import Homes, HouseholdRule
from core.suppression.household_forecast import By, household_forecast
from core.suppression.household_limits import unprotectable
from core.suppression.plan import Plan
from core.suppression.units import Table
from tests.core.small_households import households
from tests.core.suppression.files import Case, cases
from tests.naive_households import Twin

RULES: tuple[HouseholdRule, ...] = ("sufficient", "exact")


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
        levels = household_risk(risk, table.cells.cell_of_record, homes) if household else risk
        found |= {float(r) for r in levels}
    levels = sorted(found)
    between = [(a + b) / 2 for a, b in pairwise(levels)]
    return [*levels, *between, levels[0] / 2, levels[0] / 1.5, min(1.0, levels[-1])]


def thresholds(case: Case, groups: list[int], data: st.DataObject, household: bool) -> float | None:
    """None, or a threshold at, around or between the levels of the file."""
    return data.draw(st.sampled_from([None, *levels_of(case, groups, household)]))


def twin(case: Case, tables: list[Table], shared: frozenset[str]) -> Twin:
    alpha = Fraction(case.alpha).limit_denominator(100)
    rows = [
        (keys, case.rows_of(keys), t.threshold, t.household_threshold, case.rule, alpha)
        for keys, t in zip(case.keys, tables, strict=True)
    ]
    reach = {name for keys in case.keys for key in keys for name in case.rules.closure(key)}
    missing = [{n for n, values in case.rows.items() if values[i] is None} for i in range(len(case.weights))]
    costs = {name: cost for name, cost in case.costs.items() if name in reach}
    return Twin(rows, case.weights, missing, costs, case.related, set(case.fixed), set(shared) & reach)


def check(case: Case, tables: list[Table], homes: Homes) -> Plan | None:
    """Optimise, and compare household by household with the twin."""
    by_hand = twin(case, tables, homes.variables)
    exact = homes.rule == "exact"
    groups = [homes.households.members_of(g).tolist() for g in range(len(homes.households))]
    expected = [by_hand.best(members, exact) for members in groups]
    try:
        plan = optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
    except ProtectionError as error:
        if None not in expected or error.values.get("households", 0) > expected.count(None):
            raise
        return None
    assert None not in expected
    for members, best in zip(groups, expected, strict=True):
        gone = [frozenset(n for n, flags in plan.suppressed.items() if flags[i]) for i in members]
        assert by_hand.safe(members, gone, exact)
        cost = sum(case.costs[n] for g in gone for n in g), sum(map(len, gone))
        assert best is not None and cost[0] == pytest.approx(best[0], abs=1e-9) and cost[1] == best[1]
    assert plan.exact and plan.gap == 0
    return plan


@settings(max_examples=60)
@given(household_cases(), st.data(), st.sampled_from(RULES))
def test_every_household_is_protected_at_least_loss(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject, rule: HouseholdRule
) -> None:
    case, groups, shared = drawn
    individual = thresholds(case, groups, data, household=False)
    of_households = thresholds(case, groups, data, household=True)
    tables = [Table(t.cells, individual, "exact", of_households) for t in case.tables(individual)]
    check(case, tables, Homes(households(groups), shared, rule))


@settings(max_examples=25)
@given(household_cases(tables=2), st.data())
def test_two_tables_coupled_by_relations_and_households(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject
) -> None:
    case, groups, shared = drawn
    limits = [thresholds(case, groups, data, household) for household in (False, True) for _ in case.keys]
    tables = [
        Table(t.cells, limits[k], "exact", limits[k + 2]) for k, t in enumerate(case.tables(limits[0], limits[1]))
    ]
    check(case, tables, Homes(households(groups), shared, "sufficient"))


def test_households_that_cannot_be_protected_are_named() -> None:
    case = Case((("S",),), {"S": [0, 0, 0, 0, 1, 1]}, [10] * 6, "observed", 1.0, {"S": 1.0}, {}, frozenset({"S"}))
    tables = [Table(t.cells, None, "exact", 0.1) for t in case.tables(None)]
    for rule in RULES:
        homes = Homes(households([7, 7, 8, 8, 9, 9]), frozenset({"S"}), rule)
        with pytest.raises(ProtectionError) as raised:
            optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
        said = raised.value.values
        assert (raised.value.id, said["households"], said["records"]) == ("households-unprotectable", 1, 2)
        assert said["identifiers"] == "9" and said["sizes"] == "2" and "S" in said["combination"]
        better = [Table(tables[0].cells, None, "exact", said["reachable"] * 1.001)]
        assert optimise_households(better, case.columns, case.coded_costs, case.rules, homes).total == 0
        found = unprotectable(tables[0], case.columns, case.rules, homes)
        assert (found.number, found.reachable) == (1, said["reachable"])


def test_large_households_take_the_sufficient_rule_and_it_is_said() -> None:
    n = 26
    case = Case((("A", "B"),), {"A": [i % 3 for i in range(n)], "B": [i % 2 for i in range(n)]}, [20] * n, "observed",
                1.0, {"A": 1.0, "B": 1.5}, {}, frozenset())  # fmt: skip
    (table,) = case.tables(None)
    tables = [Table(table.cells, None, "exact", 0.15)]
    homes = Homes(households([0] * 13 + list(range(1, 14))), frozenset(), "exact")
    plan = optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
    (notice,) = plan.notices
    assert dict(notice.values)["households"] == 1 and dict(notice.values)["records"] == 13
    assert plan.loss > 0 and not plan.exact and plan.lower_bound < plan.loss


@settings(max_examples=40)
@given(household_cases(), st.data())
def test_the_exact_rule_never_costs_more(drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject) -> None:
    case, groups, shared = drawn
    of_households = thresholds(case, groups, data, household=True)
    tables = [Table(t.cells, None, "exact", of_households) for t in case.tables(None)]
    losses = []
    for rule in RULES:
        homes = Homes(households(groups), shared, rule)
        try:
            plan = optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
        except ProtectionError:
            losses.append(float("inf"))
            continue
        losses.append(plan.loss)
    assert losses[1] <= losses[0] + 1e-9


@settings(max_examples=60)
@given(household_cases(), st.data(), st.sampled_from(["individual", "household"]))
def test_the_forecast_is_the_plan_at_every_threshold(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject, by: By
) -> None:
    case, groups, shared = drawn
    homes = Homes(households(groups), shared)
    individual = by == "individual"
    other = thresholds(case, groups, data, household=individual)
    cells = case.tables(None)[0].cells
    given_table = Table(cells, None if individual else other, "exact", other if individual else None)
    forecast = household_forecast(given_table, case.columns, case.coded_costs, case.rules, homes, by)
    assert forecast.exact
    for threshold in levels_of(case, groups, household=not individual):
        table = Table(cells, threshold if individual else other, "exact", other if individual else threshold)
        point = forecast.at(threshold)
        try:
            plan = optimise_households([table], case.columns, case.coded_costs, case.rules, homes)
        except ProtectionError:
            if not point.unsafe_left or threshold > forecast.lowest_threshold:
                raise
            continue
        assert (point.by_variable, point.total) == (plan.by_variable, plan.total)
        assert (point.records_touched, point.unsafe_left) == (plan.records_touched, 0)
        assert point.loss == plan.loss and point.entropy_loss == plan.entropy_loss
