"""Two ways to the same plan: explicit minimal unsafe sets, and the order of candidates with the margins it asks for.

A risk table alone is decided by the order of candidates, several tables together by unsafe sets; on the same tables
both must choose the same values. Where they differ, the exhaustive twins of `test_individual` and `test_optimise` say
which is right.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.base.progress import SILENT
from core.suppression.costs import Costs
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.joint.optimise import JointSettings
from core.suppression.models import Models, _Joint
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable
from tests.core.small_households import households
from tests.core.suppression.files import Case, cases, optimise
from tests.core.suppression.households.test_optimise import household_cases, thresholds
from tests.core.suppression.test_individual import levels


def by_sets(case: Case, tables: list[ProtectedTable], costs: Costs, homes: HouseholdProblem | None = None) -> Plan:
    """The plan by explicit unsafe sets."""
    joint = JointSettings(by_released_keys=False)
    models = Models(risk=tuple(tables), order=tuple(name for keys in case.keys for name in keys))
    group = _Joint(models, case.columns, costs, case.rules, joint, SILENT, homes, joint.reach(), False)
    return group.plan()


def hold(case: Case, tables: list[ProtectedTable], costs: Costs, homes: HouseholdProblem | None = None) -> None:
    """The same values by both, or both refuse."""
    given_ = case.columns, costs, case.rules
    try:
        plan = optimise(tables, *given_, homes)
    except ProtectionError:
        with pytest.raises(ProtectionError):
            by_sets(case, tables, costs, homes)
        return
    again = by_sets(case, tables, costs, homes)
    assert plan.loss == again.loss and plan.total == again.total and plan.exact == again.exact
    for name in again.suppressed:
        assert np.array_equal(plan.suppressed[name], again.suppressed[name]), name


def costs_of(case: Case, data: st.DataObject) -> Costs:
    """By suppression weights, or by entropy."""
    return data.draw(st.sampled_from([case.coded_costs, Costs.of("entropy", case.columns.values(), [])]))


@settings(max_examples=200)
@given(cases(), st.data())
def test_one_table_loses_the_same_by_explicit_sets(case: Case, data: st.DataObject) -> None:
    hold(case, case.tables(data.draw(st.sampled_from(levels(case)))), costs_of(case, data))


@settings(max_examples=200)
@given(cases(tables=2), st.data())
def test_related_tables_lose_the_same_by_explicit_sets(case: Case, data: st.DataObject) -> None:
    found = st.sampled_from(levels(case))
    hold(case, case.tables(data.draw(found), data.draw(found)), costs_of(case, data))


@settings(max_examples=200)
@given(st.sampled_from([1, 2]).flatmap(lambda tables: household_cases(tables=tables)), st.data())
def test_households_lose_the_same_by_explicit_sets(
    drawn: tuple[Case, list[int], frozenset[str]], data: st.DataObject
) -> None:
    case, groups, shared = drawn
    limits = [thresholds(case, groups, data, household=False) for _ in case.keys]
    tables = [
        replace(table, household_threshold=thresholds(case, groups, data, household=True))
        for table in case.tables(*limits)
    ]
    hold(case, tables, costs_of(case, data), HouseholdProblem(households(groups), shared))
