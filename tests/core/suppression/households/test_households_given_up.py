"""Households whose knapsack is too large, made common by limits that are far too small: safe, and no false claims."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.kernels import coupled, joint
from core.suppression.households.optimise import optimise_households
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable
from tests.core.small_households import households
from tests.core.suppression.files import Case
from tests.core.suppression.households.test_optimise import household_cases, thresholds, twin

LIMITS = {
    "states": {"MOST_STATES": 1},
    "work": {"WORK": 1},
    "comparisons": {"_COMPARISONS": 0},
    "members": {"MOST_MEMBERS": 2},
}
"""What makes the knapsack give up, each by itself."""
SAID = {"household-loss-not-least", "household-rule-sufficient-instead"}


@contextmanager
def small(limit: str) -> Iterator[None]:
    """The kernels carried out by Python, which reads their limits anew, with one of these far too small."""
    with ExitStack() as stack:
        for module, names in ((joint, ("choose_exactly",)), (coupled, ("choose_together",))):
            plain = {name: getattr(module, name).py_func for name in (*names, "knapsack", "extend")}
            less = {name: value for name, value in LIMITS[limit].items() if hasattr(module, name)}
            stack.enter_context(patch.multiple(module, **plain, **less))
        yield


def check(case: Case, tables: list[ProtectedTable], homes: HouseholdProblem, limit: str) -> Plan | None:
    """Every household is safe; what the plan says of its loss is true."""
    by_hand = twin(case, tables, homes.variables)
    groups = [homes.households.members_of(g).tolist() for g in range(len(homes.households))]
    expected = [by_hand.best(members, exact=True) for members in groups]
    try:
        with small(limit):
            plan = optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
    except ProtectionError:
        assert None in expected
        return None
    least = [best[0] for best in expected if best is not None]
    assert len(least) == len(expected)
    for members in groups:
        gone = [frozenset(n for n, flags in plan.suppressed.items() if flags[i]) for i in members]
        assert by_hand.safe(members, gone, exact=True)
    assert plan.lower_bound <= sum(least) + 1e-6 and plan.loss >= sum(least) - 1e-6
    said = {notice.id for notice in plan.notices}
    assert said <= SAID and (plan.exact or said)  # where nothing is lost, that is the least all the same
    if plan.exact:
        assert plan.loss == pytest.approx(sum(least), abs=1e-6) and plan.gap == 0
    return plan


@pytest.mark.parametrize("limit", LIMITS)
@settings(max_examples=30)
@given(drawn=household_cases(tables=2), data=st.data())
def test_two_coupled_tables(limit: str, drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject) -> None:
    case, groups, shared = drawn
    case = replace(case, related=case.related | {case.keys[0][0]: case.keys[1][0]})
    limits = [thresholds(case, groups, data, household) for household in (False, True) for _ in case.keys]
    tables = [replace(t, household_threshold=limits[k + 2]) for k, t in enumerate(case.tables(*limits[:2]))]
    check(case, tables, HouseholdProblem(households(groups), shared, "exact"), limit)


@pytest.mark.parametrize("limit", LIMITS)
@settings(max_examples=15)
@given(drawn=household_cases(), data=st.data())
def test_one_table(limit: str, drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject) -> None:
    case, groups, shared = drawn
    individual, of_households = (thresholds(case, groups, data, household) for household in (False, True))
    tables = [replace(t, household_threshold=of_households) for t in case.tables(individual)]
    check(case, tables, HouseholdProblem(households(groups), shared, "exact"), limit)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("second", [0.3, None])
def test_the_knapsack_does_give_up(limit: str, second: float | None) -> None:
    """Three members with several options each, in one table or in two that judge together."""
    rows: dict[str, list[int | None]] = {
        "A": [0, 1, 2, 0, 0, 1, 1, 2, 2],
        "B": [0, 1, 2, 1, 0, 2, 0, 1, 2],
        "C": [0, 0, 1, 1, 2, 2, 0, 1, 2],
    }
    costs = {"A": 1.0, "B": 1.5, "C": 1.25}
    case = Case((("A", "B"), ("C",)), rows, [7] * 9, "observed", 1.0, costs, {"B": "C"}, frozenset())
    one, other = case.tables(None, None)
    tables = [replace(one, household_threshold=0.24), replace(other, household_threshold=second)]
    homes = HouseholdProblem(households([0, 0, 0, 1, 1, 1, 2, 2, 2]), frozenset(), "exact")
    whole = optimise_households(tables, case.columns, case.coded_costs, case.rules, homes)
    assert whole.exact and not whole.notices
    plan = check(case, tables, homes, limit)
    assert plan is not None
    if limit == "comparisons" and second is None:  # labels of one table are in order: none are compared
        assert plan.exact
        return
    assert not plan.exact and {notice.id for notice in plan.notices} <= SAID
    assert plan.lower_bound <= whole.loss <= plan.loss
