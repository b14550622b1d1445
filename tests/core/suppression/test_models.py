"""Suppression by threshold rule and k-anonymity, alone and with individual risk, against exhaustive search."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError, RecipeError
from core.risk.individual import individual_risk
from core.suppression.costs import Costs, entropy
from core.suppression.criteria.k_anonymity import KAnonymity
from core.suppression.joint.optimise import JointSettings
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable, Rules
from core.tables.margins import UnsafeSpec
from tests import naive_models as naive
from tests.core.suppression.demodata import KEYS, column, load
from tests.core.suppression.files import CARD, Case, cases, optimise
from tests.naive_suppression import Row, frequencies, risk

QUICK = JointSettings(effort=20, by_released_keys=False)


@st.composite
def some_tables(draw: st.DrawFn, keys: Sequence[str], most: int = 3) -> list[tuple[str, ...]]:
    """One to `most` tables of the keys, overlapping as they will."""
    table = st.lists(st.sampled_from(keys), min_size=1, max_size=len(keys), unique=True).map(tuple)
    return draw(st.lists(table, min_size=1, max_size=most))


def order_of(*tables: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for table in tables for name in table))


def chosen(plan: Plan, record: int) -> set[str]:
    return {name for name, flags in plan.suppressed.items() if flags[record]}


def expect(case: Case, models: Models, choices: list[set[str] | None]) -> None:
    """The optimiser's choices are these, record by record."""
    if None in choices:
        with pytest.raises(ProtectionError) as raised:
            optimise_models(models, case.columns, case.coded_costs, case.rules)
        assert raised.value.id in ("threshold-cannot-be-met", "records-stay-unsafe")
        return
    plan = optimise_models(models, case.columns, case.coded_costs, case.rules)
    assert [chosen(plan, record) for record in range(len(choices))] == choices
    assert plan.exact
    assert plan.gap == 0
    assert plan.loss == pytest.approx(sum(case.costs[name] for newly in choices if newly for name in newly))
    assert plan.records_touched == sum(map(bool, choices))


@given(cases(), st.data())
def test_the_threshold_rule_is_met_at_least_loss_with_the_stated_ties(case: Case, data: st.DataObject) -> None:
    tables = [(names, data.draw(st.integers(0, 3))) for names in data.draw(some_tables(case.keys[0]))]
    order = order_of(*(names for names, _ in tables))

    def choice(record: int) -> set[str] | None:
        def safe(missing: set[str]) -> bool:
            kept = {n: v[record] for n, v in case.rows.items() if n not in missing}
            return not naive.has_unsafe(tables, case.rows, kept)

        return naive.choose(order, case.rows, case.costs, case.related, case.fixed, record, safe)

    models = Models(rare=tuple(UnsafeSpec(*table) for table in tables), order=order)
    expect(case, models, [choice(record) for record in range(len(case.weights))])


@given(cases(), st.data())
def test_risk_and_threshold_rule_on_shared_variables_are_met_together(case: Case, data: st.DataObject) -> None:
    keys = case.keys[0]
    cells = case.tables(None)[0].cells
    own = individual_risk(cells.f, cells.F).tolist()
    threshold = data.draw(st.sampled_from(sorted({*own, min(own) / 2, max(own) * 1.5})))
    tables = [(names, data.draw(st.integers(0, 2))) for names in data.draw(some_tables(keys, 2))]
    order = order_of(keys, *(names for names, _ in tables))
    rows, alpha = case.rows_of(keys), Fraction(case.alpha).limit_denominator(100)

    def choice(record: int) -> set[str] | None:
        def safe(missing: set[str]) -> bool:
            values: Row = tuple(None if n in missing else case.rows[n][record] for n in keys)
            kept = {n: v[record] for n, v in case.rows.items() if n not in missing}
            found = risk(*frequencies(rows, case.weights, values, case.rule, alpha))
            return found < threshold * (1 - 1e-12) and not naive.has_unsafe(tables, case.rows, kept)

        return naive.choose(order, case.rows, case.costs, case.related, case.fixed, record, safe)

    models = Models(tuple(case.tables(threshold)), tuple(UnsafeSpec(*table) for table in tables), (), order)
    expect(case, models, [choice(record) for record in range(len(case.weights))])


