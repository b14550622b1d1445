"""Cells whose codes are put together: each table is merged from a finer one, and no record is read again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..recipe.model import Estimator
from ..risk.individual import individual_risk
from ..tables.cells import Cells
from ..tables.grouping import group_rows
from ..tables.regroup import merge_cells

KEPT_BYTES = 768 << 20
"""Memory for tables that others may be merged from, of all combinations together."""
_STEP = 1 << 15
"""Cells from which several keys are recoded one after the other: what is made on the way serves others."""
_DENSE = 8
"""Keys for each cell up to which cells are looked up by their key."""


@dataclass(frozen=True, eq=False)
class Coding:
    """Categories that the valid codes of a variable are put into; the same object is the same coding.

    Attributes
    ----------
    onto : (valid codes,) int64, the category of each; empty where the variable is left out
    codes : number of categories; 0 where the variable is left out
    """

    onto: NDArray[np.int64]
    codes: int

    def to(self, coarse: Coding) -> NDArray[np.int64] | None:
        """The category of `coarse` that each of these is in; None where one is in two. `coarse` leaves nothing out."""
        if not self.codes:
            return None
        found = np.zeros(self.codes, np.int64)
        found[self.onto] = coarse.onto
        return found if (found[self.onto] == coarse.onto).all() else None

    def then(self, onto: NDArray[np.int64]) -> Coding:
        """These categories put together further: (codes,) `onto`."""
        return Coding(onto[self.onto], int(onto.max(initial=-1)) + 1)


LEFT_OUT = Coding(np.zeros(0, np.int64), 0)
"""The variable is not in the table."""
Point = tuple[Coding | None, ...]
"""The coding of each variable; None: as it is."""


@dataclass(frozen=True, eq=False)
class MergedTable:
    """Cells under some codings, and what they are judged by.

    Attributes
    ----------
    point : which variables it has, and how they are coded
    cells : of the variables that it has; without any, one cell of all records
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
        """The cell of each row of `codes` (one array a variable of the table), all of which it has."""
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
    """Tables of some variables under any codings, made when asked for; the most recent stay in memory.

    Parameters
    ----------
    base : cells of the variables as they are
    estimator : of the risk
    ladders : of some variables the codings that will be asked for, from fine to coarse
    kept_bytes : memory for them
    """

    def __init__(
        self,
        base: Cells,
        estimator: Estimator = "exact",
        ladders: Mapping[str, Sequence[Coding]] | None = None,
        progress: Progress = SILENT,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.variables, self._estimator, self._progress = base.variables, estimator, progress
        self._ladders = [(ladders or {}).get(name, ()) for name in base.variables]
        self._between: dict[tuple[Coding, Coding], bool] = {}
        self._onto: dict[tuple[int, Coding | None, Coding], NDArray[np.uint32]] = {}
        self.base = MergedTable((None,) * len(base.variables), base, estimator)
        self._kept: OrderedDict[Point, MergedTable] = OrderedDict()
        self._bytes, self._most_bytes = 0, kept_bytes

    def at(self, point: Point) -> MergedTable:
        """The table under these codings; without a variable that is `LEFT_OUT`."""
        if point == self.base.point:
            return self.base
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

    def of_base(self, table: MergedTable) -> NDArray[np.uint32]:
        """The cell of a table that each cell of the variables as they are is in."""
        base = self.base.cells
        kept = [(j, coding) for j, coding in enumerate(table.point) if coding is not LEFT_OUT]
        codes = [base.codes[j] if new is None else self._map(j, None, new)[base.codes[j]] for j, new in kept]
        return np.broadcast_to(table.find(codes).astype(np.uint32), len(base))

    def _parent(self, point: Point) -> MergedTable:
        """The smallest table at hand that tells all that this one does."""
        best = self.base
        for table in reversed(self._kept.values()):
            if len(table.cells) < len(best.cells) and self.refines(table.point, point):
                best = table
        return best

    def _step(self, parent: MergedTable, point: Point) -> Point | None:
        """Codings on the way from a large table, of which only that of the variable with most codes is the last."""
        if len(parent.cells) <= _STEP:
            return None
        first = parent.point
        if parent is self.base:
            first = tuple(self._finest(j, coding) for j, coding in enumerate(point))
        changed = [j for j, coding in enumerate(point) if first[j] is not coding]
        if len(changed) < 2:
            return None
        most = max(changed, key=lambda j: self._codes(j, first[j]))
        return (*first[:most], point[most], *first[most + 1 :])

    def _finest(self, variable: int, coding: Coding | None) -> Coding | None:
        """The first step of the variable's ladder that tells all that a coding does; where there is none, as it is."""
        return next((each for each in self._ladders[variable] if self._tells(each, coding)), None)

    def _codes(self, variable: int, coding: Coding | None) -> int:
        return self.base.cells.cards[variable] if coding is None else coding.codes

    def refines(self, fine: Point, coarse: Point) -> bool:
        """Whether one point tells all that another one does."""
        return all(self._tells(one, other) for one, other in zip(fine, coarse, strict=True))

    def _tells(self, fine: Coding | None, coarse: Coding | None) -> bool:
        if fine is coarse or fine is None or coarse is LEFT_OUT:
            return True
        if coarse is None:
            return False
        if (fine, coarse) not in self._between:
            self._between[fine, coarse] = fine.to(coarse) is not None
        return self._between[fine, coarse]

    def _made(self, point: Point) -> MergedTable:
        parent = self._parent(point)
        while (step := self._step(parent, point)) is not None:
            parent = self.at(step)
        has = [j for j, coding in enumerate(parent.point) if coding is not LEFT_OUT]
        kept = [(place, j) for place, j in enumerate(has) if point[j] is not LEFT_OUT]
        if not kept:
            return MergedTable(point, _one_cell(parent.cells), self._estimator)
        codes, cards = [], []
        for place, j in kept:
            code, card, new = parent.cells.codes[place], parent.cells.cards[place], point[j]
            if new is not None and new is not parent.point[j]:
                code, card = self._map(j, parent.point[j], new)[code], new.codes
            codes.append(code)
            cards.append(card)
        names = tuple(self.variables[j] for _, j in kept)
        recoded = replace(parent.cells, variables=names, cards=tuple(cards), codes=tuple(codes))
        merged, _ = merge_cells([recoded], recoded.rule, recoded.alpha, self._progress)
        return MergedTable(point, merged, self._estimator)

    def _map(self, variable: int, fine: Coding | None, coarse: Coding) -> NDArray[np.uint32]:
        """Category of each one of a finer coding, of missing too."""
        if (variable, fine, coarse) not in self._onto:
            found = coarse.onto if fine is None else fine.to(coarse)
            assert found is not None
            self._onto[variable, fine, coarse] = np.append(found, coarse.codes).astype(np.uint32)
        return self._onto[variable, fine, coarse]


def _one_cell(cells: Cells) -> Cells:
    """All records, on no variable."""
    count = np.array([cells.records], np.int64)
    limbs = tuple(limb.sum(keepdims=True) for limb in cells.weight_limbs)
    nothing = np.zeros(1, np.uint64)
    none: tuple[()] = ()
    return Cells(none, none, none, nothing, count, limbs, cells.weight_decimals, cells.rule, cells.alpha)
