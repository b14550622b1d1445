"""Set-valued keys: one question in several columns, or several values in one, as a single variable.

The value of a record is the set of the values that it has in the columns: order and repeats do not matter. A missing or
blank column among others is no further value; where all are missing, the set is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from .columns import EncodedColumn, times_of
from .encoding import frozen, smallest_type
from .household_types import codes_together

MISSING = ""
"""The one missing code of a set: it stands in no file, where the columns have codes of their own."""


@dataclass(frozen=True, eq=False)
class ValueSets:
    """Sets of values as a key variable.

    Attributes
    ----------
    column : the set of each record; codes are 1, 2, 3, … from the most frequent set, then `MISSING`
    contents : of each set but the missing one, its values in ascending order, or in that of the columns
    """

    column: EncodedColumn
    contents: tuple[tuple[str, ...], ...]

    def labels(self, columns: Sequence[EncodedColumn], labels: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        """By code what the set holds; `labels` of the columns' codes, by variable: the first that has one is taken."""
        known: dict[str, str] = {}
        for column in reversed(columns):
            known |= {code: label for code, label in labels.get(column.name, {}).items() if label}
        texts = (" + ".join(known.get(value, value) for value in values) for values in self.contents)
        return dict(zip(self.column.codes, texts, strict=False)) | {MISSING: translate(mark("(missing)"))}


def value_sets(
    name: str,
    columns: Sequence[EncodedColumn],
    separator: str = "",
    progress: Progress = SILENT,
    ordered: bool = False,
) -> ValueSets:
    """The sets of the values of n records.

    Parameters
    ----------
    name : of the new variable
    columns : of the n records, after recoding; at least one
    separator : between the values in one cell, trimmed; empty: a cell holds one value
    ordered : whether the same values in another order are another set, so that it is known which came first

    Returns
    -------
    Of equally frequent sets the smaller one comes first, then the one whose values do.
    """
    of_record, rows = codes_together(columns, progress)
    met: dict[tuple[str, ...], int] = {}
    of_row = np.empty(len(rows), np.int64)
    texts = [_texts(column, separator) for column in columns]
    for row, places in enumerate(rows.tolist()):
        held = dict.fromkeys(value for values, place in zip(texts, places, strict=True) for value in values[place])
        of_row[row] = met.setdefault(tuple(held if ordered else sorted(held)), len(met))
    progress.check()
    found = list(met)
    records = times_of(columns).records
    counts = np.bincount(of_row[of_record], records, len(found))
    answered = [place for place, values in enumerate(found) if values]
    ranked = sorted(answered, key=lambda place: (-counts[place], len(found[place]), found[place]))
    codes = (*map(str, range(1, len(ranked) + 1)), MISSING)
    place_of = np.full(max(len(found), 1), len(ranked))
    place_of[ranked] = np.arange(len(ranked))
    small: NDArray[np.unsignedinteger] = place_of.astype(smallest_type(len(codes)))
    values = small[of_row][of_record]
    width = max(map(len, codes))
    padded = tuple(code.rjust(width) for code in codes)
    column = EncodedColumn(name, frozen(values), codes, padded, np.zeros(0, np.int64), len(ranked), width, records)
    column = replace(column, counts=frozen(column.tally(values)))
    return ValueSets(column, tuple(found[i] for i in ranked))


def _texts(column: EncodedColumn, separator: str) -> list[tuple[str, ...]]:
    """The values that each code of a column stands for; none of a missing or blank one."""
    valid = column.codes[: column.n_valid]
    parts = (code.split(separator) if separator else (code,) for code in valid)
    found = [tuple(value for part in each if (value := part.strip())) for each in parts]
    return [*found, *[()] * column.n_missing_codes]
