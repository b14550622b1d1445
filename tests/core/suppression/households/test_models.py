"""Threshold rule and individual risk in households against exhaustive search: least loss, fewest values, first keys."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.suppression import cover
from core.suppression.households import sharing as homes_
from core.suppression.households.sharing import HouseholdProblem
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.tables.margins import UnsafeSpec
from tests.core.small_households import households
from tests.core.suppression.files import Case, cases
from tests.core.suppression.households.test_optimise import small_groups
from tests.core.suppression.test_models import order_of, some_tables
from tests.members import members_of
from tests.naive_household_models import Best, Lost, ModelsTwin
from tests.naive_models import RareTable


@dataclass(frozen=True)
class File:
    """A small file in households, with tables of the threshold rule and at most one of individual risk."""

    case: Case
    groups: Sequence[int]
    shared: frozenset[str]
    rare: Sequence[RareTable]
    individual: float | None = None
    household: float | None = None

    @property
    def order(self) -> tuple[str, ...]:
        return order_of(*self.case.keys, *(names for names, _ in self.rare))

    def homes(self) -> HouseholdProblem:
        """Its households."""
        return HouseholdProblem(households(self.groups), self.shared)

    def plan(self) -> Plan:
        """What the program chooses."""
        tables = self.case.tables(*[self.individual] * len(self.case.keys))
        risk = tuple(replace(table, household_threshold=self.household) for table in tables)
        models = Models(risk, tuple(UnsafeSpec(*table) for table in self.rare), (), self.order)
        return optimise_models(models, self.case.columns, self.case.coded_costs, self.case.rules, homes=self.homes())

    def twin(self) -> ModelsTwin:
        """The exhaustive search."""
        case, alpha = self.case, Fraction(self.case.alpha).limit_denominator(100)
        reach = {name for key in self.order for name in case.rules.closure(key)}
        risk = [(keys, case.rows_of(keys), self.individual, self.household, case.rule, alpha) for keys in case.keys]
        costs = {name: cost for name, cost in case.costs.items() if name in reach}
        return ModelsTwin(
            risk, self.rare, case.rows, case.weights, costs, case.related, set(case.fixed), set(self.shared) & reach,
            self.order,
        )  # fmt: skip


@st.composite
def files(draw: st.DrawFn, *, risk: bool) -> File:
    """Up to 12 records in households of up to 3 members, up to 4 keys in overlapping tables."""
    case = draw(cases())
    n, keys = len(case.weights), case.keys[0]
    groups = small_groups(draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n)))
    shared = draw(st.frozensets(st.sampled_from([*keys, *case.rows]), min_size=1, max_size=2))
    rare = [(names, draw(st.integers(0, 3))) for names in draw(some_tables(keys))]
    if not risk:
        return File(replace(case, keys=()), groups, shared, rare)
    some = draw(st.lists(st.sampled_from(keys), min_size=1, unique=True).map(tuple))
    limits = [draw(st.sampled_from([None, 0.02, 0.1, 0.2, 0.4, 0.9])) for _ in range(2)]
    return File(replace(case, keys=(some,)), groups, shared, rare, *limits)


def compared(file: File) -> tuple[Plan, list[tuple[Best, Best]]] | None:
    """The plan, and each household's best choice beside the one made; None where nothing protects some household."""
    twin, homes = file.twin(), file.homes()
    members = [members_of(homes.households, g).tolist() for g in range(len(homes.households))]
    best = [twin.best(some) for some in members]
    if None in best:
        with pytest.raises(ProtectionError):
            file.plan()
        return None
    plan = file.plan()
    pairs = []
    for some, one in zip(members, best, strict=True):
        gone = tuple(frozenset(n for n, flags in plan.suppressed.items() if flags[i]) for i in some)
        check_safe(twin, some, gone)
        assert one is not None
        pairs.append((one, twin.cost(gone)))
    return plan, pairs


def check_safe(twin: ModelsTwin, members: Sequence[int], gone: tuple[Lost, ...]) -> None:
    """Each member is safe, the household too, and what goes in one member goes in all."""
    together = frozenset[str]().union(*gone) & {*twin.names}
    for i, lost, limits in zip(members, gone, [twin.limits(members)] * len(members), strict=True):
        own = [limits[t] for t in range(len(limits))]
        assert lost in twin.choices(i, own)
        assert together <= lost | twin.twin.missing[i]


def check_best(file: File) -> None:
    """Each household's choice is the best one, and the plan says so."""
    found = compared(file)
    if found is None:
        return
    plan, pairs = found
    for best, chosen in pairs:
        assert (chosen.loss, chosen.values) == (pytest.approx(best.loss, abs=1e-8), best.values)
        assert file.twin().rank(chosen) == file.twin().rank(best)
    assert plan.exact and plan.gap == 0


