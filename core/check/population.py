"""Risks by the population model once more, for the check of a written file: by code of its own.

What the plan used of the model (scores of the pairs, shapes of the scatter) is checked first, then taken; shares,
products, risks and closure are computed anew, the risks by integrating where the plan sums series.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from .recount import Codes, DistinctKeys, Floats, Tally

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_NEAR = 1e-9
"""How far what the plan says of the model may be from what is found here, relatively."""
_LOWEST, _HIGHEST, _STEPS = 1e-3, 1e4, 41
"""Where the likelihood of a is looked at before its summit is searched for."""
_PANELS, _NODES = 40, 20
_AT_ONCE = 1 << 14
_CELLS = 1 << 18
"""Numbers of a table of rows and values that are held at a time."""
_DENSE, _FEW = 8, 4096
"""So many possible keys for each row, and so many more, are counted in a table; of more only those that occur."""


@dataclass(frozen=True)
class ClaimedModel:
    """What the plan says of a table's population model.

    Attributes
    ----------
    scores : by pair of variables, penalised mutual information
    shapes : by set of variables (a bitmask), the a of the scatter; infinity: none
    summed : whether m of the whole table is summed over the variables left out (``log-linear``)
    """

    scores: Mapping[tuple[int, int], float]
    shapes: Mapping[int, float]
    summed: bool = False


class ModelDiffers(Exception):
    """The plan's model is not what its data give; `notice` says in what."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.text)
        self.notice = notice


