"""Suggested merges: which neighbouring categories to merge so that most records become safe for the least loss.

Units are the categories of a variable in their order. A *run* is one or more neighbouring units made one category.
Merging changes only the cells of the run itself, so unsafe records and loss of a recode are sums over its runs:

- unsafe records u(run): records of the run's units that are unsafe in a table with the variable;
- loss of information (method: comparing recodes), N_j (H_j before - H_j after) in bits, a sum over runs of
  c log2 c - sum of c_i log2 c_i, where unit i has c_i records and the run c.

Among all recodes into runs the *efficient* ones minimise loss + price × unsafe records for some price. They are found
exactly, by dynamic programming over runs: the corners of the lower convex hull of all recodes in the plane of unsafe
records and loss, from "nothing merged" to "as few unsafe records as runs can leave".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..kernels import runs as kernels

MOST_UNITS = 1500
MOST_POINTS = 60
_NONE = 2**32 - 1
_BLOCK = 1 << 18
_SEARCHING = mark("Trying runs of neighbouring categories")


@dataclass(frozen=True, eq=False)
class TableJudgement:
    """Judgement of one table on the variable's cells.

    Attributes
    ----------
    set_of_entry : (e,) the other codes of each entry, as a number
    unit_of_entry : (e,) its unit
    records, people : (e,) sample frequency, and what is compared with `least` (population frequency)
    least : (L,) float64; f records are unsafe where f < L and people < least[f]
    set_of_cell : (b,) the other codes of each base cell, -1 where the table does not judge it
    """

    set_of_entry: NDArray[np.integer]
    unit_of_entry: NDArray[np.integer]
    records: NDArray[np.int64]
    people: NDArray[np.float64]
    least: NDArray[np.float64]
    set_of_cell: NDArray[np.integer]


@dataclass(frozen=True)
class Run:
    """Units `first` to `last` as one category: unsafe records now and then, and the loss in bits."""

    first: int
    last: int
    records: int
    unsafe_before: int
    unsafe_after: int
    loss: float


@dataclass(frozen=True)
class MergeSuggestion:
    """An efficient recode: its categories, unsafe records left, loss, and the runs of more than one unit."""

    categories: int
    unsafe: int
    loss: float
    runs: tuple[Run, ...]


def suggest(
    counts: Sequence[int],
    unit_of_cell: NDArray[np.integer],
    records_of_cell: NDArray[np.int64],
    tables: Sequence[TableJudgement],
    progress: Progress = SILENT,
) -> tuple[MergeSuggestion, ...]:
    """Efficient recodes into runs of neighbouring units, from nothing merged to fewest unsafe records.

    Parameters
    ----------
    counts : records of each of the U units
    unit_of_cell, records_of_cell : (b,) base cells: records that are alike in all tables, and their unit
    tables : what judges them; a cell is unsafe if any table says so. More records and people never make it unsafe.

    Returns
    -------
    At most `MOST_POINTS`, each with fewer unsafe records than the one before.

    Raises
    ------
    RecipeError
        More than `MOST_UNITS` units.
    """
    units = len(counts)
    if units > MOST_UNITS:
        raise RecipeError(
            "suggest-too-many-categories",
            mark("There are {number} categories, too many to compare all their runs (at most {most})."),
            mark("Group them first, for example by a level of the codelist or by truncation."),
            number=units,
            most=MOST_UNITS,
        )
    if not units:
        return (MergeSuggestion(0, 0, 0.0, ()),)
    unsafe = _unsafe_of_runs(units, unit_of_cell, records_of_cell, tables, progress)
    loss = losses_of_runs(counts)
    corners = _Hull(unsafe, loss, progress).corners()
    return tuple(_suggestion(corner, counts, unsafe, loss) for corner in corners)


def losses_of_runs(counts: Sequence[int]) -> NDArray[np.float64]:
    """(U, U) bits lost by making one category of the units i to j (i <= j)."""
    c = np.array(counts, np.float64)
    own = np.cumsum(np.append(0.0, _c_log_c(c)))
    total = np.cumsum(np.append(0.0, c))
    lost = _c_log_c(total[None, 1:] - total[:-1, None]) - (own[None, 1:] - own[:-1, None])
    np.fill_diagonal(lost, 0.0)
    result: NDArray[np.float64] = np.maximum(lost, 0.0)
    return result


def _c_log_c(c: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = c * np.log2(c, out=np.zeros_like(c), where=c > 0)
    return result


def _unsafe_of_runs(
    units: int,
    unit_of_cell: NDArray[np.integer],
    records_of_cell: NDArray[np.int64],
    tables: Sequence[TableJudgement],
    progress: Progress,
) -> NDArray[np.int64]:
    """(U, U) unsafe records of the run i to j (i <= j)."""
    order = np.argsort(unit_of_cell, kind="stable")
    unit = np.ascontiguousarray(unit_of_cell[order], np.uint32)
    records = np.ascontiguousarray(records_of_cell[order], np.int64)
    begins = np.searchsorted(unit, np.arange(units + 1))
    judging = []
    for table in tables:
        progress.check()
        judging.append(_Sweep(table, order, units))
    unsafe = np.zeros((units, units), np.int64)
    for start in range(units):
        progress.report(start, units, _SEARCHING)
        change = np.zeros(units + 1, np.int64)
        ends = np.zeros(len(unit), np.uint32)
        for sweep in judging:
            sweep.extend(start, int(begins[start]), ends, progress)
        for begin in range(int(begins[start]), len(unit), _BLOCK):
            progress.check()
            part = slice(begin, begin + _BLOCK)
            kernels.count_runs(unit[part], ends[part], records[part], change)
        unsafe[start] = np.cumsum(change[:-1])
    return unsafe


class _Sweep:
    """One table's entries, ordered for the kernels."""

    def __init__(self, table: TableJudgement, order: NDArray[np.intp], units: int) -> None:
        entries = np.lexsort((table.unit_of_entry, table.set_of_entry))
        self.unit = np.ascontiguousarray(table.unit_of_entry[entries], np.uint32)
        self.records = np.ascontiguousarray(table.records[entries], np.int64)
        self.people = np.ascontiguousarray(table.people[entries], np.float64)
        sets = table.set_of_entry[entries]
        self.sets = int(sets[-1]) + 1 if len(sets) else 0
        self.first = np.searchsorted(sets, np.arange(self.sets + 1)).astype(np.int64)
        self.least = np.ascontiguousarray(table.least, np.float64)
        of_cell = table.set_of_cell[order].astype(np.int64)
        self.set_of_cell = np.where(of_cell < 0, _NONE, of_cell).astype(np.uint32)
        self.units = units

    def extend(self, start: int, begin: int, ends: NDArray[np.uint32], progress: Progress) -> None:
        """Raise `ends` of the cells from `begin` on to the unit from which this table calls them safe."""
        safe = np.empty(self.sets, np.uint32)
        cuts = np.searchsorted(self.first, np.arange(0, len(self.unit) + _BLOCK, _BLOCK)).clip(0, self.sets)
        for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            progress.check()
            first = self.first[low : high + 1]
            kernels.safe_from(
                first, self.unit, self.records, self.people, self.least, start, self.units, safe[low:high]
            )
        for low in range(begin, len(ends), _BLOCK):
            progress.check()
            part = slice(low, low + _BLOCK)
            kernels.latest(self.set_of_cell[part], safe, _NONE, ends[part])


