"""What the safe file gives away of the values that a plan suppresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.derive.households import household_names, members_apart
from core.derive.needs import hidden_variables, needed_columns
from core.derive.order import blocks_of_households, shuffled
from core.derive.results import Derived
from core.derive.suppressing import rules_of
from core.errors import DataError, Notice
from core.microdata.columns import EncodedColumn, Microdata
from core.microdata.households import by_written_identifier
from core.progress import SILENT, Progress
from core.suppression.counted_members import household_leaks
from core.suppression.leaks import leaks, narrowing_notices
from core.suppression.narrowing import others
from core.suppression.plan import Plan
from core.texts import by_count, mark

AT_A_TIME = 1 << 28
"""Bytes of other variables' columns that are held in memory together."""
_NO_CODES = {"codes-too-many", "code-encoding"}


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


def given_away_by_others(
    derived: Derived, plan: Plan, read: Callable[[Sequence[str]], Microdata], progress: Progress = SILENT
) -> Iterator[Notice]:
    """Warnings about released variables that were not read with the others, because the file is large.

    They are read some at a time, and none where nothing is suppressed that is released.

    Parameters
    ----------
    read : gives the columns of the variables named, from the file that `derived` follows from
    """
    unseen = hidden_variables(derived.metadata) | rules_of(derived).unseen
    suppressed = {name: flags for name, flags in plan.suppressed.items() if name not in unseen and flags.any()}
    names = needed_columns(derived.recipe, derived.metadata, "telling") if suppressed else ()
    names = tuple(name for name in names if name not in derived.columns)
    step = max(1, AT_A_TIME // (4 * max(derived.records, 1)))
    unread: list[str] = []
    for begin in range(0, len(names), step):
        for columns in _columns(names[begin : begin + step], read, unread):
            variables = others(columns, None, "")
            for name, flags in suppressed.items():
                yield from narrowing_notices(
                    derived.columns[name], flags, variables, plan.suppressed, progress=progress
                )
    if unread:
        yield Notice.of(
            "give-aways-not-examined",
            by_count(
                len(unread),
                mark("Whether {names} gives suppressed values away was not examined: it cannot be read as codes."),
                mark("Whether {names} give suppressed values away was not examined: they cannot be read as codes."),
            ),
            where=unread[0],
            names=", ".join(unread),
        )


def _columns(
    names: Sequence[str], read: Callable[[Sequence[str]], Microdata], unread: list[str]
) -> Iterator[dict[str, EncodedColumn]]:
    """Columns of `names`; where one of them is free text, each by itself. Those that hold no codes go to `unread`."""
    try:
        found = read(names).columns
    except DataError as error:
        if error.id not in _NO_CODES:
            raise
    else:
        yield {name: found[name] for name in names}
        return
    if len(names) == 1:
        unread.append(names[0])
        return
    for name in names:
        yield from _columns((name,), read, unread)
