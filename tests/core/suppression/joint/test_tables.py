"""Tables that share variables, protected together: every key of every table is large enough, whatever limits it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.suppression.costs import Costs
from core.suppression.criteria.k_anonymity import KAnonymity
from core.suppression.joint.optimise import JointSettings
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan
from core.tables.margins import UnsafeSpec
from tests import naive_models as naive
from tests.core.suppression.demodata import column
from tests.core.suppression.files import CARD, Case, cases
from tests.naive_released import unsafe_records

QUICK = JointSettings(effort=10)


def left(case: Case, plan: Plan) -> dict[str, list[int | None]]:
    """The values that the plan leaves."""
    return {
        name: [None if name in plan.suppressed and plan.suppressed[name][i] else value for i, value in enumerate(row)]
        for name, row in case.rows.items()
    }


@given(cases(tables=2), st.data())
def test_risk_by_released_keys_is_met_with_k_anonymity_and_the_threshold_rule(case: Case, data: st.DataObject) -> None:
    case = replace(case, rule="observed", weights=[weight + 1 for weight in case.weights])
    k, rare_count, threshold = data.draw(
        st.tuples(st.integers(1, 3), st.integers(0, 1), st.sampled_from([0.02, 0.05, 0.1, 0.3, 1.0]))
    )
    order = case.keys[0] + case.keys[1]
    across = (case.keys[0][-1], case.keys[1][0])
    models = Models(
        tuple(case.tables(threshold, threshold)), (UnsafeSpec(across, rare_count),), (KAnonymity(across, k),), order
    )
    try:
        plan = optimise_models(models, case.columns, case.coded_costs, case.rules, joint=QUICK)
    except ProtectionError:
        plan = None
    if plan is None:  # not even without all values, or but for what may not go
        gone = [[(None,) * len(keys)] * len(case.weights) for keys in case.keys]
        bare = [
            unsafe_records(case.rows_of(keys), rows, case.weights, threshold)
            for keys, rows in zip(case.keys, gone, strict=True)
        ]
        assert any(bare) or case.fixed or len(case.weights) < k
        return
    after = left(case, plan)
    for keys in case.keys:
        now = [tuple(after[name][i] for name in keys) for i in range(len(case.weights))]
        assert unsafe_records(case.rows_of(keys), now, case.weights, threshold) == 0
    assert naive.rarest(list(zip(*(after[name] for name in across), strict=True))) >= k
    for i in range(len(case.weights)):
        kept = {name: value for name, values in after.items() if (value := values[i]) is not None}
        assert not naive.has_unsafe([(across, rare_count)], case.rows, kept)
    assert all(plan.by_variable.get(name, 0) == 0 for name in case.fixed)
    for name, other in case.related.items():
        if name in plan.suppressed:
            assert all(after[other][i] is None for i in np.flatnonzero(plan.suppressed[name]))
    assert plan.lower_bound <= plan.loss + 1e-9


@given(st.lists(st.tuples(*[st.sampled_from([0, 0, 1, None])] * 3), min_size=2, max_size=5), st.integers(2, 3))
def test_the_bound_of_two_tables_is_at_or_below_the_optimum(rows: list[tuple[int | None, ...]], k: int) -> None:
    prices = (2.0, 3.0, 1.5)
    ways = [
        [({*lost}, sum(prices[j] for j in lost)) for n in range(4) for lost in combinations(range(3), n)
         if all(row[j] is not None for j in lost)]
        for row in rows
    ]  # fmt: skip

    def rarest(choice: tuple[tuple[set[int], float], ...], table: tuple[int, int]) -> int:
        return naive.rarest(
            [tuple(None if j in lost else row[j] for j in table) for row, (lost, _) in zip(rows, choice, strict=True)]
        )

    best = min(
        (sum(loss for _, loss in choice) for choice in product(*ways)
         if rarest(choice, (0, 1)) >= k and rarest(choice, (1, 2)) >= k),
        default=None,
    )  # fmt: skip
    columns = {
        name: column(name, np.array([CARD if row[j] is None else row[j] for row in rows]), CARD)
        for j, name in enumerate("ABC")
    }
    costs = Costs("weights", dict(zip("ABC", prices, strict=True)), dict.fromkeys("ABC", 1.0))
    models = Models(whole_file=(KAnonymity(("A", "B"), k), KAnonymity(("B", "C"), k)), order=("A", "B", "C"))
    if best is None:
        with pytest.raises(ProtectionError):
            optimise_models(models, columns, costs, joint=QUICK)
        return
    plan = optimise_models(models, columns, costs, joint=QUICK)
    assert plan.lower_bound <= best + 1e-9 <= plan.loss + 2e-9
    assert not plan.exact or plan.loss == pytest.approx(best)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_one_table_asks_for_can_do_for_another_in_whatever_order_they_stand(order: tuple[int, int]) -> None:
    """For A and B alone four A would go (12), but B and C take both B (14), after which no A has to."""
    values = {"A": [0] * 6 + [1, 1], "B": [0, 0, 0, 1, 1, 1, 0, 1], "C": [0] * 6 + [1, 1]}
    columns = {name: column(name, np.array(row), 2) for name, row in values.items()}
    costs = Costs("weights", {"A": 3.0, "B": 7.0, "C": 20.0}, dict.fromkeys("ABC", 1.0))
    tables = [KAnonymity(("A", "B"), 2), KAnonymity(("B", "C"), 2)]
    plan = optimise_models(
        Models(whole_file=tuple(tables[i] for i in order), order=("A", "B", "C")), columns, costs, joint=QUICK
    )
    assert plan.by_variable == {"A": 0, "B": 2, "C": 0}
    assert plan.lower_bound > 12
