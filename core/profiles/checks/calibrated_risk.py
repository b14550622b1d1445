"""The largest risk of a record by the calibrated model of the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import DataError
from ...base.texts import mark, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="calibrated-risk",
    title=mark("Largest calibrated risk"),
    group=mark("Risk"),
    sentence=mark(
        "No record has a larger risk by the calibrated model, fitted to the released keys of every combination that "
        "is judged by risk."
    ),
    parameters=(
        Parameter(
            "most", "number", mark("The largest risk allowed."), low=0, high=1, low_included=False, required=True
        ),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("No record has a calibrated risk above {most}.").format(most=f"{used['most']:g}")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Where no combination is judged by risk, or the weights tell no population, nothing is shown."""
    keys = [c.variables for c in given.recipe.combinations if c.has_risk]
    if not keys or given.calibrated is None:
        return Judgement.of_file(False, given.records, translate("no combination is judged by risk"))
    most, calibrated = used["most"] * (1.0 + TOLERANCE), given.calibrated
    try:
        return given.by_part((names, calibrated(names) > most) for names in keys)
    except DataError as error:
        return Judgement.of_file(False, given.records, error.sentence)
