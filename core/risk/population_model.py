"""The people outside the sample by cells: a log-linear model on a forest of key variables, for every key set.

All that is counted is counted from cells, in integers, so that neither the order of records nor threads change it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import DecimalText, mark
from ..data.columns import Weights
from ..kernels import cells as kernels
from ..kernels import group as coding
from ..tables.cell_index import Tabulation
from ..tables.cells import Cells
from ..tables.exact_sums import to_float
from ..tables.grouping import blocks, group_rows, sum_by_group
from ..tables.projections import Cube, Projection, through
from .negative_binomial import (
    calibrated_risk,
    dispersion,
    exceedance,
    most_calibrated_risk,
    scale_of,
    upper_risk,
)

_MARGINS = mark("Fitting the population model of every key set")
_NORMALISED = 0.01
"""Weights whose mean is this near to one are taken for normalised."""
_FEWER = 8
"""So many times fewer combinations than cells have the margins from which several pairs are counted."""
_PRODUCTS = 1 << 20
"""Numbers at a time of a message between dropped key variables."""

Edge = tuple[int, int]
Floats = NDArray[np.float64]
FixedPoint = tuple[NDArray[np.int64], ...]


def weights_above_one(table: Tabulation, weights: Weights | None, progress: Progress = SILENT) -> FixedPoint:
    """Sums of max(w - 1, 0) over the records of each cell, exact, with the decimals of the cells' own weights.

    Parameters
    ----------
    weights : those that the cells were counted with; None: every record weighs 1

    Returns
    -------
    limbs as in `Cells.weight_limbs`, (m,) int64 each; nothing without weights
    """
    if weights is None:
        return ()
    cells, one = table.cells, 10 ** weights.decimals[0]  # the limbs after the first hold what is less than its unit
    if weights.above_one is None and weights.least >= one:
        return (cells.weight_limbs[0] - one * cells.count, *cells.weight_limbs[1:])
    if weights.above_one is not None and table.cell_index.is_identity:
        return weights.above_one
    sums = tuple(np.zeros(len(cells), np.int64) for _ in weights.limbs)
    for part, cell_of_record in table.cell_index.blocks(progress):
        if weights.above_one is not None:
            for total, limb in zip(sums, weights.above_one, strict=True):
                kernels.add_by_id(cell_of_record, limb[part], total)
            continue
        above = above_one([limb[part] for limb in weights.limbs], weights.decimals)
        for total, limb in zip(sums, above, strict=True):
            kernels.add_by_id(cell_of_record, limb, total)
    return sums


def above_one(limbs: Sequence[NDArray[np.int64]], decimals: Sequence[int]) -> FixedPoint:
    """max(w - 1, 0) of each weight, as the weights themselves are given."""
    one = 10 ** decimals[0]  # the limbs after the first hold what is less than its unit
    above = limbs[0] >= one
    return tuple(np.where(above, limb - less, 0) for limb, less in zip(limbs, (one, 0), strict=False))


@dataclass(frozen=True, eq=False)
class KeySet:
    """The model of one set of key variables, and its g groups of records that agree on them.

    Attributes
    ----------
    variables : places of the key variables, ascending
    edges : pairs of them that depend on each other, a forest, by falling score
    groups : the margin; a group with a missing value has nan below
    f : (g,) float64, records complete on the key set with these values
    m : (g,) float64, people expected outside the sample
    mu : (g,) float64, records expected in the sample
    m_independent : (g,) float64, as m where no variable depended on another
    a : shape of the scatter around the model; infinity: none
    """

    variables: tuple[int, ...]
    edges: tuple[Edge, ...]
    groups: Projection
    f: Floats
    m: Floats
    mu: Floats
    m_independent: Floats
    a: float

    @property
    def scale(self) -> Floats:
        """θ of each group, or m where a is infinite."""
        return scale_of(self.m, self.mu, self.a)

    def scale_at(self, groups: NDArray[np.integer]) -> Floats:
        """`scale` of some groups."""
        return scale_of(self.m[groups], self.mu[groups], self.a)

    def risk(self, progress: Progress = SILENT) -> Floats:
        """E(1/F | f) of each group, (g,), before closure."""
        return calibrated_risk(self.f, self.scale, self.a, progress)

    @property
    def most_risk(self) -> Floats:
        """An upper bound of `risk`, as good as that for large groups."""
        return most_calibrated_risk(self.f, self.scale, self.a)

    def exceedance(self, threshold: float, progress: Progress = SILENT) -> Floats:
        """P(F <= 1/r*) of each group, (g,), before closure."""
        return exceedance(self.f, self.scale, self.a, threshold, progress)

    def upper_risk(self, alpha: float, progress: Progress = SILENT) -> Floats:
        """The largest threshold that each group's true 1/F reaches with probability alpha, (g,), before closure."""
        return upper_risk(self.f, self.scale, self.a, alpha, progress)


