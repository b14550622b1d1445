"""What k-anonymity by suppression must cost at least, where a missing value is a value of its own.

A record with a rare key is released with others of one key: at least k that agree on the values kept, and each of
them loses all else. Let r of them be rare in the file and R the rare records that agree on these values at all. The
others, at least k - R, lose for the sake of the rare ones. Shared among the r <= R rare records, the group costs each

    own loss + (k - R)+ / R x least loss of such another record.

The least of this over all sets of values kept that k records have, summed over the rare records, is a bound: groups
do not overlap, and nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.tables.cells import Cells
from core.tables.projections import Cube, Projection

WORK = 1 << 26
"""Cells times sets of keys up to which all sets are looked at."""

Floats = NDArray[np.float64]


def least_shares(cells: Cells, k: int, costs: Sequence[float], progress: Progress = SILENT) -> Floats | None:
    """The least that each cell's record can be made to share.

    Parameters
    ----------
    cells : of the table before suppression; any missing rule
    costs : what one missing value of each key costs

    Returns
    -------
    (m,) float64, 0 for frequent keys, inf where no set of values is kept by k records; None where there are too many
    sets of keys
    """
    keys = len(cells.variables)
    if len(cells) << keys > WORK:
        return None
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    rare = cells.count < k
    shares = np.where(rare, np.inf, 0.0)
    if rare.any():
        for kept in sorted(range(1 << keys), key=lambda mask: (-mask.bit_count(), mask)):
            progress.check()
            np.minimum(shares, _shares(cells, cube.project(kept, progress), rare, k, costs), out=shares)
    return shares


def _shares(cells: Cells, margin: Projection, rare: NDArray[np.bool_], k: int, costs: Sequence[float]) -> Floats:
    """The share of each cell's record where the keys of `margin` are kept; inf where they cannot be."""
    lost = np.zeros(len(cells))
    for j, cost in enumerate(costs):
        if not margin.mask >> j & 1:
            lost += cost * ((cells.missing >> np.uint64(j) & np.uint64(1)) == 0)
    group, size = margin.group_of_cell, len(margin)
    fellows = np.bincount(group, cells.count * rare, size)
    others = np.full(size, np.inf)
    np.minimum.at(others, group[~rare], lost[~rare])
    lacking = np.maximum(k - fellows, 0.0)
    more = np.zeros(size)
    np.divide(lacking * np.where(lacking > 0, others, 0.0), fellows, out=more, where=fellows > 0)
    possible = (margin.count >= k) & (margin.missing == 0)
    return np.where(possible[group] & rare, lost + more[group], np.where(rare, np.inf, 0.0))
