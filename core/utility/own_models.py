"""The user's own regressions, fitted to the original and to the released file alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.variables import Metadata
from ..recipe.model import Analysis
from ..recipe.model_formula import Factor, ModelFormula, parse_formula
from .compared import ComparedFile, ComparedRecords, ComparedVariable, Floats, counted
from .intervals import Estimate, estimate, overlap
from .least_squares import ROWS, Fitted, Fitting, Kind, NotFitted
from .own_tables import mean_overlap
from .pairwise_sum import SumInOrder

MOST_COLUMNS = 500
INTERCEPT = "(intercept)"
_FILES = mark("the original"), mark("the released file")

Indices = NDArray[np.intp]
Values = NDArray[np.float64] | NDArray[np.int64]


@dataclass(frozen=True)
class ComparedModel:
    """A regression before and after.

    Attributes
    ----------
    formula : as the recipe says it
    kind : weighted least squares, or logistic where the left side has two values
    coefficients : their names; those of a category's codes are against its first code, which has none
    terms : what they belong to, by variables alone: ``AGE:SEX``
    before, after : the coefficients, None where there is nothing from which to estimate them
    records : complete ones, before and after
    weighted : whether by weights
    """

    formula: str
    kind: Kind
    coefficients: tuple[str, ...]
    terms: tuple[str, ...]
    before: tuple[Estimate | None, ...]
    after: tuple[Estimate | None, ...]
    records: tuple[int, int]
    weighted: bool

    @property
    def overlaps(self) -> tuple[float | None, ...]:
        """Overlap of the intervals of each coefficient."""
        return tuple(
            None if b is None or a is None else overlap(b, a) for b, a in zip(self.before, self.after, strict=True)
        )

    def summary(self, inside: bool = True) -> dict[str, Any]:
        """Figures of the summary; estimates, and codes that may all be suppressed, stay `inside` the house."""
        return {
            "model": self.formula,
            "kind": self.kind,
            "records": {"before": self.records[0], "after": self.records[1]},
            "coefficients": [
                {"name": name}
                | ({"before": b.summary()} if inside and b is not None else {})
                | ({"after": a.summary()} if inside and a is not None else {})
                | ({} if shared is None else {"overlap": shared})
                for name, b, a, shared in zip(
                    self.coefficients if inside else self.terms, self.before, self.after, self.overlaps, strict=True
                )
            ],
            **mean_overlap(self.overlaps),
        }


@dataclass(frozen=True, eq=False)
class FactorColumns:
    """The columns of one factor: a number itself, or an indicator of each category but the first."""

    variable: ComparedVariable
    names: tuple[str, ...]
    places: tuple[int, ...] | None

    @classmethod
    def of(cls, variable: ComparedVariable, factor: Factor) -> FactorColumns:
        """Those of a variable, of which all codes are known unless it counts as a number."""
        if variable.is_number and not factor.category:
            return cls(variable, (variable.name,), None)
        size = len(variable.codes)
        counts = [np.bincount(each, minlength=size + 1)[:size] for each in variable.places]
        occurring = np.flatnonzero(counts[0] + counts[1])
        # what the others are compared with has to be in the original
        order = sorted(occurring.tolist(), key=lambda place: (counts[0][place] == 0, place))
        names = tuple(f"{variable.name}[{variable.codes[place]}]" for place in order[1:])
        return cls(variable, names, tuple(order[1:]))

    def of_records(self, records: ComparedRecords, side: int) -> Values:
        """(n,) of each record its number or the place of its code, before (0) or after (1)."""
        if self.places is None:
            return records.numbers(self.variable, side)
        return records.of_records(self.variable.name, self.variable.places[side])

    def there(self, values: Values) -> NDArray[np.bool_]:
        """(n,) whether records with these values have one."""
        return ~np.isnan(values) if self.places is None else values < len(self.variable.codes)

    def of_values(self, values: Values) -> Floats:
        """(n, columns) of records with these values."""
        if self.places is None:
            return np.asarray(values[:, None], np.float64)
        found: Floats = (values[:, None] == np.asarray(self.places)[None, :]).astype(float)
        return found


@dataclass(frozen=True, eq=False)
class ModelDesign:
    """What is fitted to the records of both files.

    Attributes
    ----------
    kind : of the regression
    response : (n,) the left side of each record before and after, nan where missing
    terms : of the right side, factors multiplied with each other
    """

    kind: Kind
    response: tuple[Floats, Floats]
    terms: tuple[tuple[FactorColumns, ...], ...]

    @classmethod
    def of(cls, file: ComparedFile, formula: ModelFormula) -> ModelDesign:
        """That of `formula`.

        A number that is not recoded counts as a number; all else as categories, whose first code of the original is
        left out. A left side of two values gives a logistic regression for the second of them; one of more values has
        to consist of numbers that are not recoded.

        Raises
        ------
        DataError
            ``utility-model-left-side``, ``utility-model-too-large``
        """
        response, kind = _response(file.variables[formula.response.variable], formula.response)
        terms = [[FactorColumns.of(file.variables[factor.variable], factor) for factor in term]
                 for term in formula.terms]  # fmt: skip
        found = cls(kind, response, tuple(map(tuple, terms)))
        if len(found.names) > MOST_COLUMNS:
            raise DataError(
                "utility-model-too-large",
                mark("The model has {count} coefficients; at most {limit} can be estimated."),
                mark(
                    "Declare numbers as numerical in Specify Metadata, recode variables with many codes, or take them "
                    "out."
                ),
                count=len(found.names),
                limit=MOST_COLUMNS,
            )
        return found

    @property
    def factors(self) -> tuple[FactorColumns, ...]:
        """All factors, term after term."""
        return tuple(columns for term in self.terms for columns in term)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coefficients."""
        return (INTERCEPT, *(name for term in self.terms for name in _names(term)))

    def complete(self, y: Floats, counted: Floats, values: Sequence[Values]) -> Indices:
        """Places of the records that count and have all values: the left side `y` (n,), and the `values` of factors."""
        found = ~np.isnan(y) & (counted > 0)
        for columns, each in zip(self.factors, values, strict=True):
            found &= columns.there(each)
        return np.flatnonzero(found)

    def rows(self, size: int, values: Sequence[Values]) -> Floats:
        """(size, q) the design of so many records, with these `values` (size,) of the factors."""
        following = iter(values)
        parts = [np.ones((size, 1))]
        for term in self.terms:
            block = np.ones((size, 1))
            for columns in term:
                more = columns.of_values(next(following))
                block = (block[:, :, None] * more[:, None, :]).reshape(size, block.shape[1] * more.shape[1])
            parts.append(block)
        return np.concatenate(parts, axis=1)

    def compared(self, text: str, fits: Sequence[Fitted], records: tuple[int, int], weighted: bool) -> ComparedModel:
        """The model, said as `text`, as it was fitted to so many complete `records` of both files."""
        of_terms = (":".join(each.variable.name for each in term) for term in self.terms for _ in _names(term))
        before, after = map(_estimates, fits)
        return ComparedModel(text, self.kind, self.names, (INTERCEPT, *of_terms), before, after, records, weighted)


