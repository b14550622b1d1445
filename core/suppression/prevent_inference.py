"""Suppression by cells that leaves no gap: no blank of which all values but one are ruled out (option ``close_gaps``).

Somebody who knows the rules tries every *completion* of a released key: a code in place of each of its blanks. One is
ruled out that stands unsuppressed in the safe file, and one from which the rules would have taken other values. Here he
is granted all that the rules look at: which remaining values are safe in the original file. So the rule itself is

    a record loses the first candidate of the global order by which it is safe, and under which those completions of
    its released key that lose nothing earlier in the order differ in each of the blanks.

Whether a completion loses something earlier depends on earlier candidates alone. So one pass over them settles every
key, those that nobody has included; he who knows this rule has nothing to add, which makes it a fixpoint at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from .margin_risks import MarginRisks
from .problem import ProtectedTable, RecordClasses

Flags = NDArray[np.bool_]
Rows = NDArray[np.int64]

MOST_KEYS = 1 << 24
"""So many keys, those that nobody has included, are looked at: a byte each, and some more on the way."""


def fits(table: ProtectedTable) -> bool:
    """Whether so few keys are possible that all can be looked at."""
    return math.prod(table.cells.cards) <= MOST_KEYS


def close_gaps(
    units: RecordClasses,
    unsafe: Rows,
    risks: MarginRisks,
    limit: float,
    newly: NDArray[np.uint64],
    progress: Progress = SILENT,
) -> None:
    """Write into `newly` what each unsafe unit of a single table loses; what it has there stays where all leave gaps.

    Parameters
    ----------
    units, unsafe : the units of one table that `fits`, and which of them are unsafe
    risks, limit : of the table's margins; a unit is safe below the limit
    newly : (u,) masks; a sufficient candidate for each unsafe unit
    """
    cells = units.tables[0].cells
    codes = [code[units.cells[0]] for code in cells.codes]
    known = [np.bincount(code, minlength=card + 1)[:card] > 0 for code, card in zip(codes, cells.cards, strict=True)]
    first = newly.copy()
    while True:
        newly[:] = first
        missing = units.missing[unsafe]
        for pattern in np.unique(missing).tolist():
            _close(units, unsafe[missing == pattern], pattern, known, risks, limit, newly, progress)
        # A code that no record has any more is nothing that could be put in place of a blank.
        left = [known_ & _kept(code, j, units, newly, len(known_)) for j, (code, known_) in
                enumerate(zip(codes, known, strict=True))]  # fmt: skip
        if all(np.array_equal(a, b) for a, b in zip(known, left, strict=True)):
            return
        known = left


def _kept(code: NDArray[np.uint32], j: int, units: RecordClasses, newly: NDArray[np.uint64], card: int) -> Flags:
    stays = (newly >> np.uint64(j) & np.uint64(1)) == 0
    return np.bincount(code[stays], minlength=card + 1)[:card] > 0


def _close(
    units: RecordClasses,
    pending: Rows,
    missing: int,
    known: Sequence[Flags],
    risks: MarginRisks,
    limit: float,
    newly: NDArray[np.uint64],
    progress: Progress,
) -> None:
    """The units `pending`, which have values on the same keys."""
    cells = units.tables[0].cells
    axes = [j for j in range(units.n_keys) if not missing >> j & 1]
    if not axes:
        return
    could_be = [known[j].reshape([-1 if i == axis else 1 for i in range(len(axes))]) for axis, j in enumerate(axes)]

    def safe(lost: int) -> Flags:
        """By key whether the values that stay are safe: as long in the keys that go as 1."""
        keep = units.keep(0, missing, lost)
        found = np.zeros([1 if lost >> j & 1 else len(known[j]) for j in axes], np.bool_)
        there = np.flatnonzero(cells.missing & np.uint64(keep) == 0)
        margin = risks.of(keep) if lost or missing else None
        risk = risks.own()[there] if margin is None else margin.risk[margin.group[there]]
        none = np.zeros(len(there), np.intp)
        found[tuple(none if lost >> j & 1 else cells.codes[j][there] for j in axes)] = risk < limit
        return found

    waiting = ~safe(0)
    own = [cells.codes[j][units.cells[0][pending]] for j in axes]
    for candidate in islice(units.choices.of(missing), 1, None):
        progress.check()
        here = safe(candidate.keys)
        gone = tuple(axis for axis, j in enumerate(axes) if candidate.keys >> j & 1)
        coming = waiting & here
        for axis in gone:
            coming &= could_be[axis]
        for axis in gone:
            others = tuple(other for other in gone if other != axis)
            here &= coming.any(axis=others, keepdims=True).sum(axis=axis, keepdims=True) > 1
        waiting &= ~here
        none = np.zeros(len(pending), np.intp)
        met = here[tuple(none if axis in gone else own[axis] for axis in range(len(axes)))]
        newly[pending[met]] = candidate.newly
        pending, own = pending[~met], [code[~met] for code in own]
        if not len(pending):
            return
