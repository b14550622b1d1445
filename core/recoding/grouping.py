"""Recodes made by grouping codes: pure functions from a scheme to a scheme.

A *category* is all valid codes that end with the same new code; a code that no line names is a category of its own.
Everything here knows the codes of a column and not its records, so it is quick enough to follow every click.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ..data.columns import EncodedColumn
from ..formats.argus.recode_scheme import Scheme, SchemeItem, SchemeLine, parse_scheme, scheme_text
from ..formats.argus.text_files import BLANKS
from .recoding import CodeWidth, Recoding, longest
from .scheme import apply_scheme

Assigned = Mapping[str, str]
"""Old code -> new code, of the codes that a scheme names."""

EMPTY = Scheme(())


def outline(column: EncodedColumn) -> EncodedColumn:
    """The column without its records: codes and how often they occur. Recoding it takes no time."""
    none = np.zeros(0, column.values.dtype)
    return replace(column, values=none, codes=tuple(column.codes), padded=tuple(column.padded))


def outcome(column: EncodedColumn, scheme: Scheme, *, fixed: bool = True) -> Recoding:
    """What `scheme` makes of the codes of `column`; raises as `apply_scheme` does."""
    return apply_scheme(outline(column), scheme, fixed=fixed)


def assignment(column: EncodedColumn, scheme: Scheme, *, fixed: bool = True) -> dict[str, str]:
    """New code of every code that the scheme names, missing codes included; codes in the column's order."""
    if not scheme.lines:
        return {}
    recoding = outcome(column, scheme, fixed=fixed)
    named = {(item.low or "").strip(BLANKS) for line in scheme.lines for item in line.items if not item.is_range}
    kept = set(recoding.untouched)
    new = recoding.column.codes
    becomes = recoding.lut.tolist()
    valid, missing = column.codes[: column.n_valid], column.codes[column.n_valid :]
    found = {code: new[place] for code, place in zip(valid, becomes, strict=False) if code not in kept}
    for code, place in zip(missing, becomes[column.n_valid :], strict=True):
        if code in named:
            found[code] = new[place]
    return found


def categories(column: EncodedColumn, assigned: Assigned) -> dict[str, tuple[str, ...]]:
    """Valid codes of each category by its new code, in the order of their first codes."""
    found: dict[str, list[str]] = {}
    for code in column.codes[: column.n_valid]:
        found.setdefault(assigned.get(code, code), []).append(code)
    return {new: tuple(codes) for new, codes in found.items()}


# Edits of a scheme ---------------------------------------------------------------------------------------------------


def merge(
    column: EncodedColumn, scheme: Scheme, codes: Collection[str], into: str | None = None, *, fixed: bool = True
) -> Scheme:
    """Make one category of the categories that `codes` (valid codes) belong to.

    Its code is `into`, else that of the first of them that has more than one code, else of the first.
    """
    assigned = assignment(column, scheme, fixed=fixed)
    wanted, valid = set(codes), column.codes[: column.n_valid]
    touched = {assigned.get(code, code) for code in valid if code in wanted}
    if not touched:
        return scheme
    chosen: dict[str, list[str]] = {}
    for code in valid:
        new = assigned.get(code, code)
        if new in touched:
            chosen.setdefault(new, []).append(code)
    name = into or next((new for new, group in chosen.items() if group != [new]), next(iter(chosen)))
    members = [code for group in chosen.values() for code in group]
    return scheme_of(column, {**assigned, **dict.fromkeys(members, name)}, scheme)


def take_apart(column: EncodedColumn, scheme: Scheme, codes: Collection[str], *, fixed: bool = True) -> Scheme:
    """Let `codes` leave their categories: each keeps its own code, or gets a free number where that is in use."""
    assigned = assignment(column, scheme, fixed=fixed)
    wanted = set(codes)
    leaving = [code for code in column.codes[: column.n_valid] if code in wanted and code in assigned]
    for code in leaving:
        del assigned[code]
    in_use = set(assigned.values())
    free = free_codes(column, scheme, in_use)
    for code in leaving:
        if code in in_use:
            assigned[code] = next(free)
    return scheme_of(column, assigned, scheme)


def rename(column: EncodedColumn, scheme: Scheme, old: str, new: str, *, fixed: bool = True) -> Scheme:
    """Give the category `old` the code `new`; if there is such a category, they become one."""
    assigned = assignment(column, scheme, fixed=fixed)
    members = categories(column, assigned).get(old, ())
    return scheme_of(column, {**assigned, **dict.fromkeys(members, new)}, scheme)


