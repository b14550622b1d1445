"""Matching a file with another one: of which records each could be, where both have a value they must agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.columns import EncodedColumn
from ..linkage.agreement import LinkageKeys, equal_records, masks_lacking

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
    mine, theirs = (LinkageKeys.of(_codes(columns, cards), cards, progress) for columns in (asked, given))
    return matching_keys(mine, theirs, progress)


def matching_keys(mine: LinkageKeys, theirs: LinkageKeys, progress: Progress = SILENT) -> Matches:
    """What each record of the keys `mine` finds among those of `theirs`; see `matches`."""
    fitting, nearest = np.zeros(len(mine.records), np.int64), np.zeros(len(mine.records), np.int64)
    least = np.full(len(mine.records), -1)
    for lacking in sorted(masks_lacking(theirs), key=lambda mask: (mask.bit_count(), mask)):
        there = theirs.those_lacking(lacking)
        for without in masks_lacking(mine):
            progress.check()
            here = mine.those_lacking(without)
            both = [j for j in range(len(mine.cards)) if not (lacking | without) >> j & 1]
            found = equal_records(mine, theirs, here, there, both)
            fitting[here] += found
            first = (found > 0) & (least[here] < 0)
            least[here[first]] = lacking.bit_count()
            nearest[here] += np.where(least[here] == lacking.bit_count(), found, 0)
    return Matches(fitting[mine.of_record], least[mine.of_record], nearest[mine.of_record])


def _codes(columns: Sequence[EncodedColumn], cards: Sequence[int]) -> list[NDArray[np.uint32]]:
    """The codes of records, missing as the number of codes."""
    return [np.minimum(column.values.astype(np.uint32), card) for column, card in zip(columns, cards, strict=True)]
