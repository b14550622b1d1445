"""Records that are safe only because members of their own household share their key [method: hidden by their own].

Frequencies count records. Where the records of a key are members of one household, an intruder who finds the household
has found them all: each of these records is counted once more with f = distinct households of the key and F = one
weight a household, the mean of its members' weights there. A record is hidden by its own household where it is safe
with f and F and would be unsafe so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import Weights
from ..data.households import Households
from ..recipe.model import POPULATION_ESTIMATORS, Combination
from ..risk.household import household_risk
from ..risk.individual import individual_risk, lowest_unsafe
from ..suppression.inference.leaks import remaining_risks
from ..suppression.plan import ValueMasks
from ..tables.cell_index import Tabulation
from ..tables.grouping import group_rows
from ..tables.household_counts import HouseholdCounts, households_by_group
from ..tables.margins import margin_thresholds
from ..tables.tabulate import tabulate_records
from .released_columns import after_suppression
from .results import Results, RiskTable
from .suppression_problem import judged_table, rare_tables

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def hidden_by_household(derived: Results, suppressed: ValueMasks, progress: Progress = SILENT) -> dict[int, int]:
    """Records that only their own household makes safe, by place of the combination.

    Combinations without a threshold judge nobody and are left out; so are all where no household identifier is
    declared. Under ``wildcard`` a household of which no member has all values counts once by its missing ones, too.

    Parameters
    ----------
    suppressed : by variable, the rows that lose their value; empty: before suppression
    """
    found = dict[int, int]()
    if derived.households is None:
        return found
    times = derived.times
    for index, combination in enumerate(derived.recipe.combinations):
        progress.check()
        flags = _hidden(derived, index, combination, derived.households, suppressed, progress)
        if flags is not None:
            found[index] = times.count(flags)
    return found


def _hidden(
    derived: Results, index: int, combination: Combination, households: Households, suppressed: ValueMasks,
    progress: Progress,
) -> Flags | None:  # fmt: skip
    table = derived.tables[index]
    if table is not None:
        if table.threshold is None and table.household_threshold is None:
            return None
        weights, asked = derived.microdata.weights, derived.recipe.suppression
        by_keys = asked.mode == "released-keys" and asked.criterion != "none"
        judge = _by_released_keys if by_keys else _by_remaining_values
        return judge(table, households, weights, suppressed, progress)
    if combination.least_size is not None:
        return _rarer_than_k(derived, combination, combination.least_size, households, suppressed, progress)
    if combination.judges_margins:
        return _in_rare_combinations(derived, combination, households, suppressed, progress)
    return None


def _by_remaining_values(
    table: RiskTable, households: Households, weights: Weights | None, suppressed: ValueMasks, progress: Progress
) -> Flags:
    """By the values that a record keeps, counted in the original."""
    left = remaining_risks(judged_table(table), suppressed, progress)
    f, population, risk = (left.spread(each) for each in (left.f, left.F, left.risk))
    cells = table.cells
    if cells.rule == "category":  # for measuring only: a missing value is one like any other
        cells = replace(cells, missing=np.zeros_like(cells.missing))
    gone = _lacking(cells.variables, suppressed, cells.missing[table.cell_index.of_record])
    counted_cells = Tabulation(cells, table.cell_index)
    counted = _in_households(counted_cells, households, weights, f, population, gone, progress)
    worse = _risk_in_households(table, risk, f, population, *counted, progress)
    limits = _Limits(table, households, progress)
    hidden: Flags = (risk < limits.of(risk)) & (worse >= limits.of(worse))
    return hidden


def _by_released_keys(
    table: RiskTable, households: Households, weights: Weights | None, suppressed: ValueMasks, progress: Progress
) -> Flags:
    """By released keys, whose distinct households then count; cells that are safe intact ask for nothing."""
    cells, of_record = table.cells, table.cell_index.of_record
    f, population, risk = (values[of_record] for values in (cells.f, cells.F, table.judged_risk))
    intact = cells.missing[of_record]
    counted = _in_households(_of(table), households, weights, f, population, intact, progress)
    worse = _risk_in_households(table, risk, f, population, *counted, progress)
    codes = [code[of_record] for code in cells.codes]
    for name, code, card in zip(cells.variables, codes, cells.cards, strict=True):
        if name in suppressed:
            code[suppressed[name]] = card
    keys = group_rows(codes, cells.cards, progress)
    size = np.bincount(keys.ids, households.records_of_rows, len(keys))[keys.ids]
    in_key = households_by_group(keys.ids, len(keys), households, None, progress=progress)[0][keys.ids]
    limits = _Limits(table, households, progress)
    own, together = limits.of(risk), limits.of(worse)
    safe = (risk < own) | (f * risk / size < own)
    hidden: Flags = safe & (worse >= together) & (counted[0] * worse / in_key >= together)
    return hidden


def _rarer_than_k(
    derived: Results, combination: Combination, k: int, households: Households, suppressed: ValueMasks,
    progress: Progress,
) -> Flags:  # fmt: skip
    columns = [after_suppression(derived.columns[name], suppressed) for name in combination.variables]
    table = tabulate_records(columns, None, combination.missing_rule, combination.alpha, progress)
    cells, of_record = table
    f = cells.f[of_record.of_record]
    if combination.missing_rule == "category":
        h = households_by_group(of_record.of_record, len(cells), households, None, progress=progress)[0]
        in_households = h[of_record.of_record]
    else:
        missing = cells.missing[of_record.of_record]
        in_households = _in_households(table, households, None, f, f, missing, progress)[0]
    hidden: Flags = (f >= k) & (in_households < k * (1 - 1e-12))  # of sums of alpha
    return hidden


def _in_rare_combinations(
    derived: Results, combination: Combination, households: Households, suppressed: ValueMasks, progress: Progress
) -> Flags:
    """By the combinations that a record keeps, of all margins, counted in the original."""
    names = combination.variables
    largest = margin_thresholds(rare_tables(derived))
    limit = {
        mask: largest[frozenset(name for j, name in enumerate(names) if mask >> j & 1)]
        for mask in range(1, 1 << len(names))
    }
    table = tabulate_records([derived.columns[name] for name in names], None, "observed", progress=progress)
    of_record = table.cell_index.of_record
    counts = HouseholdCounts(table, households, None, progress)
    gone = _lacking(names, suppressed, table.cells.missing[of_record])
    rare, rare_in_households = np.zeros(len(gone), np.bool_), np.zeros(len(gone), np.bool_)
    for keep, rows in _by_pattern(gone, len(names)):
        for mask in _telling(keep, limit):
            asked = of_record[rows]
            rare[rows] |= counts.records(mask, asked)[0] <= limit[mask]
            rare_in_households[rows] |= counts.of(mask, asked)[0] <= limit[mask]
    return rare_in_households & ~rare


def _telling(keep: int, limit: Mapping[int, int]) -> Iterator[int]:
    """The margins of `keep` that may be rare where no larger one is: fewer records have all values of a larger one."""
    for mask in range(1, keep + 1):
        if mask & keep == mask:
            more = (mask | 1 << j for j in range(keep.bit_length()) if keep >> j & 1 and not mask >> j & 1)
            if all(limit[larger] < limit[mask] for larger in more):
                yield mask


def _of(table: RiskTable) -> Tabulation:
    return Tabulation(table.cells, table.cell_index)


def _lacking(names: Sequence[str], suppressed: ValueMasks, missing: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(n,) bit j set where a record has no value on variable j, or loses it."""
    return missing | suppressed.masks_of(names, len(missing))


