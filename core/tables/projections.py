"""A table's margins: its cells projected onto subsets of its variables, each from the smallest parent at hand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..kernels import group as kernels
from .grouping import Groups, blocks, group_rows, sum_by_group

Number = TypeVar("Number", bound=np.unsignedinteger)
_CACHE_BYTES = 150_000_000


@dataclass(frozen=True, eq=False)
class Projection:
    """The cells of a table that agree on the variables of `mask`, missing being a value like any other.

    Attributes
    ----------
    mask : bit j set where variable j of the table is kept
    first : (m,) uint32, each cell's group in the margin with one variable less that this one was made from; shared by
        all made from it, and empty where the cube was not asked for groups
    then : (groups of that margin,) uint32, from these groups to those of this margin; None: they are the same
    member : (g,) uint32, one cell of each group
    missing : (g,) uint64, bit j set where kept variable j is missing
    count : (g,) int64, records
    limbs : exact sums of weights, one (g,) int64 array each
    """

    mask: int
    first: NDArray[np.uint32]
    then: NDArray[np.uint32] | None
    member: NDArray[np.uint32]
    missing: NDArray[np.uint64]
    count: NDArray[np.int64]
    limbs: tuple[NDArray[np.int64], ...]

    def __len__(self) -> int:
        return len(self.member)

    @cached_property
    def group_of_cell(self) -> NDArray[np.uint32]:
        """The group of each cell, (m,) uint32; empty where the cube was not asked for groups."""
        return self.first if self.then is None else through(self.first, self.then)

    @property
    def nbytes(self) -> int:
        """Memory held, the groups of all cells included; not `missing` where all margins have the same one."""
        own = self.missing.nbytes if self.missing.base is None else 0
        return self.first.nbytes + len(self) * (12 + 8 * len(self.limbs)) + own


def through(first: NDArray[np.unsignedinteger], then: NDArray[Number], progress: Progress = SILENT) -> NDArray[Number]:
    """``then[first]``, both of uint8, uint16 or uint32."""
    found = np.empty(len(first), then.dtype)
    for part in blocks(len(first), progress):
        kernels.look_up(first[part], then, found[part])
    return found


class Cube:
    """All margins of one table, made when asked for; the most recent stay in memory.

    Parameters
    ----------
    codes : k arrays (m,) as of `core.tables.cells.Cells`; ``codes[j] == cards[j]`` means missing
    cards : k numbers of valid codes
    missing : (m,) uint64
    count : (m,) int64
    limbs : arrays (m,) int64
    groups : whether the margins say to which group each cell belongs, which is most of the work
    """

    def __init__(
        self,
        codes: Sequence[NDArray[np.unsignedinteger]],
        cards: Sequence[int],
        missing: NDArray[np.uint64],
        count: NDArray[np.int64],
        limbs: Sequence[NDArray[np.int64]] = (),
        groups: bool = True,
    ) -> None:
        self.codes = tuple(codes)
        self.cards = tuple(cards)
        m = np.arange(len(count), dtype=np.uint32)
        self.full = (1 << len(self.cards)) - 1
        self._groups = groups
        self._complete = not missing.any()
        self._base = Projection(self.full, m, None, m, missing, count, tuple(limbs))
        self._cache: OrderedDict[int, Projection] = OrderedDict()
        self._bytes = 0

    def project(self, mask: int, progress: Progress = SILENT) -> Projection:
        """The margin of the variables in `mask` (0: everything is one group)."""
        if mask == self.full:
            return self._base
        if mask in self._cache:
            self._cache.move_to_end(mask)
            return self._cache[mask]
        made = self._make(mask, self._smallest_parent(mask), progress)
        self._cache[mask] = made
        self._bytes += made.nbytes
        while self._bytes > _CACHE_BYTES and len(self._cache) > 1:
            self._bytes -= self._cache.popitem(last=False)[1].nbytes
        return made

    def _smallest_parent(self, mask: int) -> Projection:
        # one variable more is as small as parents get; all others are searched only where none of these is known
        larger = (mask | 1 << j for j in range(len(self.cards)) if not mask >> j & 1)
        near = [self._cache[each] for each in larger if each in self._cache]
        parents = near or [p for p in self._cache.values() if p.mask & mask == mask]
        return min(parents, key=len, default=self._base)

    def _make(self, mask: int, parent: Projection, progress: Progress) -> Projection:
        kept = [j for j in range(len(self.cards)) if mask >> j & 1]
        if kept:
            rows = None if parent is self._base else parent.member
            groups = group_rows([self.codes[j] for j in kept], [self.cards[j] for j in kept], progress, rows)
        else:
            one = np.zeros(min(1, len(parent)), np.uint32)
            groups = Groups(np.zeros(len(parent), np.uint32), one)
        whole = self._base.missing[: len(groups)]
        return Projection(
            mask,
            *self._ways(parent, groups, progress),
            groups.member if parent is self._base else through(groups.member, parent.member, progress),
            whole if self._complete else parent.missing[groups.member] & np.uint64(mask),
            sum_by_group(groups, parent.count, progress),
            tuple(sum_by_group(groups, limb, progress) for limb in parent.limbs),
        )

    def _ways(
        self, parent: Projection, groups: Groups, progress: Progress
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32] | None]:
        """`Projection.first` and `Projection.then` of the margin with the given groups of `parent`."""
        if not self._groups:
            return np.zeros(0, np.uint32), None
        if parent is self._base:
            return groups.ids, None
        # Of many cells the groups are looked up when they are asked for: few of the margins are asked for all.
        return parent.first, groups.ids if parent.then is None else through(parent.then, groups.ids, progress)
