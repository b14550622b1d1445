"""Recodes of dates of birth into what outsiders know: the year, or the age on a day."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from ..base.errors import RecipeError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, scheme_text
from ..recipe.model import Recode
from .grouping import EMPTY, scheme_of

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-./]?(?P<one>\d{2})[-./]?(?P<two>\d{2})(?:[T ][\d:.]+)?")
_YEAR_LAST = re.compile(r"(?P<one>\d{1,2})[-./](?P<two>\d{1,2})[-./](?P<year>\d{4})(?:[T ][\d:.]+)?")
_SAMPLE = 200
"""So many codes tell whether they are dates."""


def are_dates(codes: Iterable[str]) -> bool:
    """Whether more than nine of ten codes (of the first ones) are dates with a year of four digits."""
    first = [code for _, code in zip(range(_SAMPLE), codes, strict=False)]
    return bool(first) and 10 * len(read_dates(first)) > 9 * len(first)


def read_dates(codes: Iterable[str]) -> dict[str, date]:
    """The codes that are dates: 1980-03-15, 19800315, 15.03.1980, and 03/15/1980 where a month of 15 says so."""
    found = [(c, m) for c in codes if (m := _YEAR_FIRST.fullmatch(c) or _YEAR_LAST.fullmatch(c)) is not None]
    last = [m for _, m in found if m.re is _YEAR_LAST]
    month_first = any(int(m["two"]) > 12 for m in last) and not any(int(m["one"]) > 12 for m in last)
    dates = {}
    for code, match in found:
        one, two = int(match["one"]), int(match["two"])
        is_month = month_first or match.re is _YEAR_FIRST
        month, day = (one, two) if is_month else (two, one)
        try:
            dates[code] = date(int(match["year"]), month, day)
        except ValueError:  # no such day
            continue
    return dates


def by_year(column: EncodedColumn, like: Scheme = EMPTY) -> Scheme:
    """Each date becomes its year; codes that are none stay.

    Raises
    ------
    RecipeError
        No code is a date.
    """
    return scheme_of(column, {code: f"{day.year:04}" for code, day in _dates(column).items()}, like)


def to_years(column: EncodedColumn) -> Recode:
    """The recode of `by_year`, as the recipe says it."""
    return Recode(column.name, scheme=scheme_text(by_year(column)))


def by_age(column: EncodedColumn, on: date, like: Scheme = EMPTY) -> Scheme:
    """Each date of birth becomes the age in completed years on the day `on`; codes that are none stay.

    Raises
    ------
    RecipeError
        No code is a date, or one is after that day.
    """
    dates = _dates(column)
    late = next((code for code, day in dates.items() if day > on), None)
    if late is not None:
        raise RecipeError(
            "born-after",
            mark("{code} of {variable} is after {day}."),
            mark("Give a later day."),
            code=late,
            variable=column.name,
            day=on.isoformat(),
        )
    return scheme_of(column, {code: str(_age(day, on)) for code, day in dates.items()}, like)


def _age(born: date, on: date) -> int:
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def _dates(column: EncodedColumn) -> dict[str, date]:
    dates = read_dates(column.codes[: column.n_valid])
    if not dates:
        raise RecipeError(
            "codes-not-dates",
            mark("The codes of {variable} are no dates with a year of four digits."),
            mark("Group them by other means."),
            variable=column.name,
        )
    return dates
