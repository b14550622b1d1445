"""Changes to a numerical variable: rounding, top and bottom coding.

Arithmetic is decimal and exact, on the numbers as they are written: 0.3 is a multiple of 0.1, and 2.675 lies halfway
between 2.67 and 2.68. Missing codes and blanks stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, RecipeError
from ..base.texts import mark, plural
from ..data.columns import EncodedColumn
from ..data.encoding import smallest_type
from ..data.encoding_many_codes import as_bytes
from ..data.times import Times
from ..data.variables import Variable
from ..data.weights import parse_text
from ..recipe.model import NumericEdit

BINS = 40
MOST_PLACES = 15
"""Decimals that a base of rounding may need: more are never meant, and every number would be written with them."""
_EXACT = Context(prec=5000, rounding=ROUND_HALF_UP)
"""Room for every number that a field can hold."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """A numerical variable in one state of the file.

    Attributes
    ----------
    numbers : records with a number
    others : records without one: missing, blank, or with a replacement that is no number
    least, greatest, mean : of the numbers; None where there is none
    records : (bins,) int64, in the classes of `Comparison.edges`
    """

    numbers: int
    others: int
    least: float | None
    greatest: float | None
    mean: float | None
    records: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A numerical variable before and after a change.

    Attributes
    ----------
    edges : (bins + 1,) float64, common to both
    changed : records with another number or text than before
    """

    edges: NDArray[np.float64]
    before: Distribution
    after: Distribution
    changed: int


def modify(column: EncodedColumn, spec: NumericEdit, variable: Variable, *, decimal: str = ".") -> EncodedColumn:
    """`column` as the safe file has it: first rounded, then cut at top and bottom.

    Rounded numbers are multiples of the base nearest to the original ones, halves away from zero, with the decimals of
    the variable or, if it has more, of the base. A number at or beyond a cut, tested after rounding, becomes the
    replacement.

    Parameters
    ----------
    column : the variable's texts as codes
    spec : its noise is added elsewhere: `core.perturbation.weight_noise`
    decimal : decimal mark of the file

    Raises
    ------
    DataError
        A text that is neither a number nor a missing code.
    RecipeError
        A base with too many decimals.
    """
    check_base(spec)
    missing = tuple(column.codes[column.n_valid :])
    with exactly():
        texts = [_changed(text, spec, variable, decimal) for text in _numbers_only(column, variable, decimal)]
    return recoded(column, texts, missing)


def compare(before: EncodedColumn, after: EncodedColumn, *, decimal: str = ".", bins: int = BINS) -> Comparison:
    """The distribution before and after a change, in classes of equal width over both."""
    numbers = [_floats(one, decimal) for one in (before, after)]
    there = np.concatenate([found[~np.isnan(found)] for found in numbers])
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    states = [_distribution(one, found, edges) for one, found in zip((before, after), numbers, strict=True)]
    return Comparison(edges, states[0], states[1], records_changed(before, after))


def records_changed(before: EncodedColumn, after: EncodedColumn) -> int:
    """Records with another text in `after` than in `before`."""
    old, new = as_bytes(before.codes), as_bytes(after.codes)
    if old is not None and new is not None:
        return Times(before.records).count(old[before.values] != new[after.values])
    texts = (np.array(one.codes, dtype=object)[one.values] for one in (before, after))
    return Times(before.records).count(np.not_equal(*texts).astype(np.bool_))


def exactly() -> AbstractContextManager[Context]:
    """Decimal arithmetic with room for every number that a field can hold."""
    return localcontext(_EXACT)


def plain(column: EncodedColumn, decimal: str, kept: Collection[str] = ()) -> EncodedColumn:
    """`column` with its numbers as a file of numbers tells them: no needless zeros, a decimal point.

    `kept` : texts that stay as they are.
    """
    missing = tuple(column.codes[column.n_valid :])
    texts = []
    for text in column.codes[: column.n_valid]:
        value = None if text in kept else parse_text(text, decimal)
        if value is not None:
            text = f"{value:f}" if value else "0"
            text = text.rstrip("0").rstrip(".") if "." in text else text
        texts.append(text)
    return recoded(column, texts, missing)


def round_to(value: Decimal, base: Decimal) -> Decimal:
    """The multiple of `base` (> 0) nearest to `value`, halves away from zero; exact."""
    with exactly():
        times, rest = divmod(abs(value), base)
        rounded = (times + 1 if 2 * rest >= base else times) * base
        return rounded if value > 0 else -rounded if rounded else Decimal(0)


