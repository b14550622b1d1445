"""``[[measures]]``: risk measures beside the models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import EncodedColumn
from ..data.set_values import value_sets
from ..recipe.declared import measured_variables
from ..recipe.model import Measure, Recipe
from ..recipe.scenarios import taken_measure
from ..results.record_files import MeasuredRecords
from ..results.released_columns import after_suppression
from ..results.results import Protection, Results
from ..risk.measures.evaluation import TAKES_LONG, Evaluation, MeasureInput, RecordNumbers, SafeColumns
from ..risk.measures.registry import REGISTRY
from ..suppression.inference.leaks import neighbours
from ..tables.cell_index import Tabulation
from ..tables.tabulate import tabulate_records, without_keys


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure carried out on the original (recoded) file, and on the safe file where it asks for that.

    Attributes
    ----------
    parameters : as used, defaults included
    table : the cells that it was taken on, with f and F of each, and those of the records
    asked_for_safe : whether it looked at the safe file itself
    """

    measure: Measure
    parameters: Mapping[str, Any]
    evaluation: Evaluation
    table: Tabulation
    asked_for_safe: bool = False

    def summary(self) -> dict[str, Any]:
        """The measure as an object of the summary."""
        named = {"kind": self.measure.kind, "variables": list(self.measure.variables)}
        used = {name: str(value) if isinstance(value, Path) else value for name, value in self.parameters.items()}
        return named | used | dict(self.evaluation.figures)


def measure(
    derived: Results,
    wanted: Measure,
    progress: Progress = SILENT,
    protection: Protection | None = None,
    patience: float = math.inf,
    record_numbers: RecordNumbers | None = None,
) -> Measured:
    """Carry out a measure of any kind that this version has.

    Parameters
    ----------
    protection : None where nothing was suppressed
    patience : seconds; a measure that is known to take longer is refused with `TAKES_LONG`
    record_numbers : of a file in parts, see `MeasureInput`

    Raises
    ------
    PavoError
    """
    asked = taken_measure(derived.recipe, wanted)
    return _taken(derived, asked, derived.columns, progress, protection, patience, record_numbers)


def measure_after(before: Measured, derived: Results, protection: Protection, progress: Progress = SILENT) -> Measured:
    """The same measure with `protection`.

    One that looks at the safe file itself is taken on the original again; any other on the released values instead,
    under its own missing rule.
    """
    wanted, columns = before.measure, derived.columns
    if not before.asked_for_safe:
        suppressed = protection.plan.suppressed
        columns = {name: after_suppression(column, suppressed) for name, column in columns.items()}
    return _taken(derived, wanted, columns, progress, protection)


def _taken(
    derived: Results,
    wanted: Measure,
    values: Mapping[str, EncodedColumn],
    progress: Progress,
    protection: Protection | None,
    patience: float = math.inf,
    record_numbers: RecordNumbers | None = None,
) -> Measured:
    """A measure on these `values` of the variables, (n,) each."""
    module = REGISTRY[wanted.kind]
    parameters = module.DECLARATION.used(wanted)
    if module.DECLARATION.of_records:
        return _of_records(derived, wanted, parameters, progress, protection)
    columns = [values[name] for name in wanted.variables]
    members: dict[str, tuple[tuple[str, ...], ...]] = {}
    if module.DECLARATION.of_sets:
        columns, members = _sets(derived.recipe, values, columns, parameters.get("separator", ""), progress)
    weights, units = derived.microdata.weights, derived.recipe.input.units
    rule, alpha = parameters["missing_rule"], parameters.get("alpha", 1.0)
    table = tabulate_records(columns, weights, rule, alpha, progress)
    others = {name: values[name] for key, name in measured_variables(wanted, keys=True) if key != "variables"}
    asked: list[SafeColumns] = []

    def safe() -> SafeColumns:
        asked[:] = asked or [_safe_columns(derived, wanted, protection, progress)]
        return asked[0]

    given = MeasureInput(
        table, others, parameters, progress, safe, weights, units, derived.households, members,
        record_numbers=record_numbers,
    )  # fmt: skip
    estimate: Callable[[MeasureInput], float] | None = getattr(module, "seconds", None)
    if math.isfinite(patience) and estimate is not None and (seconds := estimate(given)) > patience:
        raise DataError(TAKES_LONG, mark("This takes about {time}."), "", time=_time_in_words(seconds))
    return Measured(wanted, parameters, module.evaluate(given), table, bool(asked))


def _time_in_words(seconds: float) -> str:
    """Whole seconds, minutes or hours: an estimate says no more."""
    for size, text in ((3600, mark("{n} hours")), (60, mark("{n} minutes"))):
        if seconds >= 2 * size:
            return translate(text).format(n=round(seconds / size))
    return translate(mark("{n} seconds")).format(n=max(round(seconds), 1))


def _sets(
    recipe: Recipe,
    values: Mapping[str, EncodedColumn],
    columns: list[EncodedColumn],
    separator: str,
    progress: Progress,
) -> tuple[list[EncodedColumn], dict[str, tuple[tuple[str, ...], ...]]]:
    """The columns with sets of values in the order of the file, and by variable what each code of these stands for.

    Sets are the keys of several columns, and what holds the `separator`, where there is one.
    """
    keys = {spec.name: spec for spec in recipe.set_keys}
    found, members = [], {}
    for column in columns:
        spec = keys.get(column.name)
        if spec is None and not (separator and any(separator in code for code in column.codes[: column.n_valid])):
            found.append(column)
            continue
        sources = [column] if spec is None else [values[name] for name in spec.columns]
        between = separator if spec is None else spec.separator
        made = value_sets(column.name, sources, between, progress, ordered=True)
        members[column.name] = made.contents
        found.append(made.column)
    return found, members


def _of_records(
    derived: Results, wanted: Measure, parameters: Mapping[str, Any], progress: Progress, protection: Protection | None
) -> Measured:
    """A measure that reads numbers of records: no keys are counted."""
    files = MeasuredRecords(derived, wanted.variables, _key(derived, wanted), parameters, protection, progress)
    table = without_keys(derived.records)
    given = MeasureInput(table, {}, parameters, progress, files=files)
    return Measured(wanted, parameters, REGISTRY[wanted.kind].evaluate(given), table, asked_for_safe=True)


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
