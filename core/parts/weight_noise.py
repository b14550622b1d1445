"""Noise on the weights of a file in parts: what is drawn for a record follows from its place in the whole file.

The generator can be set forward to any draw, so that each part is drawn for by itself and all get what they would get
in one file. The draws follow from all original weights in the order of the records, and from who lives together, which
takes a reading of the parts. Members of a household with the same weight share a draw: the same reading tells how many
draws come before each part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import EncodedColumn, Microdata
from ..data.variables import Metadata, Variable
from ..data.weights import LIMIT
from ..perturbation.registry import at_writing
from ..perturbation.values import DigestInOrder, in_order_of_records, values_of_codes
from ..perturbation.weight_noise import draws_of_households, with_noise
from ..recipe.model import NumericEdit, Perturbation, Recipe
from ..recoding.numerical import modify, plain, records_changed
from ..results.cell_tables import PartCells, too_many_digits
from ..results.drawing import noise_seed
from ..results.row_division import HouseholdIdentifier
from ..rows.source import PartRows
from ..utility.compared import numbers_or_nan


@dataclass(frozen=True, eq=False)
class Drawing:
    """What noise is drawn from.

    Attributes
    ----------
    seed : of all parts
    before : by the first record of a part, how many draws come before it
    """

    seed: tuple[int, ...]
    before: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class PlannedNoise:
    """What becomes of the weights.

    Attributes
    ----------
    entry : what asks for noise
    spec : what the recipe does to the weight before
    variable, decimal : the weight, and the file's decimal mark
    drawing : what is drawn from, and how many draws come before each part
    as_numbers : whether weights are written in their plain form
    decimals : of exact sums of what is written
    households : by which the members of a household are told, who share draws; None: there are none
    """

    entry: Perturbation
    spec: NumericEdit
    variable: Variable
    decimal: str
    drawing: Drawing
    as_numbers: bool
    decimals: tuple[int, ...]
    households: HouseholdIdentifier | None = None

    @property
    def name(self) -> str:
        """The weight variable."""
        return self.variable.name

    def changed(self, part: Microdata, first: int, progress: Progress = SILENT) -> tuple[EncodedColumn, int, int]:
        """The weights of a part as they are written, how many of them are others than before, and how many there are.

        `first` : how many records stand before the part.
        """
        before = modify(part.columns[self.name], self.spec, self.variable, decimal=self.decimal)
        living, draws = living_together(self.households, part, progress), self.drawing.before[first]
        share = dict(self.entry.parameters)["share"]
        made = with_noise(before, share, self.variable, self.decimal, self.drawing.seed, progress, living, draws)
        others, there = records_changed(before, made), int(before.counts[: before.n_valid].sum())
        return plain(made, self.decimal) if self.as_numbers else made, others, there

    def numbers(self, part: Microdata, first: int, progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n,) the weights of a part as they are written, as numbers."""
        return numbers_or_nan(self.changed(part, first, progress)[0], "." if self.as_numbers else self.decimal)


def asked_noise(recipe: Recipe) -> Perturbation | None:
    """What of a recipe asks for noise on the weight; None: nothing."""
    return next(iter(at_writing(recipe)), None)


def spec_of_weight(recipe: Recipe, weight: str) -> NumericEdit:
    """What the recipe does to the weight before it gets noise."""
    return next((spec for spec in recipe.numeric if spec.variable == weight), NumericEdit(weight))


def names_of_noise(weight: Variable, households: HouseholdIdentifier | None) -> tuple[str, ...]:
    """The variables from which noise on the weight follows."""
    return (weight.name,) if households is None else (weight.name, households.name)


def living_together(
    households: HouseholdIdentifier | None, part: Microdata, progress: Progress = SILENT
) -> NDArray[np.int64] | None:
    """(n,) the household of each record of a part, from 0 in the order of records; None where there are none."""
    if households is None:
        return None
    return in_order_of_records(households.living(part, progress).household_of_record)


