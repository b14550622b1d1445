"""Optima known for Demodata after both recodings, judged by released keys and by k-anonymity."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.suppression.joint.exact import thoroughly
from core.suppression.joint.search import Effort, release
from tests.benchmarks.joint import cases

# Risk: k = floor(f r / r*) + 1. While k was the least size with r(k, k F/f) < r*, which takes the records of others for
# the cell's own, the optima were 431, 150, 63 by equal costs and 943.70, 305.41, 115.03 by entropy.
DEMANDS = {
    "0.00125": {
        4: 13, 5: 110, 6: 37, 7: 17, 8: 45, 9: 26, 10: 16, 11: 3, 12: 18, 14: 27, 15: 27, 19: 6, 20: 18, 33: 22, 34: 12,
    },
    "0.005": {3: 32, 4: 54, 5: 24, 9: 34},
    "0.02": {2: 24, 3: 34},
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "loss", "optimum", "gap"),
    [
        ("r0.00125", "equal", 594, 0.01),
        ("r0.005", "equal", 202, 0.01),
        ("r0.02", "equal", 74, 0),
        ("r0.00125", "entropy", 1533.06, 0.01),
        ("r0.005", "entropy", 592.27, 0.015),
        ("r0.02", "entropy", 164.77, 0.005),
        ("k3", "equal", 242, 0),
        ("k5", "equal", 422, 0.01),
        ("k3", "entropy", 463.24, 0.01),
        ("k5", "entropy", 861.47, 0.02),
    ],
)
def test_known_optima_are_come_near(shared: Path, rule: str, loss: str, optimum: float, gap: float) -> None:
    ((_, problem),) = cases(shared / "data", [f"recoded,{rule},{loss}"])
    if rule[1:] in DEMANDS:
        unsafe = problem.need > problem.records
        assert {
            int(k): int(problem.records[unsafe & (problem.need == k)].sum()) for k in set(problem.need[unsafe].tolist())
        } == DEMANDS[rule[1:]]
    found = release(problem, Effort(15_000, 0, 400))
    assert optimum - 0.01 <= found.loss <= optimum * (1 + gap) + 0.01
    assert optimum * 0.98 <= found.bound <= optimum + 0.01


@pytest.mark.parametrize(("rule", "optimum"), [("r0.005", 592.27), ("r0.02", 164.77), ("k3", 463.24)])
def test_a_thorough_search_finds_the_optimum(shared: Path, rule: str, optimum: float) -> None:
    ((_, problem),) = cases(shared / "data", [f"recoded,{rule},entropy"])
    found = thoroughly(problem, release(problem, Effort(500, 0, 100)))
    assert found.optimal
    assert found.loss == pytest.approx(optimum, abs=0.005)
