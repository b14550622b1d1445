"""How many suppressed values the written file tells, counted by code that shares nothing with the plan.

A suppressed value is told where every other code of its variable would, whatever the record's other blanks held, make
a key that stands in the file complete: records with such a key lose nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from .recount import Codes

MOST_KEYS = 1 << 26
"""With more possible keys than these nothing is counted: a byte each."""


def told_values(
    original: Sequence[Codes],
    released: Sequence[Codes],
    sizes: Sequence[int],
    shared: Sequence[int] = (),
    same: Sequence[int] = (),
    household: NDArray[np.integer[Any]] | None = None,
    asked: Sequence[int] | None = None,
    progress: Progress = SILENT,
    records: NDArray[np.int64] | None = None,
) -> int | None:
    """Values missing in the written file alone that are the only ones possible; None: there are too many keys.

    Parameters
    ----------
    original, released : by variable (n,), the records in the same order; 0 is missing, else one more than the code
    sizes : by variable, one more than the number of codes
    shared : variables that may go because of others: a record that lost no other one may have had a safe key, so that
        every code is possible that the file has
    same, household : variables that have one value a household, and (n,) who lives together: what they can be in a
        household must suit all who lost values of their own, and where nobody did, be unsafe for somebody
    asked : variables of which the told values are counted; None: all
    records : (n,) how many records each row stands for; None: one each
    """
    if math.prod(sizes) > MOST_KEYS:
        return None
    variables = range(len(sizes))
    blank = sum((released[j] == 0).astype(np.int64) << j for j in variables)
    there = [np.bincount(released[j], minlength=sizes[j])[1:] > 0 for j in variables]
    vanished = [(np.bincount(original[j], minlength=sizes[j])[1:] > 0) & ~there[j] for j in variables]
    absent = np.ones([size - 1 for size in sizes], np.bool_)
    for j in (j for j in variables if there[j].any()):
        absent &= np.expand_dims(there[j], tuple(other for other in variables if other != j))
    whole = np.flatnonzero(blank == 0)
    absent[tuple(released[j][whole].astype(np.intp) - 1 for j in variables)] = False
    own_loss = np.zeros(len(original[0]), np.int64)
    for j in variables:
        own_loss += (released[j] == 0) & (original[j] > 0) & (j not in shared)
    number = [np.zeros(len(original[0]), np.int64) for _ in variables]
    for pattern in np.unique(blank).tolist():
        rows = np.flatnonzero(blank == pattern)
        gone = tuple(j for j in variables if pattern >> j & 1)
        for j in gone:
            progress.check()
            can_be = np.asarray(absent.any(axis=tuple(other for other in gone if other != j), keepdims=True))
            place = [released[i][rows].astype(np.intp) - 1 if i not in gone else np.zeros(len(rows), np.intp)
                     for i in variables]  # fmt: skip
            left = np.where(own_loss[rows] > 0, can_be.sum(axis=j, keepdims=True)[tuple(place)], there[j].sum())
            left *= there[j].any()
            own = np.maximum(original[j][rows].astype(np.intp), 1) - 1
            place[j] = own
            hit = np.where(own_loss[rows] > 0, can_be[tuple(place)], there[j][own])
            number[j][rows] = left + np.where(there[j][own], ~hit, vanished[j].sum())
    if household is not None and same:
        file = _Written(original, released, absent, there, vanished, blank, own_loss > 0)
        _count_in_households(file, same, household, number, progress)
    told = [(released[j] == 0) & (original[j] > 0) & (number[j] == 1) for j in (variables if asked is None else asked)]
    return sum(int(flags.sum() if records is None else records[flags].sum()) for flags in told)


class _Written(NamedTuple):
    """Keys as they are written and as they were, and which complete ones no record has."""

    original: Sequence[Codes]
    released: Sequence[Codes]
    absent: NDArray[np.bool_]
    there: Sequence[NDArray[np.bool_]]
    vanished: Sequence[NDArray[np.bool_]]
    blank: NDArray[np.int64]
    own_loss: NDArray[np.bool_]

    def absent_of(self, row: int) -> NDArray[np.bool_]:
        """By the codes of all variables, 1 where the record shows one: whether such a key stands nowhere complete."""
        place = tuple(
            slice(None) if self.blank[row] >> j & 1 else slice(code - 1, code)
            for j, code in enumerate(int(codes[row]) for codes in self.released)
        )
        found: NDArray[np.bool_] = self.absent[place]
        return found


def _count_in_households(
    file: _Written, same: Sequence[int], household: NDArray[np.integer[Any]], number: Sequence[NDArray[np.int64]],
    progress: Progress,
) -> None:  # fmt: skip
    """Write into `number` what members who lost `same` variables together leave possible."""
    variables = range(len(file.released))
    gone_of_row = sum(((file.released[j] == 0) & (file.original[j] > 0)).astype(np.int64) << j for j in same)
    touched = np.unique(household[gone_of_row > 0])
    rows = np.flatnonzero(np.isin(household, touched))
    rows = rows[np.argsort(household[rows], kind="stable")]
    for members in np.split(rows, np.flatnonzero(np.diff(household[rows])) + 1) if len(rows) else ():
        progress.check()
        gone = int(np.bitwise_or.reduce(gone_of_row[members]))
        others = tuple(j for j in variables if not gone >> j & 1)
        all_lack = bool(np.all(file.blank[members] & gone == gone))
        usable = members[file.blank[members] & gone == gone]
        can_be = {row: file.absent_of(row).any(axis=others, keepdims=True) for row in usable.tolist()}
        hit = [row for row in members.tolist() if file.own_loss[row]]
        whole = np.ones([len(file.there[j]) if gone >> j & 1 else 1 for j in variables], np.bool_)
        for j in variables:
            if gone >> j & 1 and file.there[j].any():
                whole &= np.expand_dims(file.there[j], tuple(other for other in variables if other != j))
        possible = whole
        if hit:
            possible = np.logical_and.reduce([whole, *(can_be[row] for row in hit if row in can_be)])
        elif all_lack:
            possible = np.logical_or.reduce(list(can_be.values()))
        possible = possible if possible.any() else whole
        for row in members.tolist():
            own = file.own_loss[row]
            left = (file.absent_of(row) & possible if row in can_be else file.absent_of(row)) if own else possible
            for j in variables:
                value = int(file.original[j][row])
                if file.released[j][row] or not value or (not own and not gone >> j & 1):
                    continue
                codes = np.asarray(left.any(axis=tuple(other for other in variables if other != j)))
                more = file.vanished[j].sum() if file.vanished[j][value - 1] else not codes[value - 1]
                number[j][row] = int((codes & file.there[j]).sum()) + int(more)
