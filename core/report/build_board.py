"""The facts from which the questions of a review board are answered, from a session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.data.columns import Weights
from core.data.variables import Metadata
from core.metadata.guess_use import is_place
from core.metadata.holds import Kind
from core.report.board_facts import Area, BoardFacts
from core.results.households import variable_of
from core.results.released_columns import after_suppression
from core.results.results import Results
from core.suppression.plan import Plan
from core.tables.exact_sums import to_float
from core.warnings.checklist import ChecklistEntry

_BLOCK = 1 << 16
"""Records looked at in one go: what is made of them stays in the processor's cache."""


def board_facts(
    derived: Results, plan: Plan | None, layout: Metadata | None, checklist: Sequence[ChecklistEntry]
) -> BoardFacts:
    """Facts on the release of `derived`.

    Parameters
    ----------
    plan : what becomes missing; None: nothing
    layout : metadata of the safe file; None where there is none: those of the original, without what is removed
    checklist : the columns that no model judges
    """
    metadata, recipe = derived.metadata, derived.recipe
    written = layout.variables if layout else tuple(v for v in metadata.variables if not v.removed)
    names = {variable.name for variable in written}
    weights = derived.microdata.weights
    numbers = tuple(v.name for v in written if v.numeric and v.role == "other")
    cut = {change.variable for change in recipe.numeric if change.top or change.bottom}
    held: dict[Kind, tuple[str, ...]] = {}
    for entry in checklist:
        if entry.released and entry.variable in names:
            held[entry.contents.kind] = (*held.get(entry.contents.kind, ()), entry.variable)
    return BoardFacts(
        areas=tuple(_areas(derived, plan, weights)),
        people=None if weights is None else _total(weights),
        weight_released=metadata.weight is not None and metadata.weight.name in names,
        identifiers=tuple(v.name for v in metadata.variables if v.role == "direct-identifier"),
        sensitive=tuple(v.name for v in written if v.sensitive),
        numbers=numbers,
        cut=tuple(name for name in numbers if name in cut),
        held=held,
        order_is_random=recipe.output.shuffle,
        household_ids=recipe.output.household_id,
    )


def _total(weights: Weights) -> float:
    return float(to_float([limb.sum(keepdims=True) for limb in weights.limbs], weights.decimals)[0])


def _areas(derived: Results, plan: Plan | None, weights: Weights | None) -> Iterator[Area]:
    used = dict.fromkeys(name for combination in derived.recipe.combinations for name in combination.variables)
    for name in used:
        if not is_place(variable_of(derived.recipe, derived.metadata, name)):
            continue
        column = derived.columns[name]
        if plan is not None:
            column = after_suppression(column, plan.suppressed)
        there = np.flatnonzero(column.counts[: column.n_valid])
        if not len(there):
            continue
        people = None
        if weights is not None:
            of_code = np.zeros(len(column.codes))
            for start in range(0, len(weights), _BLOCK):
                part = slice(start, start + _BLOCK)
                some = Weights(tuple(limb[part] for limb in weights.limbs), weights.decimals)
                np.add.at(of_code, column.values[part], some.as_floats())
            people = float(of_code[there].min())
        yield Area(name, len(there), int(column.counts[there].min()), people)
