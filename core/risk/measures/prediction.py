"""Suppressed values predicted from released ones: by the best variable, the best pair, and all together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ...tables.grouping import group_rows

Ints = NDArray[np.int64]


def predicted(
    original: EncodedColumn,
    released: EncodedColumn,
    others: Sequence[EncodedColumn],
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """How many suppressed values of a variable are guessed from other released variables; empty where none is gone.

    A guess is the value that most records have of those that keep theirs and agree on the others (a blank is a value
    of its own); the most frequent one of all where there is no such record. By all together: naive Bayes, each share
    (records + 1) / (records of the value + number of codes).

    Returns
    -------
    variable, blanks, base: right by the most frequent value; single, pair: right by the best, and which; together
    """
    gone = np.flatnonzero((original.values < original.n_valid) & (released.values >= released.n_valid))
    kept = np.flatnonzero(released.values < released.n_valid)
    if not len(gone) or not len(kept):
        return {}
    truth, values, card = original.values[gone], released.values[kept].astype(np.int64), original.n_valid
    usual = np.bincount(values, minlength=card)
    found: dict[str, Any] = {"variable": original.name, "blanks": len(gone), "base": _hits(truth, usual.argmax())}
    for name, size in (("single", 1), ("pair", 2)):
        best = _best(combinations(others, size), gone, kept, values, truth, usual, progress)
        if best is not None:
            found[name] = {"right": best[0], "by": [column.name for column in best[1]]}
    if len(others) > 1:
        found["together"] = _hits(truth, _bayes(others, gone, kept, values, usual, progress))
    return found


def _hits(truth: NDArray[Any], guess: Any) -> int:
    return int(np.count_nonzero(truth == guess))


def _best(
    sets: Iterator[tuple[EncodedColumn, ...]],
    gone: Ints,
    kept: Ints,
    values: Ints,
    truth: NDArray[Any],
    usual: Ints,
    progress: Progress,
) -> tuple[int, tuple[EncodedColumn, ...]] | None:
    best = None
    for chosen in sets:
        progress.check()
        columns = [np.ascontiguousarray(column.values) for column in chosen]
        groups = group_rows(columns, [column.n_valid for column in chosen], progress)
        guess = np.full(len(groups), usual.argmax())
        pairs, count = np.unique(groups.ids[kept].astype(np.int64) * len(usual) + values, return_counts=True)
        order = np.lexsort((-pairs, count))  # the most frequent comes last, of several the lowest code
        guess[pairs[order] // len(usual)] = pairs[order] % len(usual)
        right = _hits(truth, guess[groups.ids[gone]])
        if best is None or right > best[0]:
            best = right, chosen
    return best


def _bayes(
    others: Sequence[EncodedColumn], gone: Ints, kept: Ints, values: Ints, usual: Ints, progress: Progress
) -> Ints:
    """The likeliest value of each suppressed one."""
    found = np.zeros(len(gone), np.int64)
    logs = []
    for column in others:
        size = column.n_valid + 1
        code = np.minimum(column.values.astype(np.int64), column.n_valid)
        table = np.bincount(values * size + code[kept], minlength=len(usual) * size).reshape(len(usual), size)
        logs.append((np.log((table + 1) / (usual[:, None] + size)), code[gone]))
    with np.errstate(divide="ignore"):
        prior = np.log(usual / usual.sum())
    step = max(1, (1 << 22) // len(usual))
    for start in range(0, len(gone), step):
        progress.check()
        part = slice(start, start + step)
        score = prior[:, None] + sum(log[:, code[part]] for log, code in logs)
        found[part] = score.argmax(axis=0)
    return found
