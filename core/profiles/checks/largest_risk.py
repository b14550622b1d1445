"""The largest risk of a record, as the recipe judges it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="largest-risk",
    title=mark("Largest individual risk"),
    group=mark("Risk"),
    sentence=mark("No record has a larger individual risk, as the combinations and the mode of suppression judge it."),
    parameters=(
        Parameter(
            "most", "number", mark("The largest risk allowed."), low=0, high=1, low_included=False, required=True
        ),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No record has an individual risk above {most}.").format(most=f"{used['most']:g}")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """On every combination that is judged by risk; where none is, nothing is shown."""
    risks = given.risks()
    if not risks:
        return Judgement.of_file(False, given.records, translate("no combination is judged by risk"))
    most = used["most"] * (1.0 + TOLERANCE)
    return given.by_part((table.variables, table.risk > most) for table in risks)
