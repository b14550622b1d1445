"""What is said where nobody is judged: household risks without a threshold, and declared keys in no combination."""

from __future__ import annotations

import numpy as np

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, plural
from ..recipe.edits import has_household_key
from ..recipe.edits_checklist import judged_variables
from ..results.households import members_apart
from ..results.needed_columns import hidden_variables
from ..results.results import RecodedData, RemainingRisksOf, Results
from ..risk.individual import is_unsafe
from ..suppression.inference.household_inference import follows_from_count

UNJUDGED = "household-risk-not-judged"


def unjudged_households(
    derived: Results, remaining: RemainingRisksOf, progress: Progress = SILENT
) -> tuple[Notice, ...]:
    """A warning for every risk table of whose safe file a household reaches the threshold of the individual risk."""
    if members_apart(derived.recipe) or derived.recipe.suppression.criterion == "none":
        return ()
    found = []
    for table in derived.risk_tables:
        if table.threshold is None or table.household is None or table.household.asked:
            continue
        of_households = remaining(table, progress).household
        largest = 0.0 if of_households is None else float(np.nanmax(of_households, initial=0.0))
        if is_unsafe(np.array([largest]), table.threshold)[0]:
            found.append(_notice(" x ".join(table.combination.variables), largest, table.threshold))
    return tuple(found)


def _notice(combination: str, largest: float, threshold: float) -> Notice:
    return Notice.of(
        UNJUDGED,
        mark(
            "Households were not judged by {combination}: users of the safe file can see who lives together, and the "
            "largest household risk in it is {largest:.3g}; the threshold {threshold:.6g} is one of the individual "
            "risk. Choose a threshold in the Household Risk Chart, too, or remove the household identifier and let "
            "the members stand apart, in random order."
        ),
        combination=combination,
        largest=largest,
        threshold=threshold,
    )


KEYS_NOT_JUDGED = "keys-not-judged"
_NAMES = 5
"""Names that are listed; of more than these the others are counted."""


def unjudged_keys(derived: RecodedData) -> tuple[Notice, ...]:
    """One warning that names them, in file order; none without combinations, where nothing is judged at all."""
    if not derived.recipe.combinations:
        return ()
    left_out = hidden_variables(derived.metadata)
    left_out |= judged_variables(derived.recipe)
    names = [
        variable.name
        for variable in derived.metadata.variables
        if variable.role == "other" and variable.identification_level and variable.name not in left_out
    ]
    return (_warning(names),) if names else ()


def _warning(names: list[str]) -> Notice:
    text = plural(
        len(names),
        (
            "{names} is declared a key but is in no combination: no record was judged by it, no value is suppressed "
            "because of it, and it is written to the safe file all the same. Put it into a combination in Select "
            "Combinations, or take the use Key away in Specify Metadata if it is no key."
        ),
        (
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


def lacks_household_key(derived: Results, combination: int, progress: Progress = SILENT) -> bool:
    """Whether the safe file tells how many members a household has, and no key variable of the combination does.

    A variable of the file that follows from the number of members in nearly all records (a size, a type by size) is
    such a key, whatever its name and whatever it is recoded to.
    """
    households = derived.households
    if households is None or members_apart(derived.recipe) or has_household_key(derived.recipe, combination):
        return False
    for name in derived.recipe.combinations[combination].variables:
        progress.check()
        if follows_from_count(derived.microdata.columns[name], households.household_of_record):
            return False
    return True
