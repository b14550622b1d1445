"""All that a result depends on, as a key: by it results are kept, so that undo and redo compute nothing twice."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from ..data.variables import Metadata
from ..recipe.model import Combination, Recipe
from ..suppression.problem import Rules
from .column_store import ColumnStore
from .household_store import HouseholdStore
from .households import household_names, variable_of
from .input_files import InputFiles
from .needed_columns import hidden_variables
from .results import RecodedData, RiskTable


class ResultKeys:
    """Keys of results, by the stores below them."""

    def __init__(self, inputs: InputFiles, columns: ColumnStore, households: HouseholdStore) -> None:
        self._inputs, self._columns, self._households = inputs, columns, households

    def column(self, recipe: Recipe, metadata: Metadata, name: str) -> Hashable:
        """All that the column `name` depends on before it is itself recoded."""
        key = self._households.column_key(recipe, metadata, name)
        sources = next((spec.sources for spec in recipe.derived if spec.name == name), ())
        return (key, *(self.recoded(recipe, metadata, source) for source in sources)) if sources else key

    def recoded(self, recipe: Recipe, metadata: Metadata, name: str) -> Hashable:
        """All that the column `name` depends on after recoding."""
        column = self.column(recipe, metadata, name)
        spec = next((spec for spec in recipe.recodes if spec.variable == name), None)
        if spec is None:
            return column
        return "recode", column, spec, self._inputs.small(spec.scheme_file), variable_of(recipe, metadata, name)

    def columns(self, derived: RecodedData, names: tuple[str, ...], unrecoded: Collection[str] = ()) -> Hashable:
        """All that these columns depend on; of some, as they were before their recode."""
        recipe, metadata = derived.recipe, derived.metadata
        return tuple(
            self.column(recipe, metadata, name) if name in unrecoded else self.recoded(recipe, metadata, name)
            for name in names
        )

    def cells(self, derived: RecodedData, combination: Combination, unrecoded: Collection[str] = ()) -> Hashable:
        """All that the cells of a combination depend on."""
        weight = derived.metadata.weight
        weights = self._columns.key(derived.recipe.input, derived.metadata, weight.name) if weight else None
        rule = combination.missing_rule, combination.alpha
        return "cells", self.columns(derived, combination.variables, unrecoded), weights, rule

    def table(self, derived: RecodedData, table: RiskTable) -> Hashable:
        """All that a risk table depends on, but for its threshold."""
        return self.cells(derived, table.combination), table.combination.estimator, table.asked.exceedance

    def suppression(self, derived: RecodedData) -> Hashable:
        """What suppression depends on beside tables and thresholds."""
        hidden = hidden_variables(derived.metadata)
        limits = tuple(
            (v.name, v.suppression_weight, v.related, v.suppressible, v.name in hidden)
            for v in derived.metadata.variables
        )
        return limits, self.columns(derived, tuple(derived.columns))

    def homes(self, derived: RecodedData, rules: Rules) -> Hashable:
        """What suppression in households depends on beside."""
        shared = household_names(derived.recipe, derived.metadata)
        return self._households.key(derived.recipe, derived.metadata), shared, rules.fixed, rules.unseen