class ModelFold:
    """The regression of `entry` on its way, fitted to the records of both files; see `ModelDesign.of`.

    Records with a missing value are left out of their file. They are taken in blocks, whoever gives how many at a time:
    every sum is made of the same numbers in the same order.

    Raises
    ------
    DataError
        ``utility-model-*``: it cannot be made, naming why.
    """

    def __init__(self, file: ComparedFile, entry: Analysis, progress: Progress = SILENT) -> None:
        self._entry, self._weighted = entry, file.weights is not None
        formula = parse_formula(entry.model, "utility.model")
        self._response = formula.response.variable
        self.design = ModelDesign.of(file, formula)
        self._sides = tuple(_Side(self.design, side, self._weighted, progress) for side in (0, 1))

    def add(self, records: ComparedRecords) -> None:
        """Add records that follow those before."""
        weights = counted(records, self._weighted)
        for number, side in enumerate(self._sides):
            if side.waiting:
                y = records.of_records(self._response, self.design.response[number])
                values = [columns.of_records(records, number) for columns in self.design.factors]
                complete = partial(self.design.complete, y, weights[number], values)
                side.add(records.once(side, complete), y, weights[number], values)

    def turn(self) -> bool:
        """After all records: whether they are wanted once more."""
        for side in self._sides:
            if side.waiting:
                side.turn()
            if side.error is not None:  # whatever becomes of the other file
                return any(each.waiting for each in self._sides[: side.side])
        return any(side.waiting for side in self._sides)

    def found(self) -> ComparedModel:
        """The model of all records.

        Raises
        ------
        DataError
            ``utility-model-*``: it cannot be fitted, naming why.
        """
        for side in self._sides:
            if side.error is not None:
                raise side.error
        before, after = self._sides
        fits = [side.fitting.found for side in self._sides]
        return self.design.compared(self._entry.model, fits, (before.records, after.records), self._weighted)


