"""The rule ``exact``: the cheapest suppressions after which a household's own risk is below its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import Notice
from core.kernels import joint as kernels
from core.progress import Progress
from core.suppression.homes import Homes, Shared, by_mask, lowest
from core.suppression.household_plan import Chosen, People, below, loss_of, own_choices, sufficient_instead
from core.suppression.margin_risks import MarginRisks
from core.suppression.units import Units
from core.tables.grouping import blocks
from core.texts import mark, translate

BLOCK = 1 << 9


@dataclass(frozen=True, eq=False)
class Options:
    """What each unit of people may do under one shared choice: ever dearer and ever safer.

    Attributes
    ----------
    first : (u + 1,) int64, where each unit's options begin
    loss, count, newly : (o,) what an option costs, how many values, which
    risk : (o,) float64, what remains, falling within a unit
    """

    first: NDArray[np.int64]
    loss: NDArray[np.float64]
    count: NDArray[np.int64]
    newly: NDArray[np.uint64]
    risk: NDArray[np.float64]


def log_of(risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """-log(1 - r): what members' risks add up in."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log1p(-risk))


def decide_exactly(
    units: Units,
    people: People,
    joint: Shared,
    risks: Sequence[MarginRisks],
    homes: Homes,
    chosen: Chosen,
    progress: Progress,
) -> tuple[float, tuple[Notice, ...]]:
    """Improve the choices that suffice, household by household, to the cheapest ones.

    Returns
    -------
    loss of the households whose choice is not proven to be the cheapest, and what is to be said of them
    """
    judging = [number for number, table in enumerate(units.tables) if table.household_threshold is not None]
    size = np.diff(people.starts)
    if len(judging) > 1:
        reason = translate(mark("several coupled tables have a household threshold"))
        return float(chosen.loss.sum()), (sufficient_instead(len(size), int(size.sum()), reason),)
    table = judging[0]
    limit = float(-np.log1p(-lowest(units.tables[table].household_threshold)))
    # Limits of single records stay; those that the household threshold would set are the knapsack's business.
    limits = tuple(np.full(len(people.base), lowest(t.threshold)) for t in units.tables)
    eligible = size <= kernels.MOST_MEMBERS
    gave_up = np.zeros(len(size), np.bool_)
    keys = (1 << units.n_keys) - 1
    for together in joint.choices:
        found = options(units, people, joint, together, risks, table, limits, progress)
        log = log_of(found.risk)
        for part in blocks(len(size), progress, BLOCK):
            kernels.choose_exactly(
                people.starts[part.start : part.stop + 1], people.unit, found.first, found.loss, found.count, log,
                found.newly, keys, limit, eligible[part], chosen.loss[part], chosen.count[part], chosen.union[part],
                chosen.newly, gave_up[part],
            )  # fmt: skip
    return _unproven(chosen, gave_up | ~eligible, size, joint.complete)


def _unproven(
    chosen: Chosen, unproven: NDArray[np.bool_], size: NDArray[np.int64], complete: bool
) -> tuple[float, tuple[Notice, ...]]:
    """Loss of the households whose choice is not proven to be the cheapest, and what is to be said of them."""
    if not unproven.any():
        return (0.0 if complete else float(chosen.loss.sum())), ()
    reason = translate(mark("they have more than {members} members or too many choices"))
    said = sufficient_instead(
        int(unproven.sum()), int(size[unproven].sum()), reason.format(members=kernels.MOST_MEMBERS)
    )
    return float(chosen.loss[unproven if complete else slice(None)].sum()), (said,)


def options(
    units: Units,
    people: People,
    joint: Shared,
    together: int,
    risks: Sequence[MarginRisks],
    table: int,
    limits: Sequence[NDArray[np.float64]],
    progress: Progress,
) -> Options:
    """The options of each unit of people where the household variables `together` are suppressed.

    Parameters
    ----------
    table : whose risk they lower
    limits : for each table (u,), below which every option keeps the risk; empty: none
    """
    number = len(people.base)
    best = np.full(number, np.inf)
    parts: list[tuple[NDArray[np.int64], int, NDArray[np.float64]]] = []
    for missing, rows in by_mask(people.missing):
        for mask in own_choices(units, joint, together, missing):
            progress.check()
            met = rows[below(units, people, rows, missing, mask, risks, limits)] if limits else rows
            risk = risks[table].at(units.keep(table, missing, mask), units.cells[table][people.base[met]])
            lower = risk < best[met]
            better = met[lower]
            best[better] = risk[lower]
            parts.append((better, mask, risk[lower]))
    return _collected(units, parts, number)


def _collected(units: Units, parts: list[tuple[NDArray[np.int64], int, NDArray[np.float64]]], number: int) -> Options:
    rows = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, np.int64)
    lengths = [len(part[0]) for part in parts]
    order = np.argsort(rows, kind="stable")
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(rows, minlength=number))]).astype(np.int64)
    masks = [part[1] for part in parts]
    loss = np.repeat([loss_of(units, mask) for mask in masks], lengths)
    count = np.repeat([mask.bit_count() for mask in masks], lengths)
    newly = np.repeat(np.array(masks, np.uint64), lengths)
    risk = np.concatenate([part[2] for part in parts]) if parts else np.zeros(0)
    return Options(
        first,
        loss[order].astype(np.float64),
        count[order].astype(np.int64),
        newly[order].astype(np.uint64),
        np.ascontiguousarray(risk[order]),
    )