@dataclass(frozen=True, eq=False)
class ValuesOfPart:
    """What the draws for one part follow from.

    Attributes
    ----------
    values : (n,) a number for the weight of each record, as it gets its noise
    households : (n,) as `living_together`
    draws : how many there are
    """

    values: NDArray[np.uint64]
    households: NDArray[np.int64] | None
    draws: int


@dataclass(frozen=True, eq=False)
class ValuesTask:
    """What the draws for a part follow from.

    Attributes
    ----------
    spec : what is done to the weights before they get noise
    variable, households : as of `PlannedNoise`
    """

    spec: NumericEdit
    variable: Variable
    households: HouseholdIdentifier | None

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return names_of_noise(self.variable, self.households)

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> ValuesOfPart:
        """Of one part."""
        part, decimal = rows.data, rows.data.metadata.decimal
        column = modify(part.columns[self.spec.variable], self.spec, self.variable, decimal=decimal)
        living, draws = living_together(self.households, part, progress), len(column.values)
        if living is not None:
            draws = int(draws_of_households(column, living, decimal).max(initial=-1)) + 1
        return ValuesOfPart(values_of_codes(column, decimal)[column.values], living, draws)


class DrawingOfNoise:
    """Finds what noise on the weight is drawn from, of all parts in order; a fold.

    Parameters
    ----------
    recipe : of the run
    entry : what of it asks for noise
    weight : the variable
    households : by which the members of a household are told; None: there are none
    """

    def __init__(
        self, recipe: Recipe, entry: Perturbation, weight: Variable, households: HouseholdIdentifier | None
    ) -> None:  # fmt: skip
        self.task = ValuesTask(spec_of_weight(recipe, weight.name), weight, households)
        self._output, self._entry = recipe.output, replace(entry, variables=(weight.name,))
        self._digest, self._before = DigestInOrder(), dict[int, int]()
        self._records = self._draws = 0

    def add(self, part: ValuesOfPart) -> None:
        """See `core.rows.scan.Fold`."""
        self._before[self._records] = self._draws
        self._records, self._draws = self._records + len(part.values), self._draws + part.draws
        self._digest.add(part.values, part.households)

    def turn(self) -> bool:
        """See `core.rows.scan.Fold`: one reading will do."""
        return False

    def planned(self, decimal: str, as_numbers: bool, decimals: tuple[int, ...]) -> PlannedNoise:
        """After all parts what becomes of the weights; see `PlannedNoise`."""
        digest, asked = self._digest.found(), self.task
        drawing = Drawing(noise_seed(self._output, self._entry, digest, lambda _weight: digest), self._before)
        return PlannedNoise(
            self._entry, asked.spec, asked.variable, decimal, drawing, as_numbers, decimals, asked.households
        )


def decimals_written(cells: PartCells, spec: NumericEdit, metadata: Metadata) -> tuple[int, ...]:
    """Decimals of the exact sums of the weights with noise over all parts.

    Raises
    ------
    DataError
        ``weight-digits``: they have more digits than can be added up exactly.
    """
    weight, own = metadata.weight, cells.decimals
    assert weight is not None
    places = max(own[-1], weight.decimals)
    total = int(cells.limbs[0].sum()) * 10 ** (places - own[0])
    if places == own[-1] and len(own) > 1:
        return own
    if len(own) > 1 or (2 * total + cells.records) >= LIMIT:
        raise too_many_digits(cells.sources[0].path, weight.name)
    return (places,)


@dataclass(frozen=True, eq=False)
class WidthTask:
    """Bytes of the longest weight of a part as it is written; `noise`: what becomes of the weights."""

    noise: PlannedNoise

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        return names_of_noise(self.noise.variable, self.noise.households)

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> int:
        """Of one part."""
        column = self.noise.changed(rows.data, rows.part.first, progress)[0]
        return max(map(len, column.codes), default=0)
