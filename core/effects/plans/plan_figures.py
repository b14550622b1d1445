"""What a point of the lattice does to risk and information, counted from merged tables."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.base.errors import RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.effects.advice import left_out
from core.effects.plans.hierarchies import Hierarchy, KeyLevel
from core.effects.plans.merged_tables import OUT, MergedTable, MergedTables, Point
from core.effects.recode_effect import comparable_loss
from core.profiles.goals import Goal
from core.recipe.edits import effective_threshold, with_individual_threshold
from core.recipe.model import POPULATION_ESTIMATORS, Combination, Recipe
from core.recipe.validate import check_protectable
from core.results.households import asks_household, household_names
from core.results.results import Results
from core.results.risk_tables import asks_individual, individual_threshold
from core.results.suppression_problem import costs_of, rules_of
from core.risk.individual import is_unsafe
from core.risk.staircase import Staircase
from core.suppression.candidates import CandidateLists, positions
from core.tables.tabulate import tabulate


@dataclass(frozen=True, eq=False)
class FoundPlan:
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


def aimed(recipe: Recipe, index: int, goal: Goal) -> Recipe:
    """The recipe whose combination of that place is judged by a goal: its largest risk, or its least records.

    Raises
    ------
    RecipeError
        The goal is about something else.
    """
    combination = recipe.combinations[index]
    if goal.kind == "largest-risk":
        own = combination if combination.model == "individual-risk" else Combination(combination.variables)
        return with_individual_threshold(_with_combination(recipe, index, own), index, goal.limit)
    if goal.kind == "least-records":
        by_k = combination.model == "k-anonymity"
        own = combination if by_k else Combination(combination.variables, "k-anonymity", missing_rule="category")
        return _with_combination(recipe, index, replace(own, k=math.ceil(goal.limit)))
    raise RecipeError(
        "no-goal-of-plans",
        mark("A plan cannot be searched for by the goal {goal}."),
        mark("Choose a largest risk or a least number of records."),
        goal=goal.kind,
    )


def _with_combination(recipe: Recipe, index: int, own: Combination) -> Recipe:
    places = enumerate(recipe.combinations)
    return recipe.with_(combinations=tuple(own if place == index else each for place, each in places))


def recipe_of(recipe: Recipe, index: int, hierarchies: Sequence[Hierarchy], plan: FoundPlan) -> Recipe:
    """The recipe with the codings of a plan for its combination of that place."""
    for hierarchy, i in zip(hierarchies, plan.levels, strict=True):
        level = hierarchy.levels[i]
        if level.is_left_out:
            recipe = left_out(recipe, index, hierarchy.variable)
        elif not hierarchy.stays:
            others = tuple(each for each in recipe.recodes if each.variable != hierarchy.variable)
            recipe = recipe.with_(recodes=others if level.recode is None else (*others, level.recode))
    return recipe


class PlanProblem:
    """The plans for one combination: what each does.

    Parameters
    ----------
    derived : what follows from the recipe
    index : the combination's place in it
    hierarchies : of its keys, in its order

    Raises
    ------
    RecipeError
        The combination is not judged by sums over its cells: by a population model, by households, or as rare.
    """

    def __init__(
        self, derived: Results, index: int, hierarchies: Sequence[Hierarchy], progress: Progress = SILENT
    ) -> None:
        recipe = derived.recipe
        self.derived, self.index, self.hierarchies, self.progress = derived, index, tuple(hierarchies), progress
        self.combination = recipe.combinations[index]
        self._asked = effective_threshold(recipe, self.combination)
        self._check()
        self.by_risk = self.combination.model == "individual-risk"
        weights = derived.microdata.weights if self.by_risk else None
        columns = [each.column for each in self.hierarchies]
        rule, alpha = self.combination.missing_rule, self.combination.alpha
        base = tabulate(columns, weights, rule, alpha, progress)
        self.records = base.records
        self.tables = MergedTables(base, self.hierarchies, self.combination.estimator, progress)
        self._costs, self._rules = costs_of(derived), rules_of(derived)
        own = {each.variable for each in self.hierarchies}
        counted = (name for c in recipe.combinations for name in c.variables)
        others = {*counted, *(spec.variable for spec in recipe.recodes)} - own
        self.elsewhere = comparable_loss(derived, dict.fromkeys(sorted(others), 0))

    def _check(self) -> None:
        combination, asked = self.combination, self._asked
        text, hint = "", mark("Aim at a largest risk or a least number of records instead.")
        if combination.model == "frequency":
            text = mark("{combination} is judged by the threshold rule: plans cannot be searched for.")
        elif combination.model == "individual-risk" and combination.estimator in POPULATION_ESTIMATORS:
            text = mark("{combination} is judged by a model of the whole table: plans cannot be searched for.")
            hint = mark("Choose the estimator exact, or preview recodes instead.")
        elif combination.model == "individual-risk" and asks_household(asked) and not asks_individual(asked):
            text = mark("{combination} is judged by household risks: plans cannot be searched for.")
            hint = mark("Aim at a largest individual risk or a least number of records instead.")
        if text:
            raise RecipeError("no-plans-by-model", text, hint, combination=" x ".join(combination.variables))

    @cached_property
    def detail(self) -> float:
        """Bits of the keys' original codes, of which losses are shares."""
        first = [each.levels[0] for each in self.hierarchies]
        return math.fsum(
            level.lost + level.values[1] * level.entropy if not level.is_left_out else level.lost for level in first
        )

    @cached_property
    def exact(self) -> bool:
        """Whether suppressions are counted as the recipe's own protection makes them."""
        asked = self.derived.recipe.suppression
        if asked.criterion == "none":
            return self.by_risk
        as_judged = self.by_risk and asked.mode == "original-counts" and not asked.close_gaps
        protects = self.combination.missing_rule in ("observed", "wildcard")
        return self._is_alone and as_judged and protects and self._can_be_blanked()

    @cached_property
    def _is_alone(self) -> bool:
        """Whether nothing else judges the records."""
        comparing = self.by_risk and self.combination.estimator == "plug-in"  # which protects nobody
        return len(self.derived.recipe.combinations) == 1 and not asks_household(self._asked) and not comparing

    @cached_property
    def _leaves_safe_records(self) -> bool:
        """Whether the recipe's own protection takes nothing from a file without unsafe records, and is not refused."""
        recipe = self.derived.recipe
        try:
            check_protectable(recipe)
        except RecipeError:
            return False
        # a released key may have too few records though their risk is low; counts on the released file may be refused
        by_values = recipe.suppression.mode != "released-counts" and recipe.suppression.least_records == 1
        return self._is_alone and (by_values or not self.by_risk)

    def _can_be_blanked(self) -> bool:
        """Whether nothing but a record's own values decides which of them go, and these can be written as missing."""
        derived = self.derived
        touched = self._closures(tuple(each.variable for each in self.hierarchies), self._rules.unwritten)[0]
        for name in touched:
            column = derived.columns[name]
            outside = name not in self.combination.variables
            if (outside and column.has_missing) or (name not in self._rules.fixed and not column.n_missing_codes):
                return False
        if derived.households is None:
            return True
        return not set(touched) & set(household_names(derived.recipe, derived.metadata))

    @property
    def is_monotone(self) -> bool:
        """Whether coarser codings never make a record less safe, nor dearer to make safe [1/F falls in f and in F]."""
        asked, suppression = self._asked, self.derived.recipe.suppression
        free = {spec.name for spec in self.derived.recipe.household_keys} - self._rules.fixed
        fixed = not self.by_risk or (
            self.combination.estimator in ("exact", "plug-in")
            and asked.reidentification_rate is None
            and asked.unsafe_records is None
        )
        entropy = suppression.criterion == "entropy" and not free & set(self.combination.variables)
        return fixed and entropy and self.combination.missing_rule != "listwise"

    @cached_property
    def least_rate(self) -> float:
        """No plan has a lower rate, where `is_monotone`: the risk of a record without any value."""
        return float(self.tables.at((OUT,) * len(self.hierarchies)).risk[0]) if self.by_risk else math.nan

    def point(self, levels: Iterable[int]) -> Point:
        """The point of the lattice of tables."""
        both = zip(self.hierarchies, levels, strict=True)
        return tuple(OUT if hierarchy.levels[i].is_left_out else i for hierarchy, i in both)

    def evaluate(self, levels: tuple[int, ...]) -> FoundPlan:
        """What the plan with these levels does."""
        chosen = [each.levels[i] for each, i in zip(self.hierarchies, levels, strict=True)]
        point = self.point(levels)
        table = self.tables.at(point)
        count = table.cells.count
        limit = self._limit(table)
        unsafe = self._is_unsafe(table, limit)
        expected = before = math.nan
        known = 0
        if self.by_risk:
            there = ~np.isnan(table.risk)
            known = int(count[there].sum())
            expected = before = float(table.risk[there] @ count[there])
        by_variable, left = dict[str, int](), 0
        rows = np.flatnonzero(unsafe)
        if len(rows) and self.derived.recipe.suppression.criterion != "none":
            by_variable, change, left = self._suppressed(point, table, chosen, rows, limit)
            expected += change
        number = int(count[rows].sum())
        return FoundPlan(
            levels,
            tuple(level.codes for level in chosen),
            len(count),
            math.fsum(level.lost for level in chosen),
            self._loss(chosen, by_variable),
            number,
            before / known if known else math.nan,
            expected / known if known else math.nan,
            sum(by_variable.values()),
            by_variable,
            left,
            not left and (self.exact or (not number and self._leaves_safe_records)),
        )

    def _limit(self, table: MergedTable) -> float | None:
        """The threshold of the risk at this point."""
        if not self.by_risk:
            return None
        if self._asked.individual_risk is not None:
            return self._asked.individual_risk
        return individual_threshold(self._asked, Staircase.from_cells(table.risk, table.cells.count, self.progress))

    def _is_unsafe(
        self, table: MergedTable, limit: float | None, at: NDArray[np.intp] | slice = slice(None)
    ) -> NDArray[np.bool_]:
        if self.by_risk:
            return is_unsafe(table.risk[at], limit)
        found: NDArray[np.bool_] = table.cells.f[at] < (self.combination.k or 1)
        return found

    def _closures(
        self, keys: tuple[str, ...], unwritten: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Variables that may go, keys first, and those that go with each key."""
        rules = replace(self._rules, unwritten=frozenset(unwritten))
        closures = tuple(rules.closure(key) for key in keys)
        outside = dict.fromkeys(name for closure in closures for name in closure if name not in keys)
        return (*keys, *outside), closures

    def _suppressed(
        self, point: Point, table: MergedTable, chosen: Sequence[KeyLevel], rows: NDArray[np.intp], limit: float | None
    ) -> tuple[dict[str, int], float, int]:
        """Newly missing values by variable, what they change of the expected re-identifications, and who stays unsafe.

        As `core.suppression.individual.optimise` chooses them: the first of the global order of candidates by which a
        cell's remaining values are safe.
        """
        cells, has = table.cells, [j for j, level in enumerate(point) if level != OUT]
        gone = {each.variable for each, level in zip(self.hierarchies, point, strict=True) if level == OUT}
        variables, closures = self._closures(cells.variables, self._rules.unwritten | gone)
        bit = {name: 1 << v for v, name in enumerate(variables)}
        cost = self._cost_of(chosen)
        lists = CandidateLists(
            len(has),
            tuple(sum(bit[name] for name in closure) for closure in closures),
            tuple(cost[name] if name in cost else self._costs[name] for name in variables),
            sum(bit[name] for name in variables if name in self._rules.fixed),
        )
        newly, change, left = dict.fromkeys(variables, 0), 0.0, 0
        as_value = cells.rule == "category"  # of their own, also where a value is missing
        of_row = cells.missing[rows]
        for missing in np.unique(of_row).tolist():
            pending = rows[of_row == missing]
            for taken, out in _ways(lists, missing, as_value):
                kept = [place for place in range(len(has)) if not out >> place & 1]
                stay = {has[place] for place in kept}
                margin = self.tables.at(tuple(level if j in stay else OUT for j, level in enumerate(point)))
                found = margin.find([cells.codes[place][pending] for place in kept])
                met = np.broadcast_to(~self._is_unsafe(margin, limit, found), pending.shape)
                done = pending[met]
                if len(done):
                    records = cells.count[done]
                    for v in positions(taken):
                        newly[variables[v]] += int(records.sum())
                    if self.by_risk:
                        after = np.broadcast_to(margin.risk[found], pending.shape)[met]
                        change += float((after - table.risk[done]) @ records)
                    pending = pending[~met]
                if not len(pending):
                    break
            left += int(cells.count[pending].sum())
        return newly, change, left

    def _cost_of(self, chosen: Sequence[KeyLevel]) -> dict[str, float]:
        """What a value of each key costs at these levels."""
        if self._costs.criterion == "weights":
            return {}
        free = {spec.name for spec in self.derived.recipe.household_keys}
        both = zip(self.hierarchies, chosen, strict=True)
        return {each.variable: level.entropy for each, level in both if each.variable not in free}

    def _loss(self, chosen: Sequence[KeyLevel], by_variable: dict[str, int]) -> float:
        """Bits that go by codings and suppressions together [as `core.effects.recode_effect.comparable_loss`]."""
        lost, own = [self.elsewhere], set()
        for hierarchy, level in zip(self.hierarchies, chosen, strict=True):
            lost += [level.lost, by_variable.get(hierarchy.variable, 0) * level.entropy]
            own.add(hierarchy.variable)
        lost += [self._costs.entropies[name] * number for name, number in by_variable.items() if name not in own]
        return math.fsum(lost)


def _ways(lists: CandidateLists, missing: int, as_value: bool) -> Iterator[tuple[int, int]]:
    """Variables newly missing, and keys that count no more, as bit masks, for records with these missing keys.

    Best first. Where a missing value counts `as_value`, last without any: others that lose theirs are like them then.
    """
    newly = 0
    for candidate in lists.of(missing):
        newly = candidate.newly
        if newly:
            yield newly, newly | (0 if as_value else missing)
    if as_value:
        free = sum(1 << place for place, closure in enumerate(lists.closures) if not closure & lists.fixed)
        yield newly, newly | missing & free
