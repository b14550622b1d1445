"""Advice at the decisive moment: what makes records unsafe, and which coarser codes would help, counted exactly.

Everything is counted from the cells of the table as they are, merged: no record is read again, except of other columns
for what is constant within the codes of a key, and of households where these are judged.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.errors import RecipeError
from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.effects.coarser_codes import CoarserCodes, coarser_codes
from core.recipe.model import POPULATION_ESTIMATORS, Combination, Recipe, VariableEdit
from core.recipe.set_keys import columns_of, set_of_column
from core.recoding.labels import labels
from core.results.households import household_risks, members_apart, variable_of
from core.results.results import Results
from core.results.risk_tables import individual_threshold, risk_table, risks_of
from core.results.unsafe_records import judged_unsafe
from core.suppression.inference.household_leaks import follows_from_count
from core.tables.cell_index import Tabulation
from core.tables.cells import Cells
from core.tables.regroup import merge_cells


@dataclass(frozen=True, eq=False)
class Remedy:
    """A way of making records safe, and what it does, counted exactly.

    Attributes
    ----------
    variable : str
    coarser : the recode; None: the variable is left out of the combination and of the safe file
    codes : codes of the variable before and after; 0 where it is left out
    unsafe : unsafe records of the table before and after
    lost : information that it takes, in bits: records × (entropy before - entropy after)
    score : by which candidates are ranked, see `advise`
    """

    variable: str
    coarser: CoarserCodes | None
    codes: tuple[int, int]
    unsafe: tuple[int, int]
    lost: float
    score: float

    def applied_to(self, recipe: Recipe, combination: int) -> Recipe:
        """`recipe` with this done in its combination of that place."""
        if self.coarser is not None:
            others = (each for each in recipe.recodes if each.variable != self.variable)
            return recipe.with_(recodes=(*others, self.coarser.recode))
        return left_out(recipe, combination, self.variable)


@dataclass(frozen=True, eq=False)
class Advice:
    """What makes the records of a combination unsafe, and what would help.

    Attributes
    ----------
    combination : its place in the recipe
    records, unsafe : n, and how many of them are unsafe by it
    without : unsafe records if a variable were left out of it, by variable, in its order; empty where not counted
    codes : codes of each of its variables
    candidates : the best first; those that make nobody safe and lower no risk are left out, and so is leaving out what
        counting the members of a household tells all the same
    """

    combination: int
    records: int
    unsafe: int
    without: Mapping[str, int]
    codes: Mapping[str, int]
    candidates: tuple[Remedy, ...]

    @property
    def share(self) -> float:
        """Share of the records that are unsafe."""
        return self.unsafe / self.records if self.records else 0.0

    @property
    def contributions(self) -> dict[str, int]:
        """Unsafe records fewer if a variable were left out, largest first."""
        found = {name: self.unsafe - left for name, left in self.without.items()}
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def left_out(recipe: Recipe, combination: int, variable: str) -> Recipe:
    """The recipe without a variable in one combination, nor in the safe file where no other combination has it."""
    combinations = list(recipe.combinations)
    names = tuple(name for name in combinations[combination].variables if name != variable)
    combinations[combination] = replace(combinations[combination], variables=names)
    changed = recipe.with_(combinations=tuple(combinations))
    if any(variable in each.variables for each in combinations):
        return changed
    changed = changed.with_(recodes=tuple(each for each in recipe.recodes if each.variable != variable))
    if columns := columns_of(recipe, [variable]) if variable in set_of_column(recipe).values() else ():
        changed = changed.with_(
            recodes=tuple(each for each in changed.recodes if each.variable not in columns),
            derived=tuple(spec for spec in recipe.derived if spec.name != variable),
        )
        for column in columns:
            changed = with_removed(changed, column)
        return changed
    if variable in {spec.name for spec in recipe.derived}:
        return changed.with_(derived=tuple(spec for spec in recipe.derived if spec.name != variable))
    return with_removed(changed, variable)


def with_removed(recipe: Recipe, variable: str) -> Recipe:
    """The recipe whose safe file does not have a variable."""
    if any(edit.name == variable for edit in recipe.variables):
        edits = [replace(edit, removed=True) if edit.name == variable else edit for edit in recipe.variables]
        return recipe.with_(variables=tuple(edits))
    return recipe.with_(variables=(*recipe.variables, VariableEdit(variable, removed=True)))


def advise(
    derived: Results,
    index: int,
    table: Tabulation,
    others: Collection[EncodedColumn] = (),
    threshold: float | None = None,
    progress: Progress = SILENT,
) -> Advice | None:
    """Advice on one combination; None where nobody is judged by it, or not by a model that takes cells alone.

    Candidates are ranked by progress × efficiency: the bits by which risks come nearer to the threshold, squared, for
    each bit of information that the candidate takes. Coarser codes, which keep some of a variable, come before leaving
    one out.

    Parameters
    ----------
    index : the combination's place in the recipe
    table : its cells
    others : columns of the file, before recoding, in which groupings of the keys are looked for
    threshold : an individual risk in place of what the recipe asks for
    """
    combination, judged = derived.recipe.combinations[index], derived.tables[index]
    if combination.model == "individual-risk":
        by_cells = combination.estimator not in POPULATION_ESTIMATORS and judged is not None and judged.promise is None
        if not by_cells or judged is None or (threshold is None and not judged.asked):
            return None
    elif combination.model != "k-anonymity":
        return None
    return _Adviser(_Judge(derived, index, table, threshold), others, progress).advice()


@dataclass(frozen=True)
class _Judged:
    """Unsafe records, and by how many bits their risks are above the threshold, in all."""

    unsafe: int
    excess: float


class _Judge:
    """Judges merged cells as the combination's model does."""

    def __init__(self, derived: Results, index: int, table: Tabulation, threshold: float | None) -> None:
        self.derived, self.index, self.table = derived, index, table
        self.combination: Combination = derived.recipe.combinations[index]
        self._threshold = threshold

    def judge(self, cells: Cells, onto: NDArray[np.uint32] | None, progress: Progress) -> _Judged:
        """Of `cells`, in which those of the table are at the places `onto` (None: they are the same).

        Raises
        ------
        RecipeError
            A rate or a number of records that these cells do not give.
        """
        if self.combination.model == "k-anonymity":
            k = self.combination.k or 1
            few = cells.f < k
            bits = np.log2(k / np.maximum(cells.f[few], 1.0))
            return _Judged(int(cells.count[few].sum()), float(bits @ cells.count[few]))
        table = self.derived.tables[self.index]
        assert table is not None
        risks = risks_of(cells, replace(self.combination, variables=cells.variables), progress)
        if self._threshold is None and table.household is not None and table.household.asked:
            return self._by_households(cells, onto, risks.risk, progress)
        limit = self._threshold if self._threshold is not None else individual_threshold(table.asked, risks.staircase)
        if limit is None:
            return _Judged(0, 0.0)
        known = ~np.isnan(risks.risk)
        above = np.log2(np.maximum(risks.risk[known] / limit, 1.0))
        return _Judged(risks.staircase.unsafe(limit), float(above @ cells.count[known]))

    def _by_households(
        self, cells: Cells, onto: NDArray[np.uint32] | None, risk: NDArray[np.float64], progress: Progress
    ) -> _Judged:
        """Members of unsafe households, and records that are unsafe by themselves where that is asked, too."""
        derived, table = self.derived, self.derived.tables[self.index]
        assert table is not None
        assert derived.households is not None
        cell_index = self.table.cell_index if onto is None else self.table.cell_index.merged(onto, progress)
        own = replace(self.combination, variables=cells.variables)
        risks = risks_of(cells, own, progress)
        household = household_risks(cell_index, risk, derived.households, progress)
        merged = risk_table(self.index, own, Tabulation(cells, cell_index), risks, table.asked, household)
        tables = (*derived.tables[: self.index], merged, *derived.tables[self.index + 1 :])
        flags = judged_unsafe(replace(derived, tables=tables), self.index, progress)
        unsafe = 0 if flags is None else int(flags.sum())
        limit = None if merged.household is None else merged.household.threshold
        if limit is None:
            return _Judged(unsafe, 0.0)
        above = np.log2(np.maximum(household.risk / limit, 1.0))
        return _Judged(unsafe, float(np.nansum(above * derived.households.size)))


