"""What a measure of risk is given and what it gives back, and the parameters that measures have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.base.progress import Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn
from core.recipe.declared import Declaration, Parameter, RecordFigure
from core.tables.cells import Cells

if TYPE_CHECKING:
    from core.tables.cell_index import Tabulation  # loads what a recipe can be read without

RARE, SENSITIVE = mark("Rare in the file"), mark("Sensitive values")

COUNTING = (
    Parameter(
        "missing_rule",
        "choice",
        mark("Which records count for one with missing key values."),
        default="observed",
        choices=("observed", "wildcard", "category", "listwise"),
    ),
    Parameter(
        "alpha",
        "number",
        mark("The share with which a record counts that has a missing value where the other has one."),
        default=1.0,
        low=0.0,
        high=1.0,
        only_with=("missing_rule", "wildcard"),
    ),
)
"""How the records are counted that share a key."""

FREQUENCIES = (
    RecordFigure("f", mark("sample frequency")),
    RecordFigure("F", mark("population frequency")),
)


@dataclass(frozen=True, eq=False)
class MeasureInput:
    """What a measure is taken on: the original file after recoding.

    Attributes
    ----------
    table : the keys on the measure's variables, counted under its missing rule, and those of the records
    columns : (n,) encoded columns of the variables that its parameters name
    parameters : as used, defaults included
    """

    table: Tabulation
    columns: Mapping[str, EncodedColumn]
    parameters: Mapping[str, Any]
    progress: Progress

    @property
    def cells(self) -> Cells:
        """The distinct keys."""
        return self.table.cells


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Figures by name, as the summary has them, and columns of the record file: (m,) float64, nan where not defined.

    Columns are named (name, variable), with an empty variable where the declaration says none.
    """

    figures: Mapping[str, Any]
    columns: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)


class RiskMeasure(Protocol):
    """The module of a measure."""

    DECLARATION: Declaration

    def evaluate(self, given: MeasureInput) -> Evaluation:
        """Take the measure."""


def frequency_columns(cells: Cells) -> dict[tuple[str, str], NDArray[np.float64]]:
    """f and F of `cells`."""
    return {("f", ""): cells.f, ("F", ""): cells.F}
