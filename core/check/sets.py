"""Set-valued keys of a written file, made anew from the texts of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from . import recount

_BETWEEN = "\x1f"
"""Between the values of a set in its text: no code holds it."""


@dataclass(frozen=True)
class DeclaredSet:
    """A set-valued key as the recipe says it: the set of what stands in `columns`, each split at `separator` if any."""

    name: str
    columns: tuple[str, ...]
    separator: str = ""


def with_sets(
    columns: Mapping[str, EncodedColumn], sets: Sequence[DeclaredSet], progress: Progress = SILENT
) -> dict[str, EncodedColumn]:
    """`columns` with every set made of them in place of what was said of it; sets whose columns are not there are not.

    Its codes are the values themselves, so that those of two files can be compared.
    """
    found = dict(columns)
    for each in sets:
        progress.check()
        if all(name in columns for name in each.columns):
            found[each.name] = _read(each, [columns[name] for name in each.columns], progress)
    return found


def _read(wanted: DeclaredSet, columns: Sequence[EncodedColumn], progress: Progress) -> EncodedColumn:
    """The set of each record, as the text of its values; where there is none, the missing code."""
    cells = [[_values(column, number, wanted.separator) for number in range(len(column.codes))] for column in columns]
    sizes = [max(len(column.codes), 1) for column in columns]
    number, _bound = recount.fold([column.values for column in columns], sizes, len(columns[0].values), progress)
    _met, first, row = np.unique(number, return_index=True, return_inverse=True)
    held = zip(*(column.values[first].tolist() for column in columns), strict=True)
    texts = [_BETWEEN.join(sorted(_together(cells, places))) for places in held]
    valid = sorted(set(texts) - {""})
    codes = (*valid, "")
    place = {text: number for number, text in enumerate(codes)}
    onto = np.array([place[text] for text in texts], np.min_scalar_type(len(codes)))
    values = onto[row]
    width = max(map(len, codes))
    padded = tuple(code.rjust(width) for code in codes)
    return EncodedColumn(
        wanted.name, values, codes, padded, np.bincount(values, minlength=len(codes)), len(valid), width
    )


def _together(cells: Sequence[Sequence[frozenset[str]]], places: Sequence[int]) -> frozenset[str]:
    return frozenset().union(*(column[place] for column, place in zip(cells, places, strict=True)))


def _values(column: EncodedColumn, number: int, separator: str) -> frozenset[str]:
    """What one code of a column says; nothing where it is a missing one."""
    if number >= column.n_valid:
        return frozenset()
    code = column.codes[number]
    return frozenset(text.strip() for text in (code.split(separator) if separator else [code])) - {""}


def blank_columns(
    columns: Mapping[str, EncodedColumn],
    sets: Sequence[DeclaredSet],
    suppressed: Mapping[str, NDArray[np.bool_]],
    as_one: frozenset[str],
) -> dict[str, NDArray[np.bool_]]:
    """By column of a set, the records (n,) in which its missing code has to stand.

    These are the records whose set was to be suppressed, and of the sets `as_one` those that never had a value.
    """
    found: dict[str, NDArray[np.bool_]] = {}
    for each in sets:
        column = columns[each.name]
        lost = suppressed.get(each.name, np.zeros(len(column.values), np.bool_))
        if each.name in as_one:
            lost = lost | (column.values == column.n_valid)
        found |= dict.fromkeys(each.columns, lost)
    return found
