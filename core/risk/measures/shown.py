"""What a measure shows beside its figures: a sentence, a picture, and the records or combinations behind it.

Titles are marked texts, translated where they are shown. Values are plain arrays: who draws them decides on looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

LISTED = 1000
"""Rows that a listing has at most; its total says how many there are."""


@dataclass(frozen=True, eq=False)
class Headline:
    """What the figures come to, in one plain sentence.

    Attributes
    ----------
    text : marked, or a `plural`, with places in braces
    values : by place its value and how that is written, as a figure's format says
    """

    text: str
    values: Mapping[str, tuple[Any, str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class BarPicture:
    """A bar for each name.

    Attributes
    ----------
    across, up : titles of the axes
    names : (b,) texts under the bars
    values : (b,) float64
    format : of the values, one of those of `core.report.numbers.column`
    """

    across: str
    up: str
    names: tuple[str, ...]
    values: NDArray[np.float64]
    format: str = "count"


@dataclass(frozen=True, eq=False)
class HistogramPicture:
    """Numbers of records between edges.

    Attributes
    ----------
    across, up : titles of the axes
    edges : (b + 1,) float64, ascending
    counts : (b,) float64
    logarithmic : whether the edges are spaced evenly in the logarithm
    """

    across: str
    up: str
    edges: NDArray[np.float64]
    counts: NDArray[np.float64]
    logarithmic: bool = False


@dataclass(frozen=True, eq=False)
class CurvePicture:
    """A line, with a band of spread where there is one.

    Attributes
    ----------
    across, up : titles of the axes
    x, y : (p,) float64, x ascending
    low, high : (p,) float64, the band; None: no spread
    """

    across: str
    up: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None


Picture = BarPicture | HistogramPicture | CurvePicture


@dataclass(frozen=True, eq=False)
class Listed:
    """One column of a listing: its title, how its values are written (as a figure's), and its values (r,)."""

    title: str
    format: str
    values: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Listing:
    """What stands behind a measure, the most telling first.

    Attributes
    ----------
    title : what the rows are
    columns : of r rows each, r at most `LISTED`
    total : rows there are in all
    cells : (r,) int64, the cell each row is about, whose key and number of records whoever shows it puts before the
        columns; None where rows are of something else
    records : (r,) int64, the record (from 0) each row is about; None likewise
    """

    title: str
    columns: tuple[Listed, ...]
    total: int
    cells: NDArray[np.int64] | None = None
    records: NDArray[np.int64] | None = None


def records_behind(
    title: str,
    score: NDArray[np.float64],
    chosen: NDArray[np.bool_],
    columns: tuple[Listed, ...],
    cell_of_record: NDArray[np.uint32],
) -> Listing:
    """The records of the `chosen` cells (m,) in falling order of the cells' `score` (m,), equal ones in the file's."""
    found = np.flatnonzero(chosen[cell_of_record])
    listed = found[np.argsort(-score[cell_of_record[found]], kind="stable")][:LISTED]
    cells = cell_of_record[listed]
    picked = tuple(Listed(column.title, column.format, column.values[cells]) for column in columns)
    return Listing(title, picked, len(found), records=listed)


def cells_behind(
    title: str, score: NDArray[np.float64], chosen: NDArray[np.bool_], columns: tuple[Listed, ...]
) -> Listing:
    """The `chosen` cells (m,) in falling order of `score` (m,), equal ones in theirs; `columns` are of all m cells."""
    found = np.flatnonzero(chosen)
    listed = found[np.argsort(-score[found], kind="stable")][:LISTED]
    picked = tuple(Listed(column.title, column.format, column.values[listed]) for column in columns)
    return Listing(title, picked, len(found), cells=listed)
