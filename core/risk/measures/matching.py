"""Matching a file with another one: of which records each could be, where both have a value they must agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.tables.grouping import group_rows

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Matches:
    """What each record finds in the other file.

    Attributes
    ----------
    fitting : (n,) int64, records there that agree wherever both have a value
    least : (n,) int64, the fewest values that one of these lacks; -1 where none fits
    nearest : (n,) int64, how many of them lack so few
    """

    fitting: Ints
    least: Ints
    nearest: Ints


@dataclass(frozen=True, eq=False)
class Attack:
    """Who is found by somebody who knows every record's keys and takes, of those that fit, one with fewest blanks.

    Attributes
    ----------
    fitting : (n,) int64, released records that fit
    right : (n,) float64, his chance of taking the right one
    alone : (n,) bool, whether one record is left to him
    """

    fitting: Ints
    right: NDArray[np.float64]
    alone: NDArray[np.bool_]

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Whether the one that is left to him is the right one, (n,)."""
        found: NDArray[np.bool_] = self.alone & (self.right > 0)
        return found

    @classmethod
    def of(
        cls, original: Sequence[EncodedColumn], released: Sequence[EncodedColumn], progress: Progress = SILENT
    ) -> Attack:
        """That on a file whose records stand in the same order as the original's."""
        found, blanks = matches(original, released, progress), number_of_blanks(released)
        right = np.where(blanks == found.least, 1.0 / np.maximum(found.nearest, 1), 0.0)
        return cls(found.fitting, right, found.nearest == 1)


def number_of_blanks(columns: Sequence[EncodedColumn]) -> Ints:
    """Values that each record lacks, (n,)."""
    return np.asarray(sum((column.values >= column.n_valid).astype(np.int64) for column in columns))


def matches(asked: Sequence[EncodedColumn], given: Sequence[EncodedColumn], progress: Progress = SILENT) -> Matches:
    """What each record of `asked` finds among those of `given`; the variables are the same, with the same codes.

    A count by patterns of what both lack: on the variables that both have, the records that are equal.
    """
    cards = [column.n_valid for column in asked]
    mine, mine_of = _distinct(asked, progress)
    theirs, theirs_of = _distinct(given, progress)
    records = np.bincount(theirs_of, minlength=len(theirs[0]))
    fitting, nearest = np.zeros(len(mine[0]), np.int64), np.zeros(len(mine[0]), np.int64)
    least = np.full(len(mine[0]), -1)
    own, other = _lacking(mine, cards), _lacking(theirs, cards)
    patterns = sorted(np.unique(other).tolist(), key=lambda mask: (mask.bit_count(), mask))
    for lacking in patterns:
        there = np.flatnonzero(other == lacking)
        for without in np.unique(own).tolist():
            progress.check()
            here = np.flatnonzero(own == without)
            both = [j for j in range(len(cards)) if not (lacking | without) >> j & 1]
            found = _equal([mine[j][here] for j in both], [theirs[j][there] for j in both], [cards[j] for j in both],
                           records[there], len(here))  # fmt: skip
            fitting[here] += found
            first = (found > 0) & (least[here] < 0)
            least[here[first]] = lacking.bit_count()
            nearest[here] += np.where(least[here] == lacking.bit_count(), found, 0)
    return Matches(fitting[mine_of], least[mine_of], nearest[mine_of])


def _distinct(
    columns: Sequence[EncodedColumn], progress: Progress
) -> tuple[list[NDArray[np.uint32]], NDArray[np.uint32]]:
    """The distinct keys, code by code with missing as the number of codes, and which of them each record has."""
    cards = [column.n_valid for column in columns]
    groups = group_rows([np.ascontiguousarray(column.values) for column in columns], cards, progress)
    return [
        np.minimum(column.values[groups.member].astype(np.uint32), card)
        for column, card in zip(columns, cards, strict=True)
    ], groups.ids


def _lacking(codes: Sequence[NDArray[np.uint32]], cards: Sequence[int]) -> Ints:
    """By key the mask of what it lacks."""
    pairs = enumerate(zip(codes, cards, strict=True))
    return np.asarray(sum((code >= card).astype(np.int64) << j for j, (code, card) in pairs))


def _equal(
    mine: Sequence[NDArray[np.uint32]],
    theirs: Sequence[NDArray[np.uint32]],
    cards: Sequence[int],
    records: NDArray[Any],
    asked: int,
) -> Ints:
    """How many `records` have the codes `theirs` that are those of each key in `mine`."""
    if not mine:
        return np.full(asked, int(records.sum()))
    together = [np.concatenate(pair) for pair in zip(mine, theirs, strict=True)]
    groups = group_rows(together, cards)
    count = np.bincount(groups.ids[asked:], records, len(groups)).astype(np.int64)
    return count[groups.ids[:asked]]
