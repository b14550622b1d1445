"""Several models together where records belong to households: all are met, and what members share goes for all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.suppression.criteria.k_anonymity import KAnonymity
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.tables.margins import UnsafeSpec
from tests import naive_models as naive
from tests.core.small_households import households
from tests.core.suppression.files import Case, cases
from tests.core.suppression.test_models import order_of, some_tables
from tests.naive_households import household_risk, unsafe
from tests.naive_suppression import Row, frequencies, risk


@st.composite
def households_and_variables(draw: st.DrawFn, case: Case) -> tuple[list[int], frozenset[str]]:
    n = len(case.weights)
    groups = draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n))
    return groups, draw(st.frozensets(st.sampled_from([*case.rows]), min_size=1, max_size=2))


def left(case: Case, plan: Plan) -> dict[str, list[int | None]]:
    """The file once the plan is carried out."""
    lost = plan.suppressed
    return {
        name: [None if name in lost and lost[name][i] else value for i, value in enumerate(values)]
        for name, values in case.rows.items()
    }


def check_together(case: Case, plan: Plan, groups: list[int], shared: frozenset[str]) -> None:
    """What one member loses of a household variable, no other member has."""
    after = left(case, plan)
    for name in shared & plan.suppressed.keys():
        touched = {group for group, flag in zip(groups, plan.suppressed[name], strict=True) if flag}
        assert all(value is None for group, value in zip(groups, after[name], strict=True) if group in touched)
    for name, other in case.related.items():
        if name in plan.suppressed and other in plan.suppressed:
            gone = zip(plan.suppressed[name], after[other], strict=True)
            assert all(value is None for flag, value in gone if flag)


def risks_left(case: Case, after: dict[str, list[int | None]], keys: tuple[str, ...]) -> list[float]:
    """Risks of the records by what is left of them, in the original file."""
    rows, alpha = case.rows_of(keys), Fraction(case.alpha).limit_denominator(100)
    values: list[Row] = list(zip(*(after[name] for name in keys), strict=True))
    return [risk(*frequencies(rows, case.weights, row, case.rule, alpha)) for row in values]


@given(cases(), st.data())
def test_all_models_are_met_and_members_lose_together_what_they_share(case: Case, data: st.DataObject) -> None:
    keys = case.keys[0]
    groups, shared = data.draw(households_and_variables(case))
    rare = [(names, data.draw(st.integers(0, 2))) for names in data.draw(some_tables(keys, 2))]
    k = data.draw(st.sampled_from([None, 2, 3]))
    anonymous = () if k is None else tuple(KAnonymity(names, k) for names in data.draw(some_tables(keys, 2)))
    limits = data.draw(st.tuples(*[st.sampled_from([None, 0.02, 0.1, 0.4, 0.9])] * 2))
    (judging,) = case.tables(limits[0])
    with_risk = data.draw(st.booleans())
    models = Models(
        (replace(judging, household_threshold=limits[1]),) if with_risk else (),
        tuple(UnsafeSpec(*table) for table in rare),
        anonymous,
        order_of(keys, *(names for names, _ in rare)),
    )
    try:
        plan = optimise_models(
            models, case.columns, case.coded_costs, case.rules, homes=HouseholdProblem(households(groups), shared)
        )
    except ProtectionError:
        return
    check_together(case, plan, groups, shared)
    after = left(case, plan)
    for i in range(len(groups)):
        kept = {name: value for name, values in after.items() if (value := values[i]) is not None}
        assert not naive.has_unsafe(rare, case.rows, kept)
    for table in anonymous:
        assert naive.rarest(list(zip(*(after[name] for name in table.variables), strict=True))) >= table.k
    if with_risk:
        found = risks_left(case, after, keys)
        assert not any(unsafe(r, limits[0]) for r in found)
        for group in set(groups):
            members = [r for r, g in zip(found, groups, strict=True) if g == group]
            assert not unsafe(household_risk(members), limits[1])
    assert plan.lower_bound <= plan.loss + 1e-9