def places(number: float) -> int:
    """Decimals of a number as it is typed: 0.05 has 2."""
    return max(-int(as_typed(number).normalize().as_tuple().exponent), 0)


def check_base(spec: NumericEdit, key: str = "round") -> None:
    """Refuse a base of rounding that needs more than `MOST_PLACES` decimals.

    Raises
    ------
    RecipeError
    """
    if spec.round is not None and places(spec.round) > MOST_PLACES:
        raise RecipeError(
            "numeric-base-too-fine",
            mark("{key}: {base} needs {places} decimals in {variable}; at most {most} are possible."),
            mark("Round to multiples of a larger number."),
            key=key,
            base=repr(spec.round),
            places=places(spec.round),
            variable=spec.variable,
            most=MOST_PLACES,
        )


def as_typed(number: float) -> Decimal:
    """The number as it is typed: 0.3 is three tenths."""
    return Decimal(repr(number))


def _numbers_only(column: EncodedColumn, variable: Variable, decimal: str) -> list[str]:
    """The valid codes, each of which is a number or blank."""
    codes = column.codes[: column.n_valid]
    wrong = [i for i, text in enumerate(codes) if text and parse_text(text, decimal) is None]
    if wrong:
        records = np.flatnonzero(np.isin(column.values, wrong))
        raise DataError(
            "numeric-not-a-number",
            plural(
                len(records),
                "Variable {variable} is not a number in record {record}.",
                "Variable {variable} is not a number in {count} records, the first of which is record {record}.",
            ),
            mark("Correct the data, declare a missing code, or check the variable's place and the decimal mark."),
            variable=variable.name,
            count=len(records),
            record=int(records[0]) + 1,
        )
    return list(codes)


def _changed(text: str, spec: NumericEdit, variable: Variable, decimal: str) -> str:
    value = parse_text(text, decimal)
    if value is None:
        return text
    if spec.round is not None:
        value = round_to(value, as_typed(spec.round))
        text = printed(value, max(variable.decimals, places(spec.round)), decimal)
    for cut, direction in ((spec.top, 1), (spec.bottom, -1)):
        if cut is not None and (value - as_typed(cut.at)) * direction >= 0:
            return cut.replacement.strip()
    return text


def printed(value: Decimal, decimals: int, decimal: str) -> str:
    """A number with so many decimals, halves away from zero, and the decimal mark `decimal`."""
    text = f"{value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    return text.replace(".", decimal)


def recoded(column: EncodedColumn, texts: list[str], missing: tuple[str, ...]) -> EncodedColumn:
    """`column` with other texts in place of its valid codes; one that is a missing code counts as missing."""
    valid = [text for text in dict.fromkeys(texts) if text not in missing]
    codes = (*valid, *missing)
    place = {text: number for number, text in reversed(tuple(enumerate(codes)))}
    lut = np.array([place[text] for text in (*texts, *missing)], np.int64)
    values = lut[column.values].astype(smallest_type(len(codes)))
    counts = np.zeros(len(codes), np.int64)
    np.add.at(counts, values, 1 if column.records is None else column.records)
    width = max(map(len, codes), default=1)
    return EncodedColumn(column.name, values, codes, codes, counts, len(valid), max(width, 1))


def _floats(column: EncodedColumn, decimal: str) -> NDArray[np.float64]:
    """Each code as a number; nan where it is none or missing."""
    parsed = [parse_text(text, decimal) for text in column.codes[: column.n_valid]]
    numbers = [np.nan if value is None else float(value) for value in parsed]
    return np.array([*numbers, *([np.nan] * column.n_missing_codes)], np.float64)


def _distribution(column: EncodedColumn, numbers: NDArray[np.float64], edges: NDArray[np.float64]) -> Distribution:
    there = ~np.isnan(numbers) & (column.counts > 0)
    found, counts = numbers[there], column.counts[there]
    records = np.histogram(found, edges, weights=counts.astype(np.float64))[0]
    total = int(counts.sum())
    empty = not total
    return Distribution(
        numbers=total,
        others=int(column.counts.sum()) - total,
        least=None if empty else float(found.min()),
        greatest=None if empty else float(found.max()),
        mean=None if empty else float(np.average(found, weights=counts)),
        records=records.astype(np.int64),
    )
