"""Whether few values are suppressed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate, with_marks
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="useful",
    title=mark("Suppressed shares"),
    group=mark("Use"),
    sentence=mark("Suppressed values are at most so large a share of the key values, and in so few of the records."),
    parameters=(
        Parameter("values", "number", mark("The largest share of key values, a fraction."), low=0, high=1,
                  required=True),
        Parameter("records", "number", mark("The largest share of records, a fraction."), low=0, high=1,
                  required=True),
    ),
)  # fmt: skip


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = translate("At most {values} of key values and {records} of records are suppressed.")
    return told.format(values=_percent(used["values"]), records=_percent(used["records"]))


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """By local suppression alone; the key values are those of the variables of all combinations."""
    keys = {name for combination in given.recipe.combinations for name in combination.variables}
    total, touched = given.suppressed
    of_values = total / (given.records * len(keys)) if given.records and keys else 0.0
    of_records = touched / given.records if given.records else 0.0
    holds = of_values <= used["values"] * (1 + TOLERANCE) and of_records <= used["records"] * (1 + TOLERANCE)
    told = translate("{values} of key values are suppressed, in {records} of records.")
    told = told.format(values=_percent(of_values), records=_percent(of_records))
    return Judgement.of_file(holds, touched, told, total)


def _percent(share: float) -> str:
    return with_marks(f"{100 * share:.3g}") + "\u00a0%"
