"""``[[measures]]``: risk measures beside the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.base.progress import SILENT, Progress
from core.recipe.declared import measured_variables
from core.recipe.model import Measure
from core.results.record_files import MeasuredRecords
from core.results.released_columns import after_suppression
from core.results.results import Protection, Results
from core.risk.measures.evaluation import Evaluation, MeasureInput, SafeColumns
from core.risk.measures.registry import REGISTRY
from core.suppression.inference.leaks import neighbours
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records, without_keys


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure carried out on the original (recoded) file, and on the safe file where it asks for that.

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


def measure(
    derived: Results, wanted: Measure, progress: Progress = SILENT, protection: Protection | None = None
) -> Measured:
    """Carry out a measure of any kind that this version has; `protection`: None where nothing was suppressed."""
    module = REGISTRY[wanted.kind]
    parameters = module.DECLARATION.used(wanted)
    if module.DECLARATION.of_records:
        return _of_records(derived, wanted, parameters, progress, protection)
    columns = [derived.columns[name] for name in wanted.variables]
    weights, units = derived.microdata.weights, derived.recipe.input.units
    rule, alpha = parameters["missing_rule"], parameters.get("alpha", 1.0)
    table = tabulate_records(columns, weights, rule, alpha, progress)
    others = {name: derived.columns[name] for key, name in measured_variables(wanted, keys=True) if key != "variables"}
    safe = partial(_safe_columns, derived, wanted, protection, progress)
    given = MeasureInput(table, others, parameters, progress, safe, weights, units, derived.households)
    return Measured(wanted, parameters, module.evaluate(given), table)


def _of_records(
    derived: Results, wanted: Measure, parameters: Mapping[str, Any], progress: Progress, protection: Protection | None
) -> Measured:
    """A measure that reads numbers of records: no keys are counted."""
    files = MeasuredRecords(derived, wanted.variables, _key(derived, wanted), parameters, protection, progress)
    table = without_keys(derived.records)
    given = MeasureInput(table, {}, parameters, progress, files=files)
    return Measured(wanted, parameters, REGISTRY[wanted.kind].evaluate(given), table)


def _key(derived: Results, wanted: Measure) -> str:
    """Where the recipe says the measure, for errors."""
    number = next((i for i, each in enumerate(derived.recipe.measures, 1) if each == wanted), 1)
    return f"measures[{number}]"


def _safe_columns(derived: Results, wanted: Measure, protection: Protection | None, progress: Progress) -> SafeColumns:
    """The variables of a measure before and after suppression, and what else tells suppressed values."""
    names = dict.fromkeys(name for _key, name in measured_variables(wanted, keys=True))
    original = {name: derived.columns[name] for name in names}
    suppressed = {} if protection is None else protection.plan.suppressed
    released = {name: after_suppression(column, suppressed) for name, column in original.items()}
    order = None
    if not derived.recipe.output.shuffle:
        found = {name: neighbours(original[name], flags) for name, flags in suppressed.items() if name in original}
        order = {name: (each.equal, each.expected) for name, each in found.items()}
    told = {} if protection is None else protection.inferences
    same = (
        each
        for index, each in told.items()
        if set(derived.recipe.combinations[index].variables) == set(wanted.variables)
    )
    inference = next(same, None)
    targets = None
    said = dict(wanted.parameters)
    if "targets" in said:
        joined = {"by": "identifier"} if "identifier" in said else {}
        files = MeasuredRecords(derived, wanted.variables, _key(derived, wanted), said | joined, protection, progress)
        targets = files.targets(said["targets"], [released[name] for name in wanted.variables])
    return SafeColumns(original, released, None if inference is None else inference.candidates, order, targets)
