"""The estimates of risk over samples from known populations: as near as docs/estimators.md says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks import estimators
from tests.benchmarks.estimators import Population, Task


@pytest.fixture(scope="module")
def found() -> list[Task]:
    tasks = estimators.tasks(estimators.populations())
    assert len({(task.population, task.records) for task in tasks}) > 300
    return [task for task in tasks if task.truth > estimators.LEAST_TRUTH]


def share_within(tasks: list[Task], factor: float, estimator: int = 3) -> float:
    return float(np.mean([abs(math.log(task.ratio(estimator))) <= math.log(factor) for task in tasks]))


def test_calibrated_is_near_the_truth(found: list[Task]) -> None:
    assert share_within(found, 1.25) >= 0.90
    assert share_within(found, 1.5) >= 0.97
    for other in range(3):
        assert share_within(found, 1.25, other) < share_within(found, 1.25)


def test_the_interval_holds_the_truth_and_is_narrow(found: list[Task]) -> None:
    assert np.mean([task.covered for task in found]) >= 0.92
    assert np.median([task.width for task in found]) <= 1.7


def test_the_warning_is_seldom_missed_and_seldom_false(found: list[Task]) -> None:
    low = [task for task in found if task.ratio(0) < 0.8]
    good = [task for task in found if 0.8 <= task.ratio(0) <= 1.25]
    assert np.mean([not task.warned for task in low]) <= 0.02
    assert np.mean([task.warned for task in good]) <= 0.15


def test_missing_values_do_not_shift_the_sum() -> None:
    tasks = estimators.tasks(estimators.populations(5), missing=True)
    large = [task for task in tasks if task.truth > estimators.LEAST_TRUTH]
    assert len(large) >= 20
    assert abs(np.mean([math.log(task.ratio(3)) for task in large])) < math.log(1.12)


def test_the_truth_counts_who_agrees_on_the_values_there_are() -> None:
    people = Population("", (np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 0, 1])), (2, 2), np.arange(5))
    sample = [np.array([0, 1, 2, 1, 2]), np.array([0, 0, 0, 2, 2])]
    assert estimators.matching(people, sample).tolist() == [1, 2, 3, 3, 5]


@pytest.mark.parametrize("design", estimators.DESIGNS)
def test_weights_add_up_to_the_population(design: str) -> None:
    random, people = next(iter(estimators.populations(1)))
    rows, weights = estimators.draw(random, people, design, 0.2)
    assert len(np.unique(rows)) == len(rows) == pytest.approx(0.2 * len(people), rel=0.2)
    assert weights.min() >= 1
    assert weights.sum() == pytest.approx(len(people), rel=0.05)


def test_a_population_by_its_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(2)
    lines = [f"{a},{b},{c}" for a, b, c in random.integers(0, (40, 20, 12), (6000, 3))]
    path = tmp_path / "town.csv"
    path.write_text("region,age,work\n" + "\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["estimators", str(path)])
    estimators.main()
    printed = capsys.readouterr().out
    assert "| calibrated |" in printed
    assert "| town |" in printed
