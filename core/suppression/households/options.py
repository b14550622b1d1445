"""What members of households may lose: for each unit and shared choice ever dearer and ever safer options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...kernels import options as kernels
from ...tables.grouping import blocks
from ..candidates import candidates
from ..margin_risks import MarginRisks
from ..problem import RecordClasses
from .sharing import AffectedHouseholds, Shared, by_mask

BLOCK = 1 << 17


@dataclass(frozen=True, eq=False)
class Masks:
    """Masks of newly missing variables: what they cost, how many values, which; (m,) each."""

    loss: NDArray[np.float64]
    count: NDArray[np.int64]
    newly: NDArray[np.uint64]

    @classmethod
    def of(cls, units: RecordClasses, masks: Sequence[int]) -> Masks:
        """What the units' variables in `masks` cost."""
        return cls(
            np.array([loss_of(units, mask) for mask in masks], np.float64),
            np.array([mask.bit_count() for mask in masks], np.int64),
            np.array(masks, np.uint64),
        )


@dataclass(frozen=True, eq=False)
class Options:
    """What each unit of people may do under one shared choice.

    Attributes
    ----------
    first : (u + 1,) int64, where each unit's options begin
    mask : (o,) uint32, index of what goes missing
    risk : (o,) float64, what remains, falling within a unit
    masks : what `mask` points to
    """

    first: NDArray[np.int64]
    mask: NDArray[np.uint32]
    risk: NDArray[np.float64]
    masks: Masks


def loss_of(units: RecordClasses, mask: int) -> float:
    """Loss of the newly missing variables in a mask."""
    costs = units.candidates.costs
    return float(np.float64(sum(costs[v] for v in range(mask.bit_length()) if mask >> v & 1)))


@dataclass(frozen=True, eq=False)
class CoupledProblem:
    """The households to be decided, and what their members must meet.

    Attributes
    ----------
    units, people : what members are, and the distinct households of them
    joint : the shared choices
    risks : for each table of the units
    limits : for each table (u,), below which the risk of each unit of people must be; empty: none
    """

    units: RecordClasses
    people: AffectedHouseholds
    joint: Shared
    risks: Sequence[MarginRisks]
    limits: Sequence[NDArray[np.float64]] = ()


def own_choices(problem: CoupledProblem, together: int, missing: int) -> Iterator[int]:
    """What can go missing in a member with `missing` variables where the household variables `together` go, best first.

    Masks that hold the shared part, too; the other household variables stay. None where something must stay that is
    suppressed with what the household shares.
    """
    units, joint, lists = problem.units, problem.joint, problem.units.candidates
    gone, fixed = joint.gone(together, missing), joint.stays(together, lists.fixed)
    if gone & ~missing & fixed:
        return
    for candidate in candidates(units.n_keys, lists.closures, lists.costs, missing | gone, fixed):
        yield candidate.newly | gone & ~missing


def below(problem: CoupledProblem, rows: NDArray[np.int64], missing: int, newly: int) -> NDArray[np.bool_]:
    """Which units of people are below their limits after the suppression `newly`."""
    units, people = problem.units, problem.people
    met = np.ones(len(rows), np.bool_)
    for table, (risk, limit) in enumerate(zip(problem.risks, problem.limits, strict=True)):
        own = limit[rows]
        if (own < np.inf).any():
            met &= risk.at(units.keep(table, missing, newly), units.cells[table][people.base[rows]]) < own
    return met


def options(problem: CoupledProblem, together: int, progress: Progress = SILENT) -> Options:
    """The options of each unit of people in the only table, where the household variables `together` are suppressed."""
    units, people = problem.units, problem.people
    (risk,) = problem.risks
    found = _Found(units.cells[0][people.base], progress)
    masks: list[int] = []
    for missing, rows in by_mask(people.missing):
        for mask in own_choices(problem, together, missing):
            progress.check()
            margin = risk.of(units.keep(0, missing, mask))
            found.offer(rows, margin.group, margin.risk, len(masks))
            masks.append(mask)
    return Options(*found.arranged(), Masks.of(units, masks))


class _Found:
    """Options in the order in which they are found."""

    def __init__(self, cells: NDArray[np.uint32], progress: Progress) -> None:
        self._cells, self._progress = cells, progress
        self._best = np.full(len(cells), np.inf)
        self._options = np.zeros(len(cells), np.int64)
        self._parts: list[tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]] = []

    def offer(self, rows: NDArray[np.int64], group: NDArray[np.uint32], margin: NDArray[np.float64], mask: int) -> None:
        for part in blocks(len(rows), self._progress, BLOCK):
            room = part.stop - part.start
            found = np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room)
            used = kernels.offer(rows[part], self._cells, group, margin, mask, self._best, self._options, *found)
            unit, of_mask, risk = found
            self._parts.append((unit[:used].copy(), of_mask[:used].copy(), risk[:used].copy()))

    def arranged(self) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]:
        """Where each unit's options begin, their masks and their risks."""
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._options)])
        mask, risk = np.empty(first[-1], np.uint32), np.empty(first[-1])
        places = first[:-1].copy()
        for part in self._parts:
            self._progress.check()
            kernels.arrange(*part, places, mask, risk)
        return first, mask, risk
