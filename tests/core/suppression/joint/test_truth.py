"""What is told of released keys against populations that are known; all of it is measured by the benchmark."""

from __future__ import annotations

import pytest

from tests.benchmarks.bench_released_keys_truth import EXCEEDANCE, POPULATIONS, pooled


@pytest.mark.parametrize("make", POPULATIONS)
def test_risks_under_released_keys_are_true_in_the_mean(make: object) -> None:
    found = pooled(make, 3, ("calibrated", "promise"), people=20_000)  # type: ignore[arg-type]
    by_risk, promise = found["calibrated"], found["promise"]
    assert by_risk.records > 1000
    assert 0.85 <= by_risk.told / by_risk.true <= 1.2
    assert by_risk.former / by_risk.true < 0.85  # what earlier versions told
    assert promise.above <= EXCEEDANCE * promise.records < by_risk.above