@dataclass(frozen=True, eq=False)
class _Shares:
    """Counts and sums of max(w-1, 0) over a key set's records, by one variable or by a pair, as floats."""

    records: Floats
    people: Floats


class PopulationModel:
    """Models of a table's key variables and of all their subsets [method: log-linear model].

    Under the missing rule `category` a missing value is a value; otherwise each key set uses the records that are
    complete on it. f is always that of the rule `observed`.

    Parameters
    ----------
    cells : the table
    above_one : exact sums of max(w - 1, 0) by cell, as `weights_above_one` gives them

    Raises
    ------
    DataError
        ``weights-normalised``, ``weights-below-records``: the weights do not add up to a population.
    """

    def __init__(self, cells: Cells, above_one: FixedPoint) -> None:
        is_value = cells.rule == "category"
        self.names = cells.variables
        self.cards = tuple(card + is_value for card in cells.cards)
        self._decimals = cells.weight_decimals
        self.total = _total_weight(cells)
        self.records = cells.records
        missing = np.zeros_like(cells.missing) if is_value else cells.missing
        self.cube = Cube(cells.codes, self.cards, missing, cells.count, above_one)
        self.complete = not missing.any()
        self.census = not any(limb.any() for limb in above_one) and self.total == self.records
        """Every record weighs 1: nobody is outside the sample."""
        if not self.census:
            _refuse_normalised(self.total, self.records)
        self._scores: dict[Edge, float] | None = None
        self._tables: dict[tuple[int, ...], _Shares] = {}
        self._dispersions: dict[int, float] = {}

    @property
    def full(self) -> int:
        """The mask of all key variables."""
        return self.cube.full

    def scores(self, progress: Progress = SILENT) -> dict[Edge, float]:
        """n I(a;b) - (C_a-1)(C_b-1) ln(n)/2 of each pair of variables, over the records complete on both.

        C counts the categories that occur. A pair whose penalty is beyond what any dependence could score may be
        given the most it could.
        """
        if self._scores is None:
            if self.complete:
                self._count_pairs(progress)
            pairs = combinations(range(len(self.cards)), 2)
            self._scores = {pair: self._score(pair, progress) for pair in pairs}
        return self._scores

    def edges(self, variables: Sequence[int], progress: Progress = SILENT) -> tuple[Edge, ...]:
        """The maximum spanning forest over the positive scores; of equal ones the pair that comes first is taken."""
        tree = {j: j for j in variables}

        def root(j: int) -> int:
            while tree[j] != j:
                j = tree[j]
            return j

        scores = self.scores(progress)
        chosen = []
        for score, (a, b) in sorted((-scores[pair], pair) for pair in combinations(sorted(variables), 2)):
            if score < 0.0 and root(a) != root(b):
                tree[root(b)] = root(a)
                chosen.append((a, b))
        return tuple(chosen)

    def key_set(self, mask: int, progress: Progress = SILENT) -> KeySet:
        """The model of the variables of the bitmask (0: everybody is in one group)."""
        variables = tuple(j for j in range(len(self.cards)) if mask >> j & 1)
        groups, rows = self._groups(mask, progress)
        f = (groups.count if len(rows) == len(groups) else groups.count[rows]).astype(np.float64)
        records = float(f.sum())
        outside = 0.0 if self.census else self.total - records
        edges = self.edges(variables, progress)
        m, mu = np.full(len(rows), outside), np.full(len(rows), records)
        m_independent = m.copy()
        above = _above(variables, edges)
        for j in variables:
            alone = self._shares((j,), mask, groups, rows, progress).people
            ids = self._ids((j,), rows, groups, progress)
            self._multiply(m_independent, _given_above(alone, self.cards[j]), ids, progress)
            pair = (*above[j], j)
            ids, shares = self._ids(pair, rows, groups, progress), self._shares(pair, mask, groups, rows, progress)
            self._multiply(m, _given_above(shares.people, self.cards[j]), ids, progress)
            self._multiply(mu, _given_above(shares.records, self.cards[j]), ids, progress)
        a = self._dispersion(mask, f, mu, progress)
        f, m, mu, m_independent = (_spread(values, rows, len(groups)) for values in (f, m, mu, m_independent))
        return KeySet(variables, edges, groups, f, m, mu, m_independent, a)

    def _dispersion(self, mask: int, f: Floats, mu: Floats, progress: Progress) -> float:
        """a of a key set; found once, whoever asks: most of the work of a key set."""
        if mask not in self._dispersions:
            self._dispersions[mask] = math.inf if self.census else dispersion(f, mu, progress)
        return self._dispersions[mask]

    def summed_m(self, mask: int, over: int, progress: Progress = SILENT) -> Floats:
        """m of the key set `over` summed over the variables that are not in `mask`: the margin of `log-linear`.

        Returns
        -------
        (g,) float64 for the groups of the margin `mask`; nan where a value is missing
        """
        base, base_rows = self._groups(over, progress)
        variables = tuple(j for j in range(len(self.cards)) if over >> j & 1)
        above = _above(variables, self.edges(variables, progress))
        factors = {}
        for j in variables:
            people = self._shares((*above[j], j), over, base, base_rows, progress).people
            factors[j] = _given_above(people, self.cards[j]).reshape([self.cards[i] for i in (*above[j], j)])
        groups, rows = self._groups(mask, progress)
        outside = 0.0 if self.census else self.total - float(base.count[base_rows].sum())
        found = np.full(len(rows), outside)
        kept = {j for j in variables if mask >> j & 1}
        for j in variables:
            if not kept.issuperset(above[j]):
                continue  # summed with the one above
            if j in kept:
                ids = self._ids((*above[j], j), rows, groups, progress)
                self._multiply(found, factors[j].ravel(), ids, progress)
            else:
                self._multiply_sum(found, _Dropped(j, above, kept, factors), groups.member[rows], progress)
        return _spread(found, rows, len(groups))

    def by_pattern(self, progress: Progress = SILENT) -> Iterator[tuple[KeySet, NDArray[np.intp]]]:
        """The model of each set of variables that are all that some cells have, and these cells; the full set first."""
        missing = self.cube.project(self.full).missing
        for pattern in np.unique(missing).tolist():
            yield self.key_set(self.full & ~pattern, progress), np.flatnonzero(missing == pattern)

    def of_cells(self, value: Callable[[KeySet], Floats], progress: Progress = SILENT) -> Floats:
        """A value of each cell by the model of the variables on which it is complete, (m,) float64."""
        found = np.empty(len(self.cube.project(self.full)))
        for key_set, cells in self.by_pattern(progress):
            found[cells] = value(key_set)[key_set.groups.group_of_cell[cells]]
        return found

    def _groups(self, mask: int, progress: Progress) -> tuple[Projection, NDArray[np.uint32]]:
        """The margin and its groups without a missing value."""
        groups = self.cube.project(mask, progress)
        if self.complete:
            return groups, np.arange(len(groups), dtype=np.uint32)
        return groups, np.flatnonzero(groups.missing == 0).astype(np.uint32)

    def _score(self, pair: Edge, progress: Progress) -> float:
        mask = sum(1 << j for j in pair)
        single = [self._counts((j,), mask, progress) for j in pair]
        n = single[0].sum()
        occur = [counts[counts > 0] for counts in single]
        if not n:
            return 0.0
        penalty = math.prod(len(counts) - 1 for counts in occur) * math.log(n) / 2
        most = min(_entropy(counts, n) for counts in occur)
        if n * most <= penalty:
            return float(n * most - penalty)
        both = self._counts(pair, mask, progress)
        at = np.flatnonzero(both)
        expected = single[0][at // self.cards[pair[1]]] * single[1][at % self.cards[pair[1]]] / n
        return float(np.sum(both[at] * np.log(both[at] / expected))) - penalty

    def _counts(self, variables: tuple[int, ...], mask: int, progress: Progress) -> Floats:
        if self.complete and variables in self._tables:
            return self._tables[variables].records
        groups, rows = self._groups(self.full if self.complete else mask, progress)
        return self._shares(variables, mask, groups, rows, progress).records

    def _shares(
        self, variables: tuple[int, ...], mask: int, groups: Projection, rows: NDArray[np.uint32], progress: Progress
    ) -> _Shares:
        """Sums by one variable or a pair over the complete groups of a key set; of a complete file always the same."""
        if self.complete and variables in self._tables:
            return self._tables[variables]
        if self.complete and variables[::-1] in self._tables:
            turned = self._tables[variables[::-1]]
            shape = [self.cards[j] for j in variables[::-1]]
            return _Shares(*(each.reshape(shape).T.ravel() for each in (turned.records, turned.people)))
        ids = self._ids(variables, rows, groups, progress)
        size = math.prod(self.cards[j] for j in variables)
        sums = [self._sum(ids, values, rows, size, progress) for values in (groups.count, *groups.limbs)]
        found = self._shares_of(sums)
        if self.complete:
            self._tables[variables] = found
        return found

    def _shares_of(self, sums: Sequence[NDArray[np.int64]]) -> _Shares:
        records, *people = sums
        found = _Shares(
            records.astype(np.float64), to_float(people, self._decimals) if people else np.zeros(len(records))
        )
        if not found.people.any():
            found = _Shares(found.records, found.records)  # nobody says anything of the people outside
        return found

    def _count_pairs(self, progress: Progress) -> None:
        """Count pairs of a complete file that are far fewer than its cells, several of them from one margin."""
        base = self.cube.project(self.full)
        most = len(base) // _FEWER
        left = {(a, b) for a, b in combinations(range(len(self.cards)), 2) if self.cards[a] * self.cards[b] <= most}
        while left:
            chosen = self._together(left, most)
            codes, cards = [self.cube.codes[j] for j in chosen], [self.cards[j] for j in chosen]
            groups = group_rows(codes, cards, progress)
            sums = [sum_by_group(groups, values, progress) for values in (base.count, *base.limbs)]
            some = {j: code[groups.member].astype(np.uint32) for j, code in zip(chosen, codes, strict=True)}
            pairs = left & set(combinations(chosen, 2))
            left -= pairs
            for variables in (*((j,) for j in chosen), *pairs):
                if variables in self._tables:
                    continue
                ids = np.zeros(len(groups), np.uint32)
                for j in variables:
                    ids = ids * np.uint32(self.cards[j]) + some[j]
                tables = [np.zeros(math.prod(self.cards[j] for j in variables), np.int64) for _ in sums]
                for table, values in zip(tables, sums, strict=True):
                    kernels.add_by_id(ids, values, table)
                self._tables[variables] = self._shares_of(tables)

    def _together(self, left: set[Edge], most: int) -> tuple[int, ...]:
        """Variables with a pair in `left` and, up to `most` combinations of codes, those with most pairs beside it."""
        chosen = set(min(left))
        while True:
            room = most // math.prod(self.cards[j] for j in chosen)
            gains = {j: sum((min(i, j), max(i, j)) in left for i in chosen) for j in range(len(self.cards))}
            more = [j for j in gains if j not in chosen and gains[j] and self.cards[j] <= room]
            if not more:
                return tuple(sorted(chosen))
            chosen.add(min(more, key=lambda j: (-gains[j], self.cards[j], j)))

    def _sum(
        self,
        ids: NDArray[np.uint32],
        values: NDArray[np.int64],
        rows: NDArray[np.uint32],
        size: int,
        progress: Progress,
    ) -> NDArray[np.int64]:
        sums = np.zeros(size, np.int64)
        for part in blocks(len(ids), progress):
            kernels.add_by_id(ids[part], values[rows[part]], sums)
        return sums

    def _ids(
        self, variables: tuple[int, ...], rows: NDArray[np.uint32], groups: Projection, progress: Progress
    ) -> NDArray[np.uint32]:
        """The place of each of the groups in the table of one variable or a pair."""
        ids = np.zeros(len(rows), np.uint32)
        for part in blocks(len(rows), progress):
            for j in variables:
                coding.fold_rows(self.cube.codes[j], groups.member[rows[part]], max(self.cards[j], 1) - 1, ids[part])
        return ids

    def _multiply(self, values: Floats, table: Floats, ids: NDArray[np.uint32], progress: Progress) -> None:
        for part in blocks(len(values), progress):
            values[part] *= table[ids[part]]

    def _multiply_sum(self, values: Floats, dropped: _Dropped, member: NDArray[np.uint32], progress: Progress) -> None:
        """Multiply by the sum over some dropped variables that hang together."""
        if not dropped.below:
            return  # shares, given the variable above or not, add up to one
        around = [*dropped.below, *dropped.above]
        of_group = [self.cube.codes[j] for j in around], [self.cards[j] for j in around]
        groups = group_rows(*of_group, progress, member)
        codes = {j: through(through(groups.member, member), self.cube.codes[j]) for j in around}
        sums = np.empty(len(groups))
        for part in blocks(len(sums), progress, max(1, _PRODUCTS // max(self.cards))):
            sums[part] = dropped.sums({j: code[part] for j, code in codes.items()})
        self._multiply(values, sums, groups.ids, progress)


class _Dropped:
    """Dropped variables that hang together in the forest, the topmost first, and the kept ones next to them."""

    def __init__(self, top: int, above: dict[int, tuple[int, ...]], kept: set[int], factors: dict[int, Floats]) -> None:
        self._top, self._kept, self._factors = top, kept, factors
        self._children = {j: [c for c in above if j in above[c]] for j in above}
        self.above = above[top]
        self.below = self._next_kept(top)

    def _next_kept(self, j: int) -> list[int]:
        return [k for c in self._children[j] for k in ([c] if c in self._kept else self._next_kept(c))]

    def sums(self, codes: dict[int, NDArray[np.uint32]]) -> Floats:
        """The sum over all their values, for each row of codes of the variables around them."""
        own = self._factors[self._top]
        for j in self.above:
            own = own[codes[j]]
        total: Floats = (self._message(self._top, codes) * own).sum(axis=1)
        return total

    def _message(self, j: int, codes: dict[int, NDArray[np.uint32]]) -> Floats:
        """What lies below j, summed, for each row and each value of j."""
        product: Floats = np.ones((1, self._factors[j].shape[-1]))
        for child in self._children[j]:
            table = self._factors[child]
            if child in self._kept:
                product = product * table[:, codes[child]].T
            else:
                product = product * (self._message(child, codes) @ table.T)
        return product


def closed_over(
    model: PopulationModel, mask: int, value: Callable[[int], Floats], progress: Progress = SILENT
) -> dict[int, Floats]:
    """A value of every subset of the key variables in `mask`, closed: never less than that of a smaller key set.

    From small sets up, x̄(S) = max(x(S), max over j in S of x̄(S without j)): dropping a variable never raises it.

    Parameters
    ----------
    value : of the groups of the margin of a mask, such as the risks of its key set; of 0 it is that of all people

    Returns
    -------
    mask of the subset -> (g,) float64, by the groups of its margin; nan where a value is missing
    """
    subsets = [part for part in range(mask + 1) if part & mask == part]
    subsets.sort(key=lambda part: (part.bit_count(), part))
    closed = {}
    for done, part in enumerate(reversed(subsets)):  # from large to small: each margin is made from a small one
        progress.report(done, len(subsets), _MARGINS)
        progress.check()
        closed[part] = value(part)
    for part in subsets:
        member = model.cube.project(part, progress).member
        for j in range(part.bit_length()):
            if part >> j & 1:
                smaller = model.cube.project(part & ~(1 << j), progress)
                np.maximum(closed[part], closed[smaller.mask][smaller.group_of_cell[member]], out=closed[part])
    return closed


def _above(variables: Sequence[int], edges: Sequence[Edge]) -> dict[int, tuple[int, ...]]:
    """The variable next to each on the way to the first of its tree; nothing for that one."""
    near: dict[int, list[int]] = {j: [] for j in variables}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    above: dict[int, tuple[int, ...]] = {}
    for first in variables:
        if first in above:
            continue
        above[first] = ()
        todo = deque([first])
        while todo:
            j = todo.popleft()
            for other in near[j]:
                if other not in above:
                    above[other] = (j,)
                    todo.append(other)
    return above


def _given_above(counts: Floats, card: int) -> Floats:
    """Shares of a variable given the one above it, if there is one, as one row; 0 where that value does not occur."""
    table = counts.reshape(-1, max(card, 1))
    total = table.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    return shares.ravel()


def _entropy(counts: Floats, n: float) -> float:
    return float(-np.sum(counts / n * np.log(counts / n)))


def _spread(values: Floats, rows: NDArray[np.uint32], size: int) -> Floats:
    if len(rows) == size:
        return values
    found = np.full(size, np.nan)
    found[rows] = values
    return found


def _total_weight(cells: Cells) -> float:
    if not cells.weight_limbs:
        return float(cells.records)
    return float(to_float([limb.sum(keepdims=True) for limb in cells.weight_limbs], cells.weight_decimals)[0])


def _refuse_normalised(total: float, records: int) -> None:
    """A population cannot be told from weights that were divided by their mean."""
    values = {"total": DecimalText(f"{total:.6g}"), "records": records}
    hint = mark("Use weights that add up to the population, or the individual risk.")
    if abs(total / records - 1.0) < _NORMALISED:
        raise DataError(
            "weights-normalised",
            mark(
                "The weights add up to {total} over {records} records: they look normalised, and do not tell how many "
                "people are outside the sample."
            ),
            hint,
            **values,
        )
    if total < records:
        raise DataError(
            "weights-below-records",
            mark("The weights add up to {total}, less than the {records} records: nobody is left outside the sample."),
            hint,
            **values,
        )
