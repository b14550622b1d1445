"""How the search for minimal sample uniques grows, against groupby on every set of variables in the same run.

Run as ``python -m tests.benchmarks.bench_suda [most records in thousands, default 100]``. Seconds are those of the
processor.
"""

from __future__ import annotations

import sys
import time
from itertools import combinations

import numpy as np
import pandas as pd

from core.risk.minimal_uniques import MinimalUniques
from core.tables.tabulate import tabulate
from tests.benchmarks.bench_tables import make_file

EVEN = (20,) * 8
UNLIKE = (182, 2, 75, 4, 10, 6, 12, 3)
FEW_CODES = (12, 3, 2, 5) * 5
PLAIN = 30_000


def ours(n: int, cards: tuple[int, ...], most: int) -> tuple[float, int, int]:
    """Seconds, MSUs and cells of n records."""
    cells = tabulate(make_file(n, cards)[0], None, "category")
    start = time.process_time()
    search = MinimalUniques(cells.codes, cells.cards, cells.count, most)
    found = sum(len(rows) for _mask, rows in search.found())
    return time.process_time() - start, found, len(cells)


def plain(n: int, cards: tuple[int, ...], most: int) -> tuple[float, int]:
    """The same by groupby: unique on a set, and on none of the sets with one variable less."""
    frame = pd.DataFrame({column.name: column.values for column in make_file(n, cards)[0]})
    start, found = time.process_time(), 0
    unique: dict[tuple[str, ...], np.ndarray] = {(): np.zeros(n, bool)}
    for size in range(1, most + 1):
        for names in combinations(frame.columns, size):
            alone = (frame.groupby(list(names), sort=False)[names[0]].transform("size") == 1).to_numpy()
            before = np.any([unique[names[:i] + names[i + 1 :]] for i in range(size)], axis=0)
            found += int(np.count_nonzero(alone & ~before))
            unique[names] = alone
    return time.process_time() - start, found


def measure(n: int, cards: tuple[int, ...], most: int) -> None:
    seconds, found, cells = ours(n, cards, most)
    told = f"{n:>9,} records, {cells:>9,} keys of {len(cards)}, up to {most}: {seconds:6.2f} s, {found:>10,} MSUs"
    if n <= PLAIN and len(cards) == len(EVEN):
        slow, expected = plain(n, cards, most)
        if expected != found:
            raise SystemExit(f"the two implementations disagree: {found} and {expected}")
        told += f"; plain {slow:.2f} s, ratio {slow / seconds:.0f}"
    print(told, flush=True)


def main() -> None:
    largest = 1000 * int(sys.argv[1] if len(sys.argv) > 1 else 100)
    ours(1000, EVEN, 3)  # loads the kernels
    for n in (largest // 10, largest // 4, largest):
        measure(n, EVEN, 4)
    for most in (2, 3, 4, 5):
        measure(largest, UNLIKE, most)
    measure(largest, FEW_CODES, 3)


if __name__ == "__main__":
    main()
