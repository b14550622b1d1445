"""What members of households may lose: for each unit and shared choice ever dearer and ever safer options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...kernels import options as kernels
from ...tables.grouping import blocks
from ..cover import Losses, own_choices
from ..margin_risks import MarginRisks
from ..problem import RecordClasses
from .sharing import AffectedHouseholds, Shared, by_mask

BLOCK = 1 << 17


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
    masks: Losses


@dataclass(frozen=True, eq=False)
class CoupledProblem:
    """The households to be decided, and what their members must meet.

    Attributes
    ----------
    units, people : what members are, and the distinct households of them
    joint : the shared choices
    risks : for each table of the units
    """

    units: RecordClasses
    people: AffectedHouseholds
    joint: Shared
    risks: Sequence[MarginRisks]


def options(problem: CoupledProblem, together: int, progress: Progress = SILENT) -> Options:
    """The options of each unit of people in the only table, where the household variables `together` are suppressed."""
    units, people = problem.units, problem.people
    (risk,) = problem.risks
    found = _Found(units.cells[0][people.base], progress)
    masks: list[int] = []
    for missing, rows in by_mask(people.missing):
        for mask in own_choices(units.choices, problem.joint, together, missing):
            progress.check()
            margin = risk.of(units.keep(0, missing, mask))
            found.offer(rows, margin.group, margin.risk, len(masks))
            masks.append(mask)
    return Options(*found.arranged(), Losses.of(units.choices.costs, np.array(masks, np.uint64)))


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
