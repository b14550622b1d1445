"""The forecast by released keys is an upper bound at every threshold, and falls as the threshold rises."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.suppression.joint.forecast import released_forecast
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from tests.core.suppression.files import Case, cases


@given(cases(), st.sampled_from([0.01, 0.05, 0.1, 0.3, 0.7]), st.sampled_from([0.02, 0.06, 0.2, 0.5, 1.0]))
def test_it_costs_no_less_than_it_must(case: Case, own: float, asked: float) -> None:
    case = replace(case, rule="observed", weights=[weight + 1 for weight in case.weights])
    given_ = case.columns, case.coded_costs, case.rules
    found = released_forecast(case.tables(own)[0], *given_)
    assert not found.exact
    losses = found.losses()[found.counts[:-1, -1] == 0]
    assert (losses[1:] <= losses[:-1] + 1e-9).all()
    for threshold in (own, asked):
        point = found.at(threshold)
        try:
            plan = optimise_released_keys(case.tables(threshold), *given_, JointSettings(effort=20))
        except ProtectionError:
            assert point.unsafe_left > 0
            continue
        assert point.unsafe_left == 0 or threshold != own
        if not point.unsafe_left:
            assert point.loss >= plan.lower_bound - 1e-9
            assert point.total == sum(point.by_variable.values())
            assert set(point.by_variable) == set(plan.by_variable)
