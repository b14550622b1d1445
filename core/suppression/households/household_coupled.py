"""What members of households may lose where several coupled tables with household thresholds judge them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.kernels import coupled as kernels
from core.suppression.households.options import Masks, Problem, below, own_choices
from core.suppression.households.sharing import by_mask

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
    problem: Problem,
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
            kernels.undominated(risk_of, keep)
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
