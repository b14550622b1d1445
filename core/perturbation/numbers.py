"""Numerical variables of perturbation: their texts as numbers, and numbers as texts of the file again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.texts import mark
from ..data.columns import EncodedColumn
from ..data.encoding_many_codes import as_bytes
from ..data.variables import Variable

_DIGITS = 1e15
"""Every number with so many digits comes back from a file of float64 as it was written."""

_EXACT = 2.0**53
"""Up to here every whole number is a float64."""

_LARGEST = 1e100
"""Beyond it variances are no float64 any more, and what is made of them is no number."""


def numbers_of(column: EncodedColumn, decimal: str = ".") -> NDArray[np.float64]:
    """(n,) the values of a variable; nan where missing.

    Raises
    ------
    DataError
        A value that is no number, or too large to be reckoned with, naming variable and value.
    """
    n = column.n_valid
    plain = plain_numbers(column.codes[:n], decimal)
    if plain is not None:
        return _of_records(column, plain[1])
    numbers = [parsed_number(text, decimal) for text in column.codes[:n]]
    for text, number in zip(column.codes, numbers, strict=False):
        if number is None:
            raise DataError(
                "perturbation-number",
                mark('{variable} has the value "{value}", which is no number.'),
                mark("Declare it as a missing code in Specify Metadata, or perturb another variable."),
                variable=column.name,
                value=text,
            )
    return _of_records(column, np.array([*map(float, numbers)], np.float64))  # type: ignore[arg-type]


def _of_records(column: EncodedColumn, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) the numbers of the valid codes, nan where missing."""
    beyond = np.flatnonzero(np.abs(numbers) > _LARGEST)
    if beyond.size:
        raise DataError(
            "perturbation-too-large",
            mark('{variable} has the value "{value}", which is too large a number to be perturbed.'),
            mark("Declare it as a missing code in Specify Metadata, or correct it."),
            variable=column.name,
            value=column.codes[int(beyond[0])],
        )
    found = np.concatenate([numbers, np.full(column.n_missing_codes, np.nan)])
    return np.asarray(found[column.values], np.float64)


def decimals_of(column: EncodedColumn, variable: Variable, decimal: str = ".") -> int:
    """Decimals with which a variable is written: the most of its values, or what the metadata say."""
    codes = column.codes[: column.n_valid]
    plain = plain_numbers(codes, decimal)
    if plain is not None:
        point = np.strings.find(plain[0], b".")
        behind = np.where(point < 0, 0, np.strings.str_len(plain[0]) - point - 1)
        return max(variable.decimals, int(behind.max(initial=0)))
    numbers = (parsed_number(text, decimal) for text in codes)
    return max([variable.decimals, *(-int(n.as_tuple().exponent) for n in numbers if n is not None)])


def plain_numbers(codes: Sequence[str], decimal: str) -> tuple[NDArray[np.bytes_], NDArray[np.float64]] | None:
    """(m,) the codes with a decimal point, and as numbers; None where one has an exponent or is none: look at each."""
    texts = as_bytes(codes)
    if texts is None or not texts.size:
        return None
    plain = np.zeros(256, np.bool_)
    plain[list(f"0123456789+-{decimal}\0".encode())] = True
    signs = np.ascontiguousarray(texts).view(np.uint8)
    if not plain[signs].all():
        return None
    if decimal != ".":
        texts = np.where(signs == ord(decimal), np.uint8(ord(".")), signs).view(texts.dtype)
    try:
        return texts, texts.astype(np.float64)
    except ValueError:
        return None


def parsed_number(text: str, decimal: str) -> Decimal | None:
    """The exact value of a number's text; None where it is no number."""
    from ..data.weights import parse_text  # numba, which reading a recipe does not need

    return parse_text(text, decimal)


def with_numbers(
    column: EncodedColumn, values: NDArray[np.float64], decimals: int, decimal: str = "."
) -> EncodedColumn:
    """`column` with other numbers, each rounded to `decimals` (halves to even); a nan keeps the text it had.

    They have fewer decimals where the largest would have more than 15 digits: what a float64 can tell apart.
    A number that is the one of a missing code, however it is written, is one unit of its last decimal larger: it is
    there, and files of numbers tell 99.0 and 99 not apart.

    Parameters
    ----------
    values : (n,) finite, or nan
    """
    from ..data.encoding import smallest_type  # numba, which reading a recipe does not need

    there, missing = ~np.isnan(values), column.missing_codes
    largest = float(np.abs(values[there]).max(initial=0.0))
    while decimals > 0 and largest * 10.0**decimals >= _DIGITS:
        decimals -= 1
    scaled = np.rint(values[there] * 10.0**decimals)
    if not scaled.size or np.abs(scaled).max() < _EXACT:
        units = _beside_missing(scaled.astype(np.int64), decimals, decimal, missing)
        distinct, place = np.unique(units, return_inverse=True)
        texts = _texts(distinct, decimals, decimal)
    else:
        floats, place = np.unique(values[there], return_inverse=True)
        texts = [f"{number:.{decimals}f}".replace(".", decimal) for number in floats.tolist()]
    unchanged = column.values[~there]
    kept = [code for code in np.unique(unchanged).tolist() if code < column.n_valid]
    where = {text: number for number, text in enumerate(texts)} if kept else {}
    for code in kept:
        where.setdefault(column.codes[code], len(where))
    valid = [*texts, *[text for text in where if where[text] >= len(texts)]]
    found = np.empty(len(values), np.int64)
    found[there] = place.reshape(-1)
    of_old = np.arange(len(column.codes), dtype=np.int64) - column.n_valid + len(valid)
    for code in kept:
        of_old[code] = where[column.codes[code]]
    found[~there] = of_old[unchanged]
    codes = (*valid, *missing)
    indices: NDArray[np.unsignedinteger] = found.astype(smallest_type(len(codes)))
    counts = np.bincount(indices, minlength=len(codes)).astype(np.int64)
    width = max(map(len, codes), default=1)
    return replace(
        column, values=indices, codes=codes, padded=codes, counts=counts, n_valid=len(valid), width=max(width, 1)
    )


def _beside_missing(
    units: NDArray[np.int64], decimals: int, decimal: str, missing: tuple[str, ...]
) -> NDArray[np.int64]:
    """`units` of the last decimal, those that are a missing code's number moved to the next that is none's."""
    numbers = [number for code in missing if (number := parsed_number(code, decimal)) is not None]
    scaled = [number.scaleb(decimals) for number in numbers if abs(number) < _EXACT]
    taken = {int(each) for each in scaled if each == each.to_integral_value() and abs(each) < _EXACT}
    for unit in sorted(taken):
        alike = units == unit
        if alike.any():
            free = unit
            while free in taken:
                free += 1
            units = np.where(alike, free, units)
    return units


def _texts(units: NDArray[np.int64], decimals: int, decimal: str) -> list[str]:
    """Whole numbers of units of the last decimal, as texts."""
    listed: list[int] = units.tolist()
    if not decimals:
        return list(map(str, listed))
    if listed and listed[0] < 0:  # they are in order
        return [_text(number, decimals, decimal) for number in listed]
    digits = [text.zfill(decimals + 1) for text in map(str, listed)]
    return [f"{text[:-decimals]}{decimal}{text[-decimals:]}" for text in digits]


def _text(scaled: int, decimals: int, decimal: str) -> str:
    """A whole number of units of the last decimal, as text."""
    if not decimals:
        return str(scaled)
    digits = f"{abs(scaled):0{decimals + 1}d}"
    return f"{'-' if scaled < 0 else ''}{digits[:-decimals]}{decimal}{digits[-decimals:]}"
