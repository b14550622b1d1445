"""Whether the household identifier is the original one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration
from ...results.perturbed_columns import names_of_perturbed
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="household-id-renumbered",
    title=mark("Household identifier not original"),
    group=mark("File"),
    sentence=mark("The household identifier is numbered anew, or left out."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("The household identifier is numbered anew, or left out.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """A file without a household identifier keeps the rule."""
    identifier, kept = given.original.household_id, given.recipe.output.household_id == "keep"
    is_original = (
        identifier is not None
        and identifier.name in given.layout
        and kept
        and identifier.name
        not in names_of_perturbed(given.recipe, given.original)  # synthetic households have new ones
    )
    return Judgement.of_file(not is_original, given.records, identifier.name if identifier is not None else "")
