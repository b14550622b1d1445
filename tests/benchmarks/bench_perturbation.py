"""What perturbation loses, beside sdcMicro's and mu-ARGUS's methods at the same measured risk.

Run as ``python -m tests.benchmarks.bench_perturbation [FOLDER]``: the folder of reference data, else that of
PAVO_SHARED or ``shared`` beside the project. Each of their methods has a row: what it leaves of risk and what it loses
on Tarragona (834 companies, 13 amounts). Below it are, of all settings of Pavo's methods that leave no more of dRisk,
the one with the least IL1s of those that lose no more by any of the three measures, where there is one, and the one
with the least IL1s of all; then the same of those that leave no more of linkage either, which dRisk overlooks. Of
random methods risks and losses are means of four draws. Last the loss of grouping against its bound, and what an
exchange of records between groups would still gain.

dRisk(k): share of records whose original value is in every variable within k standard deviations of the released one.
linked: share of records whose nearest record, of standardised values, is their own. IL1s, eigen, IL_correl as in
sdcMicro.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn
from core.perturbation.micro_groups import (
    blocks,
    group_means,
    least_within,
    mdav,
    principal_component,
    standardised,
    within,
)
from core.perturbation.numbers import numbers_of
from tests.benchmarks.perturbing import encoded, perturbed, written

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEEDS = 4


@dataclass(frozen=True)
class Measured:
    """Risks and losses of one release."""

    narrow: float
    wide: float
    linked: float
    il1s: float
    eigen: float
    correlations: float

    @property
    def losses(self) -> tuple[float, float, float]:
        return self.il1s, self.eigen, self.correlations

    def __str__(self) -> str:
        return (
            f"{self.narrow:6.4f} {self.wide:6.4f} {self.linked:6.3f} {self.il1s:7.1f} {self.eigen:9.4f} "
            f"{self.correlations:7.4f}"
        )


def interval_risk(before: Floats, after: Floats, width: float) -> float:
    """dRisk."""
    reach = width * after.std(axis=0, ddof=1)
    return float((np.abs(before - after) <= reach).all(axis=1).mean())


def linked(before: Floats, after: Floats) -> float:
    """Share of originals whose nearest released record is their own; of equally near ones each counts its part."""
    mine, theirs = ((x - x.mean(axis=0)) / x.std(axis=0) for x in (before, after))
    found = 0.0
    for i, record in enumerate(mine):
        distance = ((theirs - record) ** 2).sum(axis=1)
        nearest = distance.min()
        if distance[i] <= nearest * (1 + 1e-12):
            found += 1 / np.count_nonzero(distance <= nearest * (1 + 1e-12))
    return found / len(before)


def il1s(before: Floats, after: Floats) -> float:
    return float((np.abs(before - after) / (math.sqrt(2) * before.std(axis=0, ddof=1))).sum())


def eigen(before: Floats, after: Floats) -> float:
    one, other = (np.linalg.eigvalsh(np.corrcoef(x.T))[::-1] for x in (before, after))
    return float((np.abs(one - other) / one).sum())


def correlation_loss(before: Floats, after: Floats) -> float:
    """IL_correl: distance of the normed diagonals of the inverse correlation matrices, over the root of 2."""
    one, other = (np.diag(np.linalg.inv(np.corrcoef(x.T))) for x in (before, after))
    return float(np.linalg.norm(one / np.linalg.norm(one) - other / np.linalg.norm(other)) / math.sqrt(2))


def measured(before: Floats, released: list[Floats]) -> Measured:
    """Means of several draws."""
    risks = np.array(
        [(interval_risk(before, x, 0.05), interval_risk(before, x, 0.1), linked(before, x)) for x in released]
    )
    losses = np.array([(il1s(before, x), eigen(before, x), correlation_loss(before, x)) for x in released])
    return Measured(*risks.mean(axis=0).tolist(), *losses.mean(axis=0).tolist())


def sdcmicro_swapped(values: Floats, share: float, random: np.random.Generator) -> Floats:
    """sdcMicro's rank swapping without its ends: from the largest on, one of the window that has not swapped."""
    order = np.argsort(-values, kind="stable")
    n, after = len(values), values.copy()
    free = np.ones(n, np.bool_)
    for j in range(n):
        if not free[j]:
            continue
        able = np.arange(j + 1, min(n, math.floor(j + n * share)))
        able = able[free[able]]
        if len(able):
            k = int(random.choice(able))
            free[j] = free[k] = False
            after[order[j]], after[order[k]] = values[order[k]], values[order[j]]
    return after


