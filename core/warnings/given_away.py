"""What the safe file gives away of the values that a plan suppresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn, Microdata
from ..data.households import by_written_identifier
from ..recipe.model import Recipe
from ..recipe.set_keys import columns_of, set_of_column
from ..results.households import household_names, members_apart
from ..results.needed_columns import hidden_variables
from ..results.numeric import modified_columns
from ..results.record_order import blocks_of_households, shuffled
from ..results.results import Results
from ..results.suppression_problem import rules_of
from ..suppression.inference.household_inference import household_leaks
from ..suppression.inference.leaks import leaks, of_risk_columns
from ..suppression.inference.released_variable import ReleasedVariable
from ..suppression.plan import Plan
from .inference_from_variables import Recoded, Telling

AT_A_TIME = 1 << 28
"""Bytes of other variables' columns that are held in memory together."""
_NO_CODES = {"codes-too-many", "code-encoding"}


def given_away(derived: Results, plan: Plan, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """Warnings about what the released order, variables and households tell of suppressed values."""
    metadata, output = derived.metadata, derived.recipe.output
    unseen = rules_of(derived).unseen
    hidden = hidden_variables(metadata) | unseen
    released = {name: column for name, column in derived.columns.items() if name not in hidden}
    together, shared = seen_together(derived), household_names(derived.recipe, metadata)
    found = leaks(
        released,
        plan.suppressed,
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


def seen_together(derived: Results) -> NDArray[np.uint32] | None:
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
    derived: Results, plan: Plan, read: Callable[[Sequence[str]], Microdata], progress: Progress = SILENT
) -> Iterator[Notice]:
    """Warnings about released variables that tell suppressed values or undo a recode, as the safe file has them.

    Those that are not at hand are read some at a time, and none where there is nothing to tell.

    Parameters
    ----------
    read : gives the columns of the variables named as codes, from the file that `derived` follows from
    """
    metadata, recipe = derived.metadata, derived.recipe
    hidden = hidden_variables(metadata) | rules_of(derived).unseen | _not_as_it_is(derived)
    hidden |= {spec.name for spec in recipe.set_keys}  # its columns stand in the file
    at_hand = {name: column for name, column in derived.columns.items() if name not in hidden}
    telling = Telling(
        at_hand,
        plan.suppressed,
        {
            name: Recoded(derived.microdata.columns[name], at_hand[name], plan.suppressed.get(name))
            for name in derived.recodings
            if name in at_hand and name in metadata
        },
        _keys(recipe),
        metadata.household_id.name if metadata.household_id else "",
        None if derived.households is None else derived.households.household_of_record,
        progress,
        set_of_column(recipe).keys(),
    )
    if telling.nothing:
        return
    modified = modified_columns(derived, plan.suppressed, progress).columns
    given = partial(_shown, derived, plan)
    telling.know_keys({name: given(column) for name, column in at_hand.items() if name in _used(recipe)})
    unread: list[str] = []
    for name, column in {**at_hand, **modified}.items():
        if name not in hidden:
            yield from telling.notices(given(column))
    weight, weights = metadata.weight, derived.microdata.weights
    if weight is not None and weights is not None and weight.name not in hidden | modified.keys():
        yield from telling.notices(ReleasedVariable.weights(weight.name, weights))
    known = hidden | at_hand.keys() | modified.keys() | ({weight.name} if weight else set())
    names = [name for name in metadata.names if name not in known]
    step = max(1, AT_A_TIME // (4 * max(derived.records, 1)))
    for begin in range(0, len(names), step):
        for columns in _columns(names[begin : begin + step], read, unread):
            for column in columns.values():
                yield from telling.notices(given(column))
    yield from telling.pairs()
    if unread:
        yield Notice.of(
            "give-aways-not-examined",
            plural(
                len(unread),
                "Whether {names} gives suppressed values away was not examined: it cannot be read as codes.",
                "Whether {names} give suppressed values away was not examined: they cannot be read as codes.",
            ),
            where=unread[0],
            names=", ".join(unread),
        )


def given_away_in_parts(recipe: Recipe, plan: Plan) -> Iterator[Notice]:
    """The same of a file in parts, of which only the cells are known: what was not looked for, and risk columns."""
    if not plan.total:
        return
    if recipe.output.add_risk:
        yield of_risk_columns(plan.records_touched)
    yield Notice.of(
        "give-aways-not-examined-in-parts",
        mark(
            "Whether the order of the records or other variables of the safe file give suppressed values away was not "
            "examined: that needs the records of all parts at once."
        ),
    )


def _shown(derived: Results, plan: Plan, column: EncodedColumn) -> ReleasedVariable:
    weight = derived.metadata.weight
    is_weight = weight is not None and weight.name == column.name
    return ReleasedVariable.of(column, plan.suppressed.get(column.name), is_weight, derived.metadata.decimal)


def _not_as_it_is(derived: Results) -> set[str]:
    """The household identifier, where the safe file has none, or numbers in the order of the records."""
    identifier = derived.metadata.household_id
    return {identifier.name} if identifier and derived.recipe.output.household_id != "keep" else set()


def _used(recipe: Recipe) -> set[str]:
    return {name for combination in recipe.combinations for name in columns_of(recipe, combination.variables)}


def _keys(recipe: Recipe) -> dict[str, set[str]]:
    """By variable the other keys of its tables."""
    found: dict[str, set[str]] = {name: set() for name in _used(recipe)}
    for combination in recipe.combinations:
        for key in combination.variables:
            others = columns_of(recipe, (other for other in combination.variables if other != key))
            for name in columns_of(recipe, [key]):
                found[name].update(others)
    return found


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
