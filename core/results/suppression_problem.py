"""What suppression has to do for a recipe: its tables by model, and the records that are unsafe by any of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..recipe.edits import searches_jointly
from ..recipe.model import Criterion
from ..risk.population_risks import PopulationRisks
from ..suppression.costs import Costs
from ..suppression.criteria.registry import whole_file_criterion
from ..suppression.households.limits import UnprotectableHouseholds, staying_households
from ..suppression.households.sharing import HouseholdProblem
from ..suppression.joint.optimise import JointSettings
from ..suppression.models import Models
from ..suppression.problem import ProtectedTable, Rules
from ..tables.margins import UnsafeSpec, unsafe_combinations
from .households import household_names, members_apart
from .record_draws import Digests, ValueDraw, draw_source
from .results import DescribedRecipe, Results, RiskTable
from .set_keys import set_variables
from .unsafe_records import judged_unsafe


def models_of(derived: Results) -> Models:
    """The tables by which values are suppressed; none where the criterion is ``none``."""
    combinations = derived.recipe.combinations
    if derived.recipe.suppression.criterion == "none":
        return Models()
    return Models(
        risk=tuple(judged_table(table) for table in derived.risk_tables),
        rare=rare_tables(derived),
        whole_file=tuple(whole_file_criterion(c) for c in combinations if c.judges_whole_file),
        order=tuple(dict.fromkeys(name for c in combinations for name in c.variables)),
    )


def judged_table(table: RiskTable) -> ProtectedTable:
    """A risk table with both its thresholds, as suppression takes it, and the risks that records are judged by."""
    return _as_problem(table, table.judged_risk, table.judged_margins)


def figured_table(table: RiskTable) -> ProtectedTable:
    """The same with the risks that figures are told of, which differ where the promise judges."""
    return _as_problem(table, table.risk, table.population)


def _as_problem(table: RiskTable, risk: NDArray[np.float64], margins: PopulationRisks | None) -> ProtectedTable:
    household = table.household.threshold if table.household else None
    cells, estimator = table.cells, table.combination.estimator
    return ProtectedTable(cells, table.cell_index, table.threshold, estimator, household, risk, margins, table.held)


def joint_settings(derived: DescribedRecipe, digests: Digests) -> JointSettings | None:
    """How a release is searched for; None where no table is judged by its released keys.

    `digests` : reads the values by which it is drawn which records of a cell lose values
    """
    recipe, asked = derived.recipe, derived.recipe.suppression
    if not searches_jointly(recipe):
        return None
    by_keys, draw = asked.mode == "released-keys", ValueDraw(draw_source(recipe, derived.metadata), digests)
    return JointSettings(asked.effort, asked.seed, asked.thorough, asked.least_records, draw, by_keys)


def with_effort(derived: Results, effort: int) -> Results:
    """The same results by a recipe that asks for a search of this effort, and for no exact solution."""
    asked = replace(derived.recipe.suppression, effort=effort, thorough=False)
    return replace(derived, recipe=derived.recipe.with_(suppression=asked))


def homes_of(derived: Results) -> HouseholdProblem | None:
    """The households whose members are protected together; None without a household identifier."""
    if derived.households is None:
        return None
    variables = household_names(derived.recipe, derived.metadata)
    return HouseholdProblem(derived.households, variables)


def unprotectable_households(derived: Results, combination: int) -> UnprotectableHouseholds | None:
    """Households that no suppression makes safe, and what protection would say of them; None where there are none."""
    table, homes = derived.tables[combination], homes_of(derived)
    if table is None or homes is None or table.household is None or table.household.threshold is None:
        return None
    return staying_households(judged_table(table), derived.columns, rules_of(derived), homes)


def rules_of(derived: DescribedRecipe) -> Rules:
    """What limits suppression: keys of the household must stay, unless nobody can see them in the safe file."""
    keys = frozenset(spec.name for spec in derived.recipe.household_keys)
    sets = set_variables(derived.recipe, derived.metadata).values()
    stay = frozenset(key.name for key in sets if not key.suppressible)
    apart = members_apart(derived.recipe)
    fixed = stay if apart else stay | keys
    return Rules.of(derived.metadata, derived=fixed, unseen=keys if apart else frozenset())


def costs_of(derived: Results) -> Costs:
    """What suppression costs by the recipe's criterion; what stands in no file costs nothing."""
    criterion: Criterion = "weights" if derived.recipe.suppression.criterion == "weights" else "entropy"
    keys = frozenset(spec.name for spec in derived.recipe.household_keys)
    costs = Costs.of(criterion, derived.columns.values(), derived.metadata, keys)
    sets = set_variables(derived.recipe, derived.metadata)
    weights = {name: float(key.suppression_weight) for name, key in sets.items()}
    return replace(costs, weights={**costs.weights, **weights}) if weights else costs


def rare_tables(derived: DescribedRecipe) -> tuple[UnsafeSpec, ...]:
    """The tables of the threshold rule."""
    chosen = (c for c in derived.recipe.combinations if c.judges_margins)
    return tuple(UnsafeSpec(c.variables, c.count_threshold) for c in chosen)


def unsafe_by_any(derived: Results, progress: Progress = SILENT) -> int:
    """Records that are unsafe by the model of at least one combination."""
    unsafe = np.zeros(derived.times.rows(derived.records), np.bool_)
    for index in range(len(derived.tables)):
        flags = judged_unsafe(derived, index, progress)
        if flags is not None:
            unsafe |= flags
    if rare := rare_tables(derived):
        for flags in unsafe_combinations(rare, derived.columns, progress).unsafe_records.values():
            unsafe |= flags
    return derived.times.count(unsafe)
