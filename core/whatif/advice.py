"""Advice at the decisive moment: what makes records unsafe, and which coarser codes would help, counted exactly.

Everything is counted from the cells of the table as they are, merged: no record is read again, except of other columns
for what is constant within the codes of a key, and of households where these are judged.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice, PavoError
from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn
from ..recipe.edits_perturbations import unperturbed
from ..recipe.model import Recipe, VariableEdit
from ..recipe.set_keys import columns_of, set_of_column
from ..recoding.labels import labels
from ..results.households import members_apart, variable_of
from ..results.results import Results
from ..results.set_keys import original_column
from ..suppression.households.forecast import By
from ..suppression.inference.household_inference import follows_from_count
from ..tables.cell_index import Tabulation
from .coarser_codes import CoarserCodes, coarser_codes, named_by
from .price import Price, price_of
from .trial import Trial, TrialStart, information
from .tried_combination import TriedCombination

PRICED = 12
"""Candidates of which it is counted what is still to be suppressed after them: the best by progress and efficiency."""


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
    score : by which candidates are chosen to be priced, see `advise`
    exact : whether the session finds the same number of unsafe records; else it finds no fewer
    price : what is still to be suppressed then; None where that was not counted
    """

    variable: str
    coarser: CoarserCodes | None
    codes: tuple[int, int]
    unsafe: tuple[int, int]
    lost: float
    score: float
    exact: bool = True
    price: Price | None = None

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
    candidates : the best first; those that make nobody safe, lower no risk and save no suppression are left out,
        and so is leaving out what counting the members of a household tells all the same
    detail : bits of the combination's original codes, of which losses are shares; see `lost`
    recoded : bits that the recipe's own recodes of it have taken
    price : what is to be suppressed as the codes are; None where that was not counted
    unwieldy : warnings of its keys that make nearly everybody unsafe by themselves
    """

    combination: int
    records: int
    unsafe: int
    without: Mapping[str, int]
    codes: Mapping[str, int]
    candidates: tuple[Remedy, ...]
    detail: float = 0.0
    recoded: float = 0.0
    price: Price | None = None
    unwieldy: tuple[Notice, ...] = ()

    def lost(self, candidate: Remedy | None = None) -> float | None:
        """Share of the detail of the original codes that is gone in the end, by recodes and suppressions together.

        By a candidate or, without one, by suppression alone; shares of different recodes can be compared. None where
        suppressions were not counted.
        """
        price = self.price if candidate is None else candidate.price
        if price is None or not self.detail:
            return None
        own = 0.0 if candidate is None else candidate.lost
        return (self.recoded + own + price.loss) / self.detail

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
    recipe = unperturbed(recipe, variable)
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
    by: By = "individual",
) -> Advice | None:
    """Advice on one combination; None where nobody is judged by it.

    Candidates are ranked by progress × efficiency: the bits by which risks come nearer to the threshold, squared, for
    each bit of information that the candidate takes. Of the first of them (`PRICED`) it is counted what is still to be
    suppressed afterwards; they come first, ranked by the values that need no suppression any more, squared, for each
    bit that recode and suppressions take together. Coarser codes, which keep some of a variable, come before leaving
    one out.

    Parameters
    ----------
    index : the combination's place in the recipe
    table : its cells
    others : columns of the file, before recoding, in which groupings of the keys are looked for
    threshold : an individual or household risk in place of what the recipe asks for
    by : which of them
    """
    given = {index: table}
    start = TrialStart(derived, [index], None, given, threshold, by, progress=progress, kept_bytes=0)
    tried = start.combinations[index]
    if not tried.can_judge or (derived.tables[index] is None and tried.by_risk):
        return None
    return _Adviser(start, tried, others, progress).advice()


class _Adviser:
    """Counts what each candidate for one combination does."""

    def __init__(
        self, start: TrialStart, tried: TriedCombination, others: Collection[EncodedColumn], progress: Progress
    ) -> None:
        self._derived, self._index, self._start, self._tried = start.derived, tried.index, start, tried
        self._others, self._progress = others, progress
        self._names = tried.combination.variables
        self._true = tried.as_derived()
        self._now = self._true if tried.exact else tried.as_tried()

    def advice(self) -> Advice:
        """What is to be said of the combination."""
        derived, names = self._derived, self._names
        codes = {name: derived.columns[name].n_valid for name in names}
        if not self._true.unsafe:
            return Advice(self._index, derived.records, 0, {}, codes, ())
        now = price_of(self._start.trial, self._index, progress=self._progress)
        without, counted = dict[str, int](), self._counted_all_the_same()
        found: list[tuple[Remedy, Trial | None]] = []
        for candidate, trial in chain(self._leaving_out(), self._coarser()):
            if candidate.coarser is None:
                without[candidate.variable] = candidate.unsafe[1]
                if candidate.variable in counted:
                    continue
            found.append((candidate, None if now is None else trial))  # of large tables all together take much memory
        # where nearly everybody is alone by several keys, no candidate lowers a risk: the coarsest may yet save blanks
        found.sort(key=lambda each: (each[0].coarser is None, -each[0].score, -each[0].lost, each[0].variable))
        priced = [self._priced(*each) for each in found[:PRICED]]
        candidates = [*priced, *(each for each, _ in found[PRICED:])]
        candidates = [each for each in candidates if each.score > 0 or _saved(each, now)]
        candidates.sort(key=lambda each: _rank(each, now))  # as they were where prices leave them equal
        detail, left = self._detail()
        return Advice(
            self._index,
            derived.records,
            self._true.unsafe,
            without,
            codes,
            tuple(candidates),
            detail,
            detail - left,
            now,
        )

    def _detail(self) -> tuple[float, float]:
        """Bits of the combination's codes, original and as they are."""
        before = [original_column(self._derived, name) for name in self._names]
        after = [self._derived.columns[name] for name in self._names]
        return math.fsum(map(_information, before)), math.fsum(map(_information, after))

    def _priced(self, candidate: Remedy, trial: Trial | None) -> Remedy:
        self._progress.check()
        if trial is None:
            return candidate
        others = [c for place, c in enumerate(self._derived.recipe.combinations) if place != self._index]
        stays = candidate.coarser is not None or any(candidate.variable in each.variables for each in others)
        removed = "" if stays else candidate.variable
        return replace(candidate, price=price_of(trial, self._index, removed, self._progress))

    def _counted_all_the_same(self) -> set[str]:
        """Keys that tell how many members a household has, where the safe file shows who lives together.

        Without such a key nobody is safer: the members are still there to be counted.
        """
        derived, households = self._derived, self._derived.households
        if households is None or members_apart(derived.recipe):
            return set()
        told, of_record = {spec.name for spec in derived.recipe.household_keys}, households.household_of_record
        columns = derived.microdata.columns
        return {n for n in self._names if n in told or follows_from_count(columns[n], of_record)}

    def _leaving_out(self) -> Iterator[tuple[Remedy, Trial | None]]:
        """What is left unsafe if a variable is left out of the combination, of each but an only one."""
        for name in self._names if len(self._names) > 1 else ():
            yield self._tried_out(name, None, self._start.trial.leaving_out(name), 0)

    def _coarser(self) -> Iterator[tuple[Remedy, Trial | None]]:
        derived = self._derived
        original = derived.microdata.columns
        known = labels(derived.metadata, {}, original)
        for name in self._names:
            variable = variable_of(derived.recipe, derived.metadata, name)
            if name in {spec.name for spec in derived.recipe.derived}:
                continue
            seen: set[bytes] = set()
            for found in coarser_codes(original[name], variable, known.get(name, {}), self._others):
                self._progress.check()
                coarser = named_by(found, derived.metadata)
                onto = self._from_present(name, coarser.onto)
                if onto is None or onto.tobytes() in seen:
                    continue
                seen.add(onto.tobytes())
                yield self._tried_out(name, coarser, self._start.trial.merging(name, onto), int(onto.max()) + 1)

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

    def _tried_out(
        self, name: str, coarser: CoarserCodes | None, trial: Trial, after: int
    ) -> tuple[Remedy, Trial | None]:
        """What a trial does, and the trial; None where a rate or a number is asked for that there is no more."""
        self._progress.check()
        found = trial.of(self._index)
        assert found is not None
        exact, promised = found.exact, True
        try:
            unsafe, excess = found.unsafe, found.excess
        except PavoError:  # nothing can be promised
            unsafe, excess, promised = self._now.unsafe, self._now.excess, False
            exact = exact or coarser is None
        now, lost = self._true if exact else self._now, trial.lost(name)
        gained = max(now.excess - excess, 0.0) or max(now.unsafe - unsafe, 0)
        codes, counts = (self._derived.columns[name].n_valid, after), (self._true.unsafe, unsafe)
        remedy = Remedy(name, coarser, codes, counts, lost, gained * gained / max(lost, 1e-9), exact)
        return remedy, trial if promised else None


def _saved(candidate: Remedy, now: Price | None) -> int:
    """Values that need no suppression any more; 0 where that was not counted."""
    return 0 if now is None or candidate.price is None else max(now.values - candidate.price.values, 0)


def _rank(candidate: Remedy, now: Price | None) -> tuple[bool, float]:
    """Coarser codes first; the values saved from suppression, squared, for each bit that goes in the end."""
    saved, price = _saved(candidate, now), candidate.price
    lost = 0.0 if price is None else candidate.lost + price.loss
    return candidate.coarser is None, -saved * saved / max(lost, 1.0)


def _information(column: EncodedColumn) -> float:
    return information(column.counts[: column.n_valid])
