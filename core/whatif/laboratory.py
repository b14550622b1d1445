"""A measure as the Risk Laboratory looks at it: before and after protection, and what stands behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from ..base.errors import PavoError, RecipeError
from ..base.progress import SILENT, Progress
from ..data.variables import Metadata
from ..recipe.declared import variables_of
from ..recipe.edits_checklist import with_edits
from ..recipe.model import Measure, Recipe, VariableEdit
from ..recipe.scenarios import taken_measure
from ..results.checks import NOT_CATEGORICAL, check_variables
from ..results.results import Protection, Results
from ..risk.measures.evaluation import RecordNumbers
from ..risk.measures.population_size import total_weight
from ..risk.measures.shown import Listing
from .measure_listing import listing_behind
from .measures import Measured, measure, measure_after

_DIGITS = 3
"""Significant digits of a proposed sampling fraction."""


def proposed_parameters(derived: Results) -> dict[str, Any]:
    """Parameters of measures that follow from the file, by name.

    ``sensitive``: the variables declared so; ``dis_fraction``: records over the sum of the weights, where there are
    weights of a sample, to three significant digits.
    """
    metadata = derived.metadata
    found: dict[str, Any] = {}
    sensitive = tuple(each.name for each in metadata.variables if each.sensitive and not each.removed)
    if sensitive:
        found["sensitive"] = sensitive
    cells = next((table.cells for table in derived.risk_tables if table.cells.weight_limbs), None)
    if cells is not None:
        population = total_weight(cells)
        if population > cells.records:
            found["dis_fraction"] = float(f"{cells.records / population:.{_DIGITS}g}")
    return found


@dataclass(frozen=True, eq=False)
class TriedMeasure:
    """A measure that somebody tries.

    Attributes
    ----------
    before : on the file after recoding, with nothing suppressed
    after : the same with the protection of the session; the error by which it cannot be taken then; None where no
        protection is known
    behind : what stands behind `before`, its keys in words
    """

    before: Measured
    after: Measured | PavoError | None
    behind: Listing | None


def recipe_to_try(recipe: Recipe, metadata: Metadata, wanted: Measure) -> Recipe:
    """`recipe` with `wanted` as its one measure, whose keys all count as categorical: a number is a code, too."""
    edits = {edit.name: edit for edit in recipe.variables}
    names = uncoded_variables(recipe, metadata, wanted)
    changed = [replace(edits.get(name, VariableEdit(name)), categorical=True) for name in names]
    return with_edits(recipe.with_(measures=(wanted,)), changed)


def uncoded_variables(recipe: Recipe, metadata: Metadata, wanted: Measure) -> tuple[str, ...]:
    """Variables that a measure needs categorical and that are not: it can be tried, but stands in no recipe before."""
    tried, found = recipe.with_(measures=(wanted,)), list[str]()
    names = {name for _key, name in variables_of("measures", taken_measure(recipe, wanted))}
    while True:
        try:
            check_variables(tried, metadata)
        except RecipeError as error:
            name = error.values.get("variable")
            if error.id == NOT_CATEGORICAL and name in names and name not in found:
                found.append(name)
                coded = (replace(v, categorical=True) if v.name == name else v for v in metadata.variables)
                metadata = replace(metadata, variables=tuple(coded))
                continue
        return tuple(found)


def try_measure(
    derived: Results,
    wanted: Measure,
    protection: Protection | None,
    progress: Progress = SILENT,
    patience: float = math.inf,
    record_numbers: RecordNumbers | None = None,
) -> TriedMeasure:
    """Take a measure before and, where a `protection` is known, after it.

    Parameters
    ----------
    derived : of `recipe_to_try`
    patience : seconds up to which nobody has to be asked
    record_numbers : of a file in parts, see `core.risk.measures.evaluation.MeasureInput`

    Raises
    ------
    PavoError
        The measure cannot be taken on this file, or would take longer than that.
    """
    before = measure(derived, wanted, progress, patience=patience, record_numbers=record_numbers)
    after: Measured | PavoError | None = None
    if protection is not None:
        try:
            # the rows of a file in parts are divided where a plan does not treat all of their records alike
            in_parts = not derived.times.are_one
            after = measure_after(before, protection.derived if in_parts else derived, protection, progress)
        except PavoError as error:
            after = error
    return TriedMeasure(before, after, listing_behind(derived, before))
