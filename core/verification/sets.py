"""Set-valued keys of a written file, made anew from the texts of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn

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
            found[each.name] = _read(each, [columns[name] for name in each.columns])
    return found


def _read(wanted: DeclaredSet, columns: Sequence[EncodedColumn]) -> EncodedColumn:
    """The set of each record: a bit for each value that occurs, gathered column by column."""
    cells = [[_values(column, number, wanted.separator) for number in range(len(column.codes))] for column in columns]
    occurring = sorted({value for column in cells for cell in column for value in cell})
    bit = {value: place for place, value in enumerate(occurring)}
    words = max(1, -(-len(occurring) // 64))
    held = np.zeros((len(columns[0].values), words), np.uint64)
    for column, texts in zip(columns, cells, strict=True):
        masks = np.zeros((max(len(texts), 1), words), np.uint64)
        for number, cell in enumerate(texts):
            for value in cell:
                masks[number, bit[value] // 64] |= np.uint64(1 << bit[value] % 64)
        held |= masks[column.values]
    rows, of_record = np.unique(held, axis=0, return_inverse=True) if words > 1 else _distinct(held)
    return _encoded(wanted.name, rows, of_record.reshape(-1), occurring)


def _distinct(held: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    rows, of_record = np.unique(held[:, 0], return_inverse=True)
    return rows[:, None], of_record


def _values(column: EncodedColumn, number: int, separator: str) -> frozenset[str]:
    """What one code of a column says; nothing where it is a missing one."""
    if number >= column.n_valid:
        return frozenset()
    code = column.codes[number]
    return frozenset(text.strip() for text in (code.split(separator) if separator else [code])) - {""}


def _encoded(
    name: str, rows: NDArray[np.uint64], of_record: NDArray[np.int64], occurring: Sequence[str]
) -> EncodedColumn:
    """Rows of bits as a column, the empty one being its missing code."""
    texts = []
    for row in rows.tolist():
        held = [value for place, value in enumerate(occurring) if row[place // 64] >> place % 64 & 1]
        texts.append(_BETWEEN.join(held))
    valid = [place for place, text in enumerate(texts) if text]
    onto = np.full(max(len(texts), 1), len(valid), np.min_scalar_type(len(valid) + 1))
    onto[valid] = np.arange(len(valid))
    codes = (*(texts[place] for place in valid), "")
    values = onto[of_record]
    width = max(map(len, codes))
    counts = np.bincount(values, minlength=len(codes))
    return EncodedColumn(name, values, codes, tuple(code.rjust(width) for code in codes), counts, len(valid), width)


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
