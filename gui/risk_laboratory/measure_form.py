"""The parameters of a measure as a form."""

from __future__ import annotations

from core.risk.measures.evaluation import COUNTING
from gui.shared.form.parameter_form import ParameterForm


class MeasureForm(ParameterForm):
    """`measureParameters`; how missing values count is folded."""

    def __init__(self) -> None:
        super().__init__("measureParameters", {parameter.name for parameter in COUNTING})
