"""Whether no record is safe only through its own household."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration
from ..model import Judgement
from ..released import ReleasedFile, grouped

DECLARATION = Declaration(
    name="hidden-by-household",
    title=mark("Hidden by the own household"),
    group=mark("Risk"),
    sentence=mark("No record is safe only because members of its own household share its key."),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No record is safe only through its own household.")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Without a household identifier the rule holds; where nothing was counted, nothing is shown."""
    if given.household_of_record is None:
        return Judgement(True, number=0)
    counted = [table for table in given.estimates() if table.hidden is not None]
    if not counted:
        return Judgement.not_shown(given.records, translate("No combination has a criterion that counts households."))
    number = sum(table.hidden or 0 for table in counted)
    about = tuple(dict.fromkeys(name for table in counted if table.hidden for name in table.variables))
    told = plural(
        number,
        "{n} record is safe only through its own household.",
        "{n} records are safe only through their own household.",
    )
    return Judgement(
        not number, number, None, translate(told).format(n=grouped(number)) if number else "", number, about
    )
