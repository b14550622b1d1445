"""What a measure of risk is given and what it gives back, and the parameters that measures have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.progress import Progress
from ...base.texts import mark
from ...data.columns import EncodedColumn
from ...recipe.declared import Declaration, Parameter, RecordFigure
from ...tables.cells import Cells
from .shown import Headline, Listed, Listing, Picture

if TYPE_CHECKING:
    # these load what a recipe can be read without
    from ...data.columns import Weights
    from ...data.households import Households
    from ...recipe.model import Units
    from ...tables.cell_index import Tabulation
    from .file_pair import RecordFiles
    from .targets import Targets

RARE, SENSITIVE = mark("Rare in the file"), mark("Sensitive values")
POPULATION, INTRUDERS = mark("In the population"), mark("Two files and intruders")

TAKES_LONG = "measure-takes-long"
"""Error of a measure that is known to take longer than somebody wants to wait."""

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

MISSING_EQUAL = Parameter(
    "missing_rule",
    "choice",
    mark("category: a missing value equals other missing ones; listwise: incomplete records are left out."),
    default="category",
    choices=("category", "listwise"),
)
"""How the records are counted where a missing value can only be a value like any other."""

FREQUENCIES = (
    RecordFigure("f", mark("sample frequency")),
    RecordFigure("F", mark("population frequency")),
)


@dataclass(frozen=True, eq=False)
class SafeColumns:
    """What is known of the safe file where a measure is taken on it; the original's where there is none.

    Attributes
    ----------
    original, released : columns (n,) of the measure's variables after recoding, and after suppression, too; both in
        the order of the original
    candidates : number of values possible -> suppressed values, by elimination; None where that is not counted
    order : by variable its suppressed values that equal both nearest remaining ones, and how many would by chance;
        None where the safe file is in random order
    targets : a register of people, where the measure names one
    """

    original: Mapping[str, EncodedColumn]
    released: Mapping[str, EncodedColumn]
    candidates: Mapping[int, int] | None = None
    order: Mapping[str, tuple[int, float]] | None = None
    targets: Targets | None = None


RecordNumbers = Callable[[NDArray[np.intp]], NDArray[np.int64]]
"""Of a file in parts, of rows that stand for one record each: where these stand in the whole file."""


@dataclass(frozen=True, eq=False)
class MeasureInput:
    """What a measure is taken on: the original file after recoding.

    Attributes
    ----------
    table : the keys on the measure's variables, counted under its missing rule, and those of the records
    columns : (n,) encoded columns of the variables that its parameters name
    parameters : as used, defaults included
    safe : made when it is asked for; None where nobody knows of a safe file
    weights : those that the table was counted with; None without a weight variable
    units : what the records are, of a file without a weight, as the recipe says it
    households : None without a household identifier
    members : of a measure of sets, by variable the values that each code of the table stands for, in the order of the
        file; variables whose values are no sets have none
    files : of a measure of records
    record_numbers : where the records of rows stand in the file, from 0; None: a row is a record
    """

    table: Tabulation
    columns: Mapping[str, EncodedColumn]
    parameters: Mapping[str, Any]
    progress: Progress
    safe: Callable[[], SafeColumns] | None = None
    weights: Weights | None = None
    units: Units | None = None
    households: Households | None = None
    members: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    files: RecordFiles | None = None
    record_numbers: RecordNumbers | None = None

    @property
    def record_files(self) -> RecordFiles:
        """The records of the original and of a released file."""
        assert self.files is not None, "the measure is one of records"
        return self.files

    @property
    def release(self) -> SafeColumns:
        """The safe file beside the original."""
        assert self.safe is not None, "the measure is taken on a safe file"
        return self.safe()

    @property
    def cells(self) -> Cells:
        """The distinct keys."""
        return self.table.cells


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Figures by name, as the summary has them, and columns of the record file: (m,) float64, nan where not defined.

    Columns are named (name, variable), with an empty variable where the declaration says none. `of_households` are
    such columns, too, by name: (H,) float64, one value a household; `of_records` (n,) float64, one a record. Headline,
    picture and what stands behind the figures are for whoever looks at one measure; None where there is nothing to
    show.
    """

    figures: Mapping[str, Any]
    columns: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    of_households: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    of_records: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    headline: Headline | None = None
    picture: Picture | None = None
    behind: Listing | None = None


class RiskMeasure(Protocol):
    """The module of a measure; one that can take long has a function ``seconds(given)``, too, which counts nothing."""

    DECLARATION: Declaration

    def evaluate(self, given: MeasureInput) -> Evaluation:
        """Take the measure."""


def frequency_columns(cells: Cells) -> dict[tuple[str, str], NDArray[np.float64]]:
    """f and F of `cells`."""
    return {("f", ""): cells.f, ("F", ""): cells.F}


def frequencies_listed(cells: Cells) -> tuple[Listed, ...]:
    """f and F of `cells` beside their keys."""
    return (
        Listed(mark("sample frequency"), "exact", cells.f),
        Listed(mark("population frequency"), "exact", cells.F),
    )
