"""How fast values are perturbed, by method.

Run as ``python -m tests.benchmarks.bench_perturbation_speed [records in thousands, default 1000]``. Seconds are those
of the processor, from encoded columns to encoded columns. Amounts are lognormal: whole numbers, many of them equal,
and with two decimals, few of them equal. MDAV groups five variables, of up to a tenth of the records.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from core.data.columns import EncodedColumn
from core.perturbation.registry import REGISTRY
from tests.benchmarks.perturbing import encoded, given, written


def timed(told: str, method: str, columns: dict[str, EncodedColumn], **said: Any) -> dict[str, Any]:
    asked = given(method, columns, **said)
    start = time.process_time()
    made = REGISTRY[method].perturb(asked)
    print(f"{told:56}{time.process_time() - start:7.2f} s", flush=True)
    return dict(made.invariants)


def main() -> None:
    n = 1000 * int(sys.argv[1] if len(sys.argv) > 1 else 1000)
    draw = np.random.default_rng(1)
    amounts = draw.lognormal(10, 1, n)
    code = {"CODE": encoded("CODE", draw.integers(1, 21, n).astype(str))}
    numbers = {"whole": {"X": encoded("X", written(amounts))}, "decimals": {"X": encoded("X", written(amounts, 2))}}
    few = {name: encoded(name, draw.integers(100, 200, 40).astype(str)) for name in "AB"}
    for method in ("rank-swapping", "microaggregation"):  # loads the kernels
        REGISTRY[method].perturb(given(method, few))
    timed(f"{n:>9,} codes, pram", "pram", code, keep=0.8)
    for kind, columns in numbers.items():
        told = f"{n:>9,} {kind} ({len(columns['X'].codes):,} distinct), "
        timed(told + "noise", "noise", columns, share=0.1)
        timed(told + "rank-swapping", "rank-swapping", columns)
        timed(told + "optimal", "microaggregation", columns, algorithm="optimal")
        timed(told + "individual", "microaggregation", columns, algorithm="individual-ranking")
    for count in (n // 100, n // 50, n // 20, n // 10):
        several = np.exp(9 + 0.5 * draw.normal(size=(count, 5)) @ draw.normal(size=(5, 5)))
        columns = {f"V{j}": encoded(f"V{j}", written(values)) for j, values in enumerate(several.T)}
        found = timed(f"{count:>9,} of five variables, mdav", "microaggregation", columns)
        print(f"{'':12}{found['information_lost']:.4f} lost, at least {found['least_information_lost']:.4f}")


if __name__ == "__main__":
    main()
