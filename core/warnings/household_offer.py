"""Whether household size is among the key variables, derived or as the file has it; else it is offered."""

from __future__ import annotations

from core.base.progress import SILENT, Progress
from core.recipe.household_keys import has_household_key
from core.results.households import members_apart
from core.results.results import Derived
from core.suppression.inference.household_leaks import follows_from_count


def lacks_household_key(derived: Derived, combination: int, progress: Progress = SILENT) -> bool:
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
