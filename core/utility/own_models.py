"""The user's own regressions, fitted to the original and to the released file alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.recipe.model_formula import Factor, ModelFormula
from core.utility.compared import ComparedFile, ComparedVariable, Floats
from core.utility.intervals import Estimate, estimate, overlap
from core.utility.least_squares import NotFitted, Rows, least_squares, logistic
from core.utility.own_tables import mean_overlap

MOST_COLUMNS = 500
INTERCEPT = "(intercept)"

Kind = Literal["least-squares", "logistic"]
Indices = NDArray[np.intp]


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


def compared_model(file: ComparedFile, text: str, formula: ModelFormula, progress: Progress = SILENT) -> ComparedModel:
    """Fit the regression `formula`, which the recipe says as `text`, to both files.

    A number that is not recoded counts as a number; all else as categories, whose first code of the original is left
    out. A left side of two values gives a logistic regression for the second of them; one of more values has to consist
    of numbers that are not recoded. Records with a missing value are left out of their file.

    Raises
    ------
    DataError
        ``utility-model-*``: it cannot be fitted, naming why.
    """
    response, kind = _response(file.variables[formula.response.variable], formula.response)
    terms = [[_Columns.of(file.variables[factor.variable], factor) for factor in term] for term in formula.terms]
    names = [INTERCEPT, *(name for term in terms for name in _names(term))]
    of_terms = [INTERCEPT, *(":".join(each.variable.name for each in term) for term in terms for _ in _names(term))]
    if len(names) > MOST_COLUMNS:
        raise DataError(
            "utility-model-too-large",
            mark("The model has {count} coefficients; at most {limit} can be estimated."),
            mark(
                "Declare numbers as numerical in Specify Metadata, recode variables with many codes, or take them out."
            ),
            count=len(names),
            limit=MOST_COLUMNS,
        )
    fits, records = [], []
    for side in (0, 1):
        complete = ~np.isnan(response[side]) & (file.counted[side] > 0)
        for columns in (each for term in terms for each in term):
            complete &= columns.there(side)
        at = np.flatnonzero(complete)
        records.append(len(at))
        fits.append(_fit(kind, terms, response[side][at], file.counted[side][at], at, side, progress))
    named, both = (tuple(names), tuple(of_terms)), (records[0], records[1])
    return ComparedModel(text, kind, *named, fits[0], fits[1], both, file.weights is not None)


@dataclass(frozen=True, eq=False)
class _Columns:
    """The columns of one factor: a number itself, or an indicator of each category but the first."""

    variable: ComparedVariable
    names: tuple[str, ...]
    places: tuple[int, ...] | None

    @classmethod
    def of(cls, variable: ComparedVariable, factor: Factor) -> _Columns:
        if variable.is_number and not factor.category:
            return cls(variable, (variable.name,), None)
        size = len(variable.codes)
        counts = [np.bincount(each, minlength=size + 1)[:size] for each in variable.places]
        occurring = np.flatnonzero(counts[0] + counts[1])
        # what the others are compared with has to be in the original
        order = sorted(occurring.tolist(), key=lambda place: (counts[0][place] == 0, place))
        names = tuple(f"{variable.name}[{variable.codes[place]}]" for place in order[1:])
        return cls(variable, names, tuple(order[1:]))

    def there(self, side: int) -> NDArray[np.bool_]:
        """(n,) whether each record has a value."""
        if self.places is None:
            return ~np.isnan(self.variable.numbers[side])
        return self.variable.places[side] < len(self.variable.codes)

    def of_records(self, side: int, at: Indices) -> Floats:
        """(records, columns) of the records `at`."""
        if self.places is None:
            return self.variable.numbers[side][at][:, None]
        found: Floats = (self.variable.places[side][at][:, None] == np.asarray(self.places)[None, :]).astype(float)
        return found


def _names(term: Sequence[_Columns]) -> list[str]:
    return [":".join(each) for each in product(*(columns.names for columns in term))]


def _rows(terms: Sequence[Sequence[_Columns]], side: int, at: Indices) -> Rows:
    """The rows of the design, made when they are asked for."""

    def rows(begin: int, end: int) -> Floats:
        chosen = at[begin:end]
        parts = [np.ones((len(chosen), 1))]
        for term in terms:
            block = np.ones((len(chosen), 1))
            for columns in term:
                more = columns.of_records(side, chosen)
                block = (block[:, :, None] * more[:, None, :]).reshape(len(chosen), block.shape[1] * more.shape[1])
            parts.append(block)
        return np.concatenate(parts, axis=1)

    return rows


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


def _fit(
    kind: Kind, terms: Sequence[Sequence[_Columns]], y: Floats, weights: Floats, at: Indices, side: int,
    progress: Progress,
) -> tuple[Estimate | None, ...]:  # fmt: skip
    values = {"file": mark("the released file") if side else mark("the original")}
    if not len(at):
        raise DataError(
            "utility-model-no-records",
            mark("No record of {file} has values of all variables of the model."),
            mark("Take variables out of it."),
            **values,
        )
    rows = _rows(terms, side, at)
    try:
        fitted = (logistic if kind == "logistic" else least_squares)(rows, y, weights, progress)
    except NotFitted:
        raise DataError(
            "utility-model-separated",
            mark("In {file} the right side tells the two values of the left side apart, so no coefficients are best."),
            mark("Take variables out of the model, or recode them."),
            **values,
        ) from None
    errors = np.sqrt(np.maximum(np.diag(fitted.variance), 0.0))  # rounding may leave less than nothing
    return tuple(
        None if np.isnan(value) else estimate(value, error, fitted.freedom)
        for value, error in zip(fitted.coefficients.tolist(), errors.tolist(), strict=True)
    )
