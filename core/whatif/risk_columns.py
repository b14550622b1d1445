"""Frequencies and risks as columns that a safe file carries: those of each record's remaining values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.errors import RecipeError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.variables import Metadata, Variable
from ..results.results import Protection, RiskTable

DIGITS = 6
"""Significant digits of what is written."""

_FIGURES = (
    ("FREQ", mark("Sample frequency of the remaining key values")),
    ("POPFREQ", mark("Estimated population frequency of the remaining key values")),
    ("RISK", mark("Individual risk of the remaining key values")),
)

_HOUSEHOLD = ("HHRISK", mark("Household risk by the remaining key values of all members"))


def risk_columns(
    protection: Protection, progress: Progress = SILENT
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
    derived = protection.derived
    variables, columns = [], []
    for table in derived.risk_tables:
        left = protection.remaining(table, progress)
        found = [*zip(_FIGURES, (left.frequency, left.population, left.risk), strict=True)]
        if derived.households is not None and left.household is not None:
            found.append((_HOUSEHOLD, left.household[derived.households.household_of_record]))
        for (name, label), values in found:
            column, decimals = _column(_name(derived.metadata, name, table), values, derived.metadata.decimal)
            columns.append(column)
            variables.append(
                Variable(
                    column.name,
                    length=column.width,
                    decimals=decimals,
                    label=str(label),  # English, as all labels that are made: content of the safe file
                    numeric=True,
                    missing=() if derived.metadata.format == "fixed" else ("",),
                )
            )
    return tuple(variables), tuple(columns)


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
