"""k-anonymity by local suppression where a missing value is a value of its own (missing rule ``category``).

Every key of the released file, missing values included, must occur in at least k records. What one record loses
changes the keys of others, so the optimum is a problem of the whole file; this is a heuristic. The sets of variables
to keep are tried from cheap to dear: records that are rare so far and agree on the variables kept are released as one
key where they are k together, where such a key is released already, or, at the price of what others lose, where
records of more frequent keys make up the number.

What it must cost at least: a record with a rare key is released with others of one key, at least k that agree on the
values kept, and each of them loses all else. Let r of them be rare in the file and R the rare records that agree on
these values at all. The others, at least k - R, lose for the sake of the rare ones. Shared among the r <= R rare
records, the group costs each

    own loss + (k - R)+ / R x least loss of such another record.

The least of this over all sets of values kept that k records have, summed over the rare records, is a bound: groups
do not overlap, and nothing is counted twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.base.errors import ProtectionError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.tables.cells import Cells
from core.tables.grouping import group_rows
from core.tables.projections import Cube, Projection

Codes = NDArray[np.uint32]
Rows = NDArray[np.uint32]

MOST_SETS = 1 << 12
"""So many sets of variables to lose are tried, those of few variables first."""


@dataclass(frozen=True)
class KeyVariables:
    """The key variables of one table: bit j of every mask is key j.

    Attributes
    ----------
    names : k names
    cards : numbers of valid codes; a code equal to it means missing
    closures : for each key the mask of the keys that are suppressed with it, itself included
    costs : for each key what it and all that goes with it cost
    fixed : keys that cannot be suppressed
    """

    names: tuple[str, ...]
    cards: tuple[int, ...]
    closures: tuple[int, ...]
    costs: tuple[float, ...]
    fixed: int

    @property
    def every(self) -> int:
        """All keys."""
        return (1 << len(self.names)) - 1

    def without(self, lost: int) -> tuple[float, int]:
        """Price of losing the keys `lost`, and the keys that a record must not have if it loses just these."""
        price, barred = 0.0, 0
        for j in range(len(self.names)):
            if lost >> j & 1:
                price += self.costs[j]
                if self.closures[j] & ~lost or self.fixed >> j & 1:
                    barred |= 1 << j
        return price, barred


def make_k_anonymous(
    codes: Sequence[Codes], keys: KeyVariables, k: int, *, borrow: bool = True, progress: Progress = SILENT
) -> NDArray[np.uint64]:
    """The keys that records lose in addition, so that every key occurs at least k times.

    Parameters
    ----------
    codes : for each key (n,) uint32, at most its card; what is suppressed already counts as missing
    borrow : whether records of frequent keys may lose values for the sake of rare ones; if not, they do so only at
        the end, where nothing else helps

    Returns
    -------
    (n,) uint64, masks

    Raises
    ------
    ProtectionError
        There are fewer than k records, or fewer than k agree on the keys that cannot be suppressed.
    """
    search = _Search(codes, keys, k, progress)
    for kept, fewest in _events(keys, k, borrow):
        if not len(search.rare):
            break
        search.release(kept, fewest)
    search.give_up_the_rest()
    return search.lost


def _events(keys: KeyVariables, k: int, borrow: bool) -> Iterator[tuple[int, int]]:
    """(keys to keep, rare records that must agree on them) by the price of each rare record, ascending."""
    shares = (k, *((-(-3 * k // 4), -(-k // 2), -(-k // 4), 1) if borrow else ()))
    found = []
    for lost in _lost_sets(keys):
        price, _ = keys.without(lost)
        found += [(price * k / fewest, lost.bit_count(), -fewest, lost) for fewest in dict.fromkeys(shares)]
    for _price, _count, fewest, lost in sorted(found):
        yield keys.every & ~lost, -fewest


def _lost_sets(keys: KeyVariables) -> Iterator[int]:
    """Sets of keys to lose: all of up to so many keys as `MOST_SETS` allow, then the cheapest ones and all."""
    n, size, total = len(keys.names), 0, 0
    while size < n and total + math.comb(n, size + 1) <= MOST_SETS:
        size += 1
        total += math.comb(n, size)
        yield from (sum(1 << j for j in chosen) for chosen in combinations(range(n), size))
    cheapest = sorted(range(n), key=lambda j: keys.costs[j])
    yield from (sum(1 << j for j in cheapest[:count]) for count in range(size + 1, n + 1))


class _Search:
    """The file on its way: which records are still rare, and what each one has lost."""

    def __init__(self, codes: Sequence[Codes], keys: KeyVariables, k: int, progress: Progress) -> None:
        self._codes = [code.copy() for code in codes]
        self._keys, self._k, self._progress = keys, k, progress
        n = len(codes[0])
        self.lost = np.zeros(n, np.uint64)
        self._present = np.zeros(n, np.uint64)
        for j, (code, card) in enumerate(zip(codes, keys.cards, strict=True)):
            self._present |= (code < card).astype(np.uint64) << np.uint64(j)
        groups = group_rows(self._codes, keys.cards, progress)
        count = np.bincount(groups.ids, minlength=len(groups))
        self.rare: Rows = np.flatnonzero(count[groups.ids] < k).astype(np.uint32)
        frequent = count >= k
        # One record of each frequent key; those of incomplete ones can be joined.
        self._released = {0: groups.member[:0]}
        of_key = self._present[groups.member]
        for pattern in np.unique(of_key[frequent]).tolist():
            self._released[pattern] = groups.member[frequent & (of_key == pattern)]
        self._lenders = groups.member[frequent & (count > k)]
        self._surplus = count[frequent & (count > k)] - k
        order = np.argsort(groups.ids, kind="stable").astype(np.uint32)
        ends = np.cumsum(count)
        self._records = [order[end - more : end] for end, more in zip(
            ends[frequent & (count > k)].tolist(), self._surplus.tolist(), strict=True)]  # fmt: skip

    def release(self, kept: int, fewest: int) -> None:
        """Release rare records with the keys `kept` where at least `fewest` of them agree, or such a key exists."""
        self._progress.check()
        _, barred = self._keys.without(self._keys.every & ~kept)
        rare = self.rare[self._fitting(self.rare, kept, barred)]
        if not len(rare):
            return
        known = self._released.get(kept, self.rare[:0])
        usable = np.flatnonzero(self._fitting(self._lenders, kept, barred) & (self._surplus > 0))
        lenders = usable if fewest < self._k else usable[:0]
        rows = np.concatenate((rare, known, self._lenders[lenders]))
        groups = self._groups(rows, kept)
        mine, theirs, lent = np.split(groups, [len(rare), len(rare) + len(known)])
        size = int(groups.max()) + 1
        count = np.bincount(mine, minlength=size)
        exists = np.bincount(theirs, minlength=size) > 0
        surplus = np.bincount(lent, self._surplus[lenders], minlength=size)
        short = ~exists & (count >= fewest) & (count < self._k) & (count + surplus >= self._k)
        taken = exists | (count >= self._k) | short
        chosen = np.flatnonzero(taken & (count > 0))
        if not len(chosen):
            return
        for group in chosen[short[chosen]].tolist():
            self._lend(lenders[lent == group], self._k - int(count[group]), kept)
        gone = taken[mine]
        new = chosen[~exists[chosen]]
        self._lose(rare[gone], kept)
        first = np.full(size, -1, np.int64)
        first[mine[::-1]] = rare[::-1]
        self._released[kept] = np.concatenate((known, first[new].astype(np.uint32)))
        self.rare = np.setdiff1d(self.rare, rare[gone], assume_unique=True)

    def _fitting(self, rows: Rows, kept: int, barred: int) -> NDArray[np.bool_]:
        """Which records have all keys kept and none that cannot be lost without another one."""
        present = self._present[rows]
        fits: NDArray[np.bool_] = (present & np.uint64(kept | barred)) == np.uint64(kept)
        return fits

    def _groups(self, rows: Rows, kept: int) -> NDArray[np.uint32]:
        chosen = [j for j in range(len(self._codes)) if kept >> j & 1]
        if not chosen:
            return np.zeros(len(rows), np.uint32)
        cards = [self._keys.cards[j] for j in chosen]
        return group_rows([self._codes[j] for j in chosen], cards, self._progress, rows).ids

    def _lend(self, lenders: NDArray[np.int64], number: int, kept: int) -> None:
        """Take so many records of frequent keys, those first that have least to lose."""
        more = [((int(self._present[self._lenders[i]]) & ~kept).bit_count(), i) for i in lenders.tolist()]
        for _count, i in sorted(more):
            part = min(number, int(self._surplus[i]))
            self._surplus[i] -= part
            self._lose(self._records[i][self._surplus[i] : self._surplus[i] + part], kept)
            number -= part
            if not number:
                return

    def _lose(self, rows: Rows, kept: int) -> None:
        """Let records keep no other keys than `kept`."""
        gone = self._present[rows] & ~np.uint64(kept)
        self.lost[rows] |= gone
        self._present[rows] &= np.uint64(kept)
        for j, (code, card) in enumerate(zip(self._codes, self._keys.cards, strict=True)):
            code[rows[(gone >> np.uint64(j) & np.uint64(1)).astype(np.bool_)]] = card

    def give_up_the_rest(self) -> None:
        """Let records that are rare still lose all they can, with the least frequent keys until they are k."""
        while len(self.rare):
            groups = group_rows(self._codes, self._keys.cards, self._progress)
            count = np.bincount(groups.ids, minlength=len(groups))
            number = self._by_fixed()
            fellows = np.flatnonzero(number == number[self.rare[0]])
            in_rare = np.zeros(len(number), np.bool_)
            in_rare[self.rare] = True
            bare = (self._present[fellows] & ~np.uint64(self._keys.fixed)) == 0
            # Rare ones first, then those that have lost all already, then the keys of fewest records.
            order = fellows[np.lexsort((fellows, groups.ids[fellows], count[groups.ids[fellows]], ~bare,
                                        ~in_rare[fellows]))]  # fmt: skip
            if len(order) < self._k:
                raise self._too_few(len(order))
            rest = int(in_rare[fellows].sum()) + int(bare[~in_rare[fellows]].sum())
            end = max(rest, self._k)
            while end < len(order) and groups.ids[order[end]] == groups.ids[order[end - 1]]:
                end += 1
            moved = order[:end].astype(np.uint32)
            self._lose(moved, int(self._present[self.rare[0]]) & self._keys.fixed)
            self.rare = np.setdiff1d(self.rare, moved, assume_unique=True)

    def _by_fixed(self) -> NDArray[np.uint32]:
        """A number of each record for its values of the keys that cannot be suppressed."""
        return self._groups(np.arange(len(self.lost), dtype=np.uint32), self._keys.fixed)

    def _too_few(self, fellows: int) -> ProtectionError:
        if not self._keys.fixed:
            return ProtectionError(
                "fewer-than-k-records",
                mark("The file has {records} records, so {combination} cannot be made {k}-anonymous."),
                mark("Choose a smaller k."),
                records=fellows,
                combination=" x ".join(self._keys.names),
                k=self._k,
            )
        fixed = [name for j, name in enumerate(self._keys.names) if self._keys.fixed >> j & 1]
        return ProtectionError(
            "records-stay-rare",
            mark(
                "{combination} cannot be made {k}-anonymous: {records} records agree on {variables}, which may not be "
                "suppressed."
            ),
            mark("Allow suppression of {variables}, recode more coarsely, or choose a smaller k."),
            records=fellows,
            combination=" x ".join(self._keys.names),
            k=self._k,
            variables=", ".join(fixed),
        )


WORK = 1 << 26
"""Cells times sets of keys up to which all sets are looked at."""

Floats = NDArray[np.float64]


def least_shares(cells: Cells, k: int, costs: Sequence[float], progress: Progress = SILENT) -> Floats | None:
    """The least that each cell's record can be made to share.

    Parameters
    ----------
    cells : of the table before suppression; any missing rule
    costs : what one missing value of each key costs

    Returns
    -------
    (m,) float64, 0 for frequent keys, inf where no set of values is kept by k records; None where there are too many
    sets of keys
    """
    keys = len(cells.variables)
    if len(cells) << keys > WORK:
        return None
    cube = Cube(cells.codes, cells.cards, cells.missing, cells.count)
    rare = cells.count < k
    shares = np.where(rare, np.inf, 0.0)
    if rare.any():
        for kept in sorted(range(1 << keys), key=lambda mask: (-mask.bit_count(), mask)):
            progress.check()
            np.minimum(shares, _shares(cells, cube.project(kept, progress), rare, k, costs), out=shares)
    return shares


def _shares(cells: Cells, margin: Projection, rare: NDArray[np.bool_], k: int, costs: Sequence[float]) -> Floats:
    """The share of each cell's record where the keys of `margin` are kept; inf where they cannot be."""
    lost = np.zeros(len(cells))
    for j, cost in enumerate(costs):
        if not margin.mask >> j & 1:
            lost += cost * ((cells.missing >> np.uint64(j) & np.uint64(1)) == 0)
    group, size = margin.group_of_cell, len(margin)
    fellows = np.bincount(group, cells.count * rare, size)
    others = np.full(size, np.inf)
    np.minimum.at(others, group[~rare], lost[~rare])
    lacking = np.maximum(k - fellows, 0.0)
    more = np.zeros(size)
    np.divide(lacking * np.where(lacking > 0, others, 0.0), fellows, out=more, where=fellows > 0)
    possible = (margin.count >= k) & (margin.missing == 0)
    return np.where(possible[group] & rare, lost + more[group], np.where(rare, np.inf, 0.0))
