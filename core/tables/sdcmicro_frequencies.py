"""Frequencies as another program counts them, for comparison only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from .cells import Cells
from .frequencies import Margins, frequencies_of_cells


def sdcmicro_frequencies(
    cells: Cells, alpha: float = 1.0, progress: Progress = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """f and F by sdcMicro's own treatment of missing values (freqCalc, version 5.8.1).

    A complete key counts its own records fully and compatible incomplete ones alpha times, but, with two or more
    key variables, never those with every key missing. An incomplete key counts its own and compatible complete
    records fully and all other compatible ones alpha times. With every key missing: everyone, whatever alpha.

    Returns
    -------
    f, F : (m,) float64
    """
    own = np.stack((cells.count.astype(np.float64), cells.weight))
    anyone = np.stack(frequencies_of_cells(cells, "wildcard", 1.0, progress))
    complete = np.where(cells.missing == 0, own, _complete_partners(cells, progress))
    full = np.where(cells.missing == 0, own, own + complete)
    part = anyone - full
    every = np.uint64((1 << len(cells.cards)) - 1)
    if len(cells.cards) > 1:
        nameless = own[:, cells.missing == every].sum(axis=1, keepdims=True)
        part = np.where(cells.missing == 0, part - nameless, part)
    found = np.where(cells.missing == every, anyone, full + alpha * part)
    return found[0], found[1]


def _complete_partners(cells: Cells, progress: Progress) -> NDArray[np.float64]:
    """(2, m): complete records, and their weight, that agree with each cell wherever it has a value."""
    margins = Margins(cells, "listwise")
    found = np.zeros((2, len(cells)))
    for pattern in np.unique(cells.missing).tolist():
        margin = margins.frequencies(margins.cube.full & ~pattern, progress)
        rows = np.flatnonzero(cells.missing == pattern)
        group = margin.group_of_cell[rows]
        found[:, rows] = margin.f[group], margin.F[group]
    return found