class _Side:
    """One of the two files: its complete records are counted, their weights are added up, then the model is fitted."""

    def __init__(self, design: ModelDesign, side: int, weighted: bool, progress: Progress) -> None:
        self._design, self.side, self._weighted, self._progress = design, side, weighted, progress
        self.fitting = Fitting(len(design.names), design.kind)
        self.records, self.waiting, self._counted = 0, True, False
        self.error: DataError | None = None
        self._sum: SumInOrder | None = None
        self._mean: np.float64 | None = None
        self._held: list[list[Values]] = []
        self._size = 0

    def add(self, at: Indices, y: Floats, weights: Floats, values: Sequence[Values]) -> None:
        """Add records, of which those `at` count and have all values."""
        if not self._counted:
            self.records += len(at)
            return
        if self._mean is None:
            assert self._sum is not None
            self._sum.add(weights[at])
            return
        begin = 0
        while begin < len(at):
            some = at[begin : begin + ROWS - self._size]
            self._held.append([y[some], weights[some] / self._mean, *(each[some] for each in values)])
            self._size, begin = self._size + len(some), begin + len(some)
            if self._size == ROWS:
                self._fit()

    def _fit(self) -> None:
        """Give the fit the block that is held."""
        if not self._size:
            return
        self._progress.check()
        each = self._held[0] if len(self._held) == 1 else map(np.concatenate, zip(*self._held, strict=True))
        y, w, *values = each
        self.fitting.add(self._design.rows(len(y), values), np.asarray(y, float), np.asarray(w, float))
        self._held, self._size = [], 0

    def turn(self) -> None:
        """After all records."""
        if not self._counted:
            self._counted = True
            if not self.records:
                self.waiting, self.error = False, no_records(self.side)
            elif self._weighted:
                self._sum = SumInOrder(self.records)
            else:
                self._mean = np.float64(1.0)
        elif self._mean is None:
            assert self._sum is not None
            self._mean = self._sum.total / self.records
        else:
            self._fit()
            try:
                self.waiting = self.fitting.turn()
            except NotFitted:
                self.waiting, self.error = False, separated(self.side)


def codes_of_models(entries: Sequence[Analysis], metadata: Metadata) -> frozenset[str]:
    """Variables of which models look at the codes: left sides, whose values decide on the fit, and categories."""
    numbers = {variable.name for variable in metadata.variables if variable.numeric or variable.role == "weight"}
    found = set[str]()
    for formula in (parse_formula(entry.model, "utility.model") for entry in entries if entry.model):
        found.add(formula.response.variable)
        factors = (factor for term in formula.terms for factor in term)
        found.update(factor.variable for factor in factors if factor.category or factor.variable not in numbers)
    return frozenset(found)


def _names(term: Sequence[FactorColumns]) -> list[str]:
    return [":".join(each) for each in product(*(columns.names for columns in term))]


def _response(variable: ComparedVariable, factor: Factor) -> tuple[tuple[Floats, Floats], Kind]:
    """The left side before and after, nan where missing; of two values the second is 1."""
    if not factor.category:
        distinct = np.unique(variable.numbers[0][~np.isnan(variable.numbers[0])])
        all_numbers = not (np.isnan(variable.numbers[0]) & ~variable.missing[0]).any()
        if len(distinct) > 2 and all_numbers and variable.unrecoded is None:
            return variable.numbers, "least-squares"
        if variable.is_number and len(distinct) == 2:
            low, high = distinct.tolist()
            before, after = (np.where(x == high, 1.0, np.where(x == low, 0.0, np.nan)) for x in variable.numbers)
            return (before, after), "logistic"
    size = len(variable.codes)
    two = np.flatnonzero(np.bincount(variable.places[0], minlength=size + 1)[:size])
    if len(two) != 2:
        raise DataError(
            "utility-model-left-side",
            mark(
                "{variable}, on the left side, has {count} different values in the original, and they are no numbers."
            ),
            mark("Take a number, or a variable with two values."),
            variable=variable.name,
            count=len(two),
        )
    before, after = (np.where(p == two[1], 1.0, np.where(p == two[0], 0.0, np.nan)) for p in variable.places)
    return (before, after), "logistic"


def no_records(side: int) -> DataError:
    """The error that no record of a file, the original (0) or the released one (1), is complete."""
    return DataError(
        "utility-model-no-records",
        mark("No record of {file} has values of all variables of the model."),
        mark("Take variables out of it."),
        file=_FILES[side],
    )


def separated(side: int) -> DataError:
    """The error that no coefficients are best in a file, the original (0) or the released one (1)."""
    return DataError(
        "utility-model-separated",
        mark("In {file} the right side tells the two values of the left side apart, so no coefficients are best."),
        mark("Take variables out of the model, or recode them."),
        file=_FILES[side],
    )


def _estimates(fitted: Fitted) -> tuple[Estimate | None, ...]:
    errors = np.sqrt(np.maximum(np.diag(fitted.variance), 0.0))  # rounding may leave less than nothing
    return tuple(
        None if np.isnan(value) else estimate(value, error, fitted.freedom)
        for value, error in zip(fitted.coefficients.tolist(), errors.tolist(), strict=True)
    )
