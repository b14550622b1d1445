"""The facts from which the questions of a review board are answered, from a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.columns import Weights
from ..data.variables import Metadata
from ..metadata.column_contents import Kind
from ..metadata.guess_use import is_place
from ..results.households import variable_of
from ..results.released_columns import after_suppression
from ..results.results import Results
from ..suppression.plan import Plan
from ..tables.exact_sums import to_float
from ..warnings.checklist import ChecklistEntry
from .board_facts import Area, BoardFacts

_BLOCK = 1 << 16
"""Records looked at in one go: what is made of them stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class ReleasedWeights:
    """Weights of a safe file that are not those of the original.

    `each` : (n,) float64, in the original's order, nan where there is none; None: they are not at hand.
    """

    each: NDArray[np.float64] | None


def board_facts(
    derived: Results,
    plan: Plan | None,
    layout: Metadata | None,
    checklist: Sequence[ChecklistEntry],
    released_weights: ReleasedWeights | None = None,
) -> BoardFacts:
    """Facts on the release of `derived`.

    Parameters
    ----------
    plan : what becomes missing; None: nothing
    layout : metadata of the safe file; None where there is none: those of the original, without what is removed
    checklist : the columns that no model judges
    released_weights : of a safe file whose weights are others; None: they are the original's
    """
    metadata, recipe = derived.metadata, derived.recipe
    written = layout.variables if layout else tuple(v for v in metadata.variables if not v.removed)
    names = {variable.name for variable in written}
    weights = None if derived.microdata.weights is None else _people(derived.microdata.weights, released_weights)
    numbers = tuple(v.name for v in written if v.numeric and v.role == "other")
    cut = {change.variable for change in recipe.numeric if change.top or change.bottom}
    held: dict[Kind, tuple[str, ...]] = {}
    for entry in checklist:
        if entry.released and entry.variable in names:
            held[entry.contents.kind] = (*held.get(entry.contents.kind, ()), entry.variable)
    return BoardFacts(
        areas=tuple(_areas(derived, plan, weights)),
        people=None if weights is None else weights.total,
        weight_released=metadata.weight is not None and metadata.weight.name in names,
        identifiers=tuple(v.name for v in metadata.variables if v.role == "direct-identifier"),
        sensitive=tuple(v.name for v in written if v.sensitive),
        numbers=numbers,
        cut=tuple(name for name in numbers if name in cut),
        held=held,
        order_is_random=recipe.output.shuffle,
        household_ids=recipe.output.household_id,
    )


def _people(original: Weights, released: ReleasedWeights | None) -> _People | None:
    """Sums of the weights that the safe file has; None where they are not known."""
    if released is None:
        total = float(to_float([limb.sum(keepdims=True) for limb in original.limbs], original.decimals)[0])
        return _People(total, len(original), lambda part: _floats(original, part))
    each = released.each
    return None if each is None else _People(float(np.nansum(each)), len(each), lambda part: np.nan_to_num(each[part]))


def _floats(weights: Weights, part: slice) -> NDArray[np.float64]:
    return Weights(tuple(limb[part] for limb in weights.limbs), weights.decimals).as_floats()


@dataclass(frozen=True)
class _People:
    """Weights of so many records: their `total`, and `of` gives those of some records."""

    total: float
    records: int
    of: Callable[[slice], NDArray[np.float64]]


def _areas(derived: Results, plan: Plan | None, weights: _People | None) -> Iterator[Area]:
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
            for start in range(0, weights.records, _BLOCK):
                part = slice(start, start + _BLOCK)
                np.add.at(of_code, column.values[part], weights.of(part))
            people = float(of_code[there].min())
        yield Area(name, len(there), int(column.counts[there].min()), people)
