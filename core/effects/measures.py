"""``[[measures]]``: risk measures beside the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.base.progress import SILENT, Progress
from core.recipe.declared import variables_of
from core.recipe.model import Measure
from core.results.results import Results
from core.risk.measures.evaluation import Evaluation, MeasureInput
from core.risk.measures.registry import REGISTRY
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure carried out on the original (recoded) file.

    Attributes
    ----------
    parameters : as used, defaults included
    table : the cells that it was taken on, with f and F of each, and those of the records
    """

    measure: Measure
    parameters: Mapping[str, Any]
    evaluation: Evaluation
    table: Tabulation

    def summary(self) -> dict[str, Any]:
        """The measure as an object of the summary."""
        named = {"kind": self.measure.kind, "variables": list(self.measure.variables)}
        used = {name: str(value) if isinstance(value, Path) else value for name, value in self.parameters.items()}
        return named | used | dict(self.evaluation.figures)


def measure(derived: Results, wanted: Measure, progress: Progress = SILENT) -> Measured:
    """Carry out a measure of any kind that this version has."""
    module = REGISTRY[wanted.kind]
    parameters = module.DECLARATION.used(wanted)
    columns = [derived.columns[name] for name in wanted.variables]
    rule, alpha = parameters["missing_rule"], parameters.get("alpha", 1.0)
    table = tabulate_records(columns, derived.microdata.weights, rule, alpha, progress)
    others = {name: derived.columns[name] for key, name in variables_of("measures", wanted) if key != "variables"}
    given = MeasureInput(table, others, parameters, progress)
    return Measured(wanted, parameters, module.evaluate(given), table)