def argus_swapped(values: Floats, percent: int, random: np.random.Generator) -> Floats:
    """mu-ARGUS's: a rank up to so far above, if it has swapped the next free one below that, else above."""
    order = np.argsort(values, kind="stable")
    n, after = len(values), values.copy()
    reach = n * percent // 100
    free = np.ones(n, np.bool_)
    for i in range(n):
        if not free[i]:
            continue
        begin = min(i + 1 + math.floor(reach * random.random()), n - 1)
        tried = [*range(begin, i, -1), *range(begin + 1, min(i + reach, n - 1) + 1)]
        j = next((place for place in tried if free[place]), None)
        if j is not None:
            free[i] = free[j] = False
            after[order[i]], after[order[j]] = values[order[j]], values[order[i]]
    return after


def restricted(x: Floats, a: float) -> Floats:
    """sdcMicro's `restr`: towards means that run down the rows, over all variables; nothing is random."""
    n, p = x.shape
    c = math.sqrt((n - 1) / (n + n * a - 1))
    means = x.mean(axis=0)[np.arange(n * p) % p].reshape(p, n).T
    return np.asarray(c * x + (1 - c) * means, np.float64)


def with_noise(x: Floats, name: str, a: float, random: np.random.Generator) -> Floats:
    """sdcMicro's `additive`, with a of the standard deviation, and `correlated`, with a of the covariances."""
    if name == "additive":
        return np.asarray(x + a * x.std(axis=0, ddof=1) * random.standard_normal(x.shape), np.float64)
    return np.asarray(x + random.multivariate_normal(np.zeros(x.shape[1]), a * np.cov(x.T), len(x)), np.float64)


def theirs(x: Floats, golden: dict[str, Any]) -> Iterator[tuple[str, Measured, bool]]:
    """Their methods: name, what was measured, and whether the rows are those of their program."""
    for k in (3, 5):
        grouped: dict[str, Callable[[], Ints]] = {
            "mdav": lambda k=k: mdav(x, k),  # type: ignore[misc]
            "pca": lambda k=k: blocks(principal_component(x), k),  # type: ignore[misc]
            "single": lambda k=k: blocks(x[:, 0], k),  # type: ignore[misc]
        }
        for name in ("mdav", "onedims", "single", "pca"):
            groups = [grouped[name]()] * x.shape[1] if name in grouped else [blocks(c, k) for c in x.T]
            made = np.column_stack([group_means(c, found) for c, found in zip(x.T, groups, strict=True)])
            yield f"{name} {k}", measured(x, [made]), True
    median = np.column_stack([_medians(c, blocks(c, 3)) for c in x.T])
    yield "onedims 3, medians", measured(x, [median]), True
    for name in ("rmd_3", "rmd_5"):
        said = golden["tarragona"][name]
        yield name.replace("_", " "), _said(said), False
    for percent in (10, 150):
        yield f"restr {percent}", measured(x, [restricted(x, percent / 100)]), True
    for percent in (10, 150):
        for name in ("additive", "correlated"):
            noisy = [with_noise(x, name, percent / 100, np.random.default_rng(seed)) for seed in range(SEEDS)]
            yield f"{name} {percent}", measured(x, noisy), True
    for share in (0.05, 0.1):
        made_by = [_each(x, lambda c, r, s=share: sdcmicro_swapped(c, s, r), seed) for seed in range(SEEDS)]  # type: ignore[misc]
        yield f"rankSwap P {share:g}", measured(x, made_by), True
    for percent in (5, 10, 15):
        made_by = [_each(x, lambda c, r, p=percent: argus_swapped(c, p, r), seed) for seed in range(SEEDS)]  # type: ignore[misc]
        yield f"mu-ARGUS swap {percent}", measured(x, made_by), True


def _each(x: Floats, method: Callable[[Floats, np.random.Generator], Floats], seed: int) -> Floats:
    random = np.random.default_rng(seed)
    return np.column_stack([method(c, random) for c in x.T])


