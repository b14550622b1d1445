"""What gives a suppressed value away although every record is below its threshold: order, other variables, risks.

An intruder who reasons from the suppression itself is outside the risk model; these checks look for the plain cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import Notice
from core.kernels import suppress as kernels
from core.microdata.columns import EncodedColumn, Weights
from core.progress import SILENT, Progress
from core.suppression.margin_risks import MarginRisks
from core.suppression.units import Table
from core.tables.frequencies import Margins
from core.tables.grouping import blocks
from core.texts import mark

FEWEST = 5
"""Fewer records than this are no pattern."""
DENSE = 16
"""Largest table of pairs of values, in entries a record."""


class Neighbours(NamedTuple):
    """Suppressed values of a variable, those equal to both nearest remaining neighbours, and those expected so."""

    suppressed: int
    equal: int
    expected: float
    spread: float


class Narrowing(NamedTuple):
    """How many values another variable leaves possible in `records` suppressed ones, and how many chance would."""

    records: int
    least: int
    most: int
    mean: float
    expected: float


def leaks(
    columns: Mapping[str, EncodedColumn],
    suppressed: Mapping[str, NDArray[np.bool_]],
    weights: Weights | None = None,
    weight_name: str = "",
    *,
    shuffled: bool = False,
    add_risk: bool = False,
    progress: Progress = SILENT,
) -> tuple[Notice, ...]:
    """Warnings about released information that gives suppressed values away.

    Parameters
    ----------
    columns : released variables after recoding, in the original's record order
    suppressed : by variable, the newly missing values (n,)
    weights, weight_name : the released weight, if it is
    shuffled : whether records are written in random order
    add_risk : whether risk columns are written
    """
    notices: list[Notice] = []
    others = _others(columns, weights, weight_name)
    for name, flags in suppressed.items():
        if name not in columns or not flags.any():
            continue
        progress.check()
        if not shuffled:
            notices += _order_notice(columns[name], neighbours(columns[name], flags))
        for other, values in others.items():
            known = _still_known(np.flatnonzero(flags), values, suppressed.get(other))
            if other != name and values.size > 1 and len(known) >= FEWEST:
                notices += _narrowing_notice(columns[name], other, narrowing(columns[name], values, known, progress))
    touched = int(np.any(list(suppressed.values()), axis=0).sum()) if suppressed else 0
    if add_risk and touched:
        notices.append(
            Notice.of(
                "risk-columns-of-remaining-values",
                mark(
                    "The risk columns of the {records} records with suppressed values are those of their remaining "
                    "values: those of the original values would give them away."
                ),
                records=touched,
            )
        )
    return tuple(notices)


def neighbours(column: EncodedColumn, flags: NDArray[np.bool_]) -> Neighbours:
    """How often a suppressed value equals the nearest remaining one before it and the nearest one after it."""
    remaining = (column.values < column.n_valid) & ~flags
    places = np.arange(len(flags))
    before = np.maximum.accumulate(np.where(remaining, places, -1))[flags]
    after = np.minimum.accumulate(np.where(remaining, places, len(flags))[::-1])[::-1][flags]
    inside = (before >= 0) & (after < len(flags))
    own = column.values[flags]
    equal = inside.copy()
    equal[inside] = (column.values[before[inside]] == own[inside]) & (column.values[after[inside]] == own[inside])
    shares = np.bincount(column.values[remaining], minlength=len(column.codes)) / max(1, int(remaining.sum()))
    chance = shares[own] ** 2
    return Neighbours(len(own), int(equal.sum()), float(chance.sum()), float(np.sqrt((chance * (1 - chance)).sum())))


def _order_notice(column: EncodedColumn, found: Neighbours) -> list[Notice]:
    by_chance = found.expected + 3 * found.spread
    if found.equal < FEWEST or found.equal <= by_chance or found.equal - found.expected < 0.05 * found.suppressed:
        return []
    return [
        Notice.of(
            "order-gives-away",
            mark(
                "{equal} of {suppressed} suppressed values of {variable} equal both nearest remaining neighbours in "
                "the file (by chance {expected}): the order of the records gives them away. Write the records in "
                "random order."
            ),
            where=column.name,
            equal=found.equal,
            suppressed=found.suppressed,
            variable=column.name,
            expected=round(found.expected),
        )
    ]


class Others(NamedTuple):
    """A released variable: a number below `size` for each record's value, and where it is missing (None: nowhere)."""

    groups: NDArray[np.uint32]
    size: int
    lacking: NDArray[np.bool_] | None


