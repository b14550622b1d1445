"""Optima known for Demodata after both recodings, judged by released keys and by k-anonymity."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.suppression.joint.exact import thoroughly
from core.suppression.joint.search import Effort, release
from tests.benchmarks.joint import cases

DEMANDS = {
    "0.00125": {3: 22, 4: 126, 5: 104, 6: 39, 7: 21, 8: 73, 9: 12},
    "0.005": {2: 80, 3: 64},
    "0.02": {2: 58},
}


@pytest.mark.parametrize(
    ("rule", "loss", "optimum", "gap"),
    [
        ("r0.00125", "equal", 431, 0.01),
        ("r0.005", "equal", 150, 0),
        ("r0.02", "equal", 63, 0),
        ("r0.00125", "entropy", 943.70, 0.03),
        ("r0.005", "entropy", 305.41, 0.01),
        ("r0.02", "entropy", 115.03, 0.005),
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


@pytest.mark.parametrize(("rule", "optimum"), [("r0.005", 305.41), ("r0.02", 115.03), ("k3", 463.24)])
def test_a_thorough_search_finds_the_optimum(shared: Path, rule: str, optimum: float) -> None:
    ((_, problem),) = cases(shared / "data", [f"recoded,{rule},entropy"])
    found = thoroughly(problem, release(problem, Effort(500, 0, 100)))
    assert found.optimal
    assert found.loss == pytest.approx(optimum, abs=0.005)
