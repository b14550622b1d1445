"""Classes of the report's histograms: equal widths in log risk, the threshold one of their limits.

So no class lies on both sides of the threshold, and the same classes serve before and after.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.risk.individual import TOLERANCE

MOST = 22
_PER_DECADE = (20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)


def class_limits(lowest: float, highest: float, threshold: float | None = None) -> tuple[float, ...]:
    """Class limits that hold the risks from `lowest` to `highest` (both > 0).

    Parameters
    ----------
    lowest, highest : smallest and largest risk in any state of the file
    threshold : made a limit, if it lies between them

    Returns
    -------
    ascending limits of at most MOST + 1 classes; a risk at a limit belongs to the class above it
    """
    inside = threshold is not None and lowest < threshold <= highest
    anchor = threshold if inside and threshold is not None else lowest
    decades = math.log10(highest / lowest)
    per_decade = next((m for m in _PER_DECADE if decades * m <= MOST - 1), decades and (MOST - 1) / decades)
    first = math.floor(math.log10(lowest / anchor) * per_decade + 1e-9)
    last = math.floor(math.log10(highest / anchor) * per_decade + 1e-9) + 1
    return tuple(anchor * 10.0 ** (k / per_decade) for k in range(first, last + 1))


def records_in_classes(
    risk: NDArray[np.floating[Any]], count: NDArray[np.integer[Any]] | None, limits: Sequence[float]
) -> tuple[int, ...]:
    """Records in each class.

    Parameters
    ----------
    risk : (m,), nan where it is not defined
    count : (m,) records with each risk; None: one
    limits : of `class_limits`; what lies outside them is counted in the outermost class
    """
    known = ~np.isnan(risk)
    place = np.searchsorted(np.asarray(limits) * (1.0 - TOLERANCE), risk[known], "right") - 1
    place = np.clip(place, 0, len(limits) - 2)
    found = np.zeros(len(limits) - 1, np.int64)
    np.add.at(found, place, 1 if count is None else count[known])
    return tuple(int(n) for n in found)
