"""Warnings of keys that make nearly everybody unsafe by themselves: dates, amounts, codes by thousands or by person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..metadata.guess_use import is_amount, is_date
from ..metadata.profile import profile
from ..results.results import RecodedData

MANY_CODES, DATES = "key-with-many-codes", "key-of-dates"
AMOUNTS, LIKE_NUMBERS = "key-of-amounts", "key-like-a-number"
_MANY = 1000
_LIKE_NUMBERS = 0.8
"""Codes for each record from which a key is like a number of persons."""
_ENOUGH = 100
"""Records below which that is no sign: every key of a few records has nearly as many codes."""
_FEW_AMOUNTS = 50
"""Codes up to which numbers with decimals are taken for a classification."""
_SAMPLE = 100
"""Codes by which it is told whether they are dates."""


def unwieldy_keys(prepared: RecodedData, names: Iterable[str], progress: Progress = SILENT) -> Iterator[Notice]:
    """One for each of these key variables that is unwieldy as it is recoded; what the file does not have is none."""
    for name in dict.fromkeys(names):
        progress.check()
        column = prepared.columns.get(name)
        found = None if column is None else _notice(prepared, column, progress)
        if found is not None:
            yield found


def _notice(prepared: RecodedData, column: EncodedColumn, progress: Progress) -> Notice | None:
    name, codes, records = column.name, column.n_valid, len(column.values)
    if _are_dates(column):
        text = mark("The key {variable} is a date: nearly everybody is alone with it. Recode it to years, or to age.")
        return Notice.of(DATES, text, where=name, variable=name)
    if _are_amounts(prepared, column, progress):
        text = mark(
            "The key {variable} is an amount with {codes} different values: hardly anybody knows it exactly, and "
            "nearly everybody is alone with it. Leave it out, or recode it into classes."
        )
        return Notice.of(AMOUNTS, text, where=name, variable=name, codes=codes)
    if records >= _ENOUGH and codes >= _LIKE_NUMBERS * records:
        text = mark(
            "The key {variable} has {codes} codes in {records} records, as a number of persons has: nearly everybody "
            "is alone with it. Leave it out."
        )
        return Notice.of(LIKE_NUMBERS, text, where=name, variable=name, codes=codes, records=records)
    if codes >= _MANY:
        text = mark("The key {variable} has {codes} codes: nearly everybody is alone with it. Recode it.")
        return Notice.of(MANY_CODES, text, where=name, variable=name, codes=codes)
    return None


def _are_dates(column: EncodedColumn) -> bool:
    step = max(column.n_valid // _SAMPLE, 1)
    codes = [column.codes[place] for place in range(0, column.n_valid, step)]
    return column.n_valid > 1 and all(map(is_date, codes))


def _are_amounts(prepared: RecodedData, column: EncodedColumn, progress: Progress) -> bool:
    """Whether the codes are numbers that were measured; labelled ones were not."""
    if column.n_valid <= _FEW_AMOUNTS or prepared.labels.get(column.name):
        return False
    return is_amount(profile(column, prepared.metadata.decimal, progress=progress))
