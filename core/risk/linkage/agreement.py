"""In what the pairs of records of two files agree, counted by cells: no pair is ever looked at by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...tables.grouping import group_rows

Codes = Sequence[NDArray[np.uint32]]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LinkageKeys:
    """The distinct keys of a file on p variables.

    Attributes
    ----------
    codes : p arrays (k,) uint32, the number of codes where missing
    cards : p numbers of codes
    records : (k,) int64, records with each
    of_record : (n,) uint32, which one each record has
    """

    codes: Codes
    cards: Sequence[int]
    records: Ints
    of_record: NDArray[np.uint32]

    @classmethod
    def of(cls, codes: Codes, cards: Sequence[int], progress: Progress = SILENT) -> LinkageKeys:
        """Those of records with these codes, p arrays (n,) uint32."""
        groups = group_rows(codes, cards, progress)
        distinct = [column[groups.member] for column in codes]
        return cls(distinct, cards, np.bincount(groups.ids, minlength=len(groups)), groups.ids)

    @cached_property
    def lacking(self) -> Ints:
        """Of each key the mask of the variables it lacks, (k,)."""
        pairs = enumerate(zip(self.codes, self.cards, strict=True))
        return np.asarray(sum((code >= card).astype(np.int64) << j for j, (code, card) in pairs))

    def those_lacking(self, mask: int) -> Ints:
        """Places of the keys that lack just the variables of `mask`."""
        return np.flatnonzero(self.lacking == mask)


@dataclass(frozen=True, eq=False)
class PairPatterns:
    """Pairs by what they agree in.

    Attributes
    ----------
    agree : (b,) int64, masks of the variables in which the two have the same code
    unknown : (b,) int64, masks of those that one of them lacks
    pairs : (b,) float64, pairs of records, above 0
    """

    agree: Ints
    unknown: Ints
    pairs: NDArray[np.float64]


def masks_lacking(keys: LinkageKeys) -> list[int]:
    """The masks of variables that some key lacks."""
    return [int(mask) for mask in np.unique(keys.lacking)]


def pair_patterns(asked: LinkageKeys, given: LinkageKeys, progress: Progress = SILENT) -> PairPatterns:
    """All pairs of a record of `asked` with one of `given`, by pattern of agreement.

    Of every set of variables the pairs that agree at least in it are a sum of products of counts over common keys;
    those that agree in just that set follow by inclusion and exclusion.
    """
    found: dict[tuple[int, int], int] = {}
    p = len(asked.cards)
    for mine in masks_lacking(asked):
        for theirs in masks_lacking(given):
            here, there = asked.those_lacking(mine), given.those_lacking(theirs)
            known = [j for j in range(p) if not (mine | theirs) >> j & 1]
            exact = dict(_pairs_agreeing(asked, given, here, there, known, progress))
            for j in known:
                for mask in exact:
                    if not mask >> j & 1:
                        exact[mask] -= exact[mask | 1 << j]
            for mask, pairs in exact.items():
                key = mask, mine | theirs
                found[key] = found.get(key, 0) + pairs
    there_are = {key: pairs for key, pairs in found.items() if pairs}
    agree, unknown = (np.array([key[i] for key in there_are], np.int64) for i in (0, 1))
    return PairPatterns(agree, unknown, np.array(list(there_are.values()), np.float64))


def _pairs_agreeing(
    asked: LinkageKeys, given: LinkageKeys, here: Ints, there: Ints, known: Sequence[int], progress: Progress
) -> Iterator[tuple[int, int]]:
    """(mask, pairs that agree at least in it) for every subset of `known`."""
    for subset in range(1 << len(known)):
        progress.check()
        chosen = [j for place, j in enumerate(known) if subset >> place & 1]
        mine = asked.records[here]
        yield sum(1 << j for j in chosen), int(mine @ equal_records(asked, given, here, there, chosen))


def equal_records(asked: LinkageKeys, given: LinkageKeys, here: Ints, there: Ints, chosen: Sequence[int]) -> Ints:
    """How many records of the keys `there` have the same codes of the variables `chosen` as each key in `here`."""
    if not chosen:
        return np.full(len(here), int(given.records[there].sum()))
    together = [np.concatenate([asked.codes[j][here], given.codes[j][there]]) for j in chosen]
    groups = group_rows(together, [asked.cards[j] for j in chosen])
    theirs = groups.ids[len(here) :]
    count = np.bincount(theirs, given.records[there], len(groups)).astype(np.int64)
    return count[groups.ids[: len(here)]]