@given(files(risk=False))
def test_the_threshold_rule_in_households_is_met_at_least_loss_with_the_stated_ties(file: File) -> None:
    check_best(file)


@given(files(risk=True))
def test_threshold_rule_and_risk_in_households_are_met_together_at_least_loss(file: File) -> None:
    check_best(file)


@given(files(risk=True))
def test_risk_alone_in_households_is_met_at_least_loss_with_the_stated_ties(file: File) -> None:
    check_best(replace(file, rare=()))


@settings(max_examples=30, deadline=None)
@given(files(risk=True), st.booleans())
def test_of_many_shared_choices_those_passed_over_are_never_the_best(file: File, alone: bool) -> None:
    with ExitStack() as stack:
        stack.enter_context(patch.object(cover, "MANY_SHARED", 0))
        stack.enter_context(patch.object(homes_, "_TRIED_FIRST", 1))
        check_best(replace(file, rare=()) if alone else file)


@given(files(risk=True))
def test_beyond_the_limits_of_size_a_plan_has_a_proven_bound(file: File) -> None:
    with ExitStack() as stack:
        stack.enter_context(patch.object(cover, "FEW_SHARED", 0))
        stack.enter_context(patch.multiple(homes_, MOST_SHARED=0, FEW_SHARED=0))
        found = compared(file)
    if found is None:
        return
    plan, pairs = found
    best = sum(best.loss for best, _ in pairs)
    assert plan.lower_bound - 1e-8 <= best <= plan.loss + 1e-8
    assert not plan.exact or (plan.loss, plan.total) == (pytest.approx(best), sum(best.values for best, _ in pairs))


def region_and_age(region: float, age: float) -> File:
    """The first record alone has its region and age together; the second one lives with it."""
    rows: dict[str, list[int | None]] = {"A": [1, 1, 1, 0, 0, 0, 0], "B": [1, 0, 0, 1, 1, 0, 0]}
    case = Case((), rows, [9] * 7, "observed", 1.0, {"A": region, "B": age}, {}, frozenset())
    return File(case, [0, 0, 1, 2, 3, 4, 5], frozenset("A"), [(("A", "B"), 1)])


def test_a_dearer_value_of_one_member_is_cheaper_than_a_shared_one_of_all() -> None:
    plan = region_and_age(50.0, 60.0).plan()
    assert (plan.by_variable, plan.loss, plan.lower_bound, plan.exact) == ({"A": 0, "B": 1}, 60.0, 60.0, True)


def test_of_equal_losses_the_fewest_values_go_from_the_household() -> None:
    plan = region_and_age(0.0, 0.0).plan()
    assert (plan.by_variable, plan.exact) == ({"A": 0, "B": 1}, True)


def test_what_may_not_be_suppressed_stays_in_the_other_members_too() -> None:
    """A takes C with it, which the second member has and must keep, while the first one lacks it."""
    file = region_and_age(50.0, 60.0)
    rows = file.case.rows | {"C": [None, 0, 0, 0, 0, 0, 0]}
    case = replace(file.case, rows=rows, costs=file.case.costs | {"C": 1.0}, related={"A": "C"}, fixed=frozenset("C"))
    plan = replace(file, case=case).plan()
    assert plan.by_variable == {"A": 0, "B": 1, "C": 0}
    with pytest.raises(ProtectionError) as raised:
        replace(file, case=replace(case, fixed=frozenset("BC"))).plan()
    assert raised.value.id == "households-without-choice"


@pytest.mark.parametrize("cost", [0.0, 1.0])
@pytest.mark.parametrize("by_rule", [False, True])
def test_what_a_missing_value_led_to_goes_alone(by_rule: bool, cost: float) -> None:
    """A takes X and X takes Y; who must lose A has no X, so that the others of the household keep theirs."""
    rows: dict[str, list[int | None]] = {"A": [0, 0, 0, 0, 1], "X": [0, 0, 0, 0, None], "Y": [0] * 5}
    costs, related = dict.fromkeys("AXY", cost), {"A": "X", "X": "Y"}
    case = Case((("A",),), rows, [1] * 5, "observed", 1.0, costs, related, frozenset())
    rare, individual = ([(("A",), 1)], None) if by_rule else ([], 0.9)
    file = File(case, [0, 0, 1, 1, 1], frozenset("XY"), rare, individual)
    assert file.plan().by_variable == {"A": 1, "X": 0, "Y": 3}
    check_best(file)
