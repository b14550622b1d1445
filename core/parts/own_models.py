"""Models of ``[[utility]]`` of a file in parts, fitted record by record in the order of the parts.

Parts are read again for each step of the fit, and records are taken in the blocks in which those of one file are; so
every sum is made of the same numbers in the same order, and the fit is that of one file to the last bit. What is held
is one block, and sums by the columns of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..data.variables import Metadata
from ..recipe.model import Analysis
from ..recipe.model_formula import parse_formula
from ..utility.compared import ComparedFile, Floats
from ..utility.least_squares import ROWS, Fitting, NotFitted
from ..utility.own import Compared, NotCompared
from ..utility.own_models import FactorColumns, ModelDesign, Values, no_records, separated

_LEAF = 128
"""So many numbers NumPy adds up before it adds sums up in pairs."""

Find = Callable[[FactorColumns, int], Values]
"""(n,) the number or the place of the code that each record of a part has, before (0) or after (1)."""


def codes_of_models(entries: Sequence[Analysis], metadata: Metadata) -> frozenset[str]:
    """Variables of which models look at the codes: left sides, whose values decide on the fit, and categories."""
    numbers = {variable.name for variable in metadata.variables if variable.numeric or variable.role == "weight"}
    found = set[str]()
    for formula in (parse_formula(entry.model, "utility.model") for entry in entries if entry.model):
        found.add(formula.response.variable)
        factors = (factor for term in formula.terms for factor in term)
        found.update(factor.variable for factor in factors if factor.category or factor.variable not in numbers)
    return frozenset(found)


class ModelInParts:
    """A model on its way.

    Parameters
    ----------
    file : its variables have a row for each row of the whole; those that are in no cell, for each code
    entry : a model

    Raises
    ------
    DataError
        It cannot be made.
    """

    def __init__(self, file: ComparedFile, entry: Analysis) -> None:
        self._entry, self._weighted = entry, file.weights is not None
        formula = parse_formula(entry.model, "utility.model")
        self.response = formula.response.variable
        self.design = ModelDesign.of(file, formula)
        self._sides = _Side(self.design, 0, self._weighted), _Side(self.design, 1, self._weighted)

    def add(self, row: Callable[[str], NDArray[np.uint32]], counted: tuple[Floats, Floats], find: Find) -> None:
        """Add the records of a part.

        Parameters
        ----------
        row : gives by variable the row of each record, (n,), among those of the variable
        counted : (n,) what each counts for, before and after
        find : gives the values of a factor
        """
        for number, side in enumerate(self._sides):
            if side.waiting:
                values = [find(columns, number) for columns in self.design.factors]
                side.add(self.design.response[number][row(self.response)], counted[number], values)

    def turn(self) -> bool:
        """After all parts: whether they are wanted once more."""
        for side in self._sides:
            if side.waiting:
                side.turn()
        return not any(side.error for side in self._sides) and any(side.waiting for side in self._sides)

    def found(self) -> Compared:
        """The model of all parts."""
        for side in self._sides:
            if side.error is not None:
                return NotCompared(self._entry, side.error)
        before, after = self._sides
        fits = [side.fitting.found for side in self._sides]
        return self.design.compared(self._entry.model, fits, (before.records, after.records), self._weighted)


class _Side:
    """One of the two files: its complete records are counted, their weights are added up, then the model is fitted."""

    def __init__(self, design: ModelDesign, side: int, weighted: bool) -> None:
        self._design, self._side, self._weighted = design, side, weighted
        self.fitting = Fitting(len(design.names), design.kind)
        self.records, self.waiting, self._counted = 0, True, False
        self.error: DataError | None = None
        self._sum: SumInOrder | None = None
        self._mean: np.float64 | None = None
        self._held: list[list[Values]] = []

    def add(self, y: Floats, counted: Floats, values: Sequence[Values]) -> None:
        """Add the records of a part."""
        at = self._design.complete(y, counted, values)
        if not self._counted:
            self.records += len(at)
        elif self._mean is None:
            assert self._sum is not None
            self._sum.add(counted[at])
        elif len(at):
            self._held.append([y[at], counted[at] / self._mean, *(each[at] for each in values)])
            if sum(len(each[0]) for each in self._held) >= ROWS:
                self._fit(whole_blocks=True)

    def _fit(self, whole_blocks: bool) -> None:
        """Give the fit the records that are held; what does not fill a block stays where blocks are to be whole."""
        every = [np.concatenate(each) for each in zip(*self._held, strict=True)]
        size = len(every[0]) if every else 0
        end = size - size % ROWS if whole_blocks else size
        for begin in range(0, end, ROWS):
            y, w, *values = (each[begin : min(begin + ROWS, end)] for each in every)
            self.fitting.add(self._design.rows(len(y), values), np.asarray(y, float), np.asarray(w, float))
        self._held = [[each[end:] for each in every]] if end < size else []

    def turn(self) -> None:
        """After all parts."""
        if not self._counted:
            self._counted = True
            if not self.records:
                self.waiting, self.error = False, no_records(self._side)
            elif self._weighted:
                self._sum = SumInOrder(self.records)
            else:
                self._mean = np.float64(1.0)
        elif self._mean is None:
            assert self._sum is not None
            self._mean = self._sum.total / self.records
        else:
            self._fit(whole_blocks=False)
            try:
                self.waiting = self.fitting.turn()
            except NotFitted:
                self.waiting, self.error = False, separated(self._side)


class SumInOrder:
    """The sum of n numbers that are given some after the other, as NumPy makes it of one array, to the last bit.

    NumPy halves an array until few numbers are left, and adds the sums of halves up (pairwise summation; Higham, The
    accuracy of floating point summation, 1993). Which numbers are in a half follows from n alone.
    """

    def __init__(self, n: int) -> None:
        self._halves = _in_halves(n)
        self._wanted, self._held = next(self._halves), np.zeros(0)
        self.total = np.float64(0.0)
        """Of all, once they were given."""

    def add(self, values: Floats) -> None:
        """Give the next ones."""
        values, at = np.concatenate([self._held, values]), 0
        while self._wanted and len(values) - at >= self._wanted:
            leaf = values[at : at + self._wanted].sum()
            at += self._wanted
            try:
                self._wanted = self._halves.send(leaf)
            except StopIteration as done:
                self.total, self._wanted = done.value, 0
        self._held = values[at:]


def _in_halves(n: int) -> Generator[int, np.float64, np.float64]:
    """Asks for the sums of so many numbers each, in order; gives the sum of all n."""
    if n <= _LEAF:
        return (yield n)
    half = n // 2
    half -= half % 8
    first = yield from _in_halves(half)
    return first + (yield from _in_halves(n - half))
