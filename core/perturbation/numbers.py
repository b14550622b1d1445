"""Numerical variables of perturbation: their texts as numbers, and numbers as texts of the file again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.base.errors import DataError
from core.base.texts import mark
from core.data.columns import EncodedColumn
from core.data.variables import Variable

_EXACT = 2.0**53
"""Up to here every whole number is a float64."""


def numbers_of(column: EncodedColumn, decimal: str = ".") -> NDArray[np.float64]:
    """(n,) the values of a variable; nan where missing.

    Raises
    ------
    DataError
        A value that is no number, naming variable and value.
    """
    from core.data.weights import parse_text

    codes = [parse_text(text, decimal) for text in column.codes[: column.n_valid]]
    for text, number in zip(column.codes, codes, strict=False):
        if number is None:
            raise DataError(
                "perturbation-number",
                mark('{variable} has the value "{value}", which is no number.'),
                mark("Declare it as a missing code in Specify Metadata, or perturb another variable."),
                variable=column.name,
                value=text,
            )
    found = np.array([*map(float, codes), *[np.nan] * column.n_missing_codes], np.float64)  # type: ignore[arg-type]
    return np.asarray(found[column.values], np.float64)


def decimals_of(column: EncodedColumn, variable: Variable, decimal: str = ".") -> int:
    """Decimals with which a variable is written: the most of its values, or what the metadata say."""
    from core.data.weights import parse_text

    numbers = (parse_text(text, decimal) for text in column.codes[: column.n_valid])
    return max([variable.decimals, *(-int(n.as_tuple().exponent) for n in numbers if n is not None)])


def with_numbers(
    column: EncodedColumn, values: NDArray[np.float64], decimals: int, decimal: str = "."
) -> EncodedColumn:
    """`column` with other numbers, each rounded to `decimals` (halves to even); a nan keeps the text it had.

    A number that would be written as a missing code is one unit of its last decimal larger: it is there.

    Parameters
    ----------
    values : (n,) finite, or nan
    """
    from core.data.encoding import smallest_type

    there, missing = ~np.isnan(values), column.missing_codes
    scaled = np.rint(values[there] * 10.0**decimals)
    if not scaled.size or np.abs(scaled).max() < _EXACT:
        distinct, place = np.unique(scaled.astype(np.int64), return_inverse=True)
        texts = [_present(number, decimals, decimal, missing) for number in distinct.tolist()]
    else:
        floats, place = np.unique(values[there], return_inverse=True)
        texts = [f"{number:.{decimals}f}".replace(".", decimal) for number in floats.tolist()]
    unchanged = column.values[~there]
    kept = [column.codes[code] for code in np.unique(unchanged).tolist()]
    valid = list(dict.fromkeys([*texts, *(text for text in kept if text not in missing)]))
    codes = (*valid, *missing)
    where = {text: number for number, text in reversed(tuple(enumerate(codes)))}
    found = np.empty(len(values), np.int64)
    found[there] = np.array([where[text] for text in texts], np.int64)[place.reshape(-1)]
    of_old = np.full(len(column.codes), -1, np.int64)
    for code in np.unique(unchanged).tolist():
        n = column.n_valid
        of_old[code] = len(valid) + code - n if code >= n else where[column.codes[code]]
    found[~there] = of_old[unchanged]
    indices: NDArray[np.unsignedinteger] = found.astype(smallest_type(len(codes)))
    counts = np.bincount(indices, minlength=len(codes)).astype(np.int64)
    width = max(map(len, codes), default=1)
    return replace(
        column, values=indices, codes=codes, padded=codes, counts=counts, n_valid=len(valid), width=max(width, 1)
    )


def _present(scaled: int, decimals: int, decimal: str, missing: tuple[str, ...]) -> str:
    text = _text(scaled, decimals, decimal)
    while text in missing:
        scaled += 1
        text = _text(scaled, decimals, decimal)
    return text


def _text(scaled: int, decimals: int, decimal: str) -> str:
    """A whole number of units of the last decimal, as text."""
    if not decimals:
        return str(scaled)
    digits = f"{abs(scaled):0{decimals + 1}d}"
    return f"{'-' if scaled < 0 else ''}{digits[:-decimals]}{decimal}{digits[-decimals:]}"