@given(cases(), st.data())
def test_k_anonymity_holds_on_every_table_whatever_limits_it(case: Case, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, 4))
    tables = data.draw(some_tables(case.keys[0], 2))
    rare = [(case.keys[0], data.draw(st.integers(0, 2)))]
    models = Models((), tuple(UnsafeSpec(*table) for table in rare), tuple(KAnonymity(names, k) for names in tables),
                    order_of(case.keys[0]))  # fmt: skip
    n = len(case.weights)
    try:
        plan = optimise_models(models, case.columns, case.coded_costs, case.rules, joint=QUICK)
    except ProtectionError:
        assert n < k or case.fixed
        return
    assert n >= k
    for name in case.fixed & plan.suppressed.keys():
        assert plan.by_variable[name] == 0
    for record in range(n):
        assert not any(case.rows[name][record] is None for name in chosen(plan, record))
    after = {
        name: [None if plan.suppressed[name][i] else value for i, value in enumerate(case.rows[name])]
        for name in plan.suppressed
    }
    for names in tables:
        assert naive.rarest(list(zip(*(after[name] for name in names), strict=True))) >= k
    for i in range(n):
        kept = {name: value for name, values in after.items() if (value := values[i]) is not None}
        assert not naive.has_unsafe(rare, case.rows, kept)
    for name, other in case.related.items():
        if name in plan.suppressed:
            lost = plan.suppressed[name]
            assert all(case.rows[other][i] is None or plan.suppressed[other][i] for i in np.flatnonzero(lost))
    assert plan.lower_bound <= plan.loss + 1e-9
    again = optimise_models(models, case.columns, case.coded_costs, case.rules, joint=QUICK)
    assert all(np.array_equal(again.suppressed[name], flags) for name, flags in plan.suppressed.items())


@given(st.lists(st.tuples(*[st.sampled_from([0, 0, 1, 2, None])] * 2), min_size=2, max_size=6), st.integers(2, 3))
def test_the_bound_of_k_anonymity_is_at_or_below_the_optimum(rows: list[tuple[int | None, ...]], k: int) -> None:
    columns = {
        name: column(name, np.array([CARD if row[j] is None else row[j] for row in rows]), CARD)
        for j, name in enumerate("AB")
    }
    best = naive.least_loss_of_k_anonymity(rows, (2.0, 3.0), k)
    costs = Costs("weights", {"A": 2.0, "B": 3.0}, {"A": 1.0, "B": 1.0})
    models = Models(whole_file=(KAnonymity(("A", "B"), k),), order=("A", "B"))
    if best is None:
        with pytest.raises(ProtectionError):
            optimise_models(models, columns, costs, joint=QUICK)
        return
    plan = optimise_models(models, columns, costs, joint=QUICK)
    assert plan.lower_bound <= best + 1e-9 <= plan.loss + 2e-9
    assert not plan.exact or plan.loss == pytest.approx(best)


def test_more_records_are_given_up_where_the_last_ones_are_too_few() -> None:
    """Five equal records and two strange ones: k = 3 takes one of the five along, which the bound knows."""
    columns = {name: column(name, np.array([0, 0, 0, 0, 0, 1, 2]), 3) for name in "AB"}
    costs = Costs("weights", {"A": 1.0, "B": 1.0}, {"A": 1.0, "B": 1.0})
    plan = optimise_models(Models(whole_file=(KAnonymity(("A", "B"), 3),), order=("A", "B")), columns, costs)
    assert (plan.total, plan.lower_bound, plan.exact, plan.gap) == (6, 6.0, True, 0.0)
    plan = optimise_models(Models(whole_file=(KAnonymity(("A", "B"), 4),), order=("A", "B")), columns, costs)
    assert plan.by_variable == {"A": 7, "B": 7}


def test_k_anonymity_keeps_what_may_not_be_suppressed() -> None:
    values = {"A": np.array([0, 0, 0, 1, 1]), "B": np.array([0, 0, 1, 0, 1])}
    columns = {name: column(name, v, 3) for name, v in values.items()}
    costs = Costs("weights", {"A": 1.0, "B": 1.0}, {"A": 1.0, "B": 1.0})
    models = Models(whole_file=(KAnonymity(("A", "B"), 2),), order=("A", "B"))
    plan = optimise_models(models, columns, costs, Rules(fixed=frozenset({"A"})))
    assert plan.by_variable["A"] == 0
    assert plan.by_variable["B"] in (4, 5)
    three = Models(whole_file=(KAnonymity(("A", "B"), 3),), order=("A", "B"))
    with pytest.raises(ProtectionError, match="2 of 5 records stay unsafe, because A may not be suppressed"):
        optimise_models(three, columns, costs, Rules(fixed=frozenset({"A"})))


