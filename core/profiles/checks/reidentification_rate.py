"""The re-identification rate of the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Judgement
from ..released import ReleasedFile

DECLARATION = Declaration(
    name="reidentification-rate",
    title=mark("Re-identification rate"),
    group=mark("Risk"),
    sentence=mark("The mean individual risk of the records of every combination that is judged by risk."),
    parameters=(
        Parameter(
            "most", "number", mark("The largest rate allowed, a fraction."), low=0, high=1, low_included=False,
            required=True,
        ),
    ),
)  # fmt: skip


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    return translate("The re-identification rate is at most {most}.").format(most=f"{used['most']:g}")


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Behind a rate that is too high are the records whose own risk is higher than it may be."""
    risks = given.risks()
    if not risks:
        return Judgement.of_file(False, given.records, translate("no combination is judged by risk"))
    most = used["most"] * (1.0 + TOLERANCE)

    def too_high(risk: NDArray[np.float64]) -> bool:
        judged = ~np.isnan(risk)
        times = None if given.records_of_rows is None else given.records_of_rows[judged]
        return bool(judged.any() and np.average(risk[judged], weights=times) > most)

    return given.by_part((table.variables, (table.risk > most) & too_high(table.risk)) for table in risks)