def _medians(values: Floats, groups: Ints) -> Floats:
    found = np.array([np.median(values[groups == group]) for group in range(int(groups.max()) + 1)])
    return np.asarray(found[groups])


def _said(figures: dict[str, float]) -> Measured:
    names = ("dRisk_0.05", "dRisk_0.1", "IL1s", "eigen", "IL_correl")
    narrow, wide, *losses = (figures[name] for name in names)
    return Measured(narrow, wide, math.nan, *losses)


def settings() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Methods of ours, what an entry says, and how many draws."""
    for algorithm in ("mdav", "individual-ranking", "principal-component"):
        for k in (*range(2, 13), *range(14, 41, 2)):
            yield "microaggregation", {"algorithm": algorithm, "k": k}, 1
    for k in range(2, 9):
        yield "microaggregation", {"algorithm": "optimal", "k": k}, 1
    for percent in np.geomspace(0.25, 20, 14).round(2).tolist():
        yield "rank-swapping", {"percent": percent}, SEEDS
    for share in np.geomspace(2e-4, 6, 40):
        for kind in ("independent", "correlated", "moments-kept"):
            yield "noise", {"kind": kind, "share": float(f"{share:.3g}")}, SEEDS
        alpha = round(1 - share / 2, 4)  # the variance of the change is as large as that of the noise
        if 0 < alpha <= 0.999:
            yield "synthetic", {"kind": "ipso", "alpha": alpha}, SEEDS


def ours(x: Floats) -> list[tuple[str, Measured]]:
    """All settings, through the methods as a recipe carries them out."""
    columns = {f"V{j}": encoded(f"V{j}", written(c)) for j, c in enumerate(x.T)}
    found = []
    for method, said, draws in settings():
        # an entry for each variable where the method takes one
        sets = [[name] for name in columns] if said.get("algorithm") == "optimal" else [list(columns)]
        made = []
        for seed in range(1, draws + 1):
            released: dict[str, EncodedColumn] = {}
            for names in sets:
                released |= perturbed(method, {name: columns[name] for name in names}, seed, **said).columns
            made.append(np.column_stack([numbers_of(released[name]) for name in columns]))
        said_as = ", ".join(str(value) for value in said.values())
        found.append((f"{method} {said_as}", measured(x, made)))
    return found


def no_more(one: Sequence[float], other: Sequence[float], slack: float = 1e-12) -> bool:
    return all(a <= b * (1 + slack) + 1e-12 for a, b in zip(one, other, strict=True))


def best(mine: list[tuple[str, Measured]], their: Measured) -> Iterator[tuple[str, tuple[str, Measured]]]:
    """The settings of least IL1s among those that lose no more by all measures, and among all."""
    every = [each for each in mine if no_more(each[1].losses, their.losses, 1e-4)]
    for word, able in (("all three", every), ("IL1s", mine)):
        if able:
            yield word, min(able, key=lambda each: each[1].il1s)


def beside(x: Floats, golden: dict[str, Any]) -> None:
    mine = ours(x)
    print(f"{'':72}{'dRisk':>6} {'dRisk':>6} {'':6} {'':7} {'':9} {'IL_':>7}")
    print(f"{'':72}{'0.05':>6} {'0.1':>6} linked {'IL1s':>7} {'eigen':>9} {'correl':>7}")
    for name, their, rows in theirs(x, golden):
        every = golden["tarragona"] | golden["noise"]
        if rows and (said := every.get(name.replace(" ", "_"))):
            assert math.isclose(said["IL1s"], their.il1s, rel_tol=1e-10), name
            assert math.isclose(said["eigen"], their.eigen, rel_tol=1e-7), name
        print(f"{name:72}{their}", flush=True)
        safe = [each for each in mine if no_more((each[1].narrow, each[1].wide), (their.narrow, their.wide))]
        told = {"dRisk": safe}
        if not math.isnan(their.linked):
            told["and linked"] = [each for each in safe if no_more((each[1].linked,), (their.linked,))]
        for risk, able in told.items():
            found: dict[str, list[str]] = {}
            for word, (setting, figures) in best(able, their):
                found.setdefault(f"{setting:42}{figures}", []).append(word)
            for line, words in found.items():
                print(f"  {risk:11}{', '.join(words):17}{line}", flush=True)
            if not able:
                print(f"  {risk:11}no setting is as safe")


def exchanged(points: Floats, groups: Ints, k: int, rounds: int = 20) -> Ints:
    """Groups after records moved, or changed places, wherever that lowers the sum of squares; groups of k to 2k - 1.

    A group that has reached 2k is parted by one split along its longest direction.
    """
    groups = groups.copy()
    n = len(points)
    count = int(groups.max()) + 1
    sizes = np.bincount(groups, minlength=count).astype(np.float64)
    means = np.column_stack([np.bincount(groups, c, count) for c in points.T]) / sizes[:, None]
    for _ in range(rounds):
        moved = 0
        for i in range(n):
            a = int(groups[i])
            apart = ((means - points[i]) ** 2).sum(axis=1)
            gain = -sizes[a] / (sizes[a] - 1) * apart[a] if sizes[a] > 1 else 0.0
            into = sizes / (sizes + 1) * apart
            into[a] = np.inf
            if sizes[a] > k:
                b = int(np.argmin(np.where(sizes < 2 * k - 1, into, np.inf)))
                if sizes[b] < 2 * k - 1 and into[b] + gain < -1e-12:
                    means[a] -= (points[i] - means[a]) / (sizes[a] - 1)
                    means[b] += (points[i] - means[b]) / (sizes[b] + 1)
                    sizes[a] -= 1
                    sizes[b] += 1
                    groups[i] = b
                    moved += 1
                    continue
            for b in np.argpartition(apart, min(8, count - 1))[:9].tolist():
                if b == a:
                    continue
                rows = np.flatnonzero(groups == b)
                step = points[rows] - points[i]
                # the sum of squares about means changes by the values of both and by the shift of both means
                towards = 2 * (step @ (means[b] - means[a]))
                change = towards - (step**2).sum(axis=1) * (1 / sizes[a] + 1 / sizes[b])
                best = int(np.argmin(change))
                if change[best] < -1e-12:
                    j = int(rows[best])
                    means[a] += step[best] / sizes[a]
                    means[b] -= step[best] / sizes[b]
                    groups[i], groups[j] = b, a
                    moved += 1
                    break
        if not moved:
            break
    return groups


def share_lost(points: Floats, groups: Ints) -> float:
    """Sum of squares within groups over all, each variable over its variance."""
    return sum(within(c, group_means(c, groups)) / (c.var() * len(c)) for c in points.T) / points.shape[1]


def grouping(name: str, points: Floats, k: int) -> None:
    groups = mdav(points, k)
    bound = sum(least_within(c, k) / (c.var() * len(c)) for c in points.T) / points.shape[1]
    lost = share_lost(points, groups)
    better = exchanged(standardised(points), groups, k)
    assert np.bincount(better).min() >= k
    after = share_lost(points, better)
    print(
        f"{name}, k = {k}: mdav loses {100 * lost:.2f} %, at least {100 * bound:.2f} %; after exchanges "
        f"{100 * after:.2f} %, {100 * (1 - after / lost):.1f} % less"
    )
    for found in (groups, better):
        made = np.column_stack([group_means(c, found) for c in points.T])
        print(
            f"  dRisk {interval_risk(points, made, 0.05):.4f} {interval_risk(points, made, 0.1):.4f}, IL1s "
            f"{il1s(points, made):.1f}, eigen {eigen(points, made):.4f}",
            flush=True,
        )


def main() -> int:
    beside_project = Path(__file__).resolve().parents[2].parent / "shared"
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PAVO_SHARED") or beside_project)
    if not (folder / "data" / "Tarragona.csv").exists():
        print(f"no reference data in {folder}: say their folder")
        return 0
    x = np.loadtxt(folder / "data" / "Tarragona.csv", delimiter=",", skiprows=1)
    beside(x, json.loads((folder / "golden" / "perturbation.json").read_text()))
    random = np.random.default_rng(1)
    amounts = np.exp(9 + 0.5 * random.normal(size=(10_000, 5)) @ random.normal(size=(5, 5)))
    for k in (3, 4, 5):
        grouping("Tarragona", x, k)
        grouping("10,000 generated, 5", amounts, k)
    return 0


if __name__ == "__main__":
    sys.exit(main())
