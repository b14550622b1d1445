"""``[[utility]]`` of a file in parts: tables, means and models, record by record in the order of the parts.

Sums of weights are rounded, so that their last bit depends on the order in which they are made. Workers read the parts;
what they found is added here, one record after the other: to the bits of the same records in one file, however many
parts and workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import Weights
from ..recipe.model import Analysis
from ..results.cell_tables import CodePlaces, in_decimals
from ..results.row_division import RowsTask
from ..rows.scan import Fold
from ..rows.source import PartRows
from ..utility.compared import ComparedFile, ComparedVariable, Floats, Made, Pair, Value, numbers_or_nan
from ..utility.own import AnalysisFold, Compared
from .weight_noise import PlannedNoise, names_of_noise


@dataclass(frozen=True, eq=False)
class RecordsTask:
    """What is wanted of every part.

    Attributes
    ----------
    rows : the rows of its records
    codes : by variable that is in no cell, where its codes stand among those of the whole
    numbers : variables in no cell of which the numbers alone are wanted
    decimals : of the exact sums of the weights of all parts
    noise : on the weights; None: they get none
    changed : weights that are changed otherwise, and by code what they count for then; None: they are not
    """

    rows: RowsTask
    codes: Mapping[str, CodePlaces]
    numbers: tuple[str, ...]
    decimals: tuple[int, ...]
    noise: PlannedNoise | None = None
    changed: tuple[CodePlaces, Floats] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        more = () if self.noise is None else names_of_noise(self.noise.variable, self.noise.households)
        more += () if self.changed is None else (self.changed[0].name,)
        return (*self.rows.names, *self.codes, *self.numbers, *more)

    def __call__(self, rows: PartRows, progress: Progress = SILENT) -> RecordsOfPart:
        """The records of one part."""
        return records_of_part(self, rows, progress)


@dataclass(frozen=True, eq=False)
class RecordsOfPart:
    """The n records of a part.

    Attributes
    ----------
    row : (n,) the row of each
    weights : (n,) before and after; None: 1
    codes : as a task asks
    values : the numbers that it asks for, before and after
    """

    row: NDArray[np.uint32]
    weights: Pair | None
    codes: Mapping[str, NDArray[np.uint32]]
    values: Mapping[str, Pair]

    def __len__(self) -> int:
        return len(self.row)

    def of_records(self, name: str, values: NDArray[Value]) -> NDArray[Value]:
        """See `core.utility.compared.ComparedRecords`."""
        return values[self.codes.get(name, self.row)]

    def numbers(self, variable: ComparedVariable, side: int) -> Floats:
        """See `core.utility.compared.ComparedRecords`."""
        if variable.name in self.values:
            return self.values[variable.name][side]
        return self.of_records(variable.name, variable.numbers[side])

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """See `core.utility.compared.ComparedRecords`: a part is read anew each time."""
        return make()


def records_of_part(asked: RecordsTask, rows: PartRows, progress: Progress = SILENT) -> RecordsOfPart:
    """The records of a part."""
    part, row = rows.data, asked.rows(rows, progress)
    weights, noisy = None, None if asked.noise is None else asked.noise.numbers(part, rows.part.first, progress)
    if part.weights is not None:
        limbs = in_decimals(part.weights.limbs, part.weights.decimals, asked.decimals)
        before = after = Weights(limbs, asked.decimals).as_floats()
        if noisy is not None:
            after = np.where(noisy > 0, noisy, 0.0)
        elif asked.changed is not None:
            places, by_code = asked.changed
            after = by_code[places.of_column(part.columns[places.name], part.source)]
        weights = before, after
    numbers = dict[str, Pair]()
    for name in asked.numbers:
        own = numbers_or_nan(part.columns[name], part.metadata.decimal)
        numbers[name] = own, noisy if noisy is not None and asked.noise and name == asked.noise.name else own
    codes = {name: places.of_column(part.columns[name], part.source) for name, places in asked.codes.items()}
    return RecordsOfPart(row, weights, codes, numbers)


class AnalysesOfParts:
    """The tables, means and models of all parts.

    Parameters
    ----------
    file : its variables have a row for each row of the whole; those that are in no cell, for each code
    entries : what is to be made
    task : gives the records of each part
    """

    def __init__(self, file: ComparedFile, entries: Sequence[Analysis], task: RecordsTask) -> None:
        self.file, self._task = file, task
        self._made = [AnalysisFold(file, entry) for entry in entries]

    @property
    def folds(self) -> list[Fold]:
        """What the parts are read for."""
        return [_OfParts(self._task, each) for each in self._made if each.waiting]

    def found(self) -> tuple[Compared, ...]:
        """All of them, after the reading."""
        return tuple(each.found() for each in self._made)


@dataclass(frozen=True, eq=False)
class _OfParts:
    """An analysis that is made of the records of each part."""

    task: RecordsTask
    analysis: AnalysisFold

    def add(self, made: RecordsOfPart) -> None:
        """See `core.rows.scan.Fold`."""
        self.analysis.add(made)

    def turn(self) -> bool:
        """See `core.rows.scan.Fold`."""
        return self.analysis.turn()