Partition = tuple[int, ...]
"""First unit of every run."""


class _Hull:
    """Corners of the lower convex hull of all recodes into runs."""

    def __init__(self, unsafe: NDArray[np.int64], loss: NDArray[np.float64], progress: Progress) -> None:
        self._unsafe, self._loss, self._progress = unsafe, loss, progress
        self._tolerance = 1e-9 * max(1.0, float(loss[0, -1]))

    def corners(self) -> list[Partition]:
        """Fewest losses first. Of more than `MOST_POINTS`, those that lie farthest apart are found first."""
        units = len(self._loss)
        nothing = tuple(range(units))
        most = self._best(float(self._loss[0, -1]) + 1.0)
        found = {self._point(nothing): nothing, self._point(most): most}
        edges = [(self._point(nothing), self._point(most))]
        while edges and len(found) < MOST_POINTS:
            edges.sort(key=lambda edge: edge[1][1] - edge[0][1])
            one, other = edges.pop()
            if one[0] - other[0] <= 1:
                continue
            price = (other[1] - one[1]) / (one[0] - other[0])
            between = self._best(price)
            point = self._point(between)
            gain = one[1] + price * one[0] - (point[1] + price * point[0])
            if gain > self._tolerance and other[0] < point[0] < one[0]:
                found[point] = between
                edges += [(one, point), (point, other)]
        fewest_first = sorted(found, key=lambda point: -point[0])
        return [found[point] for point in fewest_first]

    def _point(self, partition: Partition) -> tuple[int, float]:
        ends = [*(first - 1 for first in partition[1:]), len(self._loss) - 1]
        return (
            sum(int(self._unsafe[i, j]) for i, j in zip(partition, ends, strict=True)),
            float(sum(self._loss[i, j] for i, j in zip(partition, ends, strict=True))),
        )

    def _best(self, price: float) -> Partition:
        """A recode that minimises loss + price × unsafe records; of equal ones with as few merges as possible."""
        units = len(self._loss)
        cost = np.zeros(units + 1)
        starts = np.zeros(units, np.int64)
        for j in range(units):
            if j % 64 == 0:
                self._progress.check()
            each = cost[: j + 1] + self._loss[: j + 1, j] + price * self._unsafe[: j + 1, j]
            least = each.min()
            starts[j] = np.flatnonzero(each <= least + self._tolerance * 1e-3)[-1]
            cost[j + 1] = each[starts[j]]
        partition: list[int] = []
        j = units - 1
        while j >= 0:
            partition.append(int(starts[j]))
            j = int(starts[j]) - 1
        return tuple(reversed(partition))


def _suggestion(
    partition: Partition, counts: Sequence[int], unsafe: NDArray[np.int64], loss: NDArray[np.float64]
) -> MergeSuggestion:
    ends = [*(first - 1 for first in partition[1:]), len(counts) - 1]
    runs = [
        Run(
            first,
            last,
            sum(counts[first : last + 1]),
            sum(int(unsafe[i, i]) for i in range(first, last + 1)),
            int(unsafe[first, last]),
            float(loss[first, last]),
        )
        for first, last in zip(partition, ends, strict=True)
    ]
    left = sum(run.unsafe_after for run in runs)
    merged = tuple(run for run in runs if run.last > run.first)
    return MergeSuggestion(len(runs), left, float(sum(run.loss for run in runs)), merged)
