"""Recodes of all codes at once: intervals, top and bottom coding, truncation, levels of a codelist."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine
from ..formats.argus.text_files import BLANKS
from .grouping import EMPTY, Assigned, assignment, of_groups, placed, scheme_of
from .recoding import CodeWidth


def equal_width(
    column: EncodedColumn,
    width: float,
    start: float | None = None,
    like: Scheme = EMPTY,
    *,
    last: float | None = None,
    fixed: bool = True,
) -> Scheme:
    """Intervals of `width`, one of which begins at `start` (by default at a multiple of the width).

    All from `last` on are one interval, however wide; a `last` above all codes changes nothing.

    Raises
    ------
    RecipeError
        The codes are not numbers, `width` is not above 0, or no code is below `last`.
    """
    values = _numbers(column)
    if width <= 0:
        raise RecipeError(
            "interval-width", mark("The width of an interval must be above 0."), mark("Give another width.")
        )
    origin = 0.0 if start is None else start
    lowest, highest = min(values, default=origin), max(values, default=origin)
    first = origin + (lowest - origin) // width * width
    if (highest - first) / width > len(values) * 1000 + 1000:
        raise RecipeError(
            "interval-too-narrow",
            mark("Intervals of {width} are too narrow for codes from {lowest} to {highest}."),
            mark("Give a larger width."),
            width=_plain(width),
            lowest=_plain(lowest),
            highest=_plain(highest),
        )
    lows = [first]
    while (low := first + len(lows) * width) <= highest:
        lows.append(low)
    if last is not None and last <= highest:
        if last <= lowest:
            raise _takes_all(column, _plain(last))
        lows = [low for low in lows if low < last] + [last]
    return by_breaks(column, lows[1:], like, fixed=fixed)


def quantiles(column: EncodedColumn, groups: int, like: Scheme = EMPTY) -> Scheme:
    """At most `groups` intervals with nearly equally many records.

    With B records before a code, c of its own and N in all, the code belongs to group floor(groups (B + c/2) / N).

    Raises
    ------
    RecipeError
        `groups` is below 1.
    """
    if groups < 1:
        raise RecipeError("quantile-groups", mark("There must be at least one group."), mark("Give another number."))
    order = _ordered(column)
    counts = column.counts[order].astype(np.float64)
    middle = np.cumsum(counts) - counts / 2
    place = np.minimum(middle * groups // max(counts.sum(), 1.0), groups - 1)
    starts = np.flatnonzero(np.diff(place)) + 1
    parts = [tuple(column.codes[i] for i in part) for part in np.split(order, starts)] if len(order) else []
    return of_groups(column, parts, like)


def by_breaks(column: EncodedColumn, breaks: Sequence[float], like: Scheme = EMPTY, *, fixed: bool = True) -> Scheme:
    """Intervals of which each but the first begins at one of `breaks` (in any order).

    Whole numbers are written as they were given, so that the scheme also fits codes that this file does not have.

    Raises
    ------
    RecipeError
        The codes are not numbers.
    """
    lows = sorted(set(breaks))
    place = np.searchsorted(lows, _numbers(column), side="right")
    codes = column.codes[: column.n_valid]
    groups: dict[int, list[str]] = {}
    for i in np.argsort(place, kind="stable"):
        groups.setdefault(int(place[i]), []).append(codes[i])
    plain = of_groups(column, groups.values(), like)
    return _as_given(column, plain, [lows[i - 1] for i in groups if i > min(groups)], fixed) or plain


def by_codes(column: EncodedColumn, breaks: Collection[str], like: Scheme = EMPTY) -> Scheme:
    """Runs of codes in the order of their fields, of which each but the first begins at one of the codes `breaks`.

    Raises
    ------
    RecipeError
        One of `breaks` is no code of the column.
    """
    codes = column.codes[: column.n_valid]
    unknown = sorted(set(breaks) - set(codes))
    if unknown:
        raise _unknown(column, unknown[0])
    groups: list[list[str]] = []
    for code in codes:
        if not groups or code in breaks:
            groups.append([])
        groups[-1].append(code)
    return of_groups(column, groups, like)


def top_bottom(
    column: EncodedColumn, bottom: str | None, top: str | None, like: Scheme = EMPTY, *, fixed: bool = True
) -> Scheme:
    """One category of all codes up to `bottom`, one of all from `top`; they are called so. The rest stays.

    Numbers are compared as numbers, other codes by their fields.

    Raises
    ------
    RecipeError
        The bounds overlap, one of them makes one category of all codes, or is neither a number among numbers nor
        one of other codes.
    """
    keys, low, high = _comparable(column, bottom, top)
    _check_ends(
        column,
        (bottom, None if low is None else max(keys, default=low) <= low),
        (top, None if high is None else min(keys, default=high) >= high),
    )
    if low is not None and high is not None and low >= high:
        raise RecipeError(
            "top-below-bottom",
            mark("The bottom category up to {bottom} meets the top category from {top}."),
            mark("Leave codes between them."),
            bottom=bottom,
            top=top,
        )
    assigned: dict[str, str] = {}
    for code, key in zip(column.codes, keys, strict=False):
        if bottom is not None and low is not None and key <= low:
            assigned[code] = bottom
        elif top is not None and high is not None and key >= high:
            assigned[code] = top
    lines = [] if bottom is None else [SchemeLine(bottom, (SchemeItem(None, bottom, True),))]
    lines += [] if top is None else [SchemeLine(top, (SchemeItem(top, None, True),))]
    opened = Scheme(tuple(lines), like.missing, like.codelist)
    return _if_same(column, opened, assigned, fixed) or scheme_of(column, assigned, like)


def _comparable(column: EncodedColumn, *bounds: str | None) -> tuple[list[Any], Any, Any]:
    """Keys of the valid codes and of two bounds: numbers where all are, else fields."""
    codes = column.codes[: column.n_valid]
    try:
        values = _numbers(column)
    except RecipeError:
        for bound in bounds:
            if bound is not None and bound not in codes:
                raise _unknown(column, bound) from None
        pad = CodeWidth(column).pad
        low_field, high_field = (None if bound is None else pad(bound, column.width) for bound in bounds)
        return list(column.padded[: column.n_valid]), low_field, high_field
    low, high = (None if bound is None else _as_number(column, bound) for bound in bounds)
    return values, low, high


def _as_number(column: EncodedColumn, bound: str) -> float:
    try:
        value = float(bound)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise _unknown(column, bound)
    return value


def _unknown(column: EncodedColumn, code: str) -> RecipeError:
    return RecipeError(
        "break-unknown",
        mark("{code} is no code of {variable}."),
        mark("Give codes that the file has."),
        code=code,
        variable=column.name,
    )


def _check_ends(column: EncodedColumn, *ends: tuple[str | None, bool | None]) -> None:
    """Refuse an end, a bound and whether it takes all codes, that would leave one category."""
    for bound, takes_all in ends:
        if takes_all and bound is not None:
            raise _takes_all(column, bound)


def _takes_all(column: EncodedColumn, bound: str) -> RecipeError:
    return RecipeError(
        "end-takes-all",
        mark("The category {bound} would take all codes of {variable}."),
        mark("Give a bound that leaves other codes."),
        bound=bound,
        variable=column.name,
    )


def truncation(column: EncodedColumn, digits: int, like: Scheme = EMPTY) -> Scheme:
    """The scheme that does what `core.recoding.truncate` does: the last `digits` characters of each field go."""
    fields = column.padded[: column.n_valid]
    assigned = {c: field[:-digits].strip(BLANKS) for c, field in zip(column.codes, fields, strict=False)}
    return scheme_of(column, assigned, like)


@dataclass(frozen=True)
class Level:
    """A level of a codelist whose codes are hierarchical by prefix: characters kept, and categories it gives."""

    length: int
    categories: int


def prefix_levels(column: EncodedColumn, known: Collection[str] = ()) -> tuple[Level, ...]:
    """Levels up to which codes can be merged, finest first.

    Codes are hierarchical where all are equally long, or where `known` (the codes of the codelist) has all the
    beginnings. Levels that merge nothing are left out. Of lengths that merge alike the shortest is the level whose
    beginnings `known` has, else the shortest of all.
    """
    codes = column.codes[: column.n_valid]
    lengths, named = [len(code) for code in codes], set(known)
    found: dict[int, tuple[bool, int]] = {}
    for length in range(max(lengths, default=0) - 1, 0, -1):
        beginnings = {code[:length] for code in codes}
        is_known = beginnings <= named
        if len(beginnings) == len(codes) or not (is_known or min(lengths) == max(lengths)):
            continue
        # beginnings merge the more the shorter they are: as many of them, the same categories
        if is_known or not found.get(len(beginnings), (False, 0))[0]:
            found[len(beginnings)] = is_known, length
    return tuple(Level(length, categories) for categories, (_, length) in found.items())


def by_prefix(
    column: EncodedColumn,
    length: int,
    scheme: Scheme = EMPTY,
    codes: Collection[str] | None = None,
    *,
    fixed: bool = True,
) -> Scheme:
    """Merge `codes` (all, by default) that begin with the same `length` characters; the beginning is the new code."""
    valid = column.codes[: column.n_valid]
    chosen = valid if codes is None else [code for code in valid if code in set(codes)]
    assigned = {} if codes is None else assignment(column, scheme, fixed=fixed)
    assigned.update({code: code[:length] for code in chosen if len(code) > length})
    return scheme_of(column, assigned, scheme)


def _as_given(column: EncodedColumn, plain: Scheme, lows: Sequence[float], fixed: bool) -> Scheme | None:
    """`plain` with the bounds as they were given, where these are whole numbers and fields compare as numbers do."""
    whole = [int(low) for low in lows if float(low).is_integer() and low > 0]
    if len(whole) != len(lows) or not lows or len(plain.lines) != len(lows) + 1:
        return None
    filled = all(len(code) == column.width for code in column.codes[: column.n_valid])

    def text(number: int) -> str:
        return str(number).zfill(column.width) if filled else str(number)

    bounds: list[str | None] = [None, *(text(low) for low in whole), None]
    lines = [
        replace(line, items=(SchemeItem(bounds[i], None if i == len(whole) else text(whole[i] - 1), True),))
        for i, line in enumerate(plain.lines)
    ]
    return _if_same(column, replace(plain, lines=tuple(lines)), assignment(column, plain, fixed=fixed), fixed)


def _if_same(column: EncodedColumn, scheme: Scheme, assigned: Assigned, fixed: bool) -> Scheme | None:
    """The scheme, if it fits the column and assigns exactly so."""
    try:
        found = placed(scheme)
        return found if assignment(column, found, fixed=fixed) == dict(assigned) else None
    except RecipeError:
        return None


def _numbers(column: EncodedColumn) -> list[float]:
    """The valid codes as numbers."""
    try:
        values = [float(code) for code in column.codes[: column.n_valid]]
    except ValueError:
        values = [float("nan")]
    if not all(np.isfinite(values)):
        raise RecipeError(
            "codes-not-numbers",
            mark("The codes of {variable} are not all numbers."),
            mark("Group them by other means: merge, quantiles, or a level of the codelist."),
            variable=column.name,
        )
    return values


def _ordered(column: EncodedColumn) -> NDArray[np.intp]:
    """Places of the valid codes: by number where all are numbers, else by field."""
    try:
        return np.argsort(_numbers(column), kind="stable")
    except RecipeError:
        return np.arange(column.n_valid)


def _plain(number: float) -> str:
    return f"{number:.12g}"
