"""What suppression has to do for a recipe: its tables by model, and the records that are unsafe by any of them."""

from __future__ import annotations

import numpy as np

from core.derive.results import Derived
from core.derive.unsafe_records import judged_unsafe
from core.progress import SILENT, Progress
from core.suppression.models import Anonymous, Models
from core.suppression.units import Table
from core.tables.margins import UnsafeSpec, unsafe_combinations


def models_of(derived: Derived) -> Models:
    """The tables by which values are suppressed; none where the criterion is ``none``."""
    combinations = derived.recipe.combinations
    if derived.recipe.suppression.criterion == "none":
        return Models()
    return Models(
        risk=tuple(Table(t.cells, t.threshold, t.combination.estimator) for t in derived.risk_tables),
        rare=rare_tables(derived),
        anonymous=tuple(Anonymous(c.variables, c.k) for c in combinations if c.model == "k-anonymity" and c.k),
        order=tuple(dict.fromkeys(name for c in combinations for name in c.variables)),
    )


def rare_tables(derived: Derived) -> tuple[UnsafeSpec, ...]:
    """The tables of the threshold rule."""
    chosen = (c for c in derived.recipe.combinations if c.model == "frequency")
    return tuple(UnsafeSpec(c.variables, c.count_threshold) for c in chosen)


def unsafe_by_any(derived: Derived, progress: Progress = SILENT) -> int:
    """Records that are unsafe by the model of at least one combination."""
    unsafe = np.zeros(derived.records, np.bool_)
    for index in range(len(derived.tables)):
        flags = judged_unsafe(derived, index, progress)
        if flags is not None:
            unsafe |= flags
    if rare := rare_tables(derived):
        for flags in unsafe_combinations(rare, derived.columns, progress).unsafe_records.values():
            unsafe |= flags
    return int(unsafe.sum())
