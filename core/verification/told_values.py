"""How many suppressed values the written file tells, counted by code that shares nothing with the plan.

A suppressed value is told where every other code of its variable would, whatever the record's other blanks held, make
a key that stands in the file complete: records with such a key lose nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.base.progress import SILENT, Progress
from core.verification.recount import Codes

MOST_KEYS = 1 << 26
"""With more possible keys than these nothing is counted: a byte each."""


def told_values(
    original: Sequence[Codes],
    released: Sequence[Codes],
    sizes: Sequence[int],
    shared: Sequence[int] = (),
    progress: Progress = SILENT,
) -> int | None:
    """Values missing in the written file alone that are the only ones possible; None: there are too many keys.

    Parameters
    ----------
    original, released : by variable (n,), the records in the same order; 0 is missing, else one more than the code
    sizes : by variable, one more than the number of codes
    shared : variables that may go because of others: a record that lost no other one may have had a safe key, so that
        every code is possible that the file has
    """
    if math.prod(sizes) > MOST_KEYS:
        return None
    variables = range(len(sizes))
    blank = sum((released[j] == 0).astype(np.int64) << j for j in variables)
    there = [np.bincount(released[j], minlength=sizes[j])[1:] > 0 for j in variables]
    were = [np.bincount(original[j], minlength=sizes[j])[1:] > 0 for j in variables]
    absent = np.ones([size - 1 for size in sizes], np.bool_)
    for j in variables:
        absent &= np.expand_dims(there[j], tuple(other for other in variables if other != j))
    whole = np.flatnonzero(blank == 0)
    absent[tuple(released[j][whole].astype(np.intp) - 1 for j in variables)] = False
    own_loss = sum(((released[j] == 0) & (original[j] > 0)).astype(np.int64) for j in variables if j not in shared)
    told = 0
    for pattern in np.unique(blank).tolist():
        rows = np.flatnonzero(blank == pattern)
        gone = tuple(j for j in variables if pattern >> j & 1)
        for j in gone:
            progress.check()
            asked = rows[original[j][rows] > 0]
            can_be = np.asarray(absent.any(axis=tuple(other for other in gone if other != j), keepdims=True))
            place = [released[i][asked].astype(np.intp) - 1 if i not in gone else np.zeros(len(asked), np.intp)
                     for i in variables]  # fmt: skip
            number = can_be.sum(axis=j, keepdims=True)[tuple(place)]
            number = np.where(own_loss[asked] > 0, number, there[j].sum())
            own = original[j][asked].astype(np.intp) - 1
            place[j] = own
            vanished = int((were[j] & ~there[j]).sum())
            number = number + np.where(there[j][own], (own_loss[asked] > 0) & ~can_be[tuple(place)], vanished)
            told += int((number == 1).sum())
    return told
