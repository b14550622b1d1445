"""What a household tells of the values that its members lost together: elimination by whole households.

A household variable has one value a household. So what is impossible for one member who lost values of its own is
impossible for all; and where nobody did, somebody's key must have been unsafe: a value with which the keys of all
members stand intact in the safe file is impossible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from .released_key_file import Flags, ReleasedKeyFile
from .row_numbers import fold

MOST_COMPLETIONS = 1 << 20
"""Of a released key with more completions than these, all are taken as possible."""

Member = tuple[int, bool]
"""Which released key a member has, and whether it lost a value of its own."""
Pattern = tuple[NDArray[np.integer[Any]], NDArray[np.intp], dict[int, int]]
"""Numbers of the intact keys without some variables, sorted; the places of these; the numbers of the released keys."""


def in_households(
    file: ReleasedKeyFile, same: Sequence[int], household_of_record: NDArray[np.uint32], progress: Progress = SILENT
) -> Iterator[tuple[int, int, int]]:
    """How many values are possible for each blank of the households that lost values of household variables.

    Parameters
    ----------
    file : the keys
    same : places of the household variables, which go for all members or for none
    household_of_record : (n,), who lives together

    Yields
    ------
    Variable, record, number of possible values (at least 1: the value itself always counts).
    """
    lost = np.any([file.newly[j] for j in same], axis=0) if same else np.zeros(len(file.unsafe), np.bool_)
    if not lost.any():
        return
    touched = np.zeros(int(household_of_record.max()) + 1, np.bool_)
    touched[household_of_record[lost]] = True
    records = np.flatnonzero(touched[household_of_record])
    records = records[np.argsort(household_of_record[records], kind="stable")]
    pairs = zip(file.blank, file.values, strict=True)
    keys = np.stack([np.where(b[records], -1, v[records].astype(np.int64)) for b, v in pairs], 1)
    distinct, of_record = np.unique(keys, axis=0, return_inverse=True)
    completions = _Completions(file, distinct)
    number, unsafe = of_record.reshape(-1).tolist(), file.unsafe[records].tolist()
    together = np.stack([file.newly[j][records] for j in same], axis=1) @ (1 << np.arange(len(same)))
    starts = np.flatnonzero(np.diff(household_of_record[records], prepend=-1)).tolist()
    known = dict[tuple[tuple[int, ...], tuple[Member, ...]], dict[Member, dict[int, Flags]]]()
    for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
        progress.check()
        gone = int(np.bitwise_or.reduce(together[start:end]))
        common = tuple(j for place, j in enumerate(same) if gone >> place & 1)
        members = [*zip(number[start:end], unsafe[start:end], strict=True)]
        like = common, tuple(sorted(set(members)))
        if like not in known:
            known[like] = completions.of_household(*like)
        for record, member in zip(records[start:end].tolist(), members, strict=True):
            for j, possible in known[like][member].items():
                if not file.newly[j][record]:
                    continue
                own = int(file.values[j][record])
                vanished = own >= file.known[j]
                yield (
                    j,
                    record,
                    int(possible[: file.known[j]].sum()) + (file.gone[j] if vanished else 1 - int(possible[own])),
                )


class _Completions:
    """The completions of released keys that no released record has.

    Parameters
    ----------
    keys : (d, k) codes; -1: blank
    """

    def __init__(self, file: ReleasedKeyFile, keys: NDArray[np.int64]) -> None:
        self._file, self._keys = file, keys
        self._absent = dict[int, Flags | None]()
        self._patterns = dict[tuple[int, ...], Pattern]()
        self._sizes = [max(1, size) for size in file.known]

    def of_household(self, common: tuple[int, ...], members: Sequence[Member]) -> dict[Member, dict[int, Flags]]:
        """By member and blank variable: (codes,) which are possible. Members that are alike count once.

        Parameters
        ----------
        common : household variables that some of them lost
        """
        reach = dict[Member, Flags | None]()
        for member in members:
            absent, blank = self._of_key(member[0]), self._blank(member[0])
            usable = absent is not None and set(common) <= set(blank)
            reach[member] = np.asarray(absent.any(axis=_but(blank, common))) if usable and absent is not None else None
        every = np.ones([self._sizes[j] for j in common], np.bool_)
        known = {member: found for member, found in reach.items() if found is not None}
        possible = every
        if any(own for _, own in members):
            possible = np.logical_and.reduce([every, *(found for (_, own), found in known.items() if own)])
        elif len(known) == len(members):
            possible = np.logical_or.reduce(list(known.values()))
        if not possible.any():  # they differ in what should be the same for all
            possible = every
        return {member: self._of_member(member, common, possible, member in known) for member in members}

    def _of_member(self, member: Member, common: tuple[int, ...], possible: Flags, usable: bool) -> dict[int, Flags]:
        blank, left, axes = self._blank(member[0]), possible, common
        absent = self._of_key(member[0]) if member[1] else None
        if absent is not None:
            left, axes = absent, blank
            if usable:
                left = absent & possible.reshape([self._sizes[j] if j in common else 1 for j in blank])
        return {
            j: np.asarray(left.any(axis=_but(axes, (j,)))) if j in axes else np.ones(self._sizes[j], np.bool_)
            for j in blank
        }

    def _blank(self, key: int) -> tuple[int, ...]:
        return tuple(np.flatnonzero(self._keys[key] < 0).tolist())

    def _of_key(self, key: int) -> Flags | None:
        """By the codes in its blanks, whether no released record has that key complete; None: too many."""
        if key not in self._absent:
            self._absent[key] = self._made(key, self._blank(key))
        return self._absent[key]

    def _made(self, key: int, blank: tuple[int, ...]) -> Flags | None:
        shape = [self._sizes[j] for j in blank]
        if math.prod(shape) > MOST_COMPLETIONS:
            return None
        intact, order, asked = self._of_pattern(blank)
        first, last = np.searchsorted(intact, asked[key], "left"), np.searchsorted(intact, asked[key], "right")
        absent = np.ones(shape, np.bool_)
        absent[tuple(self._file.intact[j][order[first:last]] for j in blank)] = False
        return absent

    def _of_pattern(self, blank: tuple[int, ...]) -> Pattern:
        """What the intact keys and the keys with these blanks have elsewhere, as numbers."""
        if blank not in self._patterns:
            rows = np.flatnonzero(np.all((self._keys < 0) == np.isin(np.arange(len(self._sizes)), blank), axis=1))
            stays = [j for j in range(len(self._sizes)) if j not in blank]
            both = [np.concatenate([self._file.intact[j], self._keys[rows, j]]) for j in stays]
            records = len(self._file.intact[0])
            numbers = fold(both, [self._sizes[j] for j in stays], records + len(rows))[0]
            order = np.argsort(numbers[:records], kind="stable")
            asked = dict(zip(rows.tolist(), numbers[records:].tolist(), strict=True))
            self._patterns[blank] = numbers[:records][order], order, asked
        return self._patterns[blank]


def _but(axes: Sequence[int], some: Sequence[int]) -> tuple[int, ...]:
    """The places in `axes` of those that are not among `some`."""
    return tuple(place for place, j in enumerate(axes) if j not in some)
