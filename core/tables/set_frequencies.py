"""Sample frequencies where a value may be a set and is matched by a value in it: "born in March or April"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from .cells import Cells
from .grouping import group_rows, sum_by_group

Search = Literal["first", "all"]

_MOST = 10_000_000
"""Rows that cells are taken apart into, at most; a set of s values is s rows, or 2^s - 1 where all are searched for."""


@dataclass(frozen=True, eq=False)
class _Parts:
    """What each code of a variable is taken apart into: code c has ``tokens[starts[c]:starts[c + 1]]``, with signs."""

    starts: NDArray[np.int64]
    tokens: NDArray[np.uint32]
    signs: NDArray[np.float64]
    card: int

    @classmethod
    def of(cls, lists: Iterable[Sequence[tuple[object, float]]], number: dict[object, int]) -> _Parts:
        """From (token, sign) of each code; tokens get the numbers that `number` has, or new ones."""
        starts, tokens, signs = [0], [], []
        for parts in lists:
            for token, sign in parts:
                tokens.append(number.setdefault(token, len(number)))
                signs.append(sign)
            starts.append(len(tokens))
        return cls(np.array(starts), np.array(tokens, np.uint32), np.array(signs), len(number))


def set_frequencies(
    cells: Cells, members: Mapping[str, Sequence[tuple[str, ...]]], search: Search, progress: Progress = SILENT
) -> NDArray[np.float64]:
    """Records that each cell finds, itself included, under the missing rule of the cells [method: survey panels].

    A record with a set has all of its values, so it is found by each of them; it searches by the first, or by all:
    then by a set it finds what has a value in common with it. No two cells are compared: with all values, records with
    a set U of values in common count (-1)^(|U| + 1), which adds up to one for every pair that has any.

    Parameters
    ----------
    cells : `alpha` is not used: under ``wildcard`` a record counts fully
    members : by variable the values that each code stands for, in order; variables without are compared by code

    Returns
    -------
    f, (m,) float64; nan where ``listwise`` leaves a cell out

    Raises
    ------
    DataError
        Sets too large to be taken apart.
    """
    places = range(len(cells.variables))
    searching, found = {}, {}
    for j in places:
        if (sets := members.get(cells.variables[j])) is not None:
            if search == "all" and sum(2.0 ** len(held) for held in sets) > _MOST:
                raise _too_large(cells.variables[j])
            number: dict[object, int] = {}
            # missing is a value of its own where a cell with it is compared at all: under `category`
            alone = [((), 1.0)]
            found[j] = _Parts.of([*(_parts(held, search) for held in sets), alone], number)
            wanted = found[j] if search == "all" else _Parts.of([*([((h[0],), 1.0)] for h in sets), alone], number)
            searching[j] = _Parts(wanted.starts, wanted.tokens, np.ones(len(wanted.tokens)), wanted.card)
    pattern = np.zeros_like(cells.missing) if cells.rule == "category" else cells.missing
    f = np.where(pattern == 0, 0.0, np.nan) if cells.rule == "listwise" else np.zeros(len(cells))
    patterns = np.unique(pattern).tolist()
    for mine in patterns:
        rows = np.flatnonzero(pattern == mine).astype(np.uint32)
        for common, others in _meeting(mine, patterns, cells.rule):
            progress.check()
            shared = [j for j in places if not common >> j & 1]
            theirs = np.flatnonzero(np.isin(pattern, others)).astype(np.uint32)
            f[rows] += _found(cells, shared, rows, theirs, searching, found, progress)
    return f


def _parts(held: tuple[str, ...], search: Search) -> list[tuple[object, float]]:
    sizes = (1,) if search == "first" else range(1, len(held) + 1)
    return [(each, 1.0 if size % 2 else -1.0) for size in sizes for each in combinations(sorted(held), size)]


def _meeting(mine: int, patterns: Sequence[int], rule: str) -> Iterator[tuple[int, list[int]]]:
    """What is missing in one of the two, and the patterns of missing values for which that is so."""
    if rule == "listwise":
        patterns = [] if mine else [0]
    elif rule == "observed":
        patterns = [other for other in patterns if not other & ~mine]
    for common in sorted({mine | other for other in patterns}):
        yield common, [other for other in patterns if mine | other == common]


def _found(
    cells: Cells,
    shared: Sequence[int],
    rows: NDArray[np.uint32],
    theirs: NDArray[np.uint32],
    searching: Mapping[int, _Parts],
    found: Mapping[int, _Parts],
    progress: Progress,
) -> NDArray[np.float64]:
    """Records of the cells `theirs` that each of `rows` finds on the variables `shared`."""
    if not shared:
        return np.full(len(rows), float(cells.count[theirs].sum()))
    # on few variables many cells are alike: they are taken apart once
    codes, cards = [cells.codes[j] for j in shared], [cells.cards[j] for j in shared]
    mine, other = (group_rows(codes, cards, progress, each) for each in (rows, theirs))
    count = sum_by_group(other, cells.count[theirs], progress)
    at_other, sign, other_tokens = _apart(cells, shared, theirs[other.member], found)
    at_mine, _ones, my_tokens = _apart(cells, shared, rows[mine.member], searching)
    sizes = [searching[j].card if j in searching else cells.cards[j] + 1 for j in shared]
    both = [np.concatenate(pair) for pair in zip(other_tokens, my_tokens, strict=True)]
    groups = group_rows(both, sizes, progress)
    total = np.bincount(groups.ids[: len(at_other)], sign * count[at_other], len(groups))
    sums = np.bincount(at_mine, total[groups.ids[len(at_other) :]], len(mine))
    return sums.astype(np.float64)[mine.ids]


def _apart(
    cells: Cells, shared: Sequence[int], rows: NDArray[np.uint32], parts: Mapping[int, _Parts]
) -> tuple[NDArray[np.int64], NDArray[np.float64], list[NDArray[np.uint32]]]:
    """Cells taken apart into tokens: the place in `rows` of each part, its sign, and its token of each variable."""
    at = np.arange(len(rows))
    sign = np.ones(len(rows))
    tokens: dict[int, NDArray[np.uint32]] = {}
    for j in shared:
        if j not in parts:
            continue
        made = parts[j]
        code = cells.codes[j][rows[at]]
        first, size = made.starts[code], made.starts[code + 1] - made.starts[code]
        ends = np.cumsum(size)
        if len(ends) and ends[-1] > _MOST:
            raise _too_large(cells.variables[j])
        part = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - ends + size, size)
        at, sign = np.repeat(at, size), np.repeat(sign, size) * made.signs[part]
        tokens = {known: np.repeat(values, size) for known, values in tokens.items()}
        tokens[j] = made.tokens[part]
    return at, sign, [tokens[j] if j in tokens else cells.codes[j][rows[at]] for j in shared]


def _too_large(variable: str) -> DataError:
    return DataError(
        "sets-too-large",
        mark("The sets of {variable} are too large to be searched for by all their values."),
        mark('Say search = "first", or recode the variable into fewer values.'),
        variable=variable,
    )
