"""Whether the promise holds in small files if the scatter is taken at the lower limit of what the sample allows.

The a of `core.risk.negative_binomial.dispersion` is the likeliest one. A limit is the least point of its grid whose log
likelihood lies no more than z²/2 below the largest (profile likelihood, one-sided): more scatter, hence larger risks
that are reached with a given chance, and the same a where there are many records. The samples below 1,000 records of
`tests.benchmarks.protection` are protected by either.

Printed by ``python -m tests.benchmarks.bench_small_files``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from unittest.mock import patch

import numpy as np

from core.base.progress import SILENT, Progress
from core.risk import negative_binomial, population_model
from tests.benchmarks import estimators
from tests.benchmarks.protection import JUDGES, LEAST_UNSAFE, THRESHOLDS, Protected, protect

Dispersion = Callable[[np.ndarray, np.ndarray, Progress], float]
BELOW = 1000
LIMITS = {"80 %": 0.8416, "95 %": 1.6449}
"""Normal quantiles by the confidence of the limit."""


def limited(z: float) -> Dispersion:
    """As `dispersion`, the lower limit."""
    kernels = negative_binomial.kernels

    def found(f: np.ndarray, mu: np.ndarray, progress: Progress = SILENT) -> float:
        parts = [(np.ascontiguousarray(mu[f == size]), size == 2) for size in (1, 2)]
        if not any(len(values) for values, _ in parts):
            return math.inf
        grid = kernels.GRID.tolist()
        heights = np.array([math.fsum(kernels.log_likelihood(*part, a) for part in parts) for a in grid])
        first = int(np.argmax(heights >= heights.max() - z * z / 2))
        return math.inf if first == len(grid) - 1 else float(grid[first])

    return found


def small() -> Iterator[Protected]:
    """The small samples, protected by every judge."""
    for random, people in estimators.populations():
        for design in estimators.DESIGNS:
            low, high = estimators.FRACTIONS
            fraction = low * (high / low) ** random.random()
            state = random.bit_generator.state
            if len(estimators.draw(random, people, design, fraction)[0]) >= BELOW:
                continue
            for threshold in THRESHOLDS:
                random.bit_generator.state = state
                task = protect(random, people, design, fraction, threshold)
                if task.unsafe >= LEAST_UNSAFE:
                    yield task


def main() -> None:
    """Print the table."""
    print("| a | r* | cases | mean % above | most % | suppressions |\n|---|---|---|---|---|---|")
    place = JUDGES.index("exceedance 0.05")
    judges = {f"lower limit, {name}": limited(z) for name, z in LIMITS.items()}
    for name, judge in ({"likeliest": negative_binomial.dispersion} | judges).items():
        with patch.object(population_model, "dispersion", judge):
            tasks = list(small())
        for threshold in THRESHOLDS:
            some = [task for task in tasks if task.threshold == threshold]
            above = 100 * np.array([task.above[place] for task in some])
            more = np.median([task.suppressed[place] / task.needed for task in some])
            print(f"| {name} | {threshold:g} | {len(some)} | {above.mean():.1f} | {above.max():.1f} | {more:.2f} |")


if __name__ == "__main__":
    main()
