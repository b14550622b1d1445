"""Variables that are declared keys, are released, and are in no combination: no record is judged by them."""

from __future__ import annotations

from core.base.errors import Notice
from core.base.texts import by_count, mark
from core.results.needed_columns import hidden_variables
from core.results.results import Prepared

KEYS_NOT_JUDGED = "keys-not-judged"
_NAMES = 5
"""Names that are listed; of more than these the others are counted."""


def unjudged_keys(derived: Prepared) -> tuple[Notice, ...]:
    """One warning that names them, in file order; none without combinations, where nothing is judged at all."""
    if not derived.recipe.combinations:
        return ()
    left_out = hidden_variables(derived.metadata)
    left_out |= {name for combination in derived.recipe.combinations for name in combination.variables}
    names = [
        variable.name
        for variable in derived.metadata.variables
        if variable.role == "other" and variable.identification_level and variable.name not in left_out
    ]
    return (_warning(names),) if names else ()


def _warning(names: list[str]) -> Notice:
    text = by_count(
        len(names),
        mark(
            "{names} is declared a key but is in no combination: no record was judged by it, no value is suppressed "
            "because of it, and it is written to the safe file all the same. Put it into a combination in Select "
            "Combinations, or take the use Key away in Specify Metadata if it is no key."
        ),
        mark(
            "{names} are declared keys but are in no combination: no record was judged by them, no value is suppressed "
            "because of them, and they are written to the safe file all the same. Put them into a combination in "
            "Select Combinations, or take the use Key away in Specify Metadata from those that are no keys."
        ),
    )
    if len(names) > _NAMES:
        text = mark(
            "{names} and {more} more are declared keys but are in no combination: no record was judged by them, no "
            "value is suppressed because of them, and they are written to the safe file all the same. Put them into a "
            "combination in Select Combinations, or take the use Key away in Specify Metadata from those that are no "
            "keys."
        )
    listed, more = ", ".join(names[:_NAMES]), max(len(names) - _NAMES, 0)
    return Notice.of(KEYS_NOT_JUDGED, text, where=names[0], names=listed, more=more)
