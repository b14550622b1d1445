"""The forecast against the optimiser at every level."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from core.base.errors import ProtectionError
from core.base.progress import Cancelled
from core.suppression import forecast as module
from core.suppression.forecast import Forecast, forecast
from tests.core.suppression.files import Case, cases, optimise


def thresholds(found: Forecast) -> list[float]:
    """Every level, a point between any two, and one on either side."""
    levels = found.levels.tolist()
    between = [(a + b) / 2 for a, b in pairwise(levels)]
    return [*levels, *between, *([levels[0] / 2, levels[-1] * 2] if levels else [0.5])]


@given(cases())
def test_every_threshold_agrees_with_the_optimiser(case: Case) -> None:
    found = forecast(case.tables(None)[0], case.columns, case.coded_costs, case.rules)
    assert found.exact
    for threshold in thresholds(found):
        point = found.at(threshold)
        assert (point.unsafe_left > 0) == (threshold * (1 - 1e-12) <= found.lowest_threshold)
        if point.unsafe_left:
            with pytest.raises(ProtectionError) as raised:
                optimise(case.tables(threshold), case.columns, case.coded_costs, case.rules)
            if raised.value.id == "records-stay-unsafe":
                assert point.unsafe_left == raised.value.values["records"]
            continue
        plan = optimise(case.tables(threshold), case.columns, case.coded_costs, case.rules)
        for name in ("by_variable", "total", "records_touched", "loss", "entropy_loss"):
            assert getattr(point, name) == getattr(plan, name), name


def test_loss_falls_as_the_threshold_rises_and_the_curve_keeps_its_ends() -> None:
    rng = np.random.default_rng(5)
    rows = {name: rng.integers(0, 3, 3000).tolist() for name in "ABCD"}
    case = Case(
        (tuple("ABCD"),),
        rows,
        rng.integers(1, 90, 3000).tolist(),
        "observed",
        1.0,
        {"A": 1.0, "B": 2.0, "C": 3.0, "D": 4.0},
        {},
        frozenset(),
    )
    found = forecast(case.tables(None)[0], case.columns, case.coded_costs)
    x, y = found.curve(10_000)
    assert x.tolist() == found.levels[found.levels > found.lowest_threshold].tolist()
    assert (np.diff(y) <= 1e-9).all()
    assert y[3] == pytest.approx(found.at(float(x[3])).loss)
    few_x, few_y = found.curve(12)
    assert 12 < len(few_x) <= 24
    assert (few_x[0], few_x[-1], few_y[0], few_y[-1]) == (x[0], x[-1], y[0], y[-1])
    assert set(zip(few_x, few_y, strict=True)) <= set(zip(x, y, strict=True))


def test_beyond_the_candidates_tried_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 3)
    monkeypatch.setattr(module, "WORK", 0)
    rows = {"A": [0, 1, 0, 1, 2, 2], "B": [0, 0, 1, 1, 0, 1], "C": [0, 1, 1, 0, 0, 0]}
    case = Case((("A", "B", "C"),), rows, [9] * 6, "observed", 1.0, {"A": 1.0, "B": 2.0, "C": 3.0}, {}, frozenset())
    found = forecast(case.tables(None)[0], case.columns, case.coded_costs)
    assert not found.exact
    for threshold in thresholds(found):
        if threshold <= found.lowest_threshold:
            continue
        point, plan = found.at(threshold), optimise(case.tables(threshold), case.columns, case.coded_costs)
        assert point.loss == plan.loss if point.exact else point.loss >= plan.loss
    assert any(found.at(t).exact for t in thresholds(found)) and not found.at(found.lowest_threshold * 1.01).exact


def test_it_can_be_cancelled() -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None:
            pass

        def check(self) -> None:
            raise Cancelled

    case = Case((("A",),), {"A": [0, 1]}, [2, 2], "observed", 1.0, {"A": 1.0}, {}, frozenset())
    with pytest.raises(Cancelled):
        forecast(case.tables(None)[0], case.columns, case.coded_costs, progress=Stop())
