"""``[[utility]]`` of a file in parts: tables, means and models, record by record in the order of the parts.

Sums of weights are rounded, so that their last bit depends on the order in which they are made. Workers read the parts;
what they found is added here, one record after the other: to the bits of the same records in one file, however many
parts and workers there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..data.columns import Weights
from ..recipe.model import Analysis
from ..rows.scan import Fold
from ..rows.source import PartRows
from ..utility.compared import ComparedFile, ComparedVariable, Floats, joint_codes, numbers_or_nan
from ..utility.own import Compared, NotCompared, check_released, has_numbers
from ..utility.own_models import FactorColumns, Values
from ..utility.own_tables import ComparedMeans, ComparedTable, codes_of_cells, estimates
from .cell_tables import CodePlaces, in_decimals
from .own_models import ModelInParts
from .row_division import RowsTask
from .weight_noise import PlannedNoise, names_of_noise

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RecordsTask:
    """What is wanted of every part.

    Attributes
    ----------
    rows : the rows of its records
    codes : by variable that is in no cell, where its codes stand among those of the whole
    numbers : variables in no cell of which the numbers alone are wanted
    decimals : of the exact sums of the weights of all parts
    noise : on the weights; None: they stay
    """

    rows: RowsTask
    codes: Mapping[str, CodePlaces]
    numbers: tuple[str, ...]
    decimals: tuple[int, ...]
    noise: PlannedNoise | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """See `core.rows.scan.PartTask`."""
        more = () if self.noise is None else names_of_noise(self.noise.variable, self.noise.households)
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
    codes, numbers : as a task asks; numbers before and after
    """

    row: NDArray[np.uint32]
    weights: tuple[Floats, Floats] | None
    codes: Mapping[str, NDArray[np.uint32]]
    numbers: Mapping[str, tuple[Floats, Floats]]


def records_of_part(asked: RecordsTask, rows: PartRows, progress: Progress = SILENT) -> RecordsOfPart:
    """The records of a part."""
    part, row = rows.data, asked.rows(rows, progress)
    weights, noisy = None, None if asked.noise is None else asked.noise.numbers(part, rows.part.first, progress)
    if part.weights is not None:
        limbs = in_decimals(part.weights.limbs, part.weights.decimals, asked.decimals)
        before = after = Weights(limbs, asked.decimals).as_floats()
        if noisy is not None:
            after = np.where(noisy > 0, noisy, 0.0)
        weights = before, after
    numbers = dict[str, tuple[Floats, Floats]]()
    for name in asked.numbers:
        own = numbers_or_nan(part.columns[name], part.metadata.decimal)
        numbers[name] = own, noisy if noisy is not None and asked.noise and name == asked.noise.name else own
    codes = {name: places.of_column(part.columns[name], part.source) for name, places in asked.codes.items()}
    return RecordsOfPart(row, weights, codes, numbers)


class AnalysesOfParts:
    """The tables, means and models of all parts.

    Tables take one reading of the parts, means a second one for their spread, models one for each step of their fit.

    Parameters
    ----------
    file : its variables have a row for each row of the whole; those that are in no cell, for each code
    entries : what is to be made
    task : gives the records of each part
    """

    def __init__(self, file: ComparedFile, entries: Sequence[Analysis], task: RecordsTask) -> None:
        self.file = file
        self._made: list[_Table | _Means | _Model | NotCompared] = []
        for entry in entries:
            kind = _Model if entry.model else _Means if entry.mean else _Table
            try:
                check_released(file, entry)
                self._made.append(kind(file, entry, task))
            except DataError as error:
                self._made.append(NotCompared(entry, error))

    @property
    def folds(self) -> list[Fold]:
        """What the parts are read for."""
        return [each for each in self._made if not isinstance(each, NotCompared)]

    def found(self) -> tuple[Compared, ...]:
        """All of them, after the reading."""
        return tuple(each if isinstance(each, NotCompared) else each.found() for each in self._made)


@dataclass(eq=False)
class _Sum:
    """A sum by group that grows with the groups."""

    values: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, groups: int, group: Ints, values: Floats | float) -> None:
        """Add `values`, one after the other, to those of their `group`; so many groups are known."""
        self.values = np.concatenate([self.values, np.zeros(groups - len(self.values))])
        np.add.at(self.values, group, values)


class _Groups:
    """Groups of records by the codes of some variables, as they are met."""

    def __init__(self, variables: Sequence[ComparedVariable]) -> None:
        self.variables = variables
        self._number: dict[tuple[int, ...], int] = {}
        if not variables:
            self._number[()] = 0

    def __len__(self) -> int:
        return len(self._number)

    def of_records(self, part: RecordsOfPart, side: int) -> Ints:
        """(n,) the group of each record of a part, before or after; -1: a value is missing."""
        if not self.variables:
            return np.zeros(len(part.row), np.int64)
        places = [variable.places[side][part.codes.get(variable.name, part.row)] for variable in self.variables]
        found = joint_codes(places, [len(variable.codes) for variable in self.variables])
        numbers = [self._number.setdefault(tuple(key), len(self._number)) for key in found.keys.tolist()]
        return np.append(np.array(numbers, np.int64), -1)[found.of_record]

    @property
    def order(self) -> Ints:
        """The groups in the order of their codes."""
        return np.array([number for _key, number in sorted(self._number.items())], np.int64)

    def named(self, some: Ints) -> tuple[tuple[str, ...], ...]:
        """The codes of the groups `some`."""
        keys = list(self._number)
        return codes_of_cells(self.variables, [keys[number] for number in some.tolist()])


