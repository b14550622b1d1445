"""Cost, bound, CPU seconds of joint suppression: python -m tests.benchmarks.joint DATA ROUNDS EACH STEPS SEED CASE...

DATA is the folder that holds demodata and testdata.csv; CASE is part of a case's name.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.risk.individual import individual_risk
from core.suppression.joint.problem import ReleaseProblem
from core.suppression.joint.search import Effort, release
from core.tables.grouping import group_rows
from tests.core.suppression.demodata import load
from tests.naive_joint import recount

TESTDATA_KEYS = (0, 1, 2, 3, 4, 5, 6)


def entropy(codes: NDArray[np.uint32]) -> float:
    """Bits of one value."""
    shares = np.bincount(codes) / len(codes)
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def cells(
    columns: list[NDArray[np.uint32]], weights: NDArray[np.float64] | None
) -> tuple[ReleaseProblem, NDArray[np.float64]]:
    """The file as units that need nothing, and the population of each."""
    cards = [int(c.max()) + 1 for c in columns]
    groups = group_rows(columns, cards)
    count = np.bincount(groups.ids)
    population = np.bincount(groups.ids, weights) if weights is not None else count.astype(float)
    p = len(columns)
    problem = ReleaseProblem(
        [np.ascontiguousarray(c[groups.member]) for c in columns], cards, count.astype(np.int32),
        np.zeros(len(count), np.int32), [1.0] * p, [1 << j for j in range(p)], np.zeros(len(count), np.uint64),
    )  # fmt: skip
    return problem, population


def least_sizes(problem: ReleaseProblem, population: NDArray[np.float64], threshold: float) -> NDArray[np.int32]:
    """k of each unsafe cell by the individual risk, 0 for safe ones."""
    count = problem.records.astype(float)
    limit = threshold * (1 - 1e-12)
    risk = individual_risk(count, population)
    return np.where(risk >= limit, np.floor(count * risk / limit) + 1, 0).astype(np.int32)


def with_(problem: ReleaseProblem, need: NDArray[np.int32], costs: list[float]) -> ReleaseProblem:
    """The same units with other needs and costs."""
    return ReleaseProblem(
        problem.codes, problem.cards, problem.records, need, costs, problem.closures, problem.missing, problem.fixed
    )


def draw(
    n: int, cards: tuple[int, ...], sigma: float, seed: int = 1
) -> tuple[list[NDArray[np.uint32]], NDArray[np.float64]]:
    """A file with lognormal shares, half of the last key tied to the third, weights lognormal about 21."""
    generator = np.random.default_rng(seed)
    columns = []
    for card in cards:
        shares = generator.lognormal(0, sigma, card)
        columns.append(generator.choice(card, n, p=shares / shares.sum()).astype(np.uint32))
    tied = generator.random(n) < 0.5
    columns[-1] = np.where(tied, columns[2] % cards[-1], columns[-1]).astype(np.uint32)
    return columns, np.round(generator.lognormal(3, 0.3, n), 2)


def columns_of(folder: Path, name: str) -> tuple[list[NDArray[np.uint32]], NDArray[np.float64]]:
    """Keys and weights of a file."""
    if name in ("recoded", "raw"):
        found, w = load(folder / "demodata", name == "recoded")
        columns = [np.unique(c.values, return_inverse=True)[1].astype(np.uint32) for c in found.values()]
        weights = sum(limb / 10.0**decimals for limb, decimals in zip(w.limbs, w.decimals, strict=True))
    elif name == "testdata":
        table = np.genfromtxt(folder / "testdata.csv", delimiter=",", skip_header=1)
        columns = [np.unique(table[:, j], return_inverse=True)[1].astype(np.uint32) for j in TESTDATA_KEYS]
        weights = table[:, 13]
    else:
        cards = (6, 5, 4, 8, 3, 9, 6) if name == "million7" else (182, 2, 60, 4)
        columns, weights = draw(100_000 if name == "hundred4" else 1_000_000, cards, 1.0 if name == "hundred4" else 0.5)
    return columns, weights


def cases(folder: Path, wanted: list[str]) -> Iterator[tuple[str, ReleaseProblem]]:
    """Names and problems."""
    for name in ("recoded", "raw", "testdata", "million4", "hundred4", "million7"):
        if not any(part.split(",")[0] == name for part in wanted):
            continue
        columns, weights = columns_of(folder, name)
        problem, population = cells(columns, weights)
        bits = [entropy(c) for c in columns]
        for part in wanted:
            if part.split(",")[0] != name:
                continue
            _, rule, loss = part.split(",")
            costs = bits if loss == "entropy" else [1.0] * len(columns)
            value = float(rule.lstrip("kr"))
            need = (
                np.full(len(problem.records), int(value), np.int32)
                if rule[0] == "k"
                else least_sizes(problem, population, value)
            )
            yield part, with_(problem, need, costs)


def main(folder: str, rounds: str, each: str, steps: str, seed: str, *wanted: str) -> None:
    """Print a line for each case."""
    for name, problem in cases(Path(folder), list(wanted)):
        times = np.bincount(
            problem.need[problem.need > problem.records], problem.records[problem.need > problem.records]
        )
        print(
            name,
            len(problem.records),
            "units; unsafe records by need",
            {int(k): int(v) for k, v in enumerate(times) if v},
            flush=True,
        )
        begin = time.process_time()
        found = release(problem, Effort(int(rounds), int(each), int(steps)), int(seed))
        seconds = time.process_time() - begin
        keys = list(zip(*(c.tolist() for c in problem.codes), strict=True))
        table = list(zip(found.unit.tolist(), found.lost.tolist(), found.records.tolist(), strict=True))
        loss, _, small = recount(keys, problem.records.tolist(), problem.need.tolist(), table, problem.costs)
        assert not small and abs(loss - found.loss) < 1e-6 * max(1, loss)
        print(
            f"{name:24} cost {found.loss:10.2f} bound {found.bound:10.2f} gap {100 * found.gap:.2f} % {seconds:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
