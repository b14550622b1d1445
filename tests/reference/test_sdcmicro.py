"""Figures measured on sdcMicro 5.8.1: francdat, testdata, and eight records with missing values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.risk.distribution import RiskDistribution
from core.risk.individual import individual_risk
from core.risk.measures.k_anonymity import KAnonymityProfile
from core.tables.sdcmicro_frequencies import sdcmicro_frequencies
from core.tables.tabulate import tabulate, tabulate_records
from tests import naive_tables as naive
from tests.naive_tables import Row
from tests.reference.files import TWELVE_DIGITS, golden, small_file

TESTDATA_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")

# Eight records of weights 10, 20, ..., 80 that have all the frequencies given for "na_weights".
WITH_MISSING: list[Row] = [
    (0, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0), (1, None, 0), (None, 1, None), (0, None, None), (None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "name"),
    [(("Num1", "Key1", "Num2", "Key2", "Key3", "Key4"), "six_keys"), (("Key1", "Key2", "Key3", "Key4"), "four_keys")],
)
def test_francdat(shared: Path, keys: tuple[str, ...], name: str) -> None:
    columns, weights = small_file(shared / "data" / "francdat.csv", keys, "w")
    cells, index = tabulate_records(columns, weights)
    expected = golden(shared, "francdat.json")[name]
    assert_array_equal(index.spread(cells.f), expected["fk"])
    assert_array_equal(index.spread(cells.F), expected["Fk"])
    assert_allclose(index.spread(individual_risk(cells.f, cells.F)), expected["risk"], rtol=TWELVE_DIGITS)


def test_testdata(shared: Path) -> None:
    columns, weights = small_file(shared / "data" / "testdata.csv", TESTDATA_KEYS, "sampling_weight")
    cells, index = tabulate_records(columns, weights)
    expected = golden(shared, "testdata_risk.json")
    f, records = index.spread(cells.f), index.of_record
    assert_array_equal(f, expected["fk"])
    assert_array_equal(cells.F[records], expected["Fk"])
    risk = individual_risk(cells.f, cells.F)[records]
    rare = f <= 2
    assert rare.sum() > 200
    assert_allclose(risk[rare], np.array(expected["risk_approx"])[rare], rtol=TWELVE_DIGITS)
    some = f <= 10
    assert_allclose(risk[some], np.array(expected["risk_exact"], float)[some], rtol=1e-8)
    assert_allclose(risk, expected["risk_approx"], rtol=0.01)
    unweighted = tabulate(columns, None)
    assert_allclose(
        individual_risk(unweighted.f, unweighted.F)[records], expected["risk_unweighted"], rtol=TWELVE_DIGITS
    )
    k_anonymity = KAnonymityProfile.from_cells(cells.f, cells.count)
    assert {k: k_anonymity.violations(int(k)) for k in expected["violations"]} == expected["violations"]


def test_testdata_rates_and_thresholds(shared: Path) -> None:
    """sdcMicro's threshold is the actual level of ours: the largest risk that stays."""
    expected = golden(shared, "testdata_risk.json")
    n = expected["n"]
    s = RiskDistribution.from_cells(np.array(expected["risk_approx"]), np.ones(n, np.int64))
    assert_allclose([s.expected_reidentifications, s.rate], [expected["global"][k] for k in ("risk_ER", "risk")])
    for rate, level in expected["threshold_by_max_global_risk"].items():
        threshold = s.threshold_for_rate(float(rate))
        if level is None:
            assert threshold is None
        else:
            assert_allclose(s.interval(threshold).low, level, rtol=TWELVE_DIGITS)


@pytest.mark.parametrize("alpha", ["0", "0.25", "0.5", "1"])
def test_missing_values_as_sdcmicro_counts_them(shared: Path, alpha: str) -> None:
    values = golden(shared, "table42_na.json")
    weights = naive.weights_of([Fraction(10 * (i + 1)) for i in range(8)])
    for name, keys in (("na_weights_3keys", 3), ("na_weights_1key", 1)):
        expected = values[name].get(f"alpha{alpha}")
        if expected is None:
            continue
        columns = naive.columns_of([row[:keys] for row in WITH_MISSING], [2, 2, 1][:keys])
        cells, index = tabulate_records(columns, weights)
        f, population = sdcmicro_frequencies(cells, float(alpha))
        assert_allclose(index.spread(f), expected["fk"])
        assert_allclose(index.spread(population), expected["Fk"])


def test_where_our_wildcards_differ(shared: Path) -> None:
    """A record with every key missing counts for complete ones too: one more, of weight 80."""
    expected = golden(shared, "table42_na.json")["na_weights_3keys"]["alpha1"]
    weights = naive.weights_of([Fraction(10 * (i + 1)) for i in range(8)])
    cells, index = tabulate_records(naive.columns_of(WITH_MISSING, [2, 2, 1]), weights, "wildcard")
    complete = np.array([None not in row for row in WITH_MISSING])
    assert_array_equal(index.spread(cells.f), expected["fk"] + complete)
    assert_array_equal(index.spread(cells.F), expected["Fk"] + 80 * complete)
