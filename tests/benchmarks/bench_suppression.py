"""How long optimiser, forecast and checks take: python -m tests.benchmarks.bench_suppression RECORDS KEYS MISSING"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.check.judged import CheckSpec
from core.check.verify import verify
from core.data.columns import EncodedColumn, Microdata, Source, Weights
from core.data.variables import Metadata
from core.suppression.costs import Costs, entropy
from core.suppression.forecast import forecast
from core.suppression.inference.leaks import leaks, remaining_risks
from core.suppression.problem import ProtectedTable
from core.tables.tabulate import tabulate_records
from tests.core.suppression.files import optimise

CARDS = (182, 2, 60, 4, 10, 17)


def draw(n: int, keys: int, missing: float = 0.0) -> tuple[dict[str, EncodedColumn], Weights]:
    """A file of n records with skewed codes, and weights with two decimals."""
    generator = np.random.default_rng(1)
    columns = {}
    for j, card in enumerate(CARDS[:keys]):
        shares = generator.dirichlet(np.full(card, 2.0))
        values = generator.choice(card, n, p=shares).astype(np.uint8)
        values[generator.random(n) < missing] = card
        codes = (*(f"{code:03}" for code in range(card)), "x")
        counts = np.bincount(values, minlength=card + 1)
        columns[f"K{j}"] = EncodedColumn(f"K{j}", values, codes, codes, counts, card, 3)
    return columns, Weights((generator.integers(5_000, 30_000, n),), (2,))


def timed(text: str, run: Callable[[], Any]) -> Any:
    """Run, print the seconds, return the result."""
    start = time.perf_counter()
    result = run()
    print(f"{text:40} {time.perf_counter() - start:8.3f} s")
    return result


def main(n: int, keys: int, missing: float) -> None:
    """Print the figures for one shape of file."""
    columns, weights = draw(n, keys, missing)
    cells, cell_index = timed("tabulate", lambda: tabulate_records(list(columns.values()), weights))
    print(f"{n} records, {keys} keys, {len(cells)} cells")
    costs = Costs("entropy", dict.fromkeys(columns, 50.0), {name: entropy(column) for name, column in columns.items()})
    found = timed("forecast", lambda: forecast(ProtectedTable(cells, cell_index, None), columns, costs))
    threshold = float(found.levels[len(found.levels) // 2])
    plan = timed("optimise", lambda: optimise([ProtectedTable(cells, cell_index, threshold)], columns, costs))
    point = timed("forecast at one threshold", lambda: found.at(threshold))
    print(len(found.levels), "levels;", threshold, plan.by_variable, point.by_variable == plan.by_variable)
    timed("curve", lambda: found.curve(800))
    safe = Microdata(
        Metadata("fixed", ()),
        Source(Path("safe"), "", 0, 0, n),
        {name: without(column, plan.suppressed[name]) for name, column in columns.items()},
        weights,
    )
    judged = CheckSpec(tuple(columns), threshold)
    print(timed("verify", lambda: verify(safe, columns, weights, plan.suppressed, [judged])).verified)
    print(len(timed("leaks", lambda: leaks(columns, plan.suppressed))), "leaks")
    timed("risk columns", lambda: remaining_risks(ProtectedTable(cells, cell_index, threshold), plan.suppressed))


def without(column: EncodedColumn, flags: NDArray[np.bool_]) -> EncodedColumn:
    """The column as it is read back."""
    return replace(column, values=np.where(flags, column.n_valid, column.values).astype(column.values.dtype))


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((int, int, float), sys.argv[1:] or ("1000000", "4", "0"), strict=True)))
