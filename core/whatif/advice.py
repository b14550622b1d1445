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
from ..recoding.recode import recode
from ..results.households import members_apart, variable_of
from ..results.results import Results
from ..results.set_keys import original_column
from ..suppression.households.forecast import By
from ..suppression.inference.household_inference import follows_from_count
from ..tables.cell_index import Tabulation
from ..tables.cells import Cells
from ..tables.regroup import merge_cells
from .coarser_codes import CoarserCodes, coarser_codes, named_by
from .judging import Onto, TrialEvaluator, TrialFigures
from .price import Price, price_of

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
    judge = TrialEvaluator(derived, index, table, threshold, by)
    if not judge.can_judge or (derived.tables[index] is None and judge.combination.has_risk):
        return None
    return _Adviser(judge, others, progress).advice()


class _Adviser:
    """Counts what each candidate for one combination does."""

    def __init__(self, judge: TrialEvaluator, others: Collection[EncodedColumn], progress: Progress) -> None:
        self._derived, self._index, self._judge = judge.derived, judge.index, judge
        self._others, self._progress = others, progress
        self._cells = judge.table.cells
        self._true = judge.as_is(progress)
        self._now = self._true if judge.exact else judge.judge(self._cells, None, progress)

    def advice(self) -> Advice:
        """What is to be said of the combination."""
        derived, names = self._derived, self._cells.variables
        codes = {name: derived.columns[name].n_valid for name in names}
        if not self._true.unsafe:
            return Advice(self._index, derived.records, 0, {}, codes, ())
        now = price_of(self._judge, self._now, self._cells, None, progress=self._progress)
        without, counted = dict[str, int](), self._counted_all_the_same()
        found: list[tuple[Remedy, _Tried | None]] = []
        for candidate, tried in chain(self._leaving_out(), self._coarser()):
            if candidate.coarser is None:
                without[candidate.variable] = candidate.unsafe[1]
                if candidate.variable in counted:
                    continue
            found.append((candidate, None if now is None else tried))  # of large tables all together take much memory
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
        names, columns = self._cells.variables, self._derived.columns
        before = [_information(original_column(self._derived, name)) for name in names]
        return math.fsum(before), math.fsum(_information(columns[name]) for name in names)

    def _priced(self, candidate: Remedy, tried: _Tried | None) -> Remedy:
        self._progress.check()
        if tried is None:
            return candidate
        coarser, changed = candidate.coarser, None
        if coarser is not None:
            derived, name = self._derived, candidate.variable
            variable = variable_of(derived.recipe, derived.metadata, name)
            changed = recode(derived.microdata.columns[name], coarser.recode, variable).column
        others = [c for place, c in enumerate(self._derived.recipe.combinations) if place != self._index]
        stays = coarser is not None or any(candidate.variable in each.variables for each in others)
        removed = "" if stays else candidate.variable
        return replace(candidate, price=price_of(self._judge, *tried, changed, removed, self._progress))

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

    def _without(self) -> Iterator[tuple[str, _Tried]]:
        """What is left unsafe if a variable is left out of the combination, of each but an only one."""
        cells, judge = self._cells, self._judge
        for place, name in enumerate(cells.variables if len(cells.variables) > 1 else ()):
            self._progress.check()
            if not judge.exact and (known := judge.without(place, self._progress)) is not None:
                yield name, (known, cells, None)
                continue
            each = (cells.variables, cells.cards, cells.codes)
            variables, cards, codes = ((*some[:place], *some[place + 1 :]) for some in each)
            yield name, self._judged(replace(cells, variables=variables, cards=cards, codes=codes))

    def _judged(self, cells: Cells) -> _Tried:
        merged, (onto,) = merge_cells([cells], cells.rule, cells.alpha, self._progress)
        try:
            return self._judge.judge(merged, onto, self._progress), merged, onto
        except PavoError:  # a rate or a number that there is no more: nothing can be promised
            return self._now, self._cells, None

    def _leaving_out(self) -> Iterator[tuple[Remedy, _Tried]]:
        for name, tried in self._without():
            before = self._derived.columns[name]
            known = self._judge.exact or tried[2] is None  # of no merged cells: by the margins at hand
            lost = _information(before)
            yield self._candidate(name, None, (before.n_valid, 0), tried[0], lost, known), tried

    def _coarser(self) -> Iterator[tuple[Remedy, _Tried]]:
        derived, cells = self._derived, self._cells
        original = derived.microdata.columns
        known = labels(derived.metadata, {}, original)
        for place, name in enumerate(cells.variables):
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

    def _recoded(self, place: int, name: str, coarser: CoarserCodes, onto: NDArray[np.int64]) -> tuple[Remedy, _Tried]:
        cells, column = self._cells, self._derived.columns[name]
        after = int(onto.max()) + 1
        through = np.append(onto, after).astype(np.uint32)  # missing stays missing
        codes = (*cells.codes[:place], through[cells.codes[place]], *cells.codes[place + 1 :])
        cards = (*cells.cards[:place], after, *cells.cards[place + 1 :])
        tried = self._judged(replace(cells, codes=codes, cards=cards))
        merged = np.bincount(onto, column.counts[: column.n_valid], after).astype(np.int64)
        lost = _information(column) - _bits(merged)
        return self._candidate(name, coarser, (column.n_valid, after), tried[0], lost, self._judge.exact), tried

    def _candidate(
        self,
        name: str,
        coarser: CoarserCodes | None,
        codes: tuple[int, int],
        judged: TrialFigures,
        lost: float,
        exact: bool,
    ) -> Remedy:
        now = self._true if exact else self._now
        gained = max(now.excess - judged.excess, 0.0) or max(now.unsafe - judged.unsafe, 0)
        score = gained * gained / max(lost, 1e-9)
        return Remedy(name, coarser, codes, (self._true.unsafe, judged.unsafe), lost, score, exact)


_Tried = tuple[TrialFigures, Cells, Onto]
"""What a candidate makes of the combination: what is unsafe, its cells, and where those of now are among them."""


def _saved(candidate: Remedy, now: Price | None) -> int:
    """Values that need no suppression any more; 0 where that was not counted."""
    return 0 if now is None or candidate.price is None else max(now.values - candidate.price.values, 0)


def _rank(candidate: Remedy, now: Price | None) -> tuple[bool, float]:
    """Coarser codes first; the values saved from suppression, squared, for each bit that goes in the end."""
    saved, price = _saved(candidate, now), candidate.price
    lost = 0.0 if price is None else candidate.lost + price.loss
    return candidate.coarser is None, -saved * saved / max(lost, 1.0)


def _information(column: EncodedColumn) -> float:
    """Records with a value × entropy of its codes, in bits."""
    return _bits(column.counts[: column.n_valid])


def _bits(counts: NDArray[np.int64]) -> float:
    some = [int(count) for count in counts if count > 0]
    total = sum(some)
    return -math.fsum(count * math.log2(count / total) for count in some) + 0.0
