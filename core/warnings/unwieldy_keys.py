"""Warnings of keys that make nearly everybody unsafe by themselves: with thousands of codes, or dates."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.errors import Notice
from core.base.texts import mark
from core.data.columns import EncodedColumn
from core.metadata.guess_use import is_date
from core.results.results import PreparedData

MANY_CODES, DATES = "key-with-many-codes", "key-of-dates"
_MANY = 1000
_SAMPLE = 100
"""Codes by which it is told whether they are dates."""


def unwieldy_keys(derived: PreparedData) -> Iterator[Notice]:
    """One for each key variable of a combination, as it is recoded."""
    for name in dict.fromkeys(name for c in derived.recipe.combinations for name in c.variables):
        column = derived.columns[name]
        if _are_dates(column):
            yield Notice.of(
                DATES,
                mark("The key {variable} is a date: nearly everybody is alone with it. Recode it to years, or to age."),
                where=name,
                variable=name,
            )
        elif column.n_valid >= _MANY:
            yield Notice.of(
                MANY_CODES,
                mark("The key {variable} has {codes} codes: nearly everybody is alone with it. Recode it."),
                where=name,
                variable=name,
                codes=column.n_valid,
            )


def _are_dates(column: EncodedColumn) -> bool:
    step = max(column.n_valid // _SAMPLE, 1)
    codes = [column.codes[place] for place in range(0, column.n_valid, step)]
    return column.n_valid > 1 and all(map(is_date, codes))
