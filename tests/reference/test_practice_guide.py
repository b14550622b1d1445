"""The SDC Practice Guide, chapter "Measuring Risk": ten records (table 4.1) and missing values (table 4.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.risk.distribution import RiskDistribution
from core.risk.individual import individual_risk
from core.risk.measures.k_anonymity import KAnonymityProfile
from core.tables.sdcmicro_frequencies import sdcmicro_frequencies
from core.tables.tabulate import tabulate_records
from tests.reference.files import TWELVE_DIGITS, golden, small_file

KEYS = ("Residence", "Gender", "Educ", "Lstat")


def test_table_4_1(shared: Path) -> None:
    columns, weights = small_file(shared / "data" / "table41.csv", KEYS, "Weights")
    cells, index = tabulate_records(columns, weights)
    records = index.of_record
    assert_array_equal(cells.f[records], [2, 2, 1, 2, 1, 2, 1, 1, 2, 2])
    assert_array_equal(cells.F[records], [360, 360, 215, 152, 186, 152, 180, 215, 262, 262])
    cell_risk = individual_risk(cells.f, cells.F)
    printed = (
        "0.005424520 0.005424520 0.025096439 0.012563425 0.028247279 "
        "0.012563425 0.029010932 0.025096439 0.007403834 0.007403834"
    )
    assert " ".join(f"{risk:.9f}" for risk in cell_risk[records]) == printed
    s = RiskDistribution.from_cells(cell_risk, cells.count)
    assert (f"{s.rate:.5f}", f"{s.expected_reidentifications:.4f}") == ("0.01582", "0.1582")
    k_anonymity = KAnonymityProfile.from_cells(cells.f, cells.count)
    assert k_anonymity.profile(3) == ((2, 4), (3, 10))
    values = golden(shared, "table41.json")
    assert_array_equal(cells.f[records], values["fk"])
    assert_array_equal(cells.F[records], values["Fk"])
    assert_allclose(cell_risk[records], values["risk_approx"], rtol=TWELVE_DIGITS)
    assert [k_anonymity.violations(k) for k in range(1, 7)] == values["violations_k1to6"]


@pytest.mark.parametrize(
    ("rule", "alpha", "expected"),
    [("wildcard", 1.0, [2, 2, 3]), ("observed", 1.0, [1, 1, 3]), ("wildcard", 0.5, [1.5, 1.5, 3])],
)
def test_table_4_2(shared: Path, rule: Any, alpha: float, expected: list[float]) -> None:
    columns, _ = small_file(shared / "data" / "table42.csv", ("Gender", "Educ", "Lstat"))
    cells, index = tabulate_records(columns, None, rule, alpha)
    assert_array_equal(index.spread(cells.f), expected)
    assert_allclose(index.spread(individual_risk(cells.f, cells.F)), 1 / np.array(expected), rtol=1e-15)


@pytest.mark.parametrize("alpha", ["0", "0.5", "1"])
def test_table_4_2_as_sdcmicro_counts(shared: Path, alpha: str) -> None:
    columns, _ = small_file(shared / "data" / "table42.csv", ("Gender", "Educ", "Lstat"))
    cells, index = tabulate_records(columns, None)
    expected = golden(shared, "table42_na.json")["table42"][f"alpha{alpha}"]
    for found, name in zip(sdcmicro_frequencies(cells, float(alpha)), ("fk", "Fk"), strict=True):
        assert_array_equal(index.spread(found), expected[name])
