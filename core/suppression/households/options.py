"""What members of households may lose: for each unit and shared choice ever dearer and ever safer options.

What members of households may lose where several coupled tables with household thresholds judge them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels import coupled as coupled_kernels
from core.kernels import options as kernels
from core.suppression.candidates import candidates
from core.suppression.households.sharing import AffectedHouseholds, Shared, by_mask
from core.suppression.margin_risks import MarginRisks
from core.suppression.problem import RecordClasses
from core.tables.grouping import blocks

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

    @property
    def limited(self) -> bool:
        """Whether anything is asked of members by themselves."""
        return self.units.sets is not None or any((limit < np.inf).any() for limit in self.limits)


def own_choices(problem: CoupledProblem, together: int, missing: int) -> Iterator[int]:
    """What can go missing in a member with `missing` variables where the household variables `together` go, best first.

    Masks that hold the shared part, too; the other household variables stay. None where something must stay that is
    suppressed with what the household shares.
    """
    units, joint, lists = problem.units, problem.joint, problem.units.candidates
    gone = joint.gone(together, missing)
    if gone & ~missing & lists.fixed:
        return
    fixed = lists.fixed | joint.all & ~together
    for candidate in candidates(units.n_keys, lists.closures, lists.costs, missing | gone, fixed):
        yield candidate.newly | gone & ~missing


def below(problem: CoupledProblem, rows: NDArray[np.int64], missing: int, newly: int) -> NDArray[np.bool_]:
    """Which units of people are below their limits, and rid of their unsafe sets, after the suppression `newly`."""
    units, people = problem.units, problem.people
    met = np.ones(len(rows), np.bool_)
    for table, (risk, limit) in enumerate(zip(problem.risks, problem.limits, strict=True)):
        own = limit[rows]
        if (own < np.inf).any():
            met &= risk.at(units.keep(table, missing, newly), units.cells[table][people.base[rows]]) < own
    return met if units.sets is None else met & units.sets.met(newly, people.base[rows])


def options(
    problem: CoupledProblem,
    together: int,
    table: int,
    useless: float = np.inf,
    wanted: NDArray[np.bool_] | None = None,
    progress: Progress = SILENT,
) -> Options:
    """The options of each unit of people where the household variables `together` are suppressed.

    Parameters
    ----------
    table : whose risk they lower
    useless : options that leave this risk or more are left out
    wanted : (u,) the units whose options are asked for; None: all
    """
    units, people, limited = problem.units, problem.people, problem.limited
    found = _Found(units.cells[table][people.base], useless, progress)
    masks: list[int] = []
    for missing, every in by_mask(people.missing):
        rows = every if wanted is None else every[wanted[every]]
        for mask in own_choices(problem, together, missing):
            progress.check()
            met = rows[below(problem, rows, missing, mask)] if limited else rows
            margin = problem.risks[table].of(units.keep(table, missing, mask))
            found.offer(met, margin.group, margin.risk, len(masks))
            masks.append(mask)
    return Options(*found.arranged(), Masks.of(units, masks))


class _Found:
    """Options in the order in which they are found."""

    def __init__(self, cells: NDArray[np.uint32], useless: float, progress: Progress) -> None:
        self._cells, self._useless, self._progress = cells, useless, progress
        self._best = np.full(len(cells), np.inf)
        self._options = np.zeros(len(cells), np.int64)
        self._parts: list[tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]] = []

    def offer(self, rows: NDArray[np.int64], group: NDArray[np.uint32], margin: NDArray[np.float64], mask: int) -> None:
        for part in blocks(len(rows), self._progress, BLOCK):
            room = part.stop - part.start
            found = np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room)
            used = kernels.offer(
                rows[part], self._cells, group, margin, self._useless, mask, self._best, self._options, *found
            )
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


ROOM = 1 << 21
"""Risks that are looked at together."""


@dataclass(frozen=True, eq=False)
class CoupledOptions:
    """What each unit of people may do under one shared choice: no option is at least as safe and cheaper.

    Attributes
    ----------
    first : (u + 1,) int64, where each unit's options begin, the cheapest first
    mask : (o,) uint32, index of what goes missing
    risk : (tables, o) float64, what remains in each table
    masks : what `mask` points to
    """

    first: NDArray[np.int64]
    mask: NDArray[np.uint32]
    risk: NDArray[np.float64]
    masks: Masks


def coupled_options(
    problem: CoupledProblem,
    together: int,
    judging: Sequence[int],
    useless: Sequence[float],
    wanted: NDArray[np.bool_],
    progress: Progress = SILENT,
) -> CoupledOptions:
    """The options of each unit of people where the household variables `together` are suppressed.

    Parameters
    ----------
    judging : the tables whose risks they lower
    useless : for each of `judging`: options that leave this risk or more are left out
    wanted : (u,) the units whose options are asked for
    """
    units, people = problem.units, problem.people
    every: list[int] = []
    unit, mask = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)]
    risk = [np.zeros((len(judging), 0))]
    for missing, all_rows in by_mask(people.missing):
        rows = all_rows[wanted[all_rows]]
        masks = list(own_choices(problem, together, missing)) if len(rows) else []
        step = max(1, ROOM // max(1, len(masks) * len(judging)))
        for start in range(0, len(rows) if masks else 0, step):
            some = rows[start : start + step]
            risk_of = np.empty((len(judging), len(masks), len(some)))
            keep = np.ones((len(masks), len(some)), np.bool_)
            for m, newly in enumerate(masks):
                progress.check()
                keep[m] = below(problem, some, missing, newly)
                for k, table in enumerate(judging):
                    cells = units.cells[table][people.base[some]]
                    risk_of[k, m] = problem.risks[table].at(units.keep(table, missing, newly), cells)
                    keep[m] &= risk_of[k, m] < useless[k]
            coupled_kernels.undominated(risk_of, keep)
            row, m_of_row = np.nonzero(keep.T)
            unit.append(some[row])
            mask.append((m_of_row + len(every)).astype(np.uint32))
            risk.append(risk_of[:, m_of_row, row])
        every += masks
    units_of = np.concatenate(unit)
    order = np.argsort(units_of, kind="stable")
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(units_of, minlength=len(people.base)))])
    return CoupledOptions(
        first,
        np.concatenate(mask)[order],
        np.ascontiguousarray(np.concatenate(risk, axis=1)[:, order]),
        Masks.of(units, every),
    )
