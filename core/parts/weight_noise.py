"""Noise on the weights of a file in parts: what is drawn for a record follows from its place in the whole file.

The generator can be set forward to any record, so that each part is drawn for by itself and all get what they would get
in one file. The draws follow from all original weights in the order of the records, which takes a reading of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Microdata
from core.data.variables import Metadata, Variable
from core.data.weights import LIMIT
from core.parts.cell_tables import PartCells
from core.parts.row_division import PartAgain, RowsTask
from core.perturbation.registry import at_writing
from core.perturbation.values import digest_in_order, values_of_codes
from core.perturbation.weight_noise import with_noise
from core.recipe.model import Numeric, Perturbation, Recipe
from core.recoding.numerical import modify, plain, records_changed
from core.results.drawing import noise_seed
from core.utility.compared import numbers_or_nan


@dataclass(frozen=True, eq=False)
class PlannedNoise:
    """What becomes of the weights.

    Attributes
    ----------
    entry : what asks for noise
    spec : all that the recipe does to the weight, the noise among it
    variable, decimal : the weight, and the file's decimal mark
    seed : what is drawn from
    as_numbers : whether weights are written in their plain form
    decimals : of exact sums of what is written
    """

    entry: Perturbation
    spec: Numeric
    variable: Variable
    decimal: str
    seed: tuple[int, ...]
    as_numbers: bool
    decimals: tuple[int, ...]

    @property
    def name(self) -> str:
        """The weight variable."""
        return self.variable.name

    def changed(self, part: Microdata, first: int, progress: Progress = SILENT) -> tuple[EncodedColumn, int, int]:
        """The weights of a part as they are written, how many of them are others than before, and how many there are.

        `first` : how many records stand before the part.
        """
        before = modify(part.columns[self.name], self.spec, self.variable, decimal=self.decimal)
        assert self.spec.noise is not None
        made = with_noise(before, self.spec.noise, self.variable, self.decimal, self.seed, progress, first=first)
        others, there = records_changed(before, made), int(before.counts[: before.n_valid].sum())
        return plain(made, self.decimal) if self.as_numbers else made, others, there

    def numbers(self, part: Microdata, first: int, progress: Progress = SILENT) -> NDArray[np.float64]:
        """(n,) the weights of a part as they are written, as numbers."""
        return numbers_or_nan(self.changed(part, first, progress)[0], "." if self.as_numbers else self.decimal)


def asked_noise(recipe: Recipe) -> Perturbation | None:
    """What of a recipe asks for noise on the weight; None: nothing."""
    return next(iter(at_writing(recipe)), None)


def spec_of_weight(recipe: Recipe, entry: Perturbation, weight: str) -> Numeric:
    """All that the recipe does to the weight."""
    said = next((spec for spec in recipe.numeric if spec.variable == weight), Numeric(weight))
    return replace(said, noise=dict(entry.parameters)["share"])


@dataclass(frozen=True, eq=False)
class ValuesTask:
    """What is done to the weights before they get noise, and how each part is read."""

    spec: Numeric
    rows: RowsTask


def values_of_part(asked: ValuesTask, item: PartAgain, progress: Progress = SILENT) -> NDArray[np.uint64]:
    """(n,) what the draws follow from: a number for the weight of each record of one part, as it gets its noise."""
    part, _row = asked.rows.read(item, progress)
    metadata, name = asked.rows.metadata, asked.spec.variable
    column = modify(part.columns[name], asked.spec, metadata[name], decimal=metadata.decimal)
    found: NDArray[np.uint64] = values_of_codes(column, metadata.decimal)[column.values]
    return found


def seed_of_noise(recipe: Recipe, spec: Numeric, values: Iterator[NDArray[np.uint64]]) -> tuple[int, ...]:
    """What is drawn from, by the `values` of all parts in order."""
    digest = digest_in_order(values)
    return tuple(noise_seed(recipe.output, Numeric(spec.variable, noise=spec.noise), digest, lambda _weight: digest))


def decimals_written(cells: PartCells, spec: Numeric, metadata: Metadata) -> tuple[int, ...]:
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
        raise DataError(
            "weight-digits",
            mark("{file}: the weights {variable} have more digits than can be added up exactly."),
            mark("Round the weights to fewer decimals."),
            file=cells.sources[0].path,
            variable=weight.name,
        )
    return (places,)


@dataclass(frozen=True, eq=False)
class WidthTask:
    """What is written of the weights, and how each part is read."""

    noise: PlannedNoise
    rows: RowsTask


def widest(asked: WidthTask, item: PartAgain, progress: Progress = SILENT) -> int:
    """Bytes of the longest weight of one part as it is written."""
    part, _row = asked.rows.read(item, progress)
    column = asked.noise.changed(part, item.first, progress)[0]
    return max(map(len, column.codes), default=0)