class _Adviser:
    """Counts what each candidate for one combination does."""

    def __init__(self, judge: _Judge, others: Collection[EncodedColumn], progress: Progress) -> None:
        self._derived, self._index, self._judge = judge.derived, judge.index, judge
        self._others, self._progress = others, progress
        self._cells = judge.table.cells
        self._now = judge.judge(self._cells, None, progress)

    def advice(self) -> Advice:
        """What is to be said of the combination."""
        names, columns = self._cells.variables, self._derived.columns
        codes = {name: columns[name].n_valid for name in names}
        if not self._now.unsafe:
            return Advice(self._index, self._derived.records, 0, {}, codes, ())
        without = dict(self._without())
        counted = self._counted_all_the_same()
        found = [self._leaving_out(name, judged) for name, judged in without.items() if name not in counted]
        found += list(self._coarser())
        found = [each for each in found if each.score > 0]
        found.sort(key=lambda each: (each.coarser is None, -each.score, each.variable))
        return Advice(
            self._index,
            self._derived.records,
            self._now.unsafe,
            {name: judged.unsafe for name, judged in without.items()},
            codes,
            tuple(found),
        )

    def _counted_all_the_same(self) -> set[str]:
        """Keys that tell how many members a household has, where the safe file shows who lives together.

        Without such a key nobody is safer: the members are still there to be counted.
        """
        derived, households = self._derived, self._derived.households
        if households is None or members_apart(derived.recipe):
            return set()
        told, of_record = {spec.name for spec in derived.recipe.household_keys}, households.household_of_record
        columns = derived.microdata.columns
        return {n for n in self._cells.variables if n in told or follows_from_count(columns[n], of_record)}

    def _without(self) -> Iterator[tuple[str, _Judged]]:
        """What is left unsafe if a variable is left out of the combination, of each but an only one."""
        cells = self._cells
        for place, name in enumerate(cells.variables if len(cells.variables) > 1 else ()):
            self._progress.check()
            each = (cells.variables, cells.cards, cells.codes)
            variables, cards, codes = ((*some[:place], *some[place + 1 :]) for some in each)
            yield name, self._judged(replace(cells, variables=variables, cards=cards, codes=codes))

    def _judged(self, cells: Cells) -> _Judged:
        merged, (onto,) = merge_cells([cells], cells.rule, cells.alpha, self._progress)
        try:
            return self._judge.judge(merged, onto, self._progress)
        except RecipeError:  # a rate or a number that there is no more: nothing can be promised
            return self._now

    def _leaving_out(self, name: str, judged: _Judged) -> Remedy:
        before = self._derived.columns[name]
        lost = _information(before.counts[: before.n_valid])
        return self._candidate(name, None, (before.n_valid, 0), judged, lost)

    def _coarser(self) -> Iterator[Remedy]:
        derived, cells = self._derived, self._cells
        original = derived.microdata.columns
        known = labels(derived.metadata, {}, original)
        for place, name in enumerate(cells.variables):
            variable = variable_of(derived.recipe, derived.metadata, name)
            if name in {spec.name for spec in derived.recipe.derived}:
                continue
            seen: set[bytes] = set()
            for coarser in coarser_codes(original[name], variable, known.get(name, {}), self._others):
                self._progress.check()
                onto = self._from_present(name, coarser.onto)
                if onto is None or onto.tobytes() in seen:
                    continue
                seen.add(onto.tobytes())
                yield self._recoded(place, name, coarser, onto)

    def _from_present(self, name: str, onto: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Category of each present valid code; None where the recode is not coarser than the present codes."""
        column, recoding = self._derived.columns[name], self._derived.recodings.get(name)
        present = np.arange(len(onto)) if recoding is None else recoding.lut[: len(onto)].astype(np.int64)
        if (present >= column.n_valid).any():
            return None
        found = np.zeros(column.n_valid, np.int64)
        found[present] = onto
        if (found[present] != onto).any():
            return None
        kept, found = np.unique(found, return_inverse=True)
        return found.astype(np.int64) if 1 < len(kept) < column.n_valid else None

    def _recoded(self, place: int, name: str, coarser: CoarserCodes, onto: NDArray[np.int64]) -> Remedy:
        cells, column = self._cells, self._derived.columns[name]
        after = int(onto.max()) + 1
        through = np.append(onto, after).astype(np.uint32)  # missing stays missing
        codes = (*cells.codes[:place], through[cells.codes[place]], *cells.codes[place + 1 :])
        cards = (*cells.cards[:place], after, *cells.cards[place + 1 :])
        judged = self._judged(replace(cells, codes=codes, cards=cards))
        counts = column.counts[: column.n_valid]
        merged = np.bincount(onto, counts, after).astype(np.int64)
        lost = _information(counts) - _information(merged)
        return self._candidate(name, coarser, (column.n_valid, after), judged, lost)

    def _candidate(
        self, name: str, coarser: CoarserCodes | None, codes: tuple[int, int], judged: _Judged, lost: float
    ) -> Remedy:
        gained = max(self._now.excess - judged.excess, 0.0) or max(self._now.unsafe - judged.unsafe, 0)
        score = gained * gained / max(lost, 1e-9)
        return Remedy(name, coarser, codes, (self._now.unsafe, judged.unsafe), lost, score)


def _information(counts: NDArray[np.int64]) -> float:
    """Records × entropy of their codes, in bits."""
    some = [int(count) for count in counts if count > 0]
    total = sum(some)
    return -math.fsum(count * math.log2(count / total) for count in some) + 0.0
