"""What gives a suppressed value away although every record is below its threshold: the order of records, households.

An intruder who reasons from the suppression itself is outside the risk model; these checks look for the plain cases.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import Notice
from ...base.progress import SILENT, Progress
from ...base.texts import mark
from ...data.columns import EncodedColumn
from ...kernels.cells import add_by_id, count_ids
from ...tables.grouping import blocks
from ..margin_risks import MarginRisks
from ..plan import ValueMasks
from ..problem import ProtectedTable
from .released_key_file import occurring

FEWEST = 5
"""Fewer records than this are no pattern."""


class Neighbours(NamedTuple):
    """Suppressed values of a variable, and by what the records around them show of it.

    `agreeing`: those of which all values around are the same; `equal`: those that these repeat; `expected`, `spread`:
    how many chance would repeat.
    """

    suppressed: int
    agreeing: int
    equal: int
    expected: float
    spread: float


def leaks(
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    *,
    shuffled: bool = False,
    blocks: Callable[[], NDArray[np.int64]] | None = None,
    household_of_record: NDArray[np.uint32] | None = None,
    shared: Collection[str] = (),
    add_risk: bool = False,
    progress: Progress = SILENT,
) -> tuple[Notice, ...]:
    """Warnings about the order of the records and about households, which may give suppressed values away.

    Parameters
    ----------
    columns : released variables after recoding, in the original's record order
    suppressed : by variable, the newly missing values (n,)
    shuffled : whether records are written in random order
    blocks : gives that random order (n,), where it leaves the members of a household side by side; None where it
        does not
    household_of_record : (n,), where users of the safe file can see who lives together; None where they cannot
    shared : household variables: they go in all members, so that none is left who tells them
    add_risk : whether risk columns are written
    """
    notices: list[Notice] = []
    blocks = blocks and functools.cache(blocks)
    for name, flags in suppressed.items():
        if name not in columns or not flags.any():
            continue
        progress.check()
        notices += _order_notice(columns[name], flags, shuffled, blocks)
        if household_of_record is not None and name not in shared:
            notices += _household_notice(columns[name], members(columns[name], flags, household_of_record))
    touched = int(np.any(list(suppressed.values()), axis=0).sum()) if suppressed else 0
    if add_risk and touched:
        notices.append(of_risk_columns(touched))
    return tuple(notices)


def of_risk_columns(records: int) -> Notice:
    """What the risk columns of so many records with suppressed values say."""
    return Notice.of(
        "risk-columns-of-remaining-values",
        mark(
            "The risk columns of the {records} records with suppressed values are those of their remaining values: "
            "those of the original values would give them away."
        ),
        records=records,
    )


def neighbours(column: EncodedColumn, flags: NDArray[np.bool_], order: NDArray[np.int64] | None = None) -> Neighbours:
    """How often a suppressed value equals the nearest remaining one before it and the nearest one after it.

    Parameters
    ----------
    flags : the newly missing values (n,)
    order : (n,), which record stands at each place; None: the original's order
    """
    left = (column.values < column.n_valid) & ~flags
    values = column.values if order is None else column.values[order]
    gone, remaining = (flags, left) if order is None else (flags[order], left[order])
    there = values[remaining]
    after = np.cumsum(remaining, dtype=np.uint32)[gone]
    inside = (after > 0) & (after < len(there))
    own = values[gone]
    agreeing = inside.copy()
    agreeing[inside] = there[after[inside] - 1] == there[after[inside]]
    equal = agreeing.copy()
    equal[agreeing] = there[after[agreeing]] == own[agreeing]
    return _against_chance(column, left, own, agreeing, equal, 2)


def members(column: EncodedColumn, flags: NDArray[np.bool_], household_of_record: NDArray[np.uint32]) -> Neighbours:
    """How often all values that are left in a suppressed one's household equal it; whatever the order of records.

    Parameters
    ----------
    flags : the newly missing values (n,)
    household_of_record : (n,), numbered from 0
    """
    remaining = (column.values < column.n_valid) & ~flags
    home, left = household_of_record[remaining], column.values[remaining]
    number = int(household_of_record.max(initial=0)) + 1
    told = np.zeros(number, column.values.dtype)
    told[home] = left  # of several values any will do: where they differ, none is told
    telling = np.bincount(home, minlength=number)
    telling[home[left != told[home]]] = 0
    own, of_suppressed = column.values[flags], household_of_record[flags]
    agreeing = telling[of_suppressed] > 0
    left_there = np.bincount(home, minlength=number)[of_suppressed]
    return _against_chance(column, remaining, own, agreeing, agreeing & (told[of_suppressed] == own), left_there)


def _against_chance(
    column: EncodedColumn,
    remaining: NDArray[np.bool_],
    own: NDArray[np.unsignedinteger],
    agreeing: NDArray[np.bool_],
    equal: NDArray[np.bool_],
    draws: NDArray[np.int64] | int,
) -> Neighbours:
    """What was found, beside what would be if so many values (`draws`) were drawn from all of `remaining` records."""
    gone = np.bincount(column.values[~remaining], minlength=max(len(column.codes), 1))
    shares = (occurring(column) - gone) / max(1, int(remaining.sum()))
    if isinstance(draws, int):
        chance = (shares ** np.full(len(shares), draws))[own]
    else:
        chance = np.where(draws > 0, shares[own] ** draws, 0.0)
    spread = float(np.sqrt((chance * (1 - chance)).sum()))
    return Neighbours(len(own), int(agreeing.sum()), int(equal.sum()), float(chance.sum()), spread)


def tells(found: Neighbours) -> bool:
    """Whether more values are repeated than chance explains, and enough to matter."""
    by_chance = found.expected + 3 * found.spread
    return found.equal >= FEWEST and found.equal > by_chance and found.equal - found.expected >= 0.05 * found.suppressed


def _order_notice(
    column: EncodedColumn, flags: NDArray[np.bool_], shuffled: bool, blocks: Callable[[], NDArray[np.int64]] | None
) -> list[Notice]:
    """By the order in which the file is written; random order is recommended only where it would help."""
    if shuffled and blocks is None:
        return []
    found = neighbours(column, flags, blocks() if shuffled and blocks is not None else None)
    if not tells(found):
        return []
    if not shuffled and (blocks is None or not tells(neighbours(column, flags, blocks()))):
        text = mark(
            "{equal} of {suppressed} suppressed values of {variable} equal both nearest remaining neighbours in "
            "the file (by chance {expected}): the order of the records gives them away. Write the records in "
            "random order."
        )
        return [_repeated("order-gives-away", text, column, found)]
    text = mark(
        "{equal} of {suppressed} suppressed values of {variable} equal both nearest remaining neighbours in the file "
        "(by chance {expected}): the order of the records gives them away, and random order does not help while the "
        "members of a household stand side by side. Remove the household identifier and let the members stand apart, "
        "in random order; or never suppress {variable} (Specify Metadata), so that other values go in its place; or "
        "declare it a household variable, where all members have the same value."
    )
    return [_repeated("household-order-gives-away", text, column, found)]


def _household_notice(column: EncodedColumn, found: Neighbours) -> list[Notice]:
    if not tells(found) or found.equal < found.agreeing / 2:  # a guess that is mostly wrong: members who resemble
        return []
    text = mark(
        "{equal} of {suppressed} suppressed values of {variable} can be read off the other members of the household, "
        "who all have that value (by chance {expected}): users of the safe file can see who lives together. Declare "
        "{variable} a household variable in Specify Metadata, so that it is suppressed in all members, or remove the "
        "household identifier and let the members stand apart, in random order."
    )
    return [_repeated("household-gives-away", text, column, found)]


def _repeated(identifier: str, text: str, column: EncodedColumn, found: Neighbours) -> Notice:
    return Notice.of(
        identifier,
        text,
        where=column.name,
        equal=found.equal,
        suppressed=found.suppressed,
        variable=column.name,
        expected=round(found.expected),
    )


class RemainingRows(NamedTuple):
    """What remaining values have in the original file, by rows: records with the same ones are one row, or several.

    `f`, `F`, `risk`: (m,) float64; `of_record`: (n,) uint32, the row of each record, None: the rows are the records.
    """

    f: NDArray[np.float64]
    F: NDArray[np.float64]
    risk: NDArray[np.float64]
    of_record: NDArray[np.uint32] | None = None

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is known of the rows, (m,), as what is known of the records, (n,)."""
        found: NDArray[np.float64] = values if self.of_record is None else values[self.of_record]
        return found

    def tally(self, records: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """How many records are in each row, (m,), where each stands for so many `records` (n,); None: for one."""
        if self.of_record is None:
            return np.ones(len(self.f), np.int64) if records is None else records
        found = np.zeros(len(self.f), np.int64)
        for part in blocks(len(self.of_record)):
            if records is None:
                count_ids(self.of_record[part], found)
            else:
                add_by_id(self.of_record[part], records[part], found)
        return found


def remaining_risks(table: ProtectedTable, suppressed: ValueMasks, progress: Progress = SILENT) -> RemainingRows:
    """f, F and risk that the remaining values of every record have in the original file: what risk columns may show.

    The rows are the cells, and behind them the records that lost values; where every record is a cell of its own, they
    are the records.
    """
    cells, of_record = table.cells, table.cell_index.of_record
    risks = MarginRisks(table, progress)
    newly = suppressed.masks_of(cells.variables, len(of_record))
    touched = np.flatnonzero(newly)
    cell, m = of_record[touched], len(cells)
    gone = newly[touched] | cells.missing[cell].astype(newly.dtype)
    row, places, behind = None, touched, cell[:0]
    if not table.cell_index.is_identity:
        row, places, behind = of_record.copy(), np.arange(m, m + len(touched)), cell
        row[touched] = places
    f, population, risk = _rows(cells.f, behind), _rows(cells.F, behind), _rows(risks.own(), behind)
    for mask in np.unique(gone).tolist():
        rows = np.flatnonzero(gone == mask)
        keep = ~mask & (1 << len(cells.variables)) - 1
        f[places[rows]], population[places[rows]], risk[places[rows]] = risks.figures_at(keep, cell[rows])
    return RemainingRows(f, population, risk, row)


def _rows(of_cells: NDArray[np.float64], behind: NDArray[np.uint32]) -> NDArray[np.float64]:
    """What is known of the cells, and of some of them once more behind all."""
    return np.append(of_cells, of_cells[behind])
