"""Frequencies and risks as columns that a safe file carries: those of each record's remaining values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.base.errors import RecipeError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.data.columns import EncodedColumn
from core.data.households import Households
from core.data.variables import Metadata, Variable
from core.results.results import Results, RiskTable
from core.risk.household import household_risk
from core.suppression.inference.leaks import remaining_risks
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable

DIGITS = 6
"""Significant digits of what is written."""

_FIGURES = (
    ("FREQ", mark("Sample frequency of the remaining key values")),
    ("POPFREQ", mark("Estimated population frequency of the remaining key values")),
    ("RISK", mark("Individual risk of the remaining key values")),
)

_HOUSEHOLD = ("HHRISK", mark("Household risk by the remaining key values of all members"))


def risk_columns(
    derived: Results, plan: Plan, progress: Progress = SILENT
) -> tuple[tuple[Variable, ...], tuple[EncodedColumn, ...]]:
    """For each risk table c the columns ``FREQ_c``, ``POPFREQ_c``, ``RISK_c`` and, with households, ``HHRISK_c``.

    Original values would tell what was suppressed; so the figures are those of the released pattern's margin.

    Returns
    -------
    variables : numerical ones; where they stand is for the layout to say
    columns : (n,) each, the texts to write as codes; an undefined figure is empty

    Raises
    ------
    RecipeError
        The file has a variable of that name already.
    """
    variables, columns = [], []
    for table in derived.risk_tables:
        judged = ProtectedTable(table.cells, table.cell_index, table.threshold, table.combination.estimator)
        found = [*zip(_FIGURES, remaining_risks(judged, plan.suppressed, progress), strict=True)]
        if derived.households is not None:
            found.append((_HOUSEHOLD, _household_risks(found[-1][1], derived.households, progress)))
        for (name, label), values in found:
            column, decimals = _column(_name(derived.metadata, name, table), values, derived.metadata.decimal)
            columns.append(column)
            variables.append(
                Variable(
                    column.name,
                    length=column.width,
                    decimals=decimals,
                    label=translate(label),
                    numeric=True,
                    missing=() if derived.metadata.format == "fixed" else ("",),
                )
            )
    return tuple(variables), tuple(columns)


def _household_risks(risk: NDArray[np.float64], households: Households, progress: Progress) -> NDArray[np.float64]:
    """The household risk of every record, from the records' own."""
    of_record = np.arange(len(risk), dtype=np.uint32)
    return household_risk(risk, of_record, households, progress)[households.household_of_record]


def _name(metadata: Metadata, figure: str, table: RiskTable) -> str:
    name = f"{figure}_{table.index + 1}"
    if name.casefold() in (other.casefold() for other in metadata.names):
        raise RecipeError(
            "risk-column-exists",
            mark("output.add_risk adds a variable {variable}, but the file has one of that name."),
            mark("Rename the variable of the file."),
            variable=name,
        )
    return name


def _column(name: str, values: NDArray[np.float64], decimal: str) -> tuple[EncodedColumn, int]:
    rounded, index = np.unique(values, return_inverse=True)
    texts = [_text(value) for value in rounded.tolist()]
    codes = tuple(dict.fromkeys(texts))
    place = {text: number for number, text in enumerate(codes)}
    of_value = np.array([place[text] for text in texts], np.uint32)
    indices = of_value[index]
    written = tuple(code.replace(".", decimal) for code in codes)
    width = max(map(len, written), default=1)
    counts = np.bincount(indices, minlength=len(codes)).astype(np.int64)
    decimals = max((len(code.partition(".")[2]) for code in codes), default=0)
    return EncodedColumn(name, indices, written, written, counts, len(codes), max(width, 1)), decimals


def _text(value: float) -> str:
    if np.isnan(value):
        return ""
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return np.format_float_positional(value, precision=DIGITS, unique=False, fractional=False, trim="-")