def _by_pattern(gone: NDArray[np.uint64], variables: int) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Each set of variables, as a mask, that are all that some records have; and these records."""
    for mask in np.unique(gone).tolist():
        yield ~mask & (1 << variables) - 1, np.flatnonzero(gone == mask)


def _in_households(
    table: Tabulation, households: Households, weights: Weights | None, f: Floats, population: Floats,
    gone: NDArray[np.uint64], progress: Progress,
) -> tuple[Floats, Floats]:  # fmt: skip
    """f and F of each record with one count and one weight for each household, (n,) each."""
    counts = HouseholdCounts(table, households, weights, progress)
    found, weighed = f.copy(), population.copy()
    of_record = table.cell_index.of_record
    share = table.cells.alpha if table.cells.rule == "wildcard" else 0.0
    for keep, rows in _by_pattern(gone, len(table.cells.variables)):
        cells = of_record[rows]
        alone, together = counts.records(keep, cells), counts.of(keep, cells)
        fewer = np.flatnonzero(together[0] < alone[0])
        some = rows[fewer]
        found[some] += together[0][fewer] - alone[0][fewer]
        weighed[some] += together[1][fewer] - alone[1][fewer]
        if share:
            more, weight = counts.repeated_by_missing(keep, cells)
            found[rows] -= share * more
            weighed[rows] -= share * weight
    return found, weighed


def _risk_in_households(
    table: RiskTable, risk: Floats, f: Floats, population: Floats, in_households: Floats, weighed: Floats,
    progress: Progress,
) -> Floats:  # fmt: skip
    """What is compared with the threshold, by households; a population model's rises as the individual risk does."""
    worse = risk.copy()
    some = np.flatnonzero((in_households < f) & ~np.isnan(risk))
    estimator = table.combination.estimator
    if estimator not in POPULATION_ESTIMATORS:
        worse[some] = individual_risk(in_households[some], weighed[some], estimator, progress)
        return worse
    before = individual_risk(f[some], population[some], "exact", progress)
    now = individual_risk(in_households[some], weighed[some], "exact", progress)
    worse[some] = np.minimum(1.0, risk[some] * now / before)
    return worse


class _Limits:
    """What a record's risk has to be below, by the thresholds of a table."""

    def __init__(self, table: RiskTable, households: Households, progress: Progress) -> None:
        self._threshold = lowest_unsafe(table.threshold)
        self._together = lowest_unsafe(table.household_threshold)
        self._households, self._progress = households, progress

    def of(self, risk: Floats) -> Floats:
        """(n,), by the risks (n,) of all records: in an unsafe household the share of its threshold."""
        limits = np.full(len(risk), self._threshold)
        if np.isinf(self._together):
            return limits
        living = self._households
        own = np.arange(len(risk), dtype=np.uint32)
        unsafe = household_risk(risk, own, living, self._progress) >= self._together
        share = np.where(unsafe, self._together / living.size, np.inf)
        found: Floats = np.minimum(limits, share[living.household_of_record])
        return found
