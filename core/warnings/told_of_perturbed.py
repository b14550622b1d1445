"""Released variables that still tell what a perturbed one was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Microdata
from ..perturbation.numbers import numbers_of
from ..results.needed_columns import hidden_variables
from ..results.results import Results
from .perturbed import STAYING
from .perturbed_values import OF_THE_HOUSE, told_by_order, values_of

TOLD = "perturbed-told"
KEPT_INSIDE = frozenset({*OF_THE_HOUSE, TOLD, STAYING})
"""Ids of warnings of what came of perturbations in this file: no report or summary for outsiders has them."""

_RIGHT, _BETTER = 0.9, 0.2
"""Share of records whose true value follows from another variable, and by how much more than by guessing."""
_ALIKE = 0.99
"""Rank correlation from which on a number tells about another one."""
_FEW = 20
"""Fewer records than these say nothing."""


def told_of_perturbed(
    derived: Results, read: Callable[[Sequence[str]], Microdata], progress: Progress = SILENT
) -> Iterator[Notice]:
    """Warnings about released variables that are not perturbed and tell the true values of one that is.

    Parameters
    ----------
    read : gives the columns of the variables named as codes, as they are after perturbation
    """
    if derived.perturbed is None:
        return
    metadata, before = derived.metadata, derived.perturbed.before
    hidden = hidden_variables(metadata) | before.keys()
    if metadata.household_id is not None and derived.recipe.output.household_id != "keep":
        hidden |= {metadata.household_id.name}
    true = {name: _true_values(column) for name, column in before.items()}
    for name in metadata.names:
        if name in hidden:
            continue
        progress.check()
        column = derived.columns.get(name)
        if column is None:
            try:
                column = read((name,)).columns[name]
            except DataError:
                continue  # free text holds no codes; the release checklist asks about it
        order = _order_by(column, metadata.decimal)
        told = [
            other
            for other in before
            if _tells(column, before[other], true[other], metadata.decimal)
            or (order is not None and told_by_order(before[other], values_of(before[other], metadata)[order]))
        ]
        if told:
            yield Notice.of(
                TOLD,
                mark(
                    "{other} is released as it is and tells what {variable} was, which is perturbed. Perturb both in "
                    "one entry, or leave {other} out."
                ),
                where=name,
                other=name,
                variable=", ".join(told),
            )


def _true_values(column: EncodedColumn) -> NDArray[np.int64]:
    """(n,) the code of each record, -1 where it is missing."""
    values = column.values.astype(np.int64)
    return np.where(values < column.n_valid, values, -1)


def _order_by(column: EncodedColumn, decimal: str) -> NDArray[np.int64] | None:
    """The records in the order of a column that has another value in most of them, as numbers of cases do.

    Where the file once was in the order of a variable, so is this order. None: values are shared by many.
    """
    there = np.flatnonzero(column.values < column.n_valid)
    if np.count_nonzero(column.counts[: column.n_valid]) < max(_FEW, len(there) / 2):
        return None
    try:
        values = numbers_of(column, decimal)
    except DataError:
        values = column.values.astype(np.float64)
    return there[np.argsort(values[there], kind="stable")]


def _tells(other: EncodedColumn, before: EncodedColumn, true: NDArray[np.int64], decimal: str) -> bool:
    there = (true >= 0) & (other.values < other.n_valid)
    if there.sum() < _FEW:
        return False
    own, known = true[there], other.values[there].astype(np.int64)
    return _tells_codes(own, known) or _goes_with(other, before, there, decimal)


def _tells_codes(own: NDArray[np.int64], known: NDArray[np.int64]) -> bool:
    """Whether the likeliest value of each code, of those that several records have, is nearly always right."""
    shared = np.bincount(known)[known] > 1
    if shared.sum() < max(_FEW, len(known) / 2):
        return False
    own, known = own[shared], known[shared]
    pairs, counts = np.unique(known * (int(own.max()) + 1) + own, return_counts=True)
    of_code = pairs // (int(own.max()) + 1)
    best = np.zeros(int(known.max()) + 1, np.int64)
    np.maximum.at(best, of_code, counts)
    right, guessed = best.sum() / len(own), np.bincount(own).max() / len(own)
    return bool(right >= _RIGHT and right - guessed >= _BETTER)


def _goes_with(other: EncodedColumn, before: EncodedColumn, there: NDArray[np.bool_], decimal: str) -> bool:
    """Whether both are numbers that stand in nearly the same order, or in the reverse one."""
    try:
        x, y = numbers_of(other, decimal)[there], numbers_of(before, decimal)[there]
    except DataError:
        return False
    ranks, distinct = zip(*map(_average_ranks, (x, y)), strict=True)
    # Of few distinct values the codes tell: an order of two says little.
    if min(distinct) <= _FEW:
        return False
    return bool(abs(np.corrcoef(ranks[0], ranks[1])[0, 1]) >= _ALIKE)


def _average_ranks(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Ranks in which equal values share the mean of their places, and how many distinct values there are.

    Ranks of distinct values alone would weigh the few records with rare values as much as all others.
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean = np.cumsum(counts) - (counts - 1) / 2
    return mean[place.reshape(-1)], len(counts)
