"""Suggested merges for a variable of a session: what its tables say of runs of neighbouring categories.

What merging categories of a variable makes of a session, short of its recipe: the same results as after Apply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..recipe.model import Combination, Estimator
from ..recoding.suggest_merges import MergeSuggestion, TableJudgement, suggest
from ..results.results import Results
from ..results.unsafe_records import unsafe_of
from ..risk.individual import individual_risk, lowest_unsafe
from ..tables.cells import Cells
from ..tables.grouping import group_rows
from ..tables.tabulate import tabulate
from .coarser_codes import has_order
from .trial import TrialStart


def unsafe_when_merged(
    derived: Results, variable: str, groups: Sequence[Sequence[str]], progress: Progress = SILENT
) -> int:
    """Records that are unsafe in a table with `variable` once each group of its original codes is one category.

    A threshold that the recipe gives as a rate or a number is derived anew from the merged tables.

    Raises
    ------
    RecipeError
        A rate or a number that does not exist after the merges; a table that is judged by a population model.
    """
    _check_estimators(derived, variable)
    return _unsafe(_start(derived, variable, progress), variable, groups)


def _start(derived: Results, variable: str, progress: Progress) -> TrialStart:
    """The combinations with the variable, whose cells merges are tried on."""
    using = [place for place, each in enumerate(derived.recipe.combinations) if variable in each.looked_at]
    return TrialStart(derived, using, progress=progress)


def _unsafe(start: TrialStart, variable: str, groups: Sequence[Sequence[str]]) -> int:
    return start.trial.merging(variable, _together(start.derived, variable, groups)).unsafe(variable)


def _check_estimators(derived: Results, variable: str) -> None:
    """Refuse tables whose risks are no sums over cells: a merge changes the model, and with it every risk."""
    for table in derived.risk_tables:
        if variable in table.combination.variables and table.population is not None:
            text = mark("{combination} is judged by a model of the whole table: merges cannot be suggested.")
            hint = mark("Preview a recode instead.")
            raise RecipeError("no-merges-by-model", text, hint, combination=" x ".join(table.combination.variables))


def _check_missing_values(derived: Results, variable: str) -> None:
    """Refuse tables in which records with missing values count for others: for which ones depends on the whole run."""
    for each in derived.recipe.combinations:
        counts = variable in each.variables and each.missing_rule == "wildcard" and each.alpha > 0
        if counts and any(derived.columns[name].has_missing for name in each.variables):
            text = mark("{combination} has missing values that agree with any (wildcard): merges cannot be suggested.")
            hint = mark("Preview a recode instead, or choose another missing rule in Select Combinations.")
            raise RecipeError("no-merges-by-wildcard", text, hint, combination=" x ".join(each.variables))


def _check_diversity(derived: Results, variable: str) -> None:
    """Refuse what is judged by different values: how many a run has is no sum over its codes."""
    for each in derived.recipe.combinations:
        if each.sensitive is not None and variable in each.looked_at:
            text = mark("{combination} is judged by l-diversity: merges cannot be suggested.")
            hint = mark("Preview a recode instead.")
            raise RecipeError("no-merges-by-diversity", text, hint, combination=" x ".join(each.variables))


def _check_order(derived: Results, variable: str) -> None:
    """Refuse codes whose neighbours need have nothing in common; counts of household members have an order."""
    if variable in {spec.name for spec in derived.recipe.household_keys}:
        return
    known = derived.metadata
    if variable not in known or not has_order(known[variable], derived.microdata.columns[variable]):
        raise RecipeError(
            "codes-without-order",
            mark("The codes of {variable} have no order that is known: neighbours need have nothing in common."),
            mark("If they have one, say so in Specify Metadata (Neighbouring codes may be merged); else group them."),
            variable=variable,
        )


def _together(derived: Results, variable: str, groups: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """The category of each present valid code once each group of original codes is under the first of its codes."""
    original, column = derived.microdata.columns[variable], derived.columns[variable]
    recoding = derived.recodings.get(variable)
    recoded = np.arange(len(original.codes)) if recoding is None else recoding.lut
    place = {code: int(recoded[i]) for i, code in enumerate(original.codes[: original.n_valid])}
    into = np.arange(column.n_valid)
    for codes in groups:
        those = [place[code] for code in codes]
        into[those] = min(those)
    return np.unique(into, return_inverse=True)[1].astype(np.int64)


_APPLYING = mark("Deriving the threshold after each merge")


@dataclass(frozen=True)
class MergeSuggestions:
    """Efficient recodes of one variable.

    Attributes
    ----------
    variable : str
    units : original codes of each category, in the order that makes neighbours
    names : code of each category
    choices : from nothing merged to the fewest unsafe records at the threshold as it stands; their `unsafe` counts all
        unsafe records
    by_share : whether a household threshold judges: then a record is taken as unsafe where its own risk reaches the
        threshold divided by the size of its household. Where none does, no household is unsafe.
    anew : whether the threshold is a rate or a number, which any merge makes another risk. Then runs are judged at the
        threshold as it stands, but `unsafe` of each choice is what the session has once it is applied; of some of a
        choice's runs only `core.whatif.merges.unsafe_when_merged` can tell.
    """

    variable: str
    units: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    choices: tuple[MergeSuggestion, ...]
    by_share: bool = False
    anew: bool = False

    @property
    def balanced(self) -> int:
        """Place of the choice farthest from the line between the first and the last: beyond it merges pay less."""
        saved = [sum(run.unsafe_before - run.unsafe_after for run in c.runs) for c in self.choices]
        lost = [c.loss - self.choices[0].loss for c in self.choices]
        wide, high = max(saved[-1], 1), max(lost[-1], 1e-300)
        gains = [some / wide - bits / high for some, bits in zip(saved, lost, strict=True)]
        return max(range(len(gains)), key=gains.__getitem__)


def suggest_merges(derived: Results, variable: str, progress: Progress = SILENT) -> MergeSuggestions:
    """Efficient merges of neighbouring categories of `variable` as it is recoded in `derived`.

    Categories are neighbours in the order of their first original codes. A record is unsafe as the window counts it,
    by any table with the variable under the table's own missing rule, but see `MergeSuggestions.by_share`: what a merge
    does to households is no sum over its runs.

    Raises
    ------
    RecipeError
        A table with the variable is judged by a population model, or has missing values that agree with any; the
        codes of the variable have no order that is known.
    """
    _check_estimators(derived, variable)
    _check_missing_values(derived, variable)
    _check_diversity(derived, variable)
    _check_order(derived, variable)
    column = derived.columns[variable]
    unit_of_code, units = _units(derived, variable)
    used = [c for c in derived.recipe.combinations if variable in c.variables]
    names = tuple(dict.fromkeys((variable, *(name for c in used for name in c.variables))))
    columns = [derived.columns[name] for name in names]
    by_share = any(_household_threshold(derived, c) is not None for c in used)
    if by_share:
        columns.append(_sizes(derived))
    base = tabulate(columns, derived.microdata.weights, "category", progress=progress)
    judge = _Judge(derived, base, unit_of_code[base.codes[0].clip(max=column.n_valid - 1)] if units else base.codes[0])
    tables = list(judge.tables(used, progress))
    cells = np.flatnonzero(judge.valid)
    in_order = np.argsort(unit_of_code).tolist()
    counts = [int(column.counts[new]) for new in in_order]
    choices = suggest(
        counts,
        judge.unit[cells],
        base.count[cells],
        [replace(table, set_of_cell=table.set_of_cell[cells]) for table in tables],
        progress,
    )
    codes = tuple(column.codes[new] for new in in_order)
    found = MergeSuggestions(variable, units, codes, choices, by_share, _derived_anew(derived, variable))
    if found.anew:
        return replace(found, choices=tuple(_counted(derived, found, progress)))
    if not by_share:
        now = unsafe_of(derived, variable, progress)
        elsewhere = now - choices[0].unsafe
        choices = tuple(replace(choice, unsafe=max(0, choice.unsafe + elsewhere)) for choice in choices)
    return replace(found, choices=choices)


def _derived_anew(derived: Results, variable: str) -> bool:
    """Whether a threshold of a risk table with the variable follows from a rate or a number."""
    asked = [table.asked for table in derived.risk_tables if variable in table.combination.variables]
    return any(
        value is not None
        for one in asked
        for value in (one.reidentification_rate, one.unsafe_records, one.household_rate, one.unsafe_households)
    )


def _counted(derived: Results, found: MergeSuggestions, progress: Progress) -> Iterator[MergeSuggestion]:
    """The choices, each with the unsafe records that the session has once it is applied."""
    start = _start(derived, found.variable, progress)
    for place, choice in enumerate(found.choices):
        progress.report(place, len(found.choices), _APPLYING)
        groups = merged_units(found, choice, range(len(choice.runs)))
        yield replace(choice, unsafe=_unsafe(start, found.variable, groups))


def _household_threshold(derived: Results, combination: Combination) -> float | None:
    table = derived.tables[derived.recipe.combinations.index(combination)]
    return None if table is None or table.household is None else table.household.threshold


def _sizes(derived: Results) -> EncodedColumn:
    """The size of each record's household as a code."""
    assert derived.households is not None
    size = derived.households.size[derived.households.household_of_record].astype(np.uint32)
    codes, records = tuple(map(str, range(int(size.max(initial=0)) + 1))), derived.households.records_of_rows
    sizes = EncodedColumn("", size, codes, codes, np.zeros(len(codes), np.int64), len(codes), 1, records)
    return replace(sizes, counts=sizes.tally(size))


