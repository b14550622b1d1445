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

import numpy as np
from numpy.typing import NDArray

from core.suppression.counts.exact import is_safe
from core.suppression.counts.problem import CountsTable, Rule, build, ways_of
from core.suppression.counts.search import losses
from core.suppression.joint.problem import ReleaseProblem, entries
from core.suppression.joint.search import Effort, Release, release
from core.tables.grouping import group_rows
from tests.benchmarks.joint import cases, cells, columns_of, entropy
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

MATCHING = (
    # a blank matches anything: keys, demand, loss, values that a record may lose; cost, bound at least, seconds
    ("recoded,r0.00125,equal,1", 85, 64, 5),
    ("recoded,r0.00125,equal,2", 44, 34, 5),
    ("recoded,r0.00125,entropy,1", 240, 170, 5),
    ("recoded,r0.00125,entropy,2", 130.4, 93, 5),
    ("testdata,k3,equal,1", 136, 121, 5),
    ("testdata,k3,equal,2", 115, 101, 5),
    ("testdata,k5,equal,1", 230, 199, 5),
    ("testdata,k5,equal,2", 200, 167, 5),
    ("raw,k3,equal,2", 32, 30, 5),
    ("raw,k5,equal,2", 64, 59, 5),
    ("million4,k3,equal,1", INF, 600, 5),
    ("million7,k3,equal,1", INF, 14_500, 8),
)


def checked(problem: ReleaseProblem, found: Release) -> None:
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
    matching(data)


def matching(data: Path) -> None:
    """Print the lines of what is judged by the released file, a blank matching anything."""
    for name, cost, least, seconds in MATCHING:
        if not name.startswith("million") and not data.exists():
            continue
        keys, demand, loss, most = name.split(",")
        columns, weights = columns_of(data, keys)
        begin = _processor()
        table = counts_table(columns, weights, demand, loss, int(most))
        found = losses(build(table), 1000, 1, thorough=False)
        used = _processor() - begin
        if found.left.any() or (not name.startswith("million") and not is_safe(table, found.lost)):
            raise AssertionError(f"{name}: unsafe")
        low = "" if found.bound >= least else f" (missed {least})"
        print(
            f"{name:26} {against(found.cost, cost, '.2f')} {found.bound:10.2f}{low} "
            f"{100 * (1 - found.bound / max(found.cost, 1e-9)):10.2f} {'':10} {against(used, seconds, '.1f')} "
            f"{found.beyond} records lose more",
            flush=True,
        )


def _processor() -> float:
    """Seconds of the processor so far, child processes included where the system says."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def counts_table(
    columns: list[NDArray[np.uint32]], weights: NDArray[np.float64], demand: str, loss: str, most: int
) -> CountsTable:
    """A table in which each key alone may go."""
    problem, population = cells(columns, weights)
    of_record = group_rows(columns, problem.cards).ids
    costs = [entropy(c) for c in columns] if loss == "entropy" else [1.0] * len(columns)
    ways = ways_of(costs, [1 << j for j in range(len(columns))], len(columns), 0)
    value = float(demand[1:])
    rule = Rule.by_count(int(value)) if demand[0] == "k" else Rule.by_risk(value)
    count = problem.records.astype(np.float64)
    return CountsTable(problem.codes, problem.cards, of_record, count, population, weights, rule, ways, most)


if __name__ == "__main__":
    main(*sys.argv[1:])
