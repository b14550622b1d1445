"""Records that only members of their own household make safe, counted once more for the check of a written file.

Plain NumPy, sharing no code with what counted them for the plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn
from . import individual_risk, recount
from .by_risk import Both, population_judge
from .judged import CheckSpec, KeysOfBothFiles
from .key_sizes import KeySizes
from .recount import Codes, DistinctKeys, Floats

Ints = NDArray[np.int64]

_AT_ONCE = 1 << 20
"""Pairs of a key and two members looked at together."""


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

    @cached_property
    def _persons(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Household and row of each distinct pair of these, ascending; its records and the sum of their weights."""
        of_record = self._group * len(self._rows.patterns) + self._was
        pairs, place = np.unique(of_record, return_inverse=True)
        household, row = np.divmod(pairs, len(self._rows.patterns))
        weight = self._times[self._group] if self._weight is None else self._weight
        return household, row, np.bincount(place), np.bincount(place, weight).astype(np.float64)

    @cached_property
    def _couples(self) -> tuple[Ints, Ints]:
        """Two persons of a household of whom one lacks a value."""
        household, row, _records, _weight = self._persons
        blank = self._rows.patterns[row] != self._rows.all
        lacking = np.bincount(household, blank, self._groups) > 0
        persons = np.bincount(household, minlength=self._groups)
        one, other = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        for size in np.unique(persons[lacking]).tolist():
            first = np.flatnonzero((persons[household] == size) & lacking[household]).reshape(-1, size)
            for a, b in combinations(range(size), 2):
                some = np.flatnonzero(blank[first[:, a]] | blank[first[:, b]])
                one.append(first[some, a])
                other.append(first[some, b])
        left, right = np.concatenate(one), np.concatenate(other)
        order = np.argsort(household[left], kind="stable")
        return left[order], right[order]

    def repeated(self, common: int, asking: Codes) -> tuple[Floats, Floats]:
        """Records, and their weights, that lack values of `asking` and are no household more, (len(asking),) each.

        A household without a member who has all values is one, with the mean weight of those who match.
        """
        found = self._twins(common, asking)
        household, row, _records, _weight = self._persons
        left, right = (row[each] for each in self._couples)
        meet = ((self._rows.patterns[left] & self._rows.patterns[right]) & common) != common
        for code in self._on(common):
            meet &= (code[left] == code[right]) | (code[left] == 0) | (code[right] == 0)
        some = np.flatnonzero(meet)
        home = household[self._couples[0][some]]
        first, number, order_of, union = self._keys_of(common, asking, left[some], right[some])
        begin = 0
        running = np.cumsum(number)
        while begin < len(some):
            end = max(begin + 1, int(np.searchsorted(running, (running[begin - 1] if begin else 0) + _AT_ONCE)))
            end = int(np.searchsorted(home, home[end - 1], "right"))
            couple = np.repeat(np.arange(begin, end), number[begin:end])
            within = np.arange(len(couple)) - np.repeat(running[begin:end] - number[begin:end] - running[begin]
                                                        + number[begin], number[begin:end])  # fmt: skip
            key = np.empty(len(couple), np.int64)
            for mask, order in order_of.items():
                here = union[couple] == mask
                key[here] = order[(first[couple] + within)[here]]
            self._exceed(common, asking, np.unique(home[couple] * len(asking) + key), found)
            begin = end
        return found[0], found[1]

    def _twins(self, common: int, asking: Codes) -> Floats:
        """What those of a household have too many who have the same row, (2, len(asking))."""
        household, row, records, weight = self._persons
        many = np.flatnonzero(records > 1)
        found, has = np.zeros((2, len(asking))), self._rows.patterns[row[many]] & common
        extra = (records[many] - 1) * self._times[household[many]]
        values = np.stack((extra, weight[many] * (1 - 1 / records[many])))
        for pattern in np.unique(has[has != common]).tolist():
            mine = np.flatnonzero(has == pattern)
            number = self._rows.numbered(pattern)[0]
            known, place = np.unique(number[row[many[mine]]], return_inverse=True)
            at = np.minimum(np.searchsorted(known, number[asking]), len(known) - 1)
            for sums, value in zip(found, values, strict=True):
                sums += np.where(known[at] == number[asking], np.bincount(place, value[mine])[at], 0)
        return found

    def _on(self, common: int) -> list[Codes]:
        return [code for j, code in enumerate(self._rows.codes) if common >> j & 1]

    def _keys_of(
        self, common: int, asking: Codes, left: Codes, right: Codes
    ) -> tuple[Ints, Ints, dict[int, Ints], Ints]:
        """Where the keys that agree with both rows of each couple begin, how many, and in which order of the keys."""
        union = ((self._rows.patterns[left] | self._rows.patterns[right]) & common).astype(np.int64)
        first, number, order_of = np.zeros(len(left), np.int64), np.zeros(len(left), np.int64), {}
        for mask in np.unique(union).tolist():
            mine = np.flatnonzero(union == mask)
            sizes = [size for j, size in enumerate(self._rows.sizes) if mask >> j & 1]
            columns = [
                np.concatenate((code[asking], np.maximum(code[left[mine]], code[right[mine]])))
                for code in self._on(mask)
            ]
            values = recount.fold(columns, sizes, len(asking) + len(mine))[0]
            order = np.argsort(values[: len(asking)], kind="stable")
            ascending, wanted = values[order], values[len(asking) :]
            first[mine] = np.searchsorted(ascending, wanted, "left")
            number[mine] = np.searchsorted(ascending, wanted, "right") - first[mine]
            order_of[mask] = order
        return first, number, order_of, union

    def _exceed(self, common: int, asking: Codes, met: Ints, found: Floats) -> None:
        """Add to `found` what the households of pairs of a household and a key, `met`, have too many."""
        household, row, records, weight = self._persons
        home, key = np.divmod(met, len(asking))
        begin, end = (np.searchsorted(household, home, side) for side in ("left", "right"))
        of_met = np.repeat(np.arange(len(met)), end - begin)
        person = np.concatenate([np.arange(a, b) for a, b in zip(begin, end, strict=True)] or [begin])
        same = np.ones(len(person), np.bool_)
        for code in self._on(common):
            his, asked = code[row[person]], code[asking[key[of_met]]]
            same &= (his == 0) | (his == asked)
        all_values = (self._rows.patterns[row[person]] & common) == common
        by_value = np.bincount(of_met[same & all_values], minlength=len(met)) > 0
        blank = np.flatnonzero(same & ~all_values)
        rows, n, people, means = (
            np.bincount(of_met[blank], value[person[blank]], len(met))
            for value in (np.ones(len(row)), records, weight, weight / records)
        )
        counts = np.where(by_value | (n == 0), 0, 1)
        np.add.at(found[0], key, (rows - counts) * self._times[home])
        np.add.at(found[1], key, means - counts * people / np.maximum(n, 1))


