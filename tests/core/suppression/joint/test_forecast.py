"""The forecast by released keys is an upper bound at every threshold, and falls as the threshold rises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ProtectionError
from core.recipe.toml import parse
from core.session import Session
from core.suppression.joint import forecast as joint_forecast
from core.suppression.joint import search as joint_search
from core.suppression.joint.forecast import released_forecast
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.joint.problem import ReleaseProblem, entries
from core.suppression.joint.search import Search
from tests.core.suppression.files import Case, cases
from tests.household_survey import write_survey

HOUSEHOLDS = """
recipe = 1
input = {data = "households.csv"}
variables.WEIGHT.role = "weight"
combinations = [{variables = ["REGION", "SEX", "AGE", "MARSTAT", "COUNTRY", "ISCO"], model = "individual-risk"}]
recodes = [
    {variable = "AGE", scheme = "1: 0-24\\n2: 25-44\\n3: 45-64\\n4: 65-99"},
    {variable = "ISCO", scheme = "A: 0110, 1112, 2221\\nB: 2341, 2512, 3122, 4110, 5120, 5223\\nC: 6111, 7115, 8332"},
]
threshold.individual_risk = 0.04
suppression = {criterion = "entropy", mode = "released-keys"}
"""


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


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ReleaseProblem]:
    """What is searched for in a household survey at the lowest threshold alone, where all records have to meet."""
    write_survey(tmp_path)
    found: list[ReleaseProblem] = []
    thresholds, counts = joint_forecast._thresholds, joint_forecast._counts

    def noted(problem: ReleaseProblem, *more: Any) -> Any:
        found.append(problem)
        return counts(problem, *more)

    monkeypatch.setattr(joint_forecast, "_thresholds", lambda *given: thresholds(*given)[:1])
    monkeypatch.setattr(joint_forecast, "_counts", noted)
    forecast = Session().forecast(parse(HOUSEHOLDS, tmp_path), 0, "released-keys")
    assert forecast.counts[1:, -1].tolist() == [0, 0]  # records without any value meet the threshold
    assert forecast.counts[1, -2] == found[0].records.sum()
    return found


def test_repairs_can_be_stopped_between_any_rounds(
    asked: list[ReleaseProblem], monkeypatch: pytest.MonkeyPatch
) -> None:
    states = []
    for at_once in (100, 5):
        monkeypatch.setattr(joint_search, "_UNTIL_STOP", at_once)
        search = Search(asked[0], entries(asked[0]))
        with pytest.raises(ProtectionError):
            search.start(repairs=100)
        states.append(search._state)
    for name in ("ent", "grp", "uni", "random"):
        assert np.array_equal(getattr(states[0], name), getattr(states[1], name)), name
