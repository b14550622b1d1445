"""Speed of cells, risks and staircase against a plain pandas and scipy implementation in the same run.

Run as ``python -m tests.benchmarks.bench_tables [records in millions, default 1]``. Ratios are worth comparing
between machines, seconds are not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from core.data.columns import EncodedColumn, Weights
from core.risk.distribution import RiskDistribution
from core.risk.individual import individual_risk
from core.tables.margins import UnsafeSpec, unsafe_combinations
from core.tables.tabulate import Margins, tabulate
from tests.benchmarks.plain import risk as plain_risks

FOUR = (182, 2, 60, 4)
SIX = (*FOUR, 10, 17)
RUNS = 5


def make_file(n: int, cards: tuple[int, ...], missing_share: float = 0.0) -> tuple[list[EncodedColumn], Weights]:
    """Columns of uniform codes, and weights with two decimals."""
    random = np.random.default_rng(1)
    columns = []
    for j, card in enumerate(cards):
        values = random.integers(0, card, n).astype(np.uint8)
        if missing_share:
            values[random.random(n) < missing_share] = card
        codes = (*(str(code) for code in range(card)), "x")
        counts = np.bincount(values, minlength=card + 1)
        columns.append(EncodedColumn(f"K{j}", values, codes, codes, counts, card, 3))
    return columns, Weights((random.integers(100, 30_000, n),), (2,))


def ours(columns: list[EncodedColumn], weights: Weights, rule: Any = "observed") -> RiskDistribution:
    cells = tabulate(columns, weights, rule)
    return RiskDistribution.from_cells(individual_risk(cells.f, cells.F), cells.count)


def plain(frame: pd.DataFrame, keys: list[str]) -> float:
    """The same by groupby: cells, the record's cell, risks, sorted levels and running sums; returns the rate."""
    groups = frame.groupby(keys, sort=False)
    cells = groups["w"].agg(["size", "sum"])
    groups.ngroup()
    f = cells["size"].to_numpy(float)
    risk = plain_risks(f, cells["sum"].to_numpy())
    order = np.argsort(risk)
    return float(np.cumsum(risk[order] * f[order])[-1] / f.sum())


def all_margins(columns: list[EncodedColumn], weights: Weights) -> int:
    margins = Margins(tabulate(columns, weights))
    groups = 0
    for keep in sorted(range(1 << len(columns)), key=lambda mask: -mask.bit_count()):
        found = margins.frequencies(keep)
        groups += len(individual_risk(found.f, found.F))
    return groups


def runs_of(times: int, work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds of the first run, the median of all, and the last result."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return seconds[0], median(seconds), result


def compare(n: int, cards: tuple[int, ...]) -> None:
    columns, weights = make_file(n, cards)
    frame = pd.DataFrame({c.name: c.values for c in columns} | {"w": weights.limbs[0] / 100})
    first, fast, staircase = runs_of(RUNS, lambda: ours(columns, weights))
    plain_first, slow, rate = runs_of(RUNS, lambda: plain(frame, [c.name for c in columns]))
    difference = abs(staircase.rate / rate - 1)
    if not difference < 1e-9:
        raise SystemExit(f"the two implementations disagree: {staircase.rate} and {rate}")
    print(
        f"{n:>10,} records, {len(cards)} keys: median {fast:.3f} s (first {first:.3f}), plain median {slow:.3f} s "
        f"(first {plain_first:.3f}), ratio of medians {slow / fast:.1f}, rates differ by {difference:.0e}"
    )


def report(n: int, what: str, work: Callable[[], Any]) -> None:
    first, middle, _ = runs_of(RUNS, work)
    print(f"{n:>10,} records, {what}: median {middle:.2f} s (first {first:.2f})")


def main() -> None:
    n = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    ours(*make_file(1000, FOUR))  # loads the kernels
    compare(n, FOUR)
    compare(n, SIX)
    columns, weights = make_file(n, SIX, 0.05)
    for rule in ("observed", "wildcard"):
        report(n, f"6 keys, 5 % of values missing, {rule}", partial(ours, columns, weights, rule))
    columns, weights = make_file(n, SIX)
    by_name = {c.name: c for c in columns}
    report(n, "all 64 margins of 6 keys and their risks", lambda: all_margins(columns, weights))
    chosen = [UnsafeSpec(tuple(by_name), 1)]
    report(n, "unsafe combinations in 63 tables", lambda: unsafe_combinations(chosen, by_name))


if __name__ == "__main__":
    main()