def _limits(risk: Floats, judged: CheckSpec, group: NDArray[np.uint32], size: Ints) -> Floats:
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
    judged: CheckSpec, both: Both, was: Codes, became: Codes, size: Floats, left: Floats, groups: HouseholdTally,
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
    repeated, repeated_weight = np.zeros(len(asking)), np.zeros(len(asking))
    patterns = both.rows.patterns[asking]
    for mask in np.unique(patterns).tolist():
        here = np.flatnonzero(patterns == mask)
        h[here], one_each[here] = groups.of(int(mask), asking[here])
        if alpha:
            more, weight = groups.repeated(int(mask), asking[here])
            repeated[here], repeated_weight[here] = alpha * more, alpha * weight
    fewer = h < alone
    in_households = np.where(fewer, f + h - alone, f) - repeated
    people = np.where(fewer, population + one_each - weighed, population) - repeated_weight
    fewer |= repeated > 0
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


def _in_households(judged: CheckSpec, risk: Floats, f: Floats, population: Floats, h: Floats, people: Floats) -> Floats:
    if judged.estimator == "plug-in":
        simple: Floats = 1 / np.maximum(h, people)
        return simple
    truncated = judged.estimator == "truncated"
    now = individual_risk.risks(h.copy(), people, truncated)
    if judged.claimed is None:
        return now
    return np.minimum(1.0, risk * now / individual_risk.risks(f.copy(), population, False))


def hidden_by_counts(
    judged: CheckSpec, largest: Mapping[frozenset[str], int], columns: Mapping[str, EncodedColumn],
    released: Mapping[str, NDArray[np.unsignedinteger]], groups: tuple[NDArray[np.uint32], int, Ints | None],
) -> NDArray[np.bool_]:  # fmt: skip
    """The same of the threshold rule and of k-anonymity.

    Parameters
    ----------
    largest : of every table and margin, see `core.check.by_counts.largest_unsafe`
    columns, released : key variables of the original, and the codes of the written records as indices into theirs
    groups : who lives together in the written file, how many groups there are, and which they are like
    """
    keys = KeysOfBothFiles.of(judged.variables, columns, released)
    rows, before, now, place = recount.tabulate_records(
        keys.original, keys.released, keys.sizes, (None, None), records=keys.records
    )
    was, became = np.split(place, 2)
    if judged.model == "k-anonymity":
        tally = HouseholdTally(rows, became, *groups, None)
        return _rarer_than_k(judged, rows, now, became, tally)
    tally, asking = HouseholdTally(rows, was, *groups, None), now.present()
    rare, exposed = np.zeros(len(rows.patterns), np.bool_), np.zeros(len(rows.patterns), np.bool_)
    for some in range(1, len(keys.names) + 1):
        for chosen in combinations(range(len(keys.names)), some):
            mask, limit = sum(1 << j for j in chosen), largest[frozenset(keys.names[j] for j in chosen)]
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
    judged: CheckSpec, rows: DistinctKeys, now: recount.Tally, became: Codes, tally: HouseholdTally
) -> NDArray[np.bool_]:
    there = now.present()
    f, h = np.zeros(len(rows.patterns)), np.zeros(len(rows.patterns))
    if judged.rule == "category":
        f[there] = now.count[there]
        h = tally.of_keys(became.astype(np.int64), len(rows.patterns))[0]
        return ((f >= judged.k * (1 - 1e-12)) & (h < judged.k))[became]
    alpha = judged.alpha if judged.rule == "wildcard" else 0.0
    f[there] = recount.frequencies(rows, there, now, alpha)[0]
    alone = recount.frequencies(rows, there, now, 0.0)[0]
    for mask in np.unique(rows.patterns[there]).tolist():
        here = np.flatnonzero(rows.patterns[there] == mask)
        h[there[here]] = tally.of(int(mask), there[here])[0] - alone[here]
        if alpha:
            h[there[here]] -= alpha * tally.repeated(int(mask), there[here])[0]
    if judged.rule == "listwise":
        f[rows.patterns != rows.all] = 0
    return ((f >= judged.k * (1 - 1e-12)) & (f + h < judged.k * (1 - 1e-12)))[became]