def test_disjoint_tables_are_protected_apart_and_risk_tables_as_ever() -> None:
    values = {name: np.array([0, 0, 0, 1, 1, 2, 2, 2]) for name in "ABCD"}
    values["B"] = np.array([0, 1, 0, 1, 0, 1, 0, 2])
    columns = {name: column(name, v, 3) for name, v in values.items()}
    costs = Costs("weights", dict.fromkeys("ABCD", 1.0), dict.fromkeys("ABCD", 1.0))
    case = Case((("C", "D"),), {n: v.tolist() for n, v in values.items()}, [9] * 8, "observed", 1.0, {}, {},
                frozenset())  # fmt: skip
    table: ProtectedTable = case.tables(0.06)[0]
    alone = optimise([table], columns, costs)
    plan = optimise_models(Models((table,), (UnsafeSpec(("A", "B"), 1),), (), tuple("ABCD")), columns, costs)
    assert {n: plan.by_variable[n] for n in "CD"} == alone.by_variable
    assert plan.total > alone.total > 0
    assert plan.exact


def test_a_key_without_missing_code_is_named() -> None:
    columns = {"A": column("A", np.array([0, 0, 1]), 2, missing=())}
    with pytest.raises(ProtectionError, match="The variable A has no missing code"):
        optimise_models(Models(rare=(UnsafeSpec(("A",), 1),), order=("A",)), columns, Costs("weights", {"A": 1.0}, {}))


def test_too_many_coupled_variables_are_refused() -> None:
    names = tuple(f"V{i}" for i in range(61))
    columns = {name: column(name, np.array([0, 0, 1]), 2) for name in names}
    rare = tuple(UnsafeSpec((names[0], name), 1) for name in names[1:])
    costs = Costs("weights", dict.fromkeys(names, 1.0), dict.fromkeys(names, 1.0))
    with pytest.raises(RecipeError, match="61 variables share tables"):
        optimise_models(Models(rare=rare, order=names), columns, costs)


GOLDEN = {
    (False, 1): ((166, 813, 1782, 456), (2962, 23, 55, 2)),
    (False, 5): ((1326, 289, 2388, 391), (3855, 85, 279, 0)),
    (True, 1): ((0, 64, 0, 50), (114, 0, 0, 0)),
    (True, 5): ((0, 197, 0, 293), (466, 1, 10, 12)),
}
"""Suppressions of the mu-ARGUS engine, by entropy and with priority 50 each (golden/muargus-engine.md)."""


@pytest.mark.parametrize(("recoded", "threshold"), list(GOLDEN))
def test_demodata_loses_no_more_than_by_mu_argus(shared: Path, recoded: bool, threshold: int) -> None:
    columns, _weights = load(shared / "data" / "demodata", recoded)
    entropies = {name: entropy(columns[name]) for name in KEYS}
    models = Models(rare=(UnsafeSpec(KEYS, threshold),), order=KEYS)
    for criterion, counts in zip(("entropy", "weights"), GOLDEN[recoded, threshold], strict=True):
        costs = Costs(criterion, dict.fromkeys(KEYS, 50.0), entropies)  # type: ignore[arg-type]
        plan = optimise_models(models, columns, costs)
        assert plan.loss <= costs.loss(dict(zip(KEYS, counts, strict=True))) + 1e-6
        assert tuple(plan.by_variable[name] for name in KEYS) == counts  # it is optimal on this file


def test_demodata_becomes_k_anonymous_close_to_the_bound(shared: Path) -> None:
    columns, _weights = load(shared / "data" / "demodata", recoded=True)
    costs = Costs("weights", dict.fromkeys(KEYS, 50.0), {name: entropy(columns[name]) for name in KEYS})
    plan = optimise_models(Models(whole_file=(KAnonymity(KEYS, 3),), order=KEYS), columns, costs)
    released = [np.where(plan.suppressed[n], columns[n].n_valid, columns[n].values).tolist() for n in KEYS]
    assert naive.rarest(list(zip(*released, strict=True))) >= 3
    assert (plan.total, plan.exact) == (242, True)


@pytest.mark.parametrize(("k", "most"), [(2, 0.05), (10, 0.08)])
def test_the_gap_on_demodata_by_entropy(shared: Path, k: int, most: float) -> None:
    columns, _weights = load(shared / "data" / "demodata", recoded=True)
    costs = Costs("entropy", dict.fromkeys(KEYS, 50.0), {name: entropy(columns[name]) for name in KEYS})
    joint = JointSettings(effort=300, by_released_keys=False)
    plan = optimise_models(Models(whole_file=(KAnonymity(KEYS, k),), order=KEYS), columns, costs, joint=joint)
    assert 0 < plan.gap < most
