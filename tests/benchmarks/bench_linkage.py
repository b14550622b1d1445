"""How linkage of two files grows, against every pair of records in the same run.

Run as ``python -m tests.benchmarks.bench_linkage [most records in thousands, default 100]``. Seconds are those of the
processor.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from core.risk.linkage.agreement import LinkageKeys, pair_patterns
from core.risk.linkage.distance import nearest_own, standardised
from core.risk.linkage.fellegi_sunter import fitted, likeliest_own

VARIABLES = 4
PLAIN = 5_000
CARDS = (12, 2, 40, 7, 25, 5)


def by_distance(n: int, noise: float) -> None:
    draw = np.random.default_rng(1)
    original = draw.normal(size=(n, VARIABLES))
    released = original + noise * draw.normal(size=original.shape)
    start = time.process_time()
    mine, theirs = standardised(original, released)
    linked = float(nearest_own(mine, theirs, np.arange(n)).sum())
    seconds = time.process_time() - start
    told = f"{n:>9,} records of {VARIABLES} numbers, noise {noise:4.2f}: {seconds:6.2f} s, {linked:>9,.0f} linked"
    if n <= PLAIN:
        start = time.process_time()
        plain = sum(float(np.argmin(((theirs - record) ** 2).sum(axis=1)) == i) for i, record in enumerate(mine))
        slow = time.process_time() - start
        if plain != linked:
            raise SystemExit(f"the two implementations disagree: {plain} and {linked}")
        told += f"; plain {slow:.2f} s, ratio {slow / seconds:.0f}"
    print(told, flush=True)


def by_probability(n: int) -> None:
    draw = np.random.default_rng(2)
    before = [draw.integers(0, card, n).astype(np.uint32) for card in CARDS]
    after = [np.where(draw.random(n) < 0.1, column[::-1], column) for column in before]
    start = time.process_time()
    mine, theirs = (LinkageKeys.of(columns, CARDS) for columns in (before, after))
    patterns = pair_patterns(mine, theirs)
    counted = time.process_time() - start
    model = fitted(patterns, len(CARDS), 1 / n)
    linked = float(likeliest_own(mine, theirs, np.arange(n), model).sum())
    seconds = time.process_time() - start
    print(
        f"{n:>9,} records of {len(CARDS)} codes: {seconds:6.2f} s, {counted:.2f} s of them for counting pairs, "
        f"{linked:>9,.0f} linked",
        flush=True,
    )


def main() -> None:
    largest = 1000 * int(sys.argv[1] if len(sys.argv) > 1 else 100)
    LinkageKeys.of([np.zeros(1, np.uint32)], [1])  # loads the kernels
    for n in (PLAIN, largest):
        for noise in (0.05, 0.3, 1.0):
            by_distance(n, noise)
        by_probability(n)


if __name__ == "__main__":
    main()
