"""The check of a written file by released keys, whatever was suppressed in it, against counting by the definition."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check.judged import CheckSpec
from core.check.verify import verify
from core.data.columns import Weights
from tests.core.check.test_verify import written
from tests.core.suppression.files import Case, cases
from tests.core.suppression.test_individual import levels
from tests.naive_released import unsafe_records


def plan(case: Case, chosen: list[int]) -> Any:
    """Record i loses the keys of the mask ``chosen[i]`` where it has them."""
    return SimpleNamespace(
        suppressed={
            name: np.array(
                [mask >> j & 1 > 0 and v is not None for mask, v in zip(chosen, case.rows[name], strict=True)]
            )
            for j, name in enumerate(case.keys[0])
        }
    )


@given(cases(limits=False), st.data())
def test_unsafe_records_are_counted_by_the_definition(case: Case, data: st.DataObject) -> None:
    case = replace(case, rule="observed", alpha=1.0)
    n, names = len(case.weights), case.keys[0]
    threshold, least = data.draw(st.sampled_from(levels(case))), data.draw(st.integers(1, 3))
    lost = plan(case, data.draw(st.lists(st.integers(0, (1 << len(names)) - 1), min_size=n, max_size=n)))
    order = np.array(data.draw(st.permutations(range(n))))
    weights = Weights((np.array(case.weights, np.int64),), (0,))
    judged = CheckSpec(names, threshold, mode="released-keys", least_records=least)
    found = verify(written(case, lost, order), case.columns, weights, lost.suppressed, [judged], order=order)
    rows = case.rows_of(names)
    left = [
        tuple(None if lost.suppressed[name][i] else v for name, v in zip(names, row, strict=True))
        for i, row in enumerate(rows)
    ]
    unsafe, smallest = unsafe_records(rows, left, case.weights, threshold), min(map(left.count, left))
    (after,) = found.after
    assert after.by_mode is not None and after.by_mode.unsafe == unsafe
    assert after.smallest == smallest
    assert after.original is not None
    ids = [problem.id for problem in found.problems]
    assert ids == ["written-records-unsafe"] * (unsafe > 0) + ["written-key-too-small"] * (smallest < least)
    assert found.verified is (not ids)


def test_a_blank_left_out_is_noticed() -> None:
    values = {"A": [0] * 10 + [1, 2], "B": [0] * 12}
    case = Case((("A", "B"),), values, [20] * 10 + [1, 1], "observed", 1.0, {"A": 1.0, "B": 1.0}, {}, frozenset())
    weights = Weights((np.array(case.weights, np.int64),), (0,))
    judged = CheckSpec(("A", "B"), 0.25, mode="released-keys")
    safe, short = plan(case, [1] * 3 + [0] * 7 + [1, 1]), plan(case, [1] * 2 + [0] * 8 + [1, 1])
    found = verify(written(case, safe), case.columns, weights, safe.suppressed, [judged])
    assert found.verified
    assert found.after[0].group_max == pytest.approx(1 / 5)
    found = verify(written(case, short), case.columns, weights, short.suppressed, [judged])
    assert not found.verified
    assert "2 of 12 written records are at or above the threshold 0.25" in found.problems[0].text