def numbered(column: EncodedColumn, scheme: Scheme, *, fixed: bool = True) -> Scheme:
    """Number all categories 1, 2, 3, … in the order of their first codes, missing codes left out."""
    groups = categories(column, assignment(column, scheme, fixed=fixed))
    return of_groups(column, groups.values(), scheme)


def free_codes(column: EncodedColumn, scheme: Scheme, in_use: Collection[str]) -> Iterator[str]:
    """Numbers from the smallest that are neither a code, old or new (`in_use`), nor a missing code."""
    taken = {*column.codes, *scheme.missing, *in_use}
    return (str(number) for number in count(1) if str(number) not in taken)


# From categories to the shortest text --------------------------------------------------------------------------------


def scheme_of(column: EncodedColumn, assigned: Assigned, like: Scheme = EMPTY) -> Scheme:
    """The shortest scheme that assigns so: a line a category, ranges where codes follow each other in the field order.

    Missing codes and codelist are those of `like`; so are bounds of ranges (also open ones) that still hold.
    Positions are those of its own text (`scheme_text`).
    """
    writer = _Writer(column, like)
    groups: dict[str, list[int]] = {}
    for i, code in enumerate(column.codes):
        if code in assigned:
            groups.setdefault(assigned[code], []).append(i)
    lines = tuple(SchemeLine(new, writer.items(places)) for new, places in groups.items())
    made = Scheme(lines, like.missing, like.codelist, like.where)
    return placed(made) if lines else made


def short_texts(column: EncodedColumn, groups: Iterable[Iterable[str]]) -> list[str]:
    """Each group of codes as a scheme would name it, for example ``1-10, 25``."""
    writer, place = _Writer(column, EMPTY), {code: i for i, code in enumerate(column.codes)}
    return [", ".join(item.text for item in writer.items([place[code] for code in group])) for group in groups]


def placed(scheme: Scheme) -> Scheme:
    """The same scheme with the positions of its own text."""
    return parse_scheme(scheme_text(scheme), scheme.where)


class _Writer:
    """Items for sets of codes, runs being those of the order in which ranges compare."""

    def __init__(self, column: EncodedColumn, like: Scheme) -> None:
        self._column = column
        measure = CodeWidth(column)
        self._pad = measure.pad
        items = [item for line in like.lines for item in line.items if item.is_range]
        bounds = [bound for item in items for bound in (item.low, item.high) if bound]
        width = max(column.width, longest(measure, bounds))
        fields = measure.padded(column.padded[: column.n_valid], width)
        self._order = sorted(range(len(fields)), key=fields.__getitem__)
        self._rank = dict(zip(self._order, range(len(fields)), strict=True))
        self._low: dict[int, str | None] = {}
        self._high: dict[int, str | None] = {}
        fields.sort()
        for item in items:
            first = 0 if item.low is None else bisect_left(fields, self._pad(item.low, width))
            end = len(fields) if item.high is None else bisect_right(fields, self._pad(item.high, width))
            if first < end:
                self._low[first], self._high[end - 1] = item.low, item.high

    def items(self, places: Sequence[int]) -> tuple[SchemeItem, ...]:
        """Items for the codes at these places: runs of valid codes, then missing codes one by one."""
        runs: list[list[int]] = []
        for rank in sorted(self._rank[i] for i in places if i in self._rank):
            if runs and rank == runs[-1][-1] + 1:
                runs[-1].append(rank)
            else:
                runs.append([rank])
        missing = (SchemeItem(self._column.codes[i], None, False) for i in places if i not in self._rank)
        return (*(self._item(run[0], run[-1]) for run in runs), *missing)

    def _item(self, first: int, last: int) -> SchemeItem:
        low = self._low[first] if first in self._low else self._bound(first)
        high = self._high[last] if last in self._high else self._bound(last)
        if low is None and high is None:
            low = self._bound(first)
        if low == high:
            return SchemeItem(self._column.codes[self._order[first]], None, False)
        return SchemeItem(low, high, True)

    def _bound(self, rank: int) -> str:
        place = self._order[rank]
        code, field = self._column.codes[place], self._column.padded[place]
        return code if self._pad(code, self._column.width) == field else field


def of_groups(column: EncodedColumn, groups: Iterable[Sequence[str]], like: Scheme = EMPTY) -> Scheme:
    """The scheme that numbers these groups of codes 1, 2, 3, …, leaving out missing codes."""
    missing = {*(like.missing or column.codes[column.n_valid :])}
    free = (str(number) for number in count(1) if str(number) not in missing)
    assigned = {code: name for group, name in zip(groups, free, strict=False) for code in group}
    return scheme_of(column, assigned, like)
