"""Whether the other estimates find no unsafe record in the safe file, either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ..estimators import estimator_words
from ..model import Judgement
from ..released import ReleasedFile, grouped, listed, one_in

DECLARATION = Declaration(
    name="other-model",
    title=mark("Alternative risk estimate"),
    group=mark("Risk"),
    sentence=mark(
        "The alternative risk estimate of the released file finds no record at or above the threshold. Where the file "
        "is its own population the risk is known, and the rule holds. Without usable weights a person decides."
    ),
    parameters=(
        Parameter("most", "number", mark("Risks have to be below this limit."), low=0, high=1, low_included=False),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    if "most" not in used:
        return translate("The alternative risk estimate finds no unsafe record.")
    told = translate("By the alternative risk estimate, every record is below its threshold, at most {limit}.")
    return told.format(limit=one_in(used["most"]))


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By all combinations; where one has no alternative estimate, nothing is shown."""
    tables, most = given.estimates(), used.get("most")
    if not tables:
        return Judgement.not_shown(given.records, translate("No combination of key variables is assessed."))
    number, causes, about = 0, list[str](), dict[str, None]()
    for table in tables:
        found = table.found_by_others(most)
        number += found
        if found:
            about |= dict.fromkeys(table.variables)
            by = "exact" if table.other is None or table.below_exact >= found else table.other.estimator
            by = estimator_words(by, given.is_weighted)
            largest = table.uncounted(most)
            if largest is not None:
                told = translate(
                    mark(
                        "By {estimator}, the largest estimated risk of {names} is {risk}; the records at or above "
                        "{limit} were not counted."
                    )
                )
                told = told.format(estimator=by, names=table.name, risk=one_in(largest), limit=one_in(most or 0))
                causes.append(told)
                continue
            counted = plural(
                found,
                "By {estimator}, {n} record is at or above the threshold of {names}.",
                "By {estimator}, {n} records are at or above the threshold of {names}.",
            )
            causes.append(translate(counted).format(estimator=by, n=grouped(found), names=table.name))
    if number:
        return Judgement(False, number, None, " ".join(causes), number, tuple(about))
    missing = [table.name for table in tables if table.other is None and not table.exact]
    if missing:
        text = mark("{names} has no alternative risk estimate: the weights do not give a population.")
        return Judgement.not_shown(given.records, translate(text).format(names=listed(missing)), decide=True)
    without = [t.name for t in tables if not t.exact and t.limit is None and most is None]
    if without:
        told_of = translate("No threshold is set for {names}.").format(names=listed(without))
        return Judgement.not_shown(given.records, told_of)
    return Judgement(True, number=0)
