"""The largest risk of a record by the calibrated model of the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.base.errors import DataError
from core.base.texts import mark, translate
from core.profiles.model import Judgement
from core.profiles.released import ReleasedFile, by_records
from core.recipe.declared import Declaration, Parameter
from core.risk.individual import TOLERANCE

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
    keys = [c.variables for c in given.recipe.combinations if c.model == "individual-risk"]
    if not keys or given.calibrated is None:
        return Judgement.of_file(False, given.records, translate("no combination is judged by risk"))
    flagged, by_table = np.zeros(given.records, np.bool_), {}
    for names in keys:
        try:
            risk = given.calibrated(names)
        except DataError as error:
            return Judgement.of_file(False, given.records, error.sentence)
        above = risk > used["most"] * (1.0 + TOLERANCE)
        if above.any():
            by_table[" × ".join(names)] = int(above.sum())
            flagged |= above
    return Judgement.of(flagged, by_records(by_table))
