"""Demodata after both recodings, judged by released keys: sizes of keys and the price, and what others would have told.

k = floor(f r / r*) + 1 for each unsafe cell; costs by entropy in bits, proven by a mixed-integer programme: 1533.06,
592.27 and 164.77. With the former k, the least with r(k, k F/f) < r*, they were 943.70, 305.41 and 115.03.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data.columns import EncodedColumn, Weights
from core.suppression.costs import Costs, entropy
from core.suppression.joint.least_sizes import ReleasedRisks, released_risks
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.problem import ProtectedTable, Rules
from core.tables.tabulate import tabulate_records
from tests.reference.files import KEYS, recoded


@pytest.mark.parametrize(
    ("threshold", "bits", "optimum"), [(0.00125, 1534, 1533.06), (0.005, 599, 592.27), (0.02, 165, 164.77)]
)
def test_the_price_of_released_keys(shared: Path, threshold: float, bits: float, optimum: float) -> None:
    columns, weights = recoded(shared)
    keys = {name: columns[name] for name in KEYS}
    table = ProtectedTable(*tabulate_records(list(keys.values()), weights), threshold)
    costs = Costs("entropy", {}, {key.name: entropy(key) for key in keys.values()})
    plan = optimise_released_keys([table], keys, costs, Rules(), JointSettings())
    assert optimum - 0.005 <= plan.loss <= bits
    assert 0.98 * optimum <= plan.lower_bound <= optimum + 0.005
    unsafe = table.cell_index.spread(ReleasedRisks(table).own >= threshold * (1 - 1e-12))
    assert released_risks(table, plan.suppressed, unsafe)[2].max() < threshold


def test_a_unique_record_of_a_hundred_people_needs_a_key_of_38_records() -> None:
    found = ReleasedRisks(_one_cell(1, 100)).sizes_at(0.00125)
    assert found.tolist() == [38, 0]  # 9 by the former rule


def test_no_key_needs_more_records_than_the_threshold_itself_asks_for() -> None:
    found = ReleasedRisks(_one_cell(3, 3)).sizes_at(0.00125)
    assert found.tolist() == [801, 0]


def _one_cell(records: int, people: int) -> ProtectedTable:
    """A cell of so many records and people beside one that is large and safe."""
    values = np.repeat(np.arange(2, dtype=np.uint8), [records, 2000])
    column = EncodedColumn("A", values, ("a", "b"), ("a", "b"), np.bincount(values), 2, 1)
    weights = Weights((np.repeat([people // records, 1000], [records, 2000]).astype(np.int64),), (0,))
    return ProtectedTable(*tabulate_records([column], weights), None)
