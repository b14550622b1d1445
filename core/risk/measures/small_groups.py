"""How many records share their key with few others: the figures of measures of uniqueness in survey panels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark
from ...recipe.declared import Figure
from .shown import BarPicture

_SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9)


def group_figures(of: str, share: str) -> tuple[Figure, ...]:
    """The declared figures; `of` and `share` are sentences about uniques and about their share."""
    return (
        Figure("unique", mark("unique"), "count", of),
        Figure("below_5", mark("below 5"), "count", mark("the same with fewer than 5")),
        Figure("below_10", mark("below 10"), "count", mark("the same with fewer than 10")),
        Figure("share", mark("share of the unique"), "percent", share),
        Figure(
            "share_of_file",
            mark("share of the file"),
            "percent",
            mark("the unique ones as a share of all records of the file"),
        ),
    )


def group_sizes(f: NDArray[np.float64], count: NDArray[np.int64]) -> dict[str, Any]:
    """Records in groups of size 1, below 5 and below 10, and the first as a share of those judged and of all.

    Parameters
    ----------
    f : (m,) sizes of the groups of cells, nan where a cell is left out
    count : (m,) their records
    """
    judged, total = int(count[~np.isnan(f)].sum()), int(count.sum())
    unique = int(count[f == 1.0].sum())
    found: dict[str, Any] = {
        "unique": unique,
        "below_5": int(count[f < 5.0].sum()),
        "below_10": int(count[f < 10.0].sum()),
    }
    if judged:
        found |= {"share": unique / judged, "share_of_file": unique / total}
    return found


def group_picture(across: str, f: NDArray[np.float64], count: NDArray[np.int64]) -> BarPicture:
    """Records by the size of their group, up to 9."""
    values = np.array([count[f == size].sum() for size in _SIZES], np.float64)
    return BarPicture(across, mark("records"), tuple(map(str, _SIZES)), values)
