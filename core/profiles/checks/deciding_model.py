"""Whether the chosen criterion finds no unsafe record in the safe file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import is_unsafe
from ..estimators import estimator_words
from ..model import Judgement
from ..released import ReleasedFile, grouped, listed, one_in

DECLARATION = Declaration(
    name="deciding-model",
    title=mark("Chosen criterion"),
    group=mark("Risk"),
    sentence=mark(
        "By the criterion of every combination no record is unsafe. A combination that is assessed by risk needs a "
        "threshold, here or in the recipe."
    ),
    parameters=(
        Parameter("most", "number", mark("Risks have to be below this limit."), low=0, high=1, low_included=False),
        Parameter("k", "integer", mark("The smallest k of a combination under k-anonymity."), low=2),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    if "most" not in used:
        return translate("By the chosen criterion, no record is unsafe.")
    told = translate("By the chosen criterion, every record is below its threshold, at most {limit}.")
    return told.format(limit=one_in(used["most"]))


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Where a combination has no threshold, or too small a k, nothing is shown."""
    tables, most = given.estimates(), used.get("most")
    if not tables:
        return Judgement.not_shown(given.records, translate("No combination of key variables is assessed."))
    without = [t.name for t in tables if t.unsafe is None and (most is None or not t.estimator)]
    if without:
        told = translate("No threshold is set for {names}.").format(names=listed(without))
        return Judgement.not_shown(given.records, told)
    small = [t.name for t in tables if t.k is not None and t.k < used.get("k", 0)]
    if small:
        told = translate("k is below {k} for {names}.").format(k=used["k"], names=listed(small))
        return Judgement.not_shown(given.records, told)
    causes, about = list[str](), dict[str, None]()
    flagged, found = np.zeros(given.rows, np.bool_), 0
    risks = {table.variables: table.risk for table in given.risks()} if most is not None else {}
    for table in tables:
        unsafe = table.unsafe or 0
        if most is not None and table.variables in risks:
            here = is_unsafe(risks[table.variables], most)
            flagged |= here
            unsafe = max(unsafe, given.count(here))
        found = max(found, unsafe)
        if unsafe:
            about |= dict.fromkeys(table.variables)
            by = estimator_words(table.estimator, given.is_weighted) if table.estimator else mark("the criterion")
            counted = plural(
                unsafe,
                "By {estimator}, {n} record is unsafe on {names}.",
                "By {estimator}, {n} records are unsafe on {names}.",
            )
            if unsafe > (table.unsafe or 0):
                counted = plural(
                    unsafe,
                    "By {estimator}, {n} record is at or above {limit} on {names}.",
                    "By {estimator}, {n} records are at or above {limit} on {names}.",
                )
            told = translate(counted).format(
                estimator=translate(by), n=grouped(unsafe), names=table.name, limit=one_in(most or 0)
            )
            causes.append(told)
    number = max(found, given.count(flagged))
    return Judgement(not number, number, flagged if flagged.any() else None, " ".join(causes), number, tuple(about))
