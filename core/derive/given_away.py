"""What the safe file gives away of the values that a plan suppresses."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.derive.households import household_names, members_apart
from core.derive.needs import hidden_variables
from core.derive.order import blocks_of_households, shuffled
from core.derive.results import Derived
from core.derive.suppressing import rules_of
from core.errors import Notice
from core.microdata.households import by_written_identifier
from core.progress import SILENT, Progress
from core.suppression.counted_members import household_leaks
from core.suppression.leaks import leaks
from core.suppression.plan import Plan


def given_away(derived: Derived, plan: Plan, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """Warnings about what the released order, variables and households tell of suppressed values."""
    metadata, output = derived.metadata, derived.recipe.output
    unseen = rules_of(derived).unseen
    hidden = hidden_variables(metadata) | unseen
    released = {name: column for name, column in derived.columns.items() if name not in hidden}
    weight = metadata.weight if metadata.weight and metadata.weight.name not in hidden else None
    together, shared = seen_together(derived), household_names(derived.recipe, metadata)
    found = leaks(
        released,
        plan.suppressed,
        derived.microdata.weights if weight else None,
        weight.name if weight else "",
        shuffled=output.shuffle,
        blocks=partial(shuffled, derived) if blocks_of_households(derived) else None,
        household_of_record=together,
        shared=shared,
        add_risk=output.add_risk,
        progress=progress,
    )
    if together is None:
        return found
    in_sight = {name: column for name, column in derived.columns.items() if name not in unseen}
    return (*found, *household_leaks(in_sight, plan.suppressed, together, shared, progress))


def seen_together(derived: Derived) -> NDArray[np.uint32] | None:
    """The household of each record (n,) as users of the safe file see it; None where they cannot.

    Under an identifier that is kept these are the groups that share it, also where they are protected as single
    persons.
    """
    if derived.households is None or members_apart(derived.recipe):
        return None
    if derived.recipe.output.household_id == "keep":
        return by_written_identifier(derived.households)
    return derived.households.household_of_record
