"""Rows of synthetic units fitted to tables and drawn: every row keeps its number of units exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from .margins import FittedCells

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MODEL_ROUNDS = 10
_ROUNDS = 200
_CLOSE = 1e-6
_STILL = 1e-4
_TRIES = 10
"""Units that are looked at for each one too many in a promised table."""
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole parts, are spread most evenly, however many there are."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """A table that cells are fitted to.

    Attributes
    ----------
    rows : (R,) which row of `table` each row of cells counts in
    columns : (C,) which column of `table` each column of cells counts in
    table : (A, B) expected units
    """

    rows: Ints
    columns: Ints
    table: Floats


def fit_rows(
    start: Floats, totals: Ints, model: Sequence[Wanted], promised: Sequence[Wanted], progress: Progress = SILENT
) -> FittedCells:
    """Iterative proportional fitting (Deming & Stephan 1940) of `start` (R, C), whose zeros stay.

    Some rounds by all tables give the relations; then those that are promised are met, and the totals last: what is not
    promised contradicts them by its protection, and gives way.

    Parameters
    ----------
    totals : (R,) units of each row
    """
    cells, deviation, before, done = start.astype(np.float64), np.inf, np.inf, 0
    every = [_Fitting(wanted) for wanted in (*model, *promised)]
    for done in range(_MODEL_ROUNDS + _ROUNDS):
        progress.check()
        progress.report(done, _MODEL_ROUNDS + _ROUNDS, translate(mark("Fitting tables")))
        tables = every if done < _MODEL_ROUNDS else every[len(model) :]
        deviation = max((table.fit(cells) for table in tables), default=0.0)
        sums = cells.sum(axis=1)
        cells *= np.divide(totals, sums, out=np.zeros(len(sums)), where=sums > 0)[:, None]
        if done > _MODEL_ROUNDS and (deviation < _CLOSE or abs(before - deviation) < _STILL * deviation):
            break  # what contradicts itself comes no nearer
        before = deviation
    found = max((float(np.abs(table.sums(cells) - table.table).max()) for table in every[len(model) :]), default=0.0)
    return FittedCells(cells, done + 1, found)


class _Fitting:
    """A wanted table, and sums over cells that it asks for."""

    def __init__(self, wanted: Wanted) -> None:
        from scipy.sparse import csr_array

        self.table = wanted.table
        self._rows, self._columns = wanted.rows, wanted.columns
        # one for each cell of the larger table: a product with it adds up
        r, c = len(wanted.rows), len(wanted.columns)
        self._of_rows = csr_array((np.ones(r), (wanted.rows, np.arange(r))), (self.table.shape[0], r))
        self._of_columns = csr_array((np.ones(c), (wanted.columns, np.arange(c))), (self.table.shape[1], c))

    def sums(self, cells: Floats) -> Floats:
        """(A, B) units of `cells`."""
        return np.asarray((self._of_columns @ (self._of_rows @ cells).T).T)

    def fit(self, cells: Floats) -> float:
        """Scale `cells` to the table; how far they were from it."""
        now = self.sums(cells)
        factor = np.divide(self.table, now, out=np.zeros_like(now), where=now > 0)
        cells *= factor[self._rows][:, self._columns]
        return float(np.abs(now - self.table).max(initial=0.0))


def draw_rows(cells: Floats, totals: Ints, random: np.random.Generator) -> Ints:
    """(totals.sum(),) the column of each unit, row by row: of every row as many as `totals` says.

    Systematic: a count differs from the expected one by less than 1 in each row. The begins of the rows are spread
    evenly from a random one, so that rows that are alike make up for each other's differences; each is uniform.
    """
    row = np.repeat(np.arange(len(totals)), totals)
    within = np.arange(len(row)) - np.repeat(np.cumsum(totals) - totals, totals)
    begin = (random.random() + _GOLDEN * np.arange(len(totals))) % 1.0
    points = within + begin[row]
    running = np.cumsum(cells, axis=1)
    first, last = np.argmax(cells > 0, axis=1), cells.shape[1] - 1 - np.argmax(cells[:, ::-1] > 0, axis=1)
    scaled = running * (totals / np.maximum(running[:, -1], 1e-300))[:, None]
    # all rows one after the other, so that one search finds them all
    begins = np.cumsum(totals) - totals
    flat = np.maximum.accumulate((scaled + begins[:, None]).reshape(-1))
    places = np.searchsorted(flat, points + begins[row], side="right") - row * cells.shape[1]
    return np.asarray(np.clip(places, first[row], last[row]), np.int64)  # a point on the last bit of a sum


def evened(
    drawn: Ints, totals: Ints, cells: Floats, promised: Sequence[Wanted], random: np.random.Generator
) -> Ints:  # fmt: skip
    """`drawn`, of `draw_rows`, with some units moved within their rows so that promised tables are nearer.

    They are moved towards the tables rounded at random, without bias, to whole units: on average they stay what they
    are. A unit goes where its row expects some, in proportion to what it expects.
    """
    row, found = np.repeat(np.arange(len(totals)), totals), drawn.copy()
    tables = []
    for wanted in promised:
        flat, width = wanted.table.reshape(-1), wanted.table.shape[1]
        own = wanted.rows[row] * width + wanted.columns[found]
        target = np.diff(np.floor(np.cumsum(flat) + random.random()), prepend=0.0)
        tables.append((wanted.rows * width, wanted.columns, np.bincount(own, minlength=len(flat)) - target))
    surplus = sum(float(np.maximum(difference, 0).sum()) for _begin, _columns, difference in tables)
    if not surplus:
        return found
    above = sum(difference[begin[row] + columns[found]] for begin, columns, difference in tables)
    order = random.permutation(np.flatnonzero(above > 0))
    for unit in order[: int(_TRIES * surplus)].tolist():
        here, at = int(row[unit]), int(found[unit])
        change = np.zeros(cells.shape[1])
        for begin, columns, difference in tables:
            there = begin[here] + columns
            change += np.where(columns == columns[at], 0, difference[there] - difference[begin[here] + columns[at]] + 1)
        better = np.flatnonzero((change < 0) & (cells[here] > 0))
        if not len(better):
            continue
        running = np.cumsum(cells[here, better])
        to = int(better[min(int(np.searchsorted(running, random.random() * running[-1])), len(better) - 1)])
        found[unit] = to
        for begin, columns, difference in tables:
            difference[begin[here] + columns[at]] -= 1
            difference[begin[here] + columns[to]] += 1
    return found


@dataclass(frozen=True, eq=False)
class DrawnSizes:
    """How many households of each size 0, 1, 2, … there are to be.

    Attributes
    ----------
    drawn : (s,) households
    wanted : (s,) from which they were drawn: the kept ones, rounded at random, scaled to the number of persons
    """

    drawn: Ints
    wanted: Floats


def draw_sizes(counts: Ints, persons: int, least: int, random: np.random.Generator) -> DrawnSizes | None:
    """Sizes of households with `persons` members in all; None: it cannot be.

    Sizes that fewer than `least` households have are not drawn. The others are rounded at random, without bias, to
    multiples of `least`: as the number of persons is known, exact numbers would tell who is left out, and so would how
    far what is drawn is from these. Then they are scaled to the number of persons, and what is left of it is made up by
    the fewest households that do.
    """
    size = np.arange(len(counts))
    kept = np.where(counts >= least, counts, 0)
    rounded = (np.floor(kept / least + random.random(len(kept))) * least).astype(np.float64)
    if not (rounded * size).sum():
        return None
    wanted = rounded * (persons / (rounded * size).sum())
    drawn: Ints = np.diff(np.floor(np.cumsum(wanted) + random.random()), prepend=0.0).astype(np.int64)
    steps = _fewest_steps([int(s) for s in size[kept > 0]], persons - int((drawn * size).sum()), random)
    if steps is None:
        return None
    np.add.at(drawn, [abs(step) for step in steps], [1 if step > 0 else -1 for step in steps])
    return None if (drawn < 0).any() else DrawnSizes(drawn, wanted)


def _fewest_steps(sizes: Sequence[int], missing: int, random: np.random.Generator) -> list[int] | None:
    """The fewest households to add (positive) or to take out (negative) that make up `missing` persons; None: none."""
    most = abs(missing) + 2 * max(sizes)
    before: dict[int, tuple[int, int]] = {missing: (0, 0)}
    waiting = [missing]
    while waiting and 0 not in before:
        following = []
        for left in waiting:
            steps = np.array([sign * size for size in sizes for sign in (1, -1)])
            for step in random.permutation(steps).tolist():
                if abs(left - step) <= most and left - step not in before:
                    before[left - step] = (left, step)
                    following.append(left - step)
        waiting = following
    if 0 not in before:
        return None
    steps_taken, at = [], 0
    while at != missing:
        at, step = before[at]
        steps_taken.append(step)
    return steps_taken
