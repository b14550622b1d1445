"""What a point of the lattice does to risk and information, counted from merged tables."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...base.errors import RecipeError
from ...base.progress import SILENT, Progress
from ...recipe.model import Recipe
from ...recipe.validate import check_protectable
from ...results.households import household_names
from ...results.results import Results
from ...results.suppression_problem import costs_of, rules_of
from ..advice import left_out
from ..recode_effect import comparable_loss
from ..trial import Trial, TrialStart
from ..tried_combination import CombinationTrial, JudgedHouseholds, TriedCombination
from .aims import check_judged, places
from .cheapest import VariablesToGo, cheapest
from .hierarchies import Hierarchy, HierarchyLevel


@dataclass(frozen=True, eq=False)
class RecodingPlan:
    """Codings of the keys of a combination, and the suppression that is still needed then.

    Attributes
    ----------
    levels : of each key the place in its hierarchy
    codes : categories of each key; 0 where it is left out
    cells : distinct keys
    recoded : bits that the codings take from the keys
    loss : bits that codings and suppressions take, as Compare has them where no key is left out: the bits of keys that
        are count in full here
    unsafe : records that are unsafe before suppression
    rate_before, rate : re-identification rate before and after suppression, fractions; nan where no risk judges
    suppressions, by_variable : newly missing values
    left : records that nothing that may be suppressed makes safe; 0 for a plan that can be carried out
    exact : whether suppressions, and what they do, are those of the recipe's own protection; else of records that are
        each judged by the original file, in this combination alone
    """

    levels: tuple[int, ...]
    codes: tuple[int, ...]
    cells: int
    recoded: float
    loss: float
    unsafe: int
    rate_before: float
    rate: float
    suppressions: int
    by_variable: dict[str, int]
    left: int
    exact: bool


def recipe_of(recipe: Recipe, index: int | None, hierarchies: Sequence[Hierarchy], plan: RecodingPlan) -> Recipe:
    """The recipe with the codings of a plan for its combination of that place; None: for all of them.

    A combination of whose variables none is left goes, and so does one that is the same as another one then.
    """
    for hierarchy, i in zip(hierarchies, plan.levels, strict=True):
        level = hierarchy.levels[i]
        if level.is_left_out:
            for place in places(recipe, index):
                if hierarchy.variable in recipe.combinations[place].variables:
                    recipe = left_out(recipe, place, hierarchy.variable)
        elif not hierarchy.stays:
            others = tuple(each for each in recipe.recodes if each.variable != hierarchy.variable)
            recipe = recipe.with_(recodes=others if level.recode is None else (*others, level.recode))
    if index is None:
        distinct = dict.fromkeys(each for each in recipe.combinations if each.variables)
        recipe = recipe.with_(combinations=tuple(distinct))
    return recipe


class PlanProblem:
    """The plans for one combination, or for all of them together: what each does.

    Parameters
    ----------
    derived : what follows from the recipe
    index : the combination's place in it; None: all of them
    hierarchies : of the keys, in the order of `keys_of`

    Raises
    ------
    RecipeError
        A combination is not judged by sums over its cells: by a population model, or as rare.
    """

    def __init__(
        self, derived: Results, index: int | None, hierarchies: Sequence[Hierarchy], progress: Progress = SILENT
    ) -> None:
        recipe = derived.recipe
        check_judged(recipe, index)
        self.derived, self.index, self.hierarchies, self.progress = derived, index, tuple(hierarchies), progress
        coded, ladders = places(recipe, index), {h.variable: [level.coding for level in h.levels] for h in hierarchies}
        columns = {**derived.columns, **{each.variable: each.column for each in self.hierarchies}}
        self.start = TrialStart(derived, coded, columns, ladders=ladders, progress=progress)
        self.tried = tuple(self.start.combinations.values())
        self.by_risk = any(each.by_risk for each in self.tried)
        self.by_households = any(each.by_households for each in self.tried) and all(
            each.by_households for each in self.tried if each.by_risk
        )
        self.records = self.tried[0].records
        self._costs, self._rules = costs_of(derived), rules_of(derived)
        own = {each.variable for each in self.hierarchies}
        counted = (name for c in recipe.combinations for name in c.variables)
        others = {*counted, *(spec.variable for spec in recipe.recodes)} - own
        self.elsewhere = comparable_loss(derived, dict.fromkeys(sorted(others), 0))

    @cached_property
    def detail(self) -> float:
        """Bits of the keys' original codes, of which losses are shares."""
        first = [each.levels[0] for each in self.hierarchies]
        return math.fsum(
            level.lost + level.values[1] * level.entropy if not level.is_left_out else level.lost for level in first
        )

    @property
    def suppresses(self) -> bool:
        """Whether the recipe's protection suppresses anything."""
        return self.derived.recipe.suppression.criterion != "none"

    @cached_property
    def exact(self) -> bool:
        """Whether suppressions are counted as the recipe's own protection makes them."""
        asked = self.derived.recipe.suppression
        if not self.suppresses:
            return self.by_risk
        as_judged = asked.mode == "original-counts" and not asked.close_gaps
        protects = all(
            each.by_risk and each.households is None and each.combination.missing_rule in ("observed", "wildcard")
            for each in self.tried
        )
        return self._judges_all and as_judged and protects and self._can_be_blanked()

    @cached_property
    def _judges_all(self) -> bool:
        """Whether nothing else judges the records."""
        comparing = any(each.by_risk and each.combination.estimator == "plug-in" for each in self.tried)
        return len(self.derived.recipe.combinations) == len(self.tried) and not comparing  # which protects nobody

    @cached_property
    def can_be_protected(self) -> bool:
        """Whether protection is not refused for what the recipe says, whatever the data are."""
        try:
            check_protectable(self.derived.recipe)
        except RecipeError:
            return False
        return True

    @cached_property
    def _leaves_safe_records(self) -> bool:
        """Whether the recipe's own protection takes nothing from a file without unsafe records, and is not refused."""
        asked = self.derived.recipe.suppression
        # a released key may have too few records though their risk is low
        return self._judges_all and self.can_be_protected and (asked.least_records == 1 or not self.by_risk)

    def _can_be_blanked(self) -> bool:
        """Whether nothing but a record's own values decides which of them go, and these can be written as missing."""
        derived, keys = self.derived, {each.variable for each in self.hierarchies}
        touched = self._closures(tuple(each.variable for each in self.hierarchies), self._rules.unwritten)[0]
        for name in touched:
            column = derived.columns[name]
            outside = name not in keys
            if (outside and column.has_missing) or (name not in self._rules.fixed and not column.n_missing_codes):
                return False
        if derived.households is None:
            return True
        return not set(touched) & set(household_names(derived.recipe, derived.metadata))

    @cached_property
    def is_monotone(self) -> bool:
        """Whether coarser codings never make a record less safe, nor dearer to make safe [1/F falls in f and in F].

        So what suppression takes at one plan, it takes at least at every finer one.
        """
        fixed = all(not each.by_risk or _is_fixed(each) for each in self.tried)
        counted = all(each.combination.missing_rule != "listwise" for each in self.tried)
        return fixed and self._is_by_bits and counted and not self._by_values

    @cached_property
    def _by_values(self) -> bool:
        """Whether a sensitive variable judges: a key without any value of it is safe, and with one more it is not."""
        return any(each.combination.sensitive is not None for each in self.tried)

    @cached_property
    def _is_by_bits(self) -> bool:
        """Whether suppressions are chosen by the bits that they lose: by weights only where that is exact."""
        free = {spec.name for spec in self.derived.recipe.household_keys} - self._rules.fixed
        by_weights = self.exact and self._costs.criterion == "weights"
        return not by_weights and not free & {each.variable for each in self.hierarchies}

    @cached_property
    def is_least(self) -> bool:
        """Whether the recipe's own protection takes at least what is estimated.

        Each record alone loses at least the bits of the values without which it can be safe. Where a blank matches
        anything others may make it safe, and by released keys it is judged by the weights of its own cell.
        """
        released = self.derived.recipe.suppression.mode != "original-counts"
        bounded = all(
            not released if each.by_risk else each.combination.missing_rule != "wildcard" for each in self.tried
        )
        return self.exact or (self._is_by_bits and bounded and not self._by_values)

    @cached_property
    def each_needs_one(self) -> bool:
        """Whether each unsafe record loses a value: none becomes safe by what others lose."""
        if not self.is_least or any(each.households is not None for each in self.tried):
            return False
        lacks = any(each.column.has_missing for each in self.hierarchies)
        return not (lacks and any(each.is_missing_a_value for each in self.tried))

    def least_loss(self, plan: RecodingPlan) -> float:
        """Bits that the recipe's own protection makes of a plan at least."""
        return plan.loss if plan.exact or self.is_least else plan.recoded + self.elsewhere

    def least_suppressions(self, plan: RecodingPlan) -> int:
        """Values that it suppresses at least, at finer plans too."""
        return plan.unsafe if self.each_needs_one else min(plan.unsafe, 1)

    @cached_property
    def least_rate(self) -> float:
        """No plan has a lower rate, where `is_monotone`: the risk of a record without any value; nan: none has one."""
        if not self.by_risk:
            return math.nan
        return min(each.least_risk for each in self.tried) if all(each.by_risk for each in self.tried) else 0.0

    def trial(self, levels: Iterable[int]) -> Trial:
        """The codings of a plan, tried."""
        both = zip(self.hierarchies, levels, strict=True)
        return self.start.trial.under({each.variable: each.levels[i].coding for each, i in both})

    def evaluate(self, levels: tuple[int, ...]) -> RecodingPlan:
        """What the plan with these levels does."""
        chosen = [each.levels[i] for each, i in zip(self.hierarchies, levels, strict=True)]
        trial = self.trial(levels)
        tables, number = list(trial.each), trial.unsafe()
        by_variable, change, left = dict[str, int](), [0.0] * len(tables), 0
        if number and self.suppresses:
            may_go = self._may_go(chosen)
            by_variable, change, left = cheapest(trial, may_go)
            if (by_households := self._unsafe_households(tables)) is not None:
                by_variable, more = self._at_least(by_households.number, by_variable, may_go, chosen)
                left += more
        return RecodingPlan(
            levels,
            tuple(level.codes for level in chosen),
            sum(len(table.cells) for table in tables),
            math.fsum(level.lost for level in chosen),
            self._loss(chosen, by_variable),
            number,
            self._rate([table.rate for table in tables]),
            self._rate([table.rate_after(each) for table, each in zip(tables, change, strict=True)])
            if self.suppresses
            else self._rate([table.rate for table in tables]),
            sum(by_variable.values()),
            by_variable,
            left,
            not left and (self.exact or (not number and self._leaves_safe_records)),
        )

    def _rate(self, rates: Sequence[float]) -> float:
        """The largest of the rates that there are."""
        there = [rate for rate in rates if not math.isnan(rate)]
        return max(there) if there else 0.0 if self.by_risk else math.nan

    @staticmethod
    def _unsafe_households(tables: Sequence[CombinationTrial]) -> JudgedHouseholds | None:
        """Of the combinations that households judge, that with most unsafe ones."""
        found = [table.households for table in tables if table.households is not None]
        return max(found, key=lambda each: each.number) if found else None

    def _closures(
        self, keys: tuple[str, ...], unwritten: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Variables that may go, keys first, and those that go with each key."""
        rules = replace(self._rules, unwritten=frozenset(unwritten))
        closures = tuple(rules.closure(key) for key in keys)
        outside = dict.fromkeys(name for closure in closures for name in closure if name not in keys)
        return (*keys, *outside), closures

    def _may_go(self, chosen: Sequence[HierarchyLevel]) -> VariablesToGo:
        """What suppression takes under some codings, and what that costs."""
        gone = {each.variable for each, level in zip(self.hierarchies, chosen, strict=True) if level.is_left_out}
        keys = tuple(each.variable for each in self.hierarchies if each.variable not in gone)
        variables, closures = self._closures(keys, self._rules.unwritten | gone)
        cost = self._cost_of(chosen)
        others = self._costs if self.exact else replace(self._costs, criterion="entropy")
        costs = {name: cost[name] if name in cost else others[name] for name in variables}
        fixed = frozenset(name for name in variables if name in self._rules.fixed)
        return VariablesToGo(dict(zip(keys, closures, strict=True)), costs, fixed)

    def _cost_of(self, chosen: Sequence[HierarchyLevel]) -> dict[str, float]:
        """What a value of each key costs at these levels."""
        if self._costs.criterion == "weights" and self.exact:
            return {}
        free = {spec.name for spec in self.derived.recipe.household_keys}
        both = zip(self.hierarchies, chosen, strict=True)
        return {each.variable: level.entropy for each, level in both if each.variable not in free}

    def _at_least(
        self, households: int, by_variable: dict[str, int], may_go: VariablesToGo, chosen: Sequence[HierarchyLevel]
    ) -> tuple[dict[str, int], int]:
        """Suppressions such that each unsafe household loses the cheapest value at least; households where none may.

        Where what single records need costs more already, that.
        """
        of_households = [each for each in self.tried if each.households is not None]
        keys = [name for each in of_households for name in each.combination.variables]
        key = may_go.cheapest_value([name for name in keys if name in may_go.closures])
        if not key:
            return by_variable, households
        least = {key: households} if households else {}
        both = [self._loss(chosen, each) for each in (by_variable, least)]
        return (least if both[1] > both[0] else by_variable), 0

    def _loss(self, chosen: Sequence[HierarchyLevel], by_variable: dict[str, int]) -> float:
        """Bits that go by codings and suppressions together [as `core.whatif.recode_effect.comparable_loss`]."""
        lost, own = [self.elsewhere], set()
        for hierarchy, level in zip(self.hierarchies, chosen, strict=True):
            lost += [level.lost, by_variable.get(hierarchy.variable, 0) * level.entropy]
            own.add(hierarchy.variable)
        lost += [self._costs.entropies[name] * number for name, number in by_variable.items() if name not in own]
        return math.fsum(lost)


def _is_fixed(tried: TriedCombination) -> bool:
    """Whether its thresholds are the same at every point, and its risk falls in both frequencies."""
    asked = tried.asked
    by_number = (asked.reidentification_rate, asked.unsafe_records, asked.household_rate, asked.unsafe_households)
    return tried.combination.estimator in ("exact", "plug-in") and all(each is None for each in by_number)
