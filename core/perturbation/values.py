"""What columns say, whatever file says it: the same for other line ends, encodings and formats of the same values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b, sha256

import numpy as np
from numpy.typing import NDArray

from ..data.columns import EncodedColumn
from ..data.encoding_many_codes import MANY
from .numbers import parsed_number, plain_numbers

_MISSING = np.float64("nan").view(np.uint64)


def digests_of(
    columns: Mapping[str, EncodedColumn],
    decimal: str,
    households: NDArray[np.int64] | None = None,
    strata: NDArray[np.int64] | None = None,
    missing_apart: bool = False,
) -> Callable[[Sequence[str]], str]:
    """A function that gives the digest of the values of some of `columns` and of who lives with whom.

    It is a SHA-256, hexadecimal, of all values in the order of records, whatever the columns are called and however
    they are listed. 5, 05 and 5.0 are one value, and so are all missing codes, which no method uses. Each column is
    looked at once, and only if it is asked for.

    Parameters
    ----------
    households : (n,) the household of each record as `in_order_of_records` numbers them; None where they do not matter
    strata : (n,) the same of strata; None: all records are one
    missing_apart : whether missing codes are values like others
    """

    @cache
    def of_column(name: str) -> bytes:
        column = columns[name]
        found = values_of_codes(column, decimal, missing_apart)[column.values]
        return sha256(found.astype("<u8").tobytes()).digest()

    @cache
    def living() -> bytes:
        found = b"" if households is None else sha256(households.astype("<i8").tobytes()).digest()
        if strata is None or not strata.any():
            return found
        return found + sha256(b"strata" + strata.astype("<i8").tobytes()).digest()

    def digest(names: Sequence[str]) -> str:
        return sha256(b"".join([*sorted(map(of_column, names)), living()])).hexdigest()

    return digest


class DigestInOrder:
    """What `digests_of` gives of one column alone, from its records, some after the other."""

    def __init__(self) -> None:
        self._values, self._living = sha256(), sha256()
        self._records = self._households = 0

    def add(self, values: NDArray[np.uint64], households: NDArray[np.int64] | None) -> None:
        """Add some records, in order.

        Parameters
        ----------
        values : (n,) as `values_of_codes`
        households : (n,) of each, all of whose members are among them, as `in_order_of_records` numbers these; None
            where households do not matter, as they do not where all live alone
        """
        self._values.update(values.astype("<u8").tobytes())
        self._records += len(values)
        if households is not None:
            self._living.update((households + self._households).astype("<i8").tobytes())
            self._households += int(households.max(initial=-1)) + 1

    def found(self) -> str:
        """Of all of them."""
        together = self._living.digest() if 0 < self._households < self._records else b""
        return sha256(self._values.digest() + together).hexdigest()


def in_order_of_records(households: NDArray[np.integer]) -> NDArray[np.int64]:
    """(n,) the household of each record, numbered from 0 as they come in the file, whatever identifies them."""
    first = np.zeros(int(households.max(initial=0)) + 1, np.int64)
    # the last one written stays: the first record of each household
    first[households[::-1]] = np.arange(len(households))[::-1]
    begins = np.zeros(len(households), np.int64)
    begins[first[households]] = 1
    return np.asarray((np.cumsum(begins) - 1)[first[households]], np.int64)


def everybody_alone(households: NDArray[np.integer]) -> bool:
    """Whether no two records are of one household."""
    return len(np.unique(households)) == len(households)


def in_order_of_values(column: EncodedColumn, decimal: str) -> EncodedColumn:
    """`column` with its valid codes in an order that no file decides: a draw among codes follows from their order.

    Numbers ascend where all codes are some; others go by length, as codes of a file with blanks before them do.
    Of more than `MANY` codes the order stays: of these only the numbers are made use of.
    """
    n = column.n_valid
    if n < 2 or n > MANY:
        return column
    codes = list(column.codes[:n])
    numbers = _numbers([code for code in codes if code], decimal)
    number = {} if numbers is None else dict(zip((code for code in codes if code), numbers.tolist(), strict=True))
    order = sorted(range(n), key=lambda place: (number.get(codes[place], -np.inf), len(codes[place]), codes[place]))
    if order == list(range(n)):
        return column
    places = [*order, *range(n, len(column.codes))]
    lut = np.empty(len(places), column.values.dtype)
    lut[places] = np.arange(len(places))
    return replace(
        column,
        values=lut[column.values],
        codes=tuple(column.codes[place] for place in places),
        padded=tuple(column.padded[place] for place in places),
        counts=column.counts[places],
    )


def _numbers(codes: Sequence[str], decimal: str) -> NDArray[np.float64] | None:
    """(m,) the codes as numbers; None where one is none."""
    plain = plain_numbers(codes, decimal)
    if plain is not None:
        return plain[1]
    numbers = [parsed_number(code, decimal) for code in codes]
    return None if None in numbers else np.array([*map(float, numbers)], np.float64)  # type: ignore[arg-type]


def values_of_codes(column: EncodedColumn, decimal: str, missing_apart: bool = False) -> NDArray[np.uint64]:
    """(codes,) a number for each code that is the same for the same value."""
    found = np.full(len(column.codes), _MISSING, np.uint64)
    if missing_apart:
        found[column.n_valid :] = [_of_missing(code, decimal) for code in column.missing_codes]
    valid = column.codes[: column.n_valid]
    plain = plain_numbers(valid, decimal)
    if plain is not None:
        found[: column.n_valid] = (plain[1] + 0.0).view(np.uint64)  # -0 is 0
        return found
    for place, code in enumerate(valid):
        if code:
            number = parsed_number(code, decimal)
            found[place] = _of_text(code) if number is None else np.float64(float(number) + 0.0).view(np.uint64)
    return found


def _of_missing(code: str, decimal: str) -> int:
    number = parsed_number(code, decimal) if code else None
    return _of_text(f"missing {code if number is None else float(number) + 0.0}")


def _of_text(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
