"""Demodata, REGION x SEX x AGE x MARSTAT.

Sources: Polettini, CASC deliverable 1.2-D3 (2004), section 7; figures of the mu-ARGUS engine of January 2021, run on
the same file; the rest computed by the definitions in more than one way.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from core.risk.distribution import RiskDistribution
from core.risk.individual import individual_risk
from core.tables.cells import Cells
from core.tables.margins import Overview, UnsafeSpec, unsafe_combinations
from core.tables.tabulate import tabulate
from tests.reference.files import KEYS, demodata, recoded

T = 0.00125


@pytest.fixture(scope="module")
def raw(shared: Path) -> Cells:
    microdata = demodata(shared)[1]
    return tabulate([microdata.columns[key] for key in KEYS], microdata.weights)


@pytest.fixture(scope="module")
def after(shared: Path) -> Cells:
    columns, weights = recoded(shared)
    return tabulate([columns[key] for key in KEYS], weights)


def staircase(cells: Cells, estimator: str = "exact") -> RiskDistribution:
    return RiskDistribution.from_cells(individual_risk(cells.f, cells.F, estimator), cells.count)


def test_raw(raw: Cells) -> None:
    s = staircase(raw)
    assert (len(raw), s.n, len(s.levels)) == (3450, 4000, 38)
    assert np.count_nonzero(raw.f == 1) == 3014
    assert f"{s.max_risk:.13f}" == "0.0422983833576"
    assert f"{s.expected_reidentifications:.10f}" == "78.2550159921"
    assert f"{100 * s.rate:.11f}" == "1.95637539980"
    assert s.unsafe(T) == 3968
    assert f"{s.rate_at(T):.11f}" == "0.00124811168"
    threshold = s.threshold_for_rate(T)
    assert f"{threshold:.11f}" == "0.00125190354"
    assert s.unsafe(threshold) == 3968


def test_raw_interval_and_steps(raw: Cells) -> None:
    s = staircase(raw)
    interval = s.interval(T)
    assert (f"{interval.low:.11f}", f"{interval.high:.11f}") == ("0.00119422833", "0.00140647572")
    actual = s.actual(T)
    assert (f"{actual.level:.5f}", f"{100 * actual.rate:.3f}") == ("0.00119", "0.119")
    assert s.actual(s.min_risk) is None
    assert (s.actual(None).level, s.actual(None).rate) == (s.max_risk, pytest.approx(s.rate, rel=1e-14))
    right, left = s.step(T, 1), s.step(T, -1)
    assert (f"{right:.8f}", s.unsafe(right)) == ("0.00148731", 3961)
    assert (f"{left:.8f}", s.unsafe(left)) == ("0.00119423", 3971)
    assert s.unsafe(0.00119) == 3971
    assert f"{s.threshold_for_records(3968):.11f}" == "0.00140647572"
    assert s.threshold_for_records(3968, current=T) == T
    assert f"{s.threshold_for_records(3970):.11f}" == "0.00140647572"


def test_recoded(after: Cells) -> None:
    s = staircase(after)
    assert len(after) == 499
    assert after.cards == (18, 2, 6, 4)
    assert np.count_nonzero(after.f == 1) == 114
    assert f"{s.max_risk:.13f}" == "0.0422983833576"
    assert f"{s.expected_reidentifications:.11f}" == "4.99404739016"
    assert f"{100 * s.rate:.12f}" == "0.124851184754"
    assert s.unsafe(T) == 397
    assert f"{s.rate_at(T):.9f}" == "0.000430925"
    assert s.threshold_for_rate(T) is None


def test_histograms(raw: Cells, after: Cells) -> None:
    assert staircase(raw).histogram().records.tolist() == [26, 50, 117, 238, 255, 256, 44, 1483, 834, 697]
    assert staircase(after).histogram().records.tolist() == [791, 1437, 1059, 287, 119, 138, 39, 16, 56, 58]


def test_the_truncated_series_gives_the_figures_of_mu_argus(raw: Cells, after: Cells) -> None:
    s = staircase(raw, "truncated")
    assert (f"{s.min_risk:.12f}", f"{s.max_risk:.10f}") == ("0.000743625761", "0.0422983834")
    assert f"{s.rate:.10f}" == "0.0195635554"
    assert s.unsafe(T) == 3968
    assert f"{s.rate_at(T):.11f}" == "0.00124809204"
    s = staircase(after, "truncated")
    assert f"{s.min_risk:.12f}" == "0.000101245721"
    assert f"{s.rate:.11f}" == "0.00124825601"
    assert s.unsafe(T) == 393
    assert f"{s.rate_at(T):.12f}" == "0.000430799924"


def test_three_keys(shared: Path) -> None:
    microdata = demodata(shared)[1]
    cells = tabulate([microdata.columns[key] for key in KEYS[:3]], microdata.weights)
    s = staircase(cells, "truncated")
    assert len(cells) == 3213
    assert (f"{s.min_risk:.6f}", f"{s.max_risk:.6f}") == ("0.000744", "0.042298")
    assert f"{100 * s.rate:.4f}" == "1.7187"
    start = np.sqrt(s.min_risk * s.max_risk)
    assert f"{start:.7f}" == "0.0056084"
    assert (s.unsafe(start), f"{100 * s.rate_at(start):.4f}") == (2932, "0.4924")
    h = s.histogram()
    assert h.records.tolist() == [38, 107, 208, 336, 379, 200, 68, 1364, 766, 534]
    bounds = "0.00074 0.00111 0.00167 0.00250 0.00374 0.00561 0.00840 0.01258 0.01885 0.02824 0.04230"
    assert " ".join(f"{edge:.5f}" for edge in h.edges) == bounds


def rows(overview: Overview) -> dict[str, str]:
    return {v.name: "/".join(str(count) for count in v.unsafe_by_dimension.values()) for v in overview.variables}


UNSAFE = {
    ("raw", 1): ("2/2067/5291/3014", "0/15/2979/3014", "0/1970/5136/3014", "0/126/2707/3014"),
    ("raw", 5): ("18/3054/6858/3447", "0/115/4014/3447", "0/2758/6409/3447", "0/361/3833/3447"),
    ("recoded", 1): ("0/1/60/114", "0/0/10/114", "0/0/50/114", "0/1/60/114"),
    ("recoded", 5): ("0/9/183/241", "0/0/58/241", "0/1/142/241", "0/10/187/241"),
}


@pytest.mark.parametrize(("state", "threshold"), UNSAFE)
def test_unsafe_combinations_of_one_table(shared: Path, state: str, threshold: int) -> None:
    columns = recoded(shared)[0] if state == "recoded" else demodata(shared)[1].columns
    overview = unsafe_combinations([UnsafeSpec(KEYS, threshold)], columns)
    assert tuple(rows(overview)[key] for key in KEYS) == UNSAFE[state, threshold]


def test_tables_by_identification_level(shared: Path) -> None:
    """Every set of L distinct variables that takes one from level <= l1, one from level <= l2, and so on."""
    metadata, microdata = demodata(shared)
    level = {v.name: v.identification_level for v in metadata.variables if v.identification_level}
    nested = [[name for name in level if level[name] <= most] for most in sorted(set(level.values()))]
    chosen = {frozenset(choice) for choice in product(*nested) if len(set(choice)) == len(nested)}
    assert len(chosen) == 27
    overview = unsafe_combinations([UnsafeSpec(tuple(sorted(key)), 1) for key in chosen], microdata.columns)
    assert len(overview.tables) == 111
    found = rows(overview)
    assert {key: found[key] for key in (*KEYS, "KINDPERS", "EDUC2")} == {
        "REGION": "2/6765/11966",
        "SEX": "0/117/11966",
        "AGE": "0/1948/2664",
        "MARSTAT": "0/104/235",
        "KINDPERS": "0/186/453",
        "EDUC2": "0/389/654",
    }
    region = microdata.columns["REGION"]
    assert (region.codes[:2], region.counts[:2].tolist()) == (("1", "2"), [44, 18])
    assert overview.variables[0].codes[:2].tolist() == [[0, 49, 90], [0, 45, 78]]
    unsafe = {table.variables: table.unsafe for table in overview.tables}
    expected = {("REGION",): 2, ("COMPCODE",): 3, ("OCCUCODE",): 49, ("REGION", "SEX"): 15, ("REGION", "AGE"): 1948}
    assert {key: unsafe[key] for key in expected} == expected
