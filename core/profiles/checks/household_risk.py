"""Whether no household is unsafe in the safe file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import lowest_unsafe
from ..model import Judgement
from ..released import ReleasedFile, grouped, listed, one_in

DECLARATION = Declaration(
    name="household-risk",
    title=mark("Household risk"),
    group=mark("Risk"),
    sentence=mark("No household reaches its threshold. A file whose households data users cannot see keeps the rule."),
    parameters=(
        Parameter(
            "most", "number", mark("Household risks have to be below this limit."), low=0, high=1, low_included=False
        ),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    if "most" not in used:
        return translate("No household is unsafe.")
    return translate("By the household risk, every household is below its threshold, at most {limit}.").format(
        limit=one_in(used["most"])
    )


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Where households were not assessed, nothing is shown."""
    if not given.shows_households:
        return Judgement(True, number=0)
    tables, most = [table for table in given.estimates() if table.estimator], used.get("most")
    if not tables:
        return Judgement.not_shown(given.records, translate("No combination is assessed by household risk."))
    if not any(table.household_limit is not None for table in tables):
        return Judgement.not_shown(given.records, translate("No household risk threshold is set."))
    number = max(table.unsafe_households or 0 for table in tables)
    if number:
        told = plural(number, "{n} household is unsafe.", "{n} households are unsafe.")
        names = tuple(dict.fromkeys(n for t in tables if t.unsafe_households for n in t.variables))
        return Judgement(False, number, None, translate(told).format(n=grouped(number)), number, names)
    high = [
        table.name
        for table in tables
        if most is not None
        and (table.largest_household_risk is None or table.largest_household_risk >= lowest_unsafe(most))
    ]
    if high:
        text = mark("The household risk of {names} is not below {limit}.")
        return Judgement.not_shown(given.records, translate(text).format(names=listed(high), limit=one_in(most or 0)))
    return Judgement(True, number=0)
