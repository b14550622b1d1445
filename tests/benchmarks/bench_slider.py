"""What core computes for one move of the slider: linked numbers and forecast, against plain NumPy over all records.

Run as ``python -m tests.benchmarks.bench_slider [records in millions, default 1]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from core.risk.distribution import RiskDistribution
from core.risk.individual import individual_risk
from core.risk.linked_numbers import by_rate, by_records, by_risk
from core.suppression.costs import Costs, entropy
from core.suppression.forecast import forecast
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from tests.benchmarks.bench_tables import FOUR, SIX, make_file

MOVES = 300


def timed(answer: Callable[[float], object], thresholds: np.ndarray) -> tuple[float, float]:
    """Median and longest milliseconds of an answer."""
    seconds = []
    for threshold in thresholds.tolist():
        start = time.perf_counter()
        answer(threshold)
        seconds.append(time.perf_counter() - start)
    return 1000 * median(seconds), 1000 * max(seconds)


def compare(n: int, cards: tuple[int, ...]) -> None:
    columns, weights = make_file(n, cards)
    cells, cell_index = tabulate_records(columns, weights)
    risk = individual_risk(cells.f, cells.F)
    staircase = RiskDistribution.from_cells(risk, cells.count)
    by_name = {column.name: column for column in columns}
    costs = Costs("entropy", dict.fromkeys(by_name, 50.0), {name: entropy(c) for name, c in by_name.items()})
    found = forecast(ProtectedTable(cells, cell_index, None), by_name, costs)
    of_record = cell_index.spread(risk)
    thresholds = np.geomspace(staircase.min_risk, staircase.max_risk, MOVES)

    def move(threshold: float) -> None:
        linked = by_risk(staircase, threshold)
        found.at(linked.threshold)

    def typed(threshold: float) -> None:
        linked = by_rate(staircase, staircase.rate_at(threshold) * 0.999)
        by_records(staircase, linked.unsafe, None)

    def plain(threshold: float) -> tuple[int, float, float, float]:
        unsafe = of_record >= threshold
        safe = of_record[~unsafe]
        low, high = safe.max(initial=0.0), of_record[unsafe].min(initial=1.0)
        return int(unsafe.sum()), float(np.minimum(of_record, threshold).mean()), low, high

    middle, worst = timed(move, thresholds)
    typing, _ = timed(typed, thresholds)
    slow, _ = timed(plain, thresholds[:: MOVES // 10])
    drawn, _ = timed(lambda _threshold: (staircase.histogram(20), found.curve(400)), thresholds[:5])
    print(
        f"{n:>10,} records, {len(cards)} keys, {len(staircase.levels):,} levels: a move {middle:.3f} ms "
        f"(longest {worst:.3f}), typed numbers {typing:.3f} ms, bars and curve {drawn:.2f} ms; "
        f"plain {slow:.1f} ms, ratio {slow / middle:.0f}"
    )


def main() -> None:
    n = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    for cards in (FOUR, SIX):
        compare(n, cards)


if __name__ == "__main__":
    main()