def _counted(part: RecordsOfPart, weighted: bool) -> tuple[Floats, Floats]:
    """(n,) what each record counts for, before and after."""
    if weighted and part.weights is not None:
        return part.weights
    ones = np.ones(len(part.row))
    return ones, ones


def _numbers(variable: ComparedVariable, part: RecordsOfPart, side: int) -> Floats:
    """(n,) the number of each record of a part, before or after."""
    if variable.name in part.numbers:
        return part.numbers[variable.name][side]
    return variable.numbers[side][part.codes.get(variable.name, part.row)]


class _Table:
    """A table of counts, as it grows."""

    def __init__(self, file: ComparedFile, entry: Analysis, task: RecordsTask) -> None:
        self.task = task
        self._entry, self._weighted = entry, file.weights is not None
        self._groups = _Groups(file.some(entry.table))
        self._sums = _Sum(), _Sum()

    def add(self, part: RecordsOfPart) -> None:
        """Add the records of a part."""
        for side, weights in enumerate(_counted(part, self._weighted)):
            group = self._groups.of_records(part, side)
            there = group >= 0
            self._sums[side].add(len(self._groups), group[there], weights[there])

    def turn(self) -> bool:
        """After all parts: whether they are wanted once more."""
        return False

    def found(self) -> ComparedTable:
        """The table of all parts."""
        order, nothing = self._groups.order, np.zeros(0, np.int64)
        for each in self._sums:
            each.add(len(self._groups), nothing, 0.0)
        before, after = (each.values[order] for each in self._sums)
        some = (before > 0) | (after > 0)
        return ComparedTable(
            self._entry.table, self._groups.named(order[some]), tuple(before[some].tolist()),
            tuple(after[some].tolist()), self._weighted, self._entry.goal,
        )  # fmt: skip


class _Means:
    """Means by group, as they grow: sums in a first reading, squares in a second one."""

    def __init__(self, file: ComparedFile, entry: Analysis, task: RecordsTask) -> None:
        self.task = task
        self._entry, self._weighted, self._variable = entry, file.weights is not None, file.variables[entry.mean]
        self._groups = _Groups(file.some(entry.by))
        self._n, self._whole, self._sum, self._spread = ((_Sum(), _Sum()) for _ in range(4))
        self._summed = False

    def add(self, part: RecordsOfPart) -> None:
        """Add the records of a part."""
        for side, weights in enumerate(_counted(part, self._weighted)):
            group = self._groups.of_records(part, side)
            x = _numbers(self._variable, part, side)
            there = ~np.isnan(x) & (group >= 0) & (weights > 0)
            x, g, w = x[there], group[there], weights[there]
            groups = len(self._groups)
            if not self._summed:
                self._n[side].add(groups, g, 1.0)
                self._whole[side].add(groups, g, w)
                self._sum[side].add(groups, g, w * x)
            else:
                self._spread[side].add(groups, g, (w * (x - self._means(side)[g])) ** 2)

    def turn(self) -> bool:
        """After all parts: whether they are wanted once more."""
        self._summed, again = True, not self._summed
        return again

    def _means(self, side: int) -> Floats:
        self._sum[side].add(len(self._groups), np.zeros(0, np.int64), 0.0)
        self._whole[side].add(len(self._groups), np.zeros(0, np.int64), 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = self._sum[side].values / self._whole[side].values
        return found

    def found(self) -> Compared:
        """The means of all parts."""
        order, made = self._groups.order, []
        for side in (0, 1):
            means = self._means(side)
            for each in (self._n[side], self._spread[side]):
                each.add(len(self._groups), np.zeros(0, np.int64), 0.0)
            n, whole, spread = (each[side].values for each in (self._n, self._whole, self._spread))
            made.append(estimates(n[order].astype(np.int64), whole[order], means[order], spread[order]))
        some = [place for place in range(len(order)) if made[0][place] or made[1][place]]
        before, after = (tuple(each[place] for place in some) for each in made)
        entry, groups = self._entry, self._groups.named(order[some])
        return has_numbers(
            ComparedMeans(entry.mean, entry.by, groups, before, after, self._weighted, entry.goal), entry
        )


class _Model:
    """A model, as it is fitted."""

    def __init__(self, file: ComparedFile, entry: Analysis, task: RecordsTask) -> None:
        self.task = task
        self._weighted, self._model = file.weights is not None, ModelInParts(file, entry)

    def add(self, part: RecordsOfPart) -> None:
        """Add the records of a part."""

        def row(name: str) -> NDArray[np.uint32]:
            return part.codes.get(name, part.row)

        def find(columns: FactorColumns, side: int) -> Values:
            variable = columns.variable
            if columns.places is None:
                return _numbers(variable, part, side)
            return variable.places[side][row(variable.name)]

        self._model.add(row, _counted(part, self._weighted), find)

    def turn(self) -> bool:
        """After all parts: whether they are wanted once more."""
        return self._model.turn()

    def found(self) -> Compared:
        """The model of all parts."""
        return self._model.found()
