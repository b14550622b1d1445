"""Records that only members of their own household make safe, counted once more for the check of a written file.

Plain NumPy, sharing no code with what counted them for the plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn
from core.verification import recount
from core.verification.key_sizes import KeySizes
from core.verification.recount import Codes, DistinctKeys, Floats
from core.verification.verify import Both, JudgedTable, numbers, population_judge

Ints = NDArray[np.int64]


class HouseholdTally:
    """Distinct households, and one weight each, by the values that records of the original have.

    Parameters
    ----------
    rows, was : distinct keys, and of each record (n,) the row that it has
    group : (n,) who lives together
    like : of every group of the file the one that it is like; None: each is one of the file
    weight : (n,) float64, of rows that stand for several records their sum; None: every household weighs 1
    """

    def __init__(
        self, rows: DistinctKeys, was: Codes, group: NDArray[np.uint32], groups: int, like: Ints | None,
        weight: Floats | None,
    ) -> None:  # fmt: skip
        self._rows, self._was, self._group, self._weight = rows, was, group.astype(np.int64), weight
        self._groups = groups
        self._times = np.ones(groups) if like is None else np.bincount(like, minlength=groups).astype(np.float64)

    def of(self, common: int, asking: Codes) -> tuple[Floats, Floats]:
        """h and F of the rows `asking` on the variables of a mask, on which they have values, (len(asking),) each."""
        number, _bound = self._rows.numbered(common)
        known, place = np.unique(number[asking], return_inverse=True)
        there = np.flatnonzero((self._rows.patterns & common) == common)
        there = there[np.isin(number[there], known)]
        of_row = np.full(len(number), -1)
        of_row[there] = np.searchsorted(known, number[there])
        h, population = self.of_keys(of_row[self._was], len(known))
        return h[place], population[place]

    def of_keys(self, key: Ints, keys: int) -> tuple[Floats, Floats]:
        """By the key of each record, (n,), -1 where it counts for none; (keys,) each."""
        some = np.flatnonzero(key >= 0)
        pairs, pair = np.unique(key[some] * self._groups + self._group[some], return_inverse=True)
        of_key, times = pairs // self._groups, self._times[pairs % self._groups]
        h: Floats = np.bincount(of_key, times, keys).astype(np.float64)
        if self._weight is None:
            return h, h
        mean = np.bincount(pair, self._weight[some]) / np.bincount(pair) if len(some) else np.zeros(0)
        return h, np.bincount(of_key, mean, keys).astype(np.float64)


def _limits(risk: Floats, judged: JudgedTable, group: NDArray[np.uint32], size: Ints) -> Floats:
    """What each record's risk must be below, by both thresholds."""
    found = np.full(len(risk), np.inf if judged.threshold is None else judged.threshold * (1 - 1e-12))
    if judged.household_threshold is None or math.isinf(judged.household_threshold):
        return found
    limit = judged.household_threshold * (1 - 1e-12)
    with np.errstate(divide="ignore"):
        together = -np.expm1(np.bincount(group, np.log1p(-risk), len(size)))
    share = np.where(together >= limit, limit / size, np.inf)
    lower: Floats = np.minimum(found, share[group])
    return lower


def hidden_by_risk(
    judged: JudgedTable, both: Both, was: Codes, became: Codes, size: Floats, left: Floats, groups: HouseholdTally,
    group: NDArray[np.uint32], members: Ints,
) -> NDArray[np.bool_] | None:  # fmt: skip
    """Of the written records (n,) those that are safe by the risk, and would not be so by households.

    Parameters
    ----------
    was, became : (n,) the row of each of them in the original, and the one that it has
    size : (n,) records of its key in the written file
    left : the risk of each row of the written file by what is left of it, ascending
    groups, group, members : of the original's records in the order of the file; who lives together; how many

    Returns
    -------
    None where that is not counted: no threshold, or records are judged by the promise
    """
    if (judged.threshold is None and judged.household_threshold is None) or judged.exceedance is not None:
        return None
    by_keys = judged.mode == "released-keys"
    asking, place = np.unique(was if by_keys else became, return_inverse=True)
    alpha = judged.alpha if judged.rule == "wildcard" else 0.0
    f, population = recount.frequencies(both.rows, asking, both.before, alpha)
    alone, weighed = recount.frequencies(both.rows, asking, both.before, 0.0)
    if by_keys:
        claimed = None if judged.claimed is None else population_judge(judged, both)
        risk = KeySizes(both.rows, both.before, asking.astype(np.int64), None, claimed).own
    else:
        risk = left
    h, one_each = np.zeros(len(asking)), np.zeros(len(asking))
    patterns = both.rows.patterns[asking]
    for mask in np.unique(patterns).tolist():
        here = np.flatnonzero(patterns == mask)
        h[here], one_each[here] = groups.of(int(mask), asking[here])
    fewer = h < alone
    in_households = np.where(fewer, f + h - alone, f)
    people = np.where(fewer, population + one_each - weighed, population)
    worse = np.where(fewer, _in_households(judged, risk, f, population, in_households, people), risk)
    risk, worse = risk[place], worse[place]
    own, together = _limits(risk, judged, group, members), _limits(worse, judged, group, members)
    if not by_keys:
        return (risk < own) & (worse >= together)
    safe = (risk < own) | (f[place] * risk / size < own)
    _, key = np.unique(became, return_inverse=True)
    in_key = groups.of_keys(key, int(key.max(initial=-1)) + 1)[0][key]
    exposed = (worse >= together) & (in_households[place] * worse / in_key >= together)
    return safe & exposed