def _still_known(records: NDArray[np.int64], other: Others, suppressed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """Those of the records whose value of `other` is released."""
    for gone in (other.lacking, suppressed):
        if gone is not None:
            records = records[~gone[records]]
    return records


def _others(columns: Mapping[str, EncodedColumn], weights: Weights | None, weight_name: str) -> dict[str, Others]:
    found = {}
    for name, column in columns.items():
        lacking = column.values >= column.n_valid if column.has_missing else None
        found[name] = Others(column.values.astype(np.uint32), len(column.codes), lacking)
    if weights is not None:
        number = np.zeros(len(weights), np.int64)
        for limb in weights.limbs:
            dense = _dense(limb)
            number = _dense(number * (int(dense.max()) + 1) + dense)
        found[weight_name] = Others(number.astype(np.uint32), int(number.max()) + 1, None)
    return found


def _dense(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers >= 0 for values, equal for equal ones, and not many more than there are records."""
    least = int(values.min())
    if int(values.max()) - least <= 4 * len(values):
        return values - least
    numbers: NDArray[np.int64] = np.unique(values, return_inverse=True)[1]
    return numbers


def narrowing(column: EncodedColumn, other: Others, known: NDArray[np.int64], progress: Progress = SILENT) -> Narrowing:
    """How many values of `column` occur, in the original file, together with the value that `other` has.

    Parameters
    ----------
    known : records whose value of `column` is suppressed while the other's is released
    """
    of_known = np.bincount(other.groups[known], minlength=other.size)
    asked = np.flatnonzero(of_known)
    records, possible = _values_by_group(column, other, asked, progress)
    # Chance: as many different values as so many records drawn from the whole file would show.
    sizes, index = np.unique(records, return_inverse=True)
    shares = column.counts[: column.n_valid] / max(1, int(column.counts[: column.n_valid].sum()))
    chance = np.array([(1 - (1 - shares) ** float(number)).sum() for number in sizes])[index]
    telling = chance >= 2
    if not telling.any():
        return Narrowing(0, 0, 0, 0.0, 0.0)
    times, possible = of_known[asked][telling], possible[telling]
    return Narrowing(
        int(times.sum()),
        int(possible.min()),
        int(possible.max()),
        float(np.average(possible, weights=times)),
        float(np.average(chance[telling], weights=times)),
    )


def _values_by_group(
    column: EncodedColumn, other: Others, asked: NDArray[np.int64], progress: Progress
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For the groups asked: records with a value of `column`, and how many different values they have."""
    width = column.n_valid + 1
    groups, size, n = other.groups, other.size, len(other.groups)
    if size * width > DENSE * n + 4096:
        number = np.full(size, len(asked), np.uint32)
        number[asked] = np.arange(len(asked), dtype=np.uint32)
        groups, size, asked = number[groups], len(asked) + 1, np.arange(len(asked))
    if size * width > DENSE * n + 4096:
        pairs, counts = np.unique(
            groups.astype(np.int64) * width + np.minimum(column.values, column.n_valid), return_counts=True
        )
        valid = pairs % width < column.n_valid
        group = pairs[valid] // width
        records = np.bincount(group, counts[valid], size).astype(np.int64)
        return records[asked], np.bincount(group, minlength=size)[asked]
    table = np.zeros(size * width, np.uint32)
    for part in blocks(n, progress):
        kernels.cross(groups[part], column.values[part].astype(np.uint32), width, table)
    by_group = table.reshape(size, width)[asked, : column.n_valid]
    return by_group.sum(axis=1, dtype=np.int64), np.count_nonzero(by_group, axis=1).astype(np.int64)


def _narrowing_notice(column: EncodedColumn, other: str, found: Narrowing) -> list[Notice]:
    if found.records < FEWEST or found.mean > found.expected / 2:
        return []
    return [
        Notice.of(
            "other-variable-gives-away",
            mark(
                "{other} narrows the suppressed values of {variable}: in {records} records it leaves {least} to {most} "
                "of {codes} values possible (by chance {expected})."
            ),
            where=column.name,
            other=other,
            variable=column.name,
            records=found.records,
            least=found.least,
            most=found.most,
            codes=column.n_valid,
            expected=round(found.expected, 1),
        )
    ]


def remaining_risks(
    table: Table, suppressed: Mapping[str, NDArray[np.bool_]], progress: Progress = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """f, F and risk that the remaining values of every record have in the original file: what risk columns may show.

    Returns
    -------
    f, F, risk : (n,) float64
    """
    cells, risks, margins = table.cells, MarginRisks(table, progress), Margins(table.cells)
    newly = np.zeros(cells.records, np.uint64)
    for j, name in enumerate(cells.variables):
        if name in suppressed:
            newly |= suppressed[name].astype(np.uint64) << np.uint64(j)
    f, population = cells.f[cells.cell_of_record], cells.F[cells.cell_of_record]
    risk = risks.own()[cells.cell_of_record]
    touched = np.flatnonzero(newly)
    gone = newly[touched] | cells.missing[cells.cell_of_record[touched]]
    for mask in np.unique(gone).tolist():
        rows = touched[gone == mask]
        keep = ~mask & (1 << len(cells.variables)) - 1
        found = margins.frequencies(keep, progress)
        group = found.group_of_cell[cells.cell_of_record[rows]]
        f[rows], population[rows] = found.f[group], found.F[group]
        risk[rows] = risks.at(keep, cells.cell_of_record[rows])
    return f, population, risk