class PopulationJudge:
    """Closed risks of the rows of a table, by the values that each has.

    Parameters
    ----------
    rows : distinct keys of the original and the written file
    file : the original's records by row
    above : (R,) sums of max(w - 1, 0) of the original's records
    total : of the original's weights
    claimed : taken where it agrees with the data

    Raises
    ------
    ModelDiffers
    """

    def __init__(
        self,
        rows: DistinctKeys,
        file: Tally,
        above: Floats,
        claimed: ClaimedModel,
        progress: Progress = SILENT,
    ) -> None:
        self._rows, self._progress, self._claimed = rows, progress, claimed
        self._count, self._above, self._total = file.count, above, float(file.weight.sum())
        self._k = len(rows.sizes)
        self._census = not above.any() and abs(self._total - file.count.sum()) <= _NEAR * self._total
        self._risks: dict[int, Floats] = {}
        self._numbers: dict[int, tuple[Codes, int]] = {}
        for pair in combinations(range(self._k), 2):
            self._check_score(pair)

    def risks(self, asking: Codes) -> Floats:
        """The closed risk of the rows `asking`, (len(asking),), each by the variables on which it has a value."""
        return self._by_pattern(asking, self._risks, self._risk)

    def exceeding(self, asking: Codes, threshold: float) -> Floats:
        """How likely the true 1/F of the rows `asking` is at least `threshold`, closed, (len(asking),)."""
        return self._by_pattern(asking, {}, lambda part: self._chance(part, threshold))

    def _by_pattern(self, asking: Codes, known: dict[int, Floats], value: Callable[[int], Floats]) -> Floats:
        patterns = self._rows.patterns[asking]
        found = np.empty(len(asking))
        for mask in np.unique(patterns).tolist():
            here = patterns == mask
            found[here] = self._closed(mask, known, value)[asking[here]]
        return found

    def _closed(self, mask: int, known: dict[int, Floats], value: Callable[[int], Floats]) -> Floats:
        """The largest `value` of a set of variables and of its subsets, (R,); `known`: what was found before."""
        if mask not in known:
            self._progress.check()
            found = value(mask)
            for j in range(self._k):
                if mask >> j & 1:
                    found = np.maximum(found, self._closed(mask & ~(1 << j), known, value))
            known[mask] = found
        return known[mask]

    def _complete(self, mask: int) -> NDArray[np.bool_]:
        has_all: NDArray[np.bool_] = (self._rows.patterns & mask) == mask
        return has_all

    def sizes_without_few(self, asking: Codes, records: Floats, threshold: float, chance: float) -> Floats:
        """How many records of a released key are enough for the rows `asking`, of so many `records`, (len(asking),).

        The least number s, no less than the row's own, for which P(F <= records / (threshold s)) is below `chance` by
        the row's values and by fewer of them.
        """
        patterns = self._rows.patterns[asking]
        found = np.asarray(records, np.float64).copy()
        for mask in range(self._rows.all + 1):
            here = np.flatnonzero((patterns & mask) == mask)
            if not len(here):
                continue
            self._progress.check()
            f, m, mu, shape = self._outside(mask)
            rows, scale = asking[here], m if math.isinf(shape) else m / (shape + mu)
            found[here] = _sizes_without_few(
                f[rows], scale[rows], shape, threshold / records[here], chance, found[here]
            )
        return found

    def _risk(self, mask: int) -> Floats:
        """Before closure, (R,): nan where a row lacks one of the variables."""
        return self._of_cells(mask, expected_inverse)

    def _chance(self, mask: int, threshold: float) -> Floats:
        """How likely 1/F is at least `threshold` before closure, (R,): nan where a row lacks one of the variables."""
        return self._of_cells(mask, lambda f, scale, shape: chance_of_few(f, scale, shape, threshold))

    def _of_cells(self, mask: int, value: Callable[[Floats, Floats, float], Floats]) -> Floats:
        f, m, mu, shape = self._outside(mask)
        known = self._complete(mask) & (f > 0)
        scale = m if math.isinf(shape) else m / (shape + mu)
        found = np.full(len(f), np.nan)
        found[known] = value(f[known], scale[known], shape)
        return found

    def _outside(self, mask: int) -> tuple[Floats, Floats, Floats, float]:
        """Records, people outside the sample, records expected, (R,) each; and the shape of the scatter."""
        complete = self._complete(mask)
        number, _bound = self._numbered(mask)
        f = self._sums(mask, complete, self._count)
        records = float(self._count[complete].sum())
        outside = 0.0 if self._census else self._total - records
        if self._claimed.summed:
            m = self._summed(mask, outside)
            return f, m, np.zeros(len(f)), math.inf
        variables = [j for j in range(self._k) if mask >> j & 1]
        edges = self._forest(variables)
        m = outside * self._product(variables, edges, complete, self._people(complete))
        mu = records * self._product(variables, edges, complete, self._count)
        return f, m, mu, self._checked_shape(mask, f, mu, complete, number)

    def _people(self, complete: NDArray[np.bool_]) -> Floats:
        """What shares are taken from: people outside, or records where the weights say nothing of these."""
        return self._above if self._above[complete].any() else self._count

    def _product(
        self, variables: list[int], edges: list[tuple[int, int]], complete: NDArray[np.bool_], of: Floats
    ) -> Floats:
        """The share of each row's values under the forest: pairs over what each variable has of them too often."""
        whole = float(of[complete].sum())
        if not whole:
            return np.zeros(len(of))
        product = np.ones(len(of))
        degree = dict.fromkeys(variables, 0)
        for pair in edges:
            product *= self._share(pair, complete, of) / whole
            for j in pair:
                degree[j] += 1
        for j in variables:
            with np.errstate(divide="ignore", invalid="ignore"):
                product *= (self._share((j,), complete, of) / whole) ** (1 - degree[j])
        return np.nan_to_num(product, nan=0.0, posinf=0.0)

    def _share(self, variables: tuple[int, ...], complete: NDArray[np.bool_], of: Floats) -> Floats:
        return self._sums(sum(1 << j for j in variables), complete, of)

    def _sums(self, mask: int, complete: NDArray[np.bool_], of: Floats) -> Floats:
        """Sums of `of` over the `complete` rows with the values that each row has on the variables of a mask, (R,)."""
        number, bound = self._numbered(mask)
        sums: Floats = np.bincount(number[complete], of[complete], bound).astype(np.float64)[number]
        return sums

    def _numbered(self, mask: int) -> tuple[Codes, int]:
        """A number for each row that says its values on the variables of a mask, and the bound of these numbers.

        There are not many more numbers than rows: keys that could be, but do not occur, take no memory.
        """
        if mask not in self._numbers:
            number, bound = self._rows.numbered(mask)
            if bound > _DENSE * len(number) + _FEW:
                found, number = np.unique(number, return_inverse=True)
                bound = len(found)
            self._numbers[mask] = number, bound
        return self._numbers[mask]

    def _summed(self, mask: int, outside: float) -> Floats:
        """m of the whole table added up over all values of the variables left out, one variable at a time.

        Of variables without any value it knows nothing; of records of which none has all the others neither.
        """
        there = self._count > 0
        variables = [j for j in range(self._k) if (self._rows.patterns[there] >> j & 1).any()]
        complete = self._complete(sum(1 << j for j in variables)) & there
        if not complete.any():
            variables = [j for j in range(self._k) if mask >> j & 1]
            complete = self._complete(mask) & there
        of = self._people(complete)
        whole = float(of[complete].sum())
        if not whole:  # nobody says how values are shared, and of no variable there is nothing to share
            return np.full(len(self._rows.patterns), 0.0 if mask else outside)
        edges = self._forest(variables)
        singles = {j: self._table(j, complete, of) / whole for j in variables}
        given = self._given(edges, singles, complete, of, whole)
        near = {j: [other for pair in edges if j in pair for other in pair if other != j] for j in variables}
        found = np.full(len(self._rows.patterns), outside)
        size = max(1, _CELLS // max(map(len, singles.values()), default=1))
        for begin in range(0, len(found), size):
            self._progress.check()
            part = slice(begin, begin + size)
            own = {j: self._rows.codes[j][part].astype(np.int64) - 1 for j in variables if mask >> j & 1}
            found[part] *= _summed_over(near, singles, given, own)
        return found

    def _given(
        self, edges: list[tuple[int, int]], singles: Mapping[int, Floats], complete: NDArray[np.bool_], of: Floats,
        whole: float,
    ) -> dict[tuple[int, int], csr_array]:  # fmt: skip
        """By pair of neighbours, both ways, how likely each value of the first is, given one of the second."""
        from scipy.sparse import csr_array

        found = {}
        for pair in edges:
            one, other, sums = self._pairs(pair, complete, of)
            for (a, at_a), (b, at_b) in (((pair[0], one), (pair[1], other)), ((pair[1], other), (pair[0], one))):
                with np.errstate(divide="ignore", invalid="ignore"):
                    share = np.nan_to_num(sums / whole / singles[b][at_b])
                found[a, b] = csr_array((share, (at_a, at_b)), (len(singles[a]), len(singles[b])))
        return found

    def _table(self, j: int, complete: NDArray[np.bool_], of: Floats) -> Floats:
        """Sums by the values of one variable, missing values left out."""
        codes = self._rows.codes[j][complete]
        return np.bincount(codes, of[complete], self._rows.sizes[j]).astype(np.float64)[1:]

    def _pairs(
        self, pair: tuple[int, int], complete: NDArray[np.bool_], of: Floats
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Of the pairs of values of two variables that occur both values, and sums by them; missing values left out."""
        one, other = (self._rows.codes[j][complete].astype(np.int64) - 1 for j in pair)
        size = self._rows.sizes[pair[1]]
        found, place = np.unique(one * size + other, return_inverse=True)
        sums = np.bincount(place, of[complete], len(found)).astype(np.float64)
        return found // size, found % size, sums

    def _forest(self, variables: list[int]) -> list[tuple[int, int]]:
        """Prim's way to the largest forest over positive scores; of equal scores the first pair."""
        scores = self._claimed.scores
        group = {j: j for j in variables}
        edges = []
        for pair in sorted(combinations(variables, 2), key=lambda pair: (-scores[pair], pair)):
            one, other = (group[j] for j in pair)
            if scores[pair] > 0.0 and one != other:
                edges.append(pair)
                for j in variables:
                    if group[j] == other:
                        group[j] = one
        return edges

    def _check_score(self, pair: tuple[int, int]) -> None:
        complete = self._complete(sum(1 << j for j in pair))
        rows, columns = (self._table(j, complete, self._count) for j in pair)
        n = float(rows.sum())
        if not n:
            return
        one, other, table = self._pairs(pair, complete, self._count)
        there = table > 0
        expected = rows[one] * columns[other] / n
        information = float((table[there] * np.log(table[there] / expected[there])).sum())
        penalty = float((rows > 0).sum() - 1) * float((columns > 0).sum() - 1) * math.log(n) / 2
        score, claimed = information - penalty, self._claimed.scores[pair]
        near = _NEAR * max(1.0, abs(information), penalty)
        # Of a pair that cannot be dependent the plan may say less than nothing where it is even less.
        if abs(score - claimed) > near and not (claimed <= 0.0 and score <= near):
            raise _differs(mark("the dependence of variables {number}"), f"{pair[0] + 1}, {pair[1] + 1}")

    def _checked_shape(
        self, mask: int, f: Floats, mu: Floats, complete: NDArray[np.bool_], number: NDArray[np.integer]
    ) -> float:
        """The plan's a of a set of variables, if the data's uniques and pairs ask for it."""
        a = self._claimed.shapes.get(mask)
        if a is None:
            raise _differs(mark("the scatter of variables {number}"), str(mask))
        if self._census:
            return math.inf
        _found, first = np.unique(np.where(complete & (self._count > 0), number, -1), return_index=True)
        first = first[complete[first] & (self._count[first] > 0)]
        few = first[f[first] <= 2]
        pairs, means = f[few] == 2, mu[few]
        grid = np.geomspace(_LOWEST, _HIGHEST, _STEPS).tolist()
        heights = [_height(x, pairs, means) for x in grid]
        near = _NEAR * max(1.0, abs(max(heights)))
        if not len(few):
            right = math.isinf(a)
        elif math.isinf(a):
            right = heights[-1] >= max(heights) - near
        elif a <= _LOWEST * (1 + _NEAR):
            right = heights[0] >= max(heights) - near
        else:
            around = _slope(a * (1 - 1e-7), pairs, means), _slope(a * (1 + 1e-7), pairs, means)
            summit = around[0] >= -_NEAR * len(few) and around[1] <= _NEAR * len(few)
            right = summit and _height(a, pairs, means) >= max(heights) - near
        if not right:
            raise _differs(mark("the scatter of variables {number}"), str(mask))
        return a


def _summed_over(
    near: Mapping[int, list[int]], singles: Mapping[int, Floats], given: Mapping[tuple[int, int], csr_array],
    own: Mapping[int, NDArray[np.int64]],
) -> Floats:  # fmt: skip
    """Of some rows (r,) the share of their values `own` under the forest, the other variables summed out.

    Parameters
    ----------
    near : by variable its neighbours in the forest
    singles : by variable the shares of its values
    given : as of `PopulationJudge._given`
    """
    done: set[int] = set()

    def message(j: int, away: int | None) -> Floats:
        """For each row (or one for all) and value of j: the sum over all below it, given the value of j."""
        done.add(j)
        product = np.ones((1, len(singles[j])))
        for other in near[j]:
            if other == away:
                continue
            below = message(other, j)
            if other in own:
                rows = np.arange(len(own[other])) if len(below) > 1 else np.zeros(len(own[other]), int)
                product = product * (given[other, j][own[other]].toarray() * below[rows, own[other]][:, None])
            else:
                product = product * (below @ given[other, j])
        return product

    found: Floats = np.ones(1)
    for j in near:
        if j not in done:
            top = message(j, None) * singles[j]
            if j in own:
                rows = np.arange(len(own[j])) if len(top) > 1 else np.zeros(len(own[j]), int)
                found = found * top[rows, own[j]]
            else:
                found = found * top.sum(axis=1)
    return found


def _height(a: float, pairs: NDArray[np.bool_], mu: Floats) -> float:
    rho = mu * (a + 1) / (2 * (a + mu))
    return float(np.log(rho[pairs]).sum() - np.log1p(rho).sum())


def _slope(a: float, pairs: NDArray[np.bool_], mu: Floats) -> float:
    rho = mu * (a + 1) / (2 * (a + mu))
    return float(((pairs - rho / (1 + rho)) * (mu - 1) / (a + mu)).sum())


def expected_inverse(f: Floats, scale: Floats, shape: float) -> Floats:
    """E 1/(f + X): the integral of exp(-f s) (1 + θ (1 - exp(-s)))^-(a+f) over s > 0, by Gauss-Legendre in log s.

    Parameters
    ----------
    f, scale : (m,) f >= 1 and θ >= 0; with an infinite `shape` the Poisson mean
    """
    pairs, where = np.unique(np.stack([f, scale]), axis=1, return_inverse=True)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    result = np.empty(pairs.shape[1])
    for start in range(0, len(result), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        size, theta = pairs[0, part], pairs[1, part]
        poisson = math.isinf(shape)
        rate = size + (theta if poisson else (shape + size) * theta)
        low, high = -np.log(rate) - 37.0, np.log(60.0 / size)
        half = (high - low) / (2 * _PANELS)
        total = np.zeros(len(size))
        for panel in range(_PANELS):
            middle = low + (2 * panel + 1) * half
            for node, weight in zip(nodes, weights, strict=True):
                s = np.exp(middle + half * node)
                gone = -np.expm1(-s)
                power = theta * gone if poisson else (shape + size) * np.log1p(theta * gone)
                total += weight * half * s * np.exp(-size * s - power)
        result[part] = total + np.exp(low)  # below the lowest s the integrand is 1
    found: Floats = np.minimum(result, 1.0 / pairs[0])[where.reshape(-1)]  # rounding: a risk above 1 has no logarithm
    return found


def chance_of_few(f: Floats, scale: Floats, shape: float, threshold: float | Floats) -> Floats:
    """P(f + X <= 1/threshold): the probabilities of X added up, from the largest X allowed downwards.

    Parameters
    ----------
    f, scale : (m,) whole f >= 1 and θ >= 0; with an infinite `shape` the Poisson mean
    threshold : above 0, one for all or (m,); 1/threshold is taken for the whole number that it is within 1e-9 of
    """
    from scipy.special import gammaln

    people = np.broadcast_to(np.floor(1 / np.asarray(threshold, np.float64) + 1e-9), np.shape(f))
    triples, where = np.unique(np.stack([f, scale, people]), axis=1, return_inverse=True)
    size, theta, most = triples
    most = most - size
    chance = np.where((theta == 0) & (most >= 0), 1.0, 0.0)
    rows = np.flatnonzero((theta > 0) & (most >= 0))
    size, theta, x = size[rows], theta[rows], most[rows]
    if math.isinf(shape):
        log = x * np.log(theta) - theta - gammaln(x + 1)
    else:
        power = shape + size
        log = gammaln(power + x) - gammaln(power) - gammaln(x + 1) - x * np.log1p(1 / theta) - power * np.log1p(theta)
    # In units of the first probability; where that is too small for a number, what is larger below it is not.
    total, term, unit = np.ones(len(rows)), np.ones(len(rows)), np.zeros(len(rows))
    left = np.flatnonzero(x > 0)
    while len(left):
        ratio = x[left] / theta[left]
        if not math.isinf(shape):
            ratio = ratio * (1 + theta[left]) / (power[left] + x[left] - 1)
        x[left] -= 1
        term[left] *= ratio
        total[left] += term[left]
        large = left[total[left] > 1e200]
        unit[large] += math.log(1e200)
        total[large] /= 1e200
        term[large] /= 1e200
        left = left[(x[left] > 0) & ((ratio >= 1) | (term[left] > 1e-18 * total[left]))]
    chance[rows] = np.minimum(np.exp(log + unit + np.log(total)), 1.0)
    found: Floats = chance[where.reshape(-1)]
    return found


def _sizes_without_few(f: Floats, scale: Floats, shape: float, level: Floats, chance: float, least: Floats) -> Floats:
    """The least whole number s from `least` on for which P(f + X <= 1/(level s)) is below `chance`, (m,)."""

    def too_small(some: Codes, size: Floats) -> NDArray[np.bool_]:
        return chance_of_few(f[some], scale[some], shape, level[some] * size) >= chance

    found = least.copy()
    some = np.flatnonzero(too_small(np.arange(len(f)), least))
    low = least[some]
    # Keys of 1/level and more ask that nobody be in the cell.
    step = 2.0 ** math.ceil(math.log2(1 / level[some].min(initial=1.0)) + 1)
    while len(some) and step >= 1:
        low = np.where(too_small(some, low + step), low + step, low)
        step /= 2
    found[some] = low + 1
    return found


def _differs(what: str, number: str) -> ModelDiffers:
    return ModelDiffers(
        Notice.of(
            "population-model-differs",
            mark("The population model of the plan is not that of the data: {what} ({number})."),
            what=what,
            number=number,
        )
    )
