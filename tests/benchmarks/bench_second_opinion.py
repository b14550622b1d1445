"""Speed of the second opinion, cells included, against a plain pandas and scipy implementation in the same run.

Run as ``python -m tests.benchmarks.bench_second_opinion [records in millions, default 1]``. Ratios are worth comparing
between machines, seconds are not.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from itertools import combinations
from statistics import median

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import hyp1f1, hyp2f1

from core.data.columns import EncodedColumn, Weights
from core.risk.population_model import PopulationModel, closed_over, weights_above_one
from core.risk.second_opinion import second_opinion
from core.tables.tabulate import tabulate_records

FOUR = (182, 2, 60, 4)
SIX = (*FOUR, 10, 17)
RUNS = 3


def make_file(n: int, cards: tuple[int, ...]) -> tuple[list[EncodedColumn], Weights]:
    """Skewed codes, each key depending a little on the one before it; weights with two decimals."""
    random = np.random.default_rng(1)
    columns: list[EncodedColumn] = []
    before = np.zeros(n, np.int64)
    for j, card in enumerate(cards):
        drawn = (card * random.random(n) ** 1.7).astype(np.int64)
        values = np.where(random.random(n) < 0.3, before % card, drawn).astype(np.uint8)
        codes = (*(str(code) for code in range(card)), "x")
        columns.append(EncodedColumn(f"K{j}", values, codes, codes, np.bincount(values, minlength=card + 1), card, 3))
        before = values.astype(np.int64)
    return columns, Weights((random.integers(200, 30_000, n),), (2,))


def ours(columns: list[EncodedColumn], weights: Weights) -> float:
    table = tabulate_records(columns, weights)
    model = PopulationModel(table.cells, weights_above_one(table, weights))
    return second_opinion(table.cells, model).expected_reidentifications


def closed(columns: list[EncodedColumn], weights: Weights) -> float:
    cells = (table := tabulate_records(columns, weights)).cells
    model = PopulationModel(cells, weights_above_one(table, weights))
    return float(closed_over(model, model.full, lambda mask: model.key_set(mask).risk())[model.full] @ cells.count)


def plain(frame: pd.DataFrame, keys: list[str]) -> float:
    """The expected re-identifications by groupby, and by scipy's hypergeometric functions."""
    n = len(frame)
    cells = frame.groupby(keys, sort=False)["above"].agg(["size", "sum"]).reset_index()
    tables = {
        names: cells.groupby(list(names))[["size", "sum"]].sum()
        for size in (1, 2)
        for names in combinations(keys, size)
    }
    scores = []
    for a, b in combinations(keys, 2):
        both = tables[a, b]["size"]
        first, second = (tables[(x,)]["size"].reindex(both.index.get_level_values(x)).to_numpy() for x in (a, b))
        information = float((both * np.log(both * n / (first * second))).sum())
        penalty = (len(tables[(a,)]) - 1) * (len(tables[(b,)]) - 1) * math.log(n) / 2
        scores.append((information - penalty, a, b))
    tree = {key: key for key in keys}
    edges = []
    for score, a, b in sorted(scores, reverse=True):
        if score > 0 and tree[a] != tree[b]:
            tree = {key: tree[a] if root == tree[b] else root for key, root in tree.items()}
            edges.append((a, b))
    m, mu = np.full(len(cells), frame["above"].sum()), np.full(len(cells), float(n))
    for names in [(key,) for key in keys] + edges:
        index = pd.MultiIndex.from_frame(cells[list(names)]) if len(names) == 2 else pd.Index(cells[names[0]])
        found = tables[names].reindex(index)
        power = 1 if len(names) == 2 else 1 - sum(names[0] in edge for edge in edges)
        m *= (found["sum"].to_numpy() / frame["above"].sum()) ** power
        mu *= (found["size"].to_numpy() / n) ** power
    f = cells["size"].to_numpy(float)
    one, two = mu[f == 1], mu[f == 2]

    def loss(log_a: float) -> float:
        a = math.exp(log_a)
        rho, rho2 = (x * (a + 1) / (2 * (a + x)) for x in (one, two))
        return float(np.log1p(rho).sum() + np.log1p(rho2).sum() - np.log(rho2).sum())

    best = minimize_scalar(loss, bounds=(math.log(1e-3), math.log(1e4)), method="bounded", options={"xatol": 1e-10})
    a = math.exp(best.x)
    if best.x > math.log(9e3):
        risk = hyp1f1(1, f + 1, -m) / f
    else:
        theta = m / (a + mu)
        risk = hyp2f1(1 - a, 1, f + 1, theta / (1 + theta)) / (f * (1 + theta))
    return float(risk @ f)


def timed(times: int, work: Callable[[], float]) -> tuple[float, float, float]:
    """Median seconds of the clock and of the processor, and the result."""
    clock, processor = [], []
    for _ in range(times):
        start, used = time.perf_counter(), time.process_time()
        result = work()
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return median(clock), median(processor), result


def compare(n: int, cards: tuple[int, ...]) -> None:
    columns, weights = make_file(n, cards)
    frame = pd.DataFrame({c.name: c.values for c in columns} | {"above": weights.limbs[0] / 100 - 1})
    seconds, fast, found = timed(RUNS, lambda: ours(columns, weights))
    plain_seconds, slow, expected = timed(1, lambda: plain(frame, [c.name for c in columns]))
    if not abs(found / expected - 1) < 1e-6:
        raise SystemExit(f"the two implementations disagree: {found} and {expected}")
    print(
        f"{n:>10,} records, {len(cards)} keys: {fast:.2f} s of the processor ({seconds:.2f} of the clock), plain "
        f"{slow:.2f} ({plain_seconds:.2f}), ratio {slow / fast:.1f}; results differ by {abs(found / expected - 1):.0e}"
    )
    seconds, used, _ = timed(1, lambda: closed(columns, weights))
    print(f"{n:>10,} records, {len(cards)} keys, closed over all margins: {used:.2f} s ({seconds:.2f} of the clock)")


def main() -> None:
    n = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    ours(*make_file(1000, FOUR))  # loads the kernels
    compare(n, FOUR)
    compare(n, SIX)


if __name__ == "__main__":
    main()