def _in_households(
    judged: JudgedTable, risk: Floats, f: Floats, population: Floats, h: Floats, people: Floats
) -> Floats:
    if judged.estimator == "plug-in":
        simple: Floats = 1 / np.maximum(h, people)
        return simple
    truncated = judged.estimator == "truncated"
    now = recount.risks(h.copy(), people, truncated)
    if judged.claimed is None:
        return now
    return np.minimum(1.0, risk * now / recount.risks(f.copy(), population, False))


def hidden_by_counts(
    judged: JudgedTable, largest: Mapping[frozenset[str], int], columns: Mapping[str, EncodedColumn],
    released: Mapping[str, NDArray[np.unsignedinteger]], groups: tuple[NDArray[np.uint32], int, Ints | None],
    order: NDArray[np.integer] | None,
) -> NDArray[np.bool_]:  # fmt: skip
    """The same of the threshold rule and of k-anonymity.

    Parameters
    ----------
    largest : of every table and margin, see `core.verification.verify.largest_unsafe`
    columns, released : key variables of the original, and the codes of the written records as indices into theirs
    groups : who lives together in the written file, how many groups there are, and which they are like
    order : (n,) original record of each written one; None: the same
    """
    keys = [columns[name] for name in judged.variables]
    records = keys[0].records
    original = [numbers(key.values if order is None else key.values[order], key.n_valid) for key in keys]
    remaining = [numbers(released[key.name], key.n_valid) for key in keys]
    sizes = [key.n_valid + 1 for key in keys]
    rows, before, now, place = recount.tabulate_records(original, remaining, sizes, (None, None), records=records)
    was, became = place[: len(original[0])], place[len(original[0]) :]
    if judged.model == "k-anonymity":
        tally = HouseholdTally(rows, became, *groups, None)
        return _rarer_than_k(judged, rows, now, became, tally)
    tally, asking = HouseholdTally(rows, was, *groups, None), now.present()
    rare, exposed = np.zeros(len(rows.patterns), np.bool_), np.zeros(len(rows.patterns), np.bool_)
    for some in range(1, len(keys) + 1):
        for chosen in combinations(range(len(keys)), some):
            mask, limit = sum(1 << j for j in chosen), largest[frozenset(judged.variables[j] for j in chosen)]
            rows_there = asking[(rows.patterns[asking] & mask) == mask]
            if not len(rows_there):
                continue
            number, bound = rows.numbered(mask)
            given = np.flatnonzero(((rows.patterns & mask) == mask) & (before.records > 0))
            count = before.records[given].astype(np.float64)
            found = recount.looked_up(number[rows_there], number[given], bound, (count, count))[0]
            rare[rows_there] |= found <= limit
            exposed[rows_there] |= tally.of(mask, rows_there)[0] <= limit
    return (exposed & ~rare)[became]


def _rarer_than_k(
    judged: JudgedTable, rows: DistinctKeys, now: recount.Tally, became: Codes, tally: HouseholdTally
) -> NDArray[np.bool_]:
    there = now.present()
    f, h = np.zeros(len(rows.patterns)), np.zeros(len(rows.patterns))
    if judged.rule == "category":
        f[there] = now.count[there]
        h = tally.of_keys(became.astype(np.int64), len(rows.patterns))[0]
        return ((f >= judged.k * (1 - 1e-12)) & (h < judged.k))[became]
    f[there] = recount.frequencies(rows, there, now, judged.alpha if judged.rule == "wildcard" else 0.0)[0]
    alone = recount.frequencies(rows, there, now, 0.0)[0]
    for mask in np.unique(rows.patterns[there]).tolist():
        here = np.flatnonzero(rows.patterns[there] == mask)
        h[there[here]] = tally.of(int(mask), there[here])[0] - alone[here]
    if judged.rule == "listwise":
        f[rows.patterns != rows.all] = 0
    return ((f >= judged.k * (1 - 1e-12)) & (f + h < judged.k))[became]
