"""Cost, bound and seconds of joint suppression against its targets: ``python -m tests.benchmarks.bench_joint [DATA]``.

DATA is the folder that holds demodata and testdata.csv; without it only generated files are protected. Each release is
counted anew by plain Python, which shares nothing with the search. A target stands behind each figure, and "missed"
where it is not met. The generated files are drawn from their own seed, so that cost and bound cannot be those of
another draw: of these rows the targets are the gap and the seconds.
"""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
from pathlib import Path

from core.suppression.joint.problem import ReleaseProblem, entries
from core.suppression.joint.search import Assignment, Effort, release
from tests.benchmarks.joint import cases
from tests.naive_joint import recount

INF = float("inf")
TARGETS = (
    # k-anonymity under `category`: cost, gap and seconds at most
    ("recoded,k3,equal", 242, 0.0, 2),
    ("recoded,k5,equal", 423, 0.002, 2),
    ("recoded,k3,entropy", 463.3, 0.017, 2),
    ("recoded,k5,entropy", 868, 0.025, 5),
    ("raw,k3,equal", 3827, 0.001, 12),
    ("raw,k5,equal", 4146, 0.002, 12),
    ("raw,k3,entropy", 19_485, 0.013, 3),
    ("raw,k5,entropy", 23_310, 0.01, 3),
    ("testdata,k3,equal", 358, 0.02, 6),
    ("testdata,k5,equal", 650, 0.03, 6),
    ("testdata,k3,entropy", 424, 0.03, 6),
    ("testdata,k5,entropy", 818, 0.05, 6),
    ("hundred4,k3,entropy", INF, 0.05, 36),
    ("million4,k3,entropy", INF, 0.135, 10),
    # risk judged by released keys
    ("recoded,r0.00125,equal", 594, 0.01, 3),
    ("recoded,r0.00125,entropy", 1533.07 * 1.005, 0.01, 5),
    ("recoded,r0.005,entropy", 592.28 * 1.015, 0.02, 3),
    ("recoded,r0.02,entropy", 164.78, 0.0, 1),
    ("million4,r0.02,entropy", INF, 0.135, 10),
)


def checked(problem: ReleaseProblem, found: Assignment) -> None:
    """The release is safe and loses what it says, by plain Python."""
    keys = list(zip(*(code.tolist() for code in problem.codes), strict=True))
    table = list(zip(found.unit.tolist(), found.lost.tolist(), found.records.tolist(), strict=True))
    loss, _, small = recount(keys, problem.records.tolist(), problem.need.tolist(), table, problem.costs)
    if small or abs(loss - found.loss) > 1e-6 * max(1, loss) or found.bound > loss + 1e-6:
        raise AssertionError(f"{len(small)} keys too small, loss {loss}, said {found.loss}, bound {found.bound}")


def against(value: float, target: float, form: str) -> str:
    """A figure and its target."""
    text = format(value, form)
    if target == INF:
        return f"{text:>10} {'':10}"
    return f"{text:>10} {'<= ' if value <= target * (1 + 1e-9) + 1e-9 else 'missed '}{format(target, form):7}"


def memory(problem: ReleaseProblem) -> None:
    """Bytes at the most against the formula of docs/methods.md."""
    tracemalloc.start()
    release(problem, Effort(250, 0, 10))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    ways = entries(problem)
    told = 90 * len(ways.unit) + 150 * len(ways.total) + 300 * len(problem.records)
    print(f"{'':26} memory {peak / 1e6:.0f} MB, by the formula {told / 1e6:.0f} MB", flush=True)


def main(folder: str = "") -> None:
    """Print a line for each target."""
    data = Path(folder or Path(os.environ.get("PAVO_SHARED", "shared")) / "data")
    print(f"{'':26} {'cost':>21} {'bound':>10} {'gap (%)':>21} {'seconds of the processor':>24}")
    for name, cost, gap, seconds in TARGETS:
        if not name.startswith(("million", "hundred")) and not data.exists():
            print(f"{name:26} no data")
            continue
        ((_, problem),) = cases(data, [name])
        begin = time.process_time()
        found = release(problem)
        used = time.process_time() - begin
        checked(problem, found)
        print(
            f"{name:26} {against(found.loss, cost, '.2f')} {found.bound:10.2f} "
            f"{against(100 * found.gap, 100 * gap, '.2f')} {against(used, seconds, '.1f')}",
            flush=True,
        )
        if name.startswith("million"):
            memory(problem)


if __name__ == "__main__":
    main(*sys.argv[1:])
