"""After protection: the promise leaves few records above the threshold, and asks for little more than is needed."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from tests.benchmarks import estimators, protection


@pytest.fixture(scope="module")
def found() -> list[protection.Protected]:
    some = islice(estimators.populations(1), 2, 6)  # two of the six kinds have many keys and take their time
    return protection.tasks(some, designs=("random",))


def test_the_promise_leaves_few_above_the_threshold(found: list[protection.Protected]) -> None:
    assert len(found) >= 7
    above = np.array([task.above for task in found])
    individual, calibrated, promised = above.mean(axis=0)
    assert promised < 0.06 < 2 * promised + 0.03 < calibrated < individual
    assert (above[:, 2] <= above[:, 1]).all()


def test_it_takes_little_more_than_what_is_needed(found: list[protection.Protected]) -> None:
    more = np.exp(np.mean([math.log(task.suppressed[2] / task.needed) for task in found]))
    assert 1.0 < more < 1.4
