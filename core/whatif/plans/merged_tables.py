"""Tables at the points of a lattice of codings, each merged from a finer one: no record is read again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...recipe.model import Estimator
from ...risk.individual import individual_risk
from ...tables.cells import Cells
from ...tables.grouping import group_rows
from ...tables.regroup import merge_cells
from .hierarchies import Hierarchy, through

Point = tuple[int, ...]
"""The level of each key; `OUT` where it is not in the table."""
OUT = -1
KEPT_BYTES = 768 << 20
"""Memory for tables that others may be merged from, of all combinations together."""
_STEP = 1 << 15
"""Cells from which several keys are recoded one after the other: what is made on the way serves others."""
_DENSE = 8
"""Keys for each cell up to which cells are looked up by their key."""


@dataclass(frozen=True, eq=False)
class MergedTable:
    """The cells at one point, and what they are judged by.

    Attributes
    ----------
    point : which keys it has, and how they are coded
    cells : of the keys that it has; without any, one cell of all records
    estimator : of the risk
    """

    point: Point
    cells: Cells
    estimator: Estimator

    @cached_property
    def risk(self) -> NDArray[np.float64]:
        """(m,) individual risk of each cell."""
        return individual_risk(self.cells.f, self.cells.F, self.estimator)

    @cached_property
    def _place_of_key(self) -> NDArray[np.uint32] | None:
        space = _space(self.cells.cards)
        if space > _DENSE * len(self.cells) + 4096:
            return None
        places = np.zeros(space, np.uint32)
        places[self._keys] = np.arange(len(self.cells), dtype=np.uint32)
        return places

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return _folded(self.cells.codes, self.cells.cards, len(self.cells))

    def find(self, codes: Sequence[NDArray[np.uint32]]) -> NDArray[np.intp]:
        """The cell of each row of `codes` (one array a key of the table), all of which it has."""
        cards = self.cells.cards
        if not cards:
            return np.zeros(1, np.intp)
        if _space(cards) >= 1 << 62:
            both = [np.concatenate(each) for each in zip(self.cells.codes, codes, strict=True)]
            return group_rows(both, cards).ids[len(self.cells) :].astype(np.intp)
        keys = _folded(codes, cards, len(codes[0]))
        if self._place_of_key is not None:
            return self._place_of_key[keys].astype(np.intp)
        return np.searchsorted(self._keys, keys)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return len(self.cells) * (4 * len(self.point) + 8 * (8 + len(self.cells.weight_limbs)))


def _space(cards: Sequence[int]) -> int:
    space = 1
    for card in cards:
        space *= card + 1
    return space


def _folded(codes: Sequence[NDArray[np.uint32]], cards: Sequence[int], size: int) -> NDArray[np.int64]:
    keys = np.zeros(size, np.int64)
    for code, card in zip(codes, cards, strict=True):
        keys *= card + 1
        keys += code
    return keys


class MergedTables:
    """Tables of some keys at any of their levels, made when asked for; the most recent stay in memory.

    Parameters
    ----------
    base : cells of the columns of the hierarchies, in their order
    hierarchies : of the k keys
    estimator : of the risk
    kept_bytes : memory for them
    """

    def __init__(
        self,
        base: Cells,
        hierarchies: Sequence[Hierarchy],
        estimator: Estimator,
        progress: Progress = SILENT,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self._hierarchies, self._estimator, self._progress = hierarchies, estimator, progress
        # OUT finds the last row and column: every level refines it, it refines no level
        self._refines = [_with_out(each) for each in hierarchies]
        self._onto: dict[tuple[int, int, int], NDArray[np.uint32]] = {}
        self._base = MergedTable((-2,) * len(hierarchies), base, estimator)
        self._kept: OrderedDict[Point, MergedTable] = OrderedDict()
        self._bytes, self._most_bytes = 0, kept_bytes

    def at(self, point: Point) -> MergedTable:
        """The table at a point; a key that is left out there is `OUT`."""
        if point in self._kept:
            self._kept.move_to_end(point)
            return self._kept[point]
        self._progress.check()
        made = self._made(point)
        self._kept[point] = made
        self._bytes += made.nbytes
        while self._bytes > self._most_bytes and len(self._kept) > 1:
            self._bytes -= self._kept.popitem(last=False)[1].nbytes
        return made

    def of_base(self, point: Point) -> NDArray[np.uint32]:
        """The cell at a point of each cell of the hierarchies' own columns."""
        table, base = self.at(point), self._base.cells
        kept = [j for j, level in enumerate(point) if level != OUT]
        found = table.find([self._map(j, -2, point[j])[base.codes[j]] for j in kept]).astype(np.uint32)
        return np.broadcast_to(found, len(base))

    def _parent(self, point: Point) -> MergedTable:
        """The smallest table at hand that tells all that this one does."""
        best = self._base
        for table in reversed(self._kept.values()):
            if len(table.cells) < len(best.cells) and self.refines(table.point, point):
                best = table
        return best

    def _step(self, parent: MergedTable, point: Point) -> Point | None:
        """A point on the way from a large table, at which only the key with most codes is recoded already."""
        if len(parent.cells) <= _STEP:
            return None
        first = parent.point
        if parent is self._base:
            first = tuple(int(np.argmax(each[:, level])) for each, level in zip(self._refines, point, strict=True))
        changed = [j for j, level in enumerate(point) if first[j] != level]
        if len(changed) < 2:
            return None
        most = max(changed, key=lambda j: self._hierarchies[j].levels[first[j]].codes)
        return (*first[:most], point[most], *first[most + 1 :])

    def refines(self, fine: Point, coarse: Point) -> bool:
        """Whether one point tells all that another one does."""
        return all(each[i, j] for each, i, j in zip(self._refines, fine, coarse, strict=True))

    def _made(self, point: Point) -> MergedTable:
        parent = self._parent(point)
        while (step := self._step(parent, point)) is not None:
            parent = self.at(step)
        has = [j for j, level in enumerate(parent.point) if level != OUT]
        kept = [(place, j) for place, j in enumerate(has) if point[j] != OUT]
        if not kept:
            return MergedTable(point, _one_cell(parent.cells), self._estimator)
        codes, cards = [], []
        for place, j in kept:
            code, card, level = parent.cells.codes[place], parent.cells.cards[place], parent.point[j]
            if level != point[j]:
                onto = self._map(j, level, point[j])
                code, card = onto[code], self._hierarchies[j].levels[point[j]].codes
            codes.append(code)
            cards.append(card)
        names = tuple(self._hierarchies[j].variable for _, j in kept)
        recoded = replace(parent.cells, variables=names, cards=tuple(cards), codes=tuple(codes))
        merged, _ = merge_cells([recoded], recoded.rule, recoded.alpha, self._progress)
        return MergedTable(point, merged, self._estimator)

    def _map(self, key: int, fine: int, coarse: int) -> NDArray[np.uint32]:
        """Category at one level of each at another one, of missing too; -2 is the column itself."""
        if (key, fine, coarse) not in self._onto:
            levels = self._hierarchies[key].levels
            found = levels[coarse].onto if fine == -2 else through(levels[fine], levels[coarse])
            assert found is not None
            self._onto[key, fine, coarse] = np.append(found, levels[coarse].codes).astype(np.uint32)
        return self._onto[key, fine, coarse]


def _with_out(hierarchy: Hierarchy) -> NDArray[np.bool_]:
    size = len(hierarchy.levels)
    found = np.zeros((size + 1, size + 1), np.bool_)
    found[:size, :size] = hierarchy.refines()
    found[:, size] = True
    return found


def _one_cell(cells: Cells) -> Cells:
    """All records, on no variable."""
    count = np.array([cells.records], np.int64)
    limbs = tuple(limb.sum(keepdims=True) for limb in cells.weight_limbs)
    nothing = np.zeros(1, np.uint64)
    none: tuple[()] = ()
    return Cells(none, none, none, nothing, count, limbs, cells.weight_decimals, cells.rule, cells.alpha)