def _units(derived: Results, variable: str) -> tuple[NDArray[np.int64], tuple[tuple[str, ...], ...]]:
    """Unit of each valid code after recoding, and the original codes of each unit."""
    original, column = derived.microdata.columns[variable], derived.columns[variable]
    recoding = derived.recodings.get(variable)
    lut = np.arange(original.n_valid) if recoding is None else recoding.lut[: original.n_valid]
    members: dict[int, list[str]] = {}
    for code, new in zip(original.codes, lut.tolist(), strict=False):
        if new < column.n_valid:
            members.setdefault(new, []).append(code)
    unit_of_code = np.zeros(column.n_valid, np.int64)
    unit_of_code[list(members)] = np.arange(len(members))
    return unit_of_code, tuple(tuple(codes) for codes in members.values())


class _Judge:
    """How the tables with a variable judge its base cells; variable 0 of `base` is the variable."""

    def __init__(self, derived: Results, base: Cells, unit: NDArray[np.integer]) -> None:
        self._derived, self._base = derived, base
        self.unit = unit
        self.valid = (base.missing & np.uint64(1)) == 0
        self._place = {name: bit for bit, name in enumerate(base.variables)}

    def tables(self, used: Sequence[Combination], progress: Progress) -> Iterator[TableJudgement]:
        """What each table, margin or pattern of missing values that has the variable says."""
        margins: dict[int, int] = {}
        for combination in used:
            if combination.judges_margins:
                margins.update(self._margins(combination))
            elif combination.least_size is not None:
                yield from self._patterns(combination, _fewer_than(combination.least_size), progress)
            elif combination.has_risk:
                yield from self._by_risk(combination, progress)
        for keep, threshold in margins.items():
            yield self._judged(keep, self._complete(keep), _fewer_than(threshold + 1), progress)

    def _margins(self, combination: Combination) -> dict[int, int]:
        """Every margin of a frequency table with the variable, and its threshold as the overview has it."""
        known = {frozenset(table.variables): table.threshold for table in self._derived.overview.tables}
        subsets = (
            s for size in range(1, len(combination.variables) + 1) for s in combinations(combination.variables, size)
        )
        masks = {sum(1 << self._place[name] for name in subset): known[frozenset(subset)] for subset in subsets}
        return {mask: threshold for mask, threshold in masks.items() if mask & 1}

    def _by_risk(self, combination: Combination, progress: Progress) -> Iterator[TableJudgement]:
        table = self._derived.tables[self._derived.recipe.combinations.index(combination)]
        shared = _household_threshold(self._derived, combination)
        if table is None or (table.threshold is None and shared is None):
            return
        for judged in self._patterns(combination, np.zeros(0), progress):
            largest = int(np.bincount(judged.set_of_entry, judged.records).max(initial=0))

            def least(threshold: float, largest: int = largest) -> NDArray[np.float64]:
                return least_people(largest, threshold, combination.estimator, progress)

            if table.threshold is not None:
                yield replace(judged, least=least(table.threshold))
            for size, cells in _sizes_in(self._base) if shared is not None else ():
                only = np.where(cells, judged.set_of_cell, -1)
                yield replace(judged, least=least((shared or 0.0) / size), set_of_cell=only)

    def _patterns(
        self, combination: Combination, least: NDArray[np.float64], progress: Progress
    ) -> Iterator[TableJudgement]:
        whole = sum(1 << self._place[name] for name in combination.variables)
        if combination.missing_rule == "category":
            yield self._judged(whole, self.valid, least, progress)
            return
        pattern = self._base.missing & np.uint64(whole)
        for absent in np.unique(pattern[self.valid]).tolist():
            if absent and combination.missing_rule == "listwise":
                continue
            keep = whole & ~int(absent)
            table = self._judged(keep, self._complete(keep), least, progress)
            yield replace(table, set_of_cell=np.where(pattern == absent, table.set_of_cell, -1))

    def _complete(self, keep: int) -> NDArray[np.bool_]:
        absent: NDArray[np.uint64] = self._base.missing & np.uint64(keep)
        complete: NDArray[np.bool_] = absent == 0
        return complete

    def _judged(
        self, keep: int, counted: NDArray[np.bool_], least: NDArray[np.float64], progress: Progress
    ) -> TableJudgement:
        """The table of the variables `keep`, on the cells `counted`."""
        rows = np.flatnonzero(counted).astype(np.uint32)
        others = [j for j in range(1, len(self._base.variables)) if keep >> j & 1]
        sets = np.zeros(len(rows), np.int64)
        if others and len(rows):
            codes, cards = [self._base.codes[j] for j in others], [self._base.cards[j] for j in others]
            sets = group_rows(codes, cards, progress, rows).ids.astype(np.int64)
        of_cell = np.full(len(self._base), -1, np.int64)
        of_cell[rows] = sets
        base = self._base
        return TableJudgement(sets, self.unit[rows], base.count[rows], base.weight[rows], least, of_cell)


def _sizes_in(base: Cells) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Each household size among the codes of the last variable, and the cells with it."""
    size = base.codes[-1]
    for one in np.unique(size).tolist():
        yield int(one), size == one


def _fewer_than(k: int) -> NDArray[np.float64]:
    """Fewer than k records are unsafe, for however many people."""
    return np.full(k, math.inf)


def least_people(
    largest: int, threshold: float, estimator: Estimator = "exact", progress: Progress = SILENT
) -> NDArray[np.float64]:
    """For f = 0, 1, … the population frequency from which on the individual risk is below `threshold`.

    Parameters
    ----------
    largest : the largest f wanted; beyond 1 / threshold every F is safe and the result ends there

    Returns
    -------
    (L,) float64; entry 0 is of no use. To the last bit, as far as the risk falls with F in floating point.
    """
    bound = lowest_unsafe(threshold)
    size = min(largest, math.floor(1 / bound)) + 1
    f = np.arange(1.0, size)
    low, high = f.copy(), 2.0 * f
    while (unsafe := individual_risk(f, high, estimator, progress) >= bound).any():
        low[unsafe], high[unsafe] = high[unsafe], 2.0 * high[unsafe]
    at_once = individual_risk(f, low, estimator, progress) < bound
    high[at_once] = low[at_once]
    while True:
        middle = low + (high - low) / 2
        if ((middle <= low) | (middle >= high)).all():
            return np.append(math.inf, np.where(at_once, -math.inf, high))
        unsafe = individual_risk(f, middle, estimator, progress) >= bound
        low, high = np.where(unsafe, middle, low), np.where(unsafe, high, middle)


def merged_units(
    suggestions: MergeSuggestions, choice: MergeSuggestion, accepted: Sequence[int]
) -> list[tuple[str, ...]]:
    """Original codes to merge for the accepted runs (places in ``choice.runs``)."""
    runs = [choice.runs[i] for i in accepted]
    return [tuple(c for unit in suggestions.units[run.first : run.last + 1] for c in unit) for run in runs]
