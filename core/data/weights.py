"""Design weights, read as exact decimals."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError, Notice
from ..base.texts import DecimalText, mark, mark_plural, plural
from ..kernels.decimals import BLANK, NEGATIVE, NUMBER, OTHER, equals_text, parse_decimals, scale_decimals
from .columns import Weights
from .encoding import BLANKS, frozen
from .variables import Variable

PLACES = 18
"""Decimals that one array of fractions holds; a second array holds as many more."""

_PLAIN_PLACES, _PLAIN_LARGEST = 9, 1e15
"""Decimals, and digits as one number, up to which numbers are taken without their texts."""

_POWERS = 10 ** np.arange(PLACES + 1, dtype=np.int64)

LIMIT = 1 << 62
"""No sum of a limb over the whole file exceeds this."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")

_REFUSALS = {
    OTHER: (
        "weight-not-a-number",
        mark_plural(
            "{file}, line {line}: the weight {variable} is not a number in record {records}.",
            "{file}, line {line}: the weight {variable} is not a number in {count} records: {records}.",
        ),
        mark("Correct the data, or check the weight variable's place and the decimal mark."),
    ),
    NEGATIVE: (
        "weight-negative",
        mark_plural(
            "{file}, line {line}: the weight {variable} is negative in record {records}.",
            "{file}, line {line}: the weight {variable} is negative in {count} records: {records}.",
        ),
        mark("Correct the data: a design weight says how many persons a record stands for."),
    ),
    BLANK: (
        "weight-empty",
        mark_plural(
            "{file}, line {line}: the weight {variable} is empty or missing in record {records}.",
            "{file}, line {line}: the weight {variable} is empty or missing in {count} records: {records}.",
        ),
        mark("Every record needs a weight: correct the data, or choose no weight variable."),
    ),
}

Numbers = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]


def parse_fields(
    data: NDArray[np.uint8], starts: NDArray[np.int32], lengths: NDArray[np.int32], decimal: str
) -> Numbers:
    """Whole part, fraction, places and kind of each field; see `parse_decimals`."""
    n = len(starts)
    whole, fraction = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    places, kind = np.empty(n, dtype=np.uint8), np.empty(n, dtype=np.uint8)
    parse_decimals(data, starts, lengths, ord(decimal), whole, fraction, places, kind)
    return whole, fraction, places, kind


def parse_text(text: str, decimal: str) -> Decimal | None:
    """The exact value of a number's text (an exponent is allowed), or None where it is not a number."""
    if decimal != ".":
        text = "" if "." in text else text.replace(decimal, ".")
    return Decimal(text) if _NUMBER.fullmatch(text) and text.isascii() else None


class WeightReader:
    """Reads the weight variable: feed it each block with `add`, then take the weights with `finish`.

    Parameters
    ----------
    variable : Variable
    decimal : str, the decimal mark
    encoding : str
    path : Path, named in errors
    known : weights that these may be: as far as they are, they are not held a second time
    """

    def __init__(
        self, variable: Variable, decimal: str, encoding: str, path: Path, known: Weights | None = None
    ) -> None:
        self.variable = variable
        self._known, self._same = known, 0
        self._decimal = decimal
        self._missing = [
            np.frombuffer(code.strip(BLANKS).encode(encoding, "replace"), dtype=np.uint8)
            for code in variable.missing
            if code.strip(BLANKS)
        ]
        self._path = path
        self._blocks: list[_Block] = []
        self._tails: dict[int, int] = {}
        self._places = 0
        self._records = 0
        self._bad: dict[int, list[tuple[int, int]]] = {kind: [] for kind in _REFUSALS}
        self._bad_count = dict.fromkeys(_REFUSALS, 0)
        self._seen: dict[bytes, Decimal | None] = {}

    def add(
        self,
        data: NDArray[np.uint8],
        starts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        lines: NDArray[np.int64] | range,
    ) -> None:
        """Read one block: `data` (size,) uint8, spans (n,) int32, 1-based `lines` (n,) for errors."""
        whole, fraction, places, kind = parse_fields(data, starts, lengths, self._decimal)
        for code in self._missing:
            is_missing: NDArray[np.bool_] = np.zeros(len(starts), dtype=np.bool_)
            equals_text(data, starts, lengths, code, is_missing)
            kind[is_missing] = BLANK
        if kind.any():
            kind[(kind == NEGATIVE) & (whole == 0) & (fraction == 0)] = NUMBER
            for i in np.flatnonzero(kind == OTHER).tolist():
                self._slowly(data, int(starts[i]), int(lengths[i]), i, whole, fraction, places, kind)
            self._note_bad(kind, lines)
        self._places = max(self._places, int(places.max(initial=0)))
        self._keep(_packed(whole, fraction, places))

    def add_numbers(self, values: NDArray[np.float64]) -> bool:
        """Read one block of numbers (n,) that stand in the file as such, each for its shortest decimal.

        Whether that was done: else their texts have to be read.
        """
        largest = float(values.max(initial=0.0))
        if self._missing or not values.min(initial=0.0) >= 0 or largest == np.inf:
            return False
        for places in range(self._places, _PLAIN_PLACES + 1):
            power = 10.0**places
            if largest * power >= _PLAIN_LARGEST:
                return False
            most = round(largest * power)
            scaled: NDArray[np.integer[Any]] = np.empty(len(values), np.uint32 if most < 1 << 32 else np.int64)
            # Of up to 15 digits only one decimal leads to a float: what leads back to it is its shortest, too.
            if scale_decimals(values, power, scaled):
                self._places = places
                self._keep(_Block(scaled, None, places, most))
                return True
        return False

    def _keep(self, block: _Block) -> None:
        begin, self._records = self._records, self._records + len(block.value)
        if self._known is not None and len(self._known.limbs) == 1:
            limb, finer = self._known.limbs[0][begin : self._records], self._known.decimals[0] - block.places
            fits = finer >= 0 and block.rest is None and block.largest * 10**finer < LIMIT
            if fits and np.array_equal(np.multiply(block.value, 10**finer, dtype=np.int64), limb):
                block = _Block(limb, None, block.places, block.largest, finer)
                self._same += len(limb)
        self._blocks.append(block)

    def _note_bad(self, kind: NDArray[np.uint8], lines: NDArray[np.int64] | range) -> None:
        """Count what is no weight, and remember where the first of each kind are."""
        for refused in _REFUSALS:
            where = np.flatnonzero(kind == refused)
            self._bad_count[refused] += len(where)
            room = max(10 - len(self._bad[refused]), 0)
            self._bad[refused] += [(self._records + i + 1, int(lines[i])) for i in where[:room].tolist()]

    def _slowly(
        self,
        data: NDArray[np.uint8],
        start: int,
        length: int,
        i: int,
        whole: NDArray[np.int64],
        fraction: NDArray[np.int64],
        places: NDArray[np.uint8],
        kind: NDArray[np.uint8],
    ) -> None:
        """Parse a field that the kernel could not; leaves `kind` as it is where it is no number in range."""
        text = data[start : start + length].tobytes()
        if text not in self._seen:
            self._seen[text] = parse_text(text.decode("latin-1").strip(BLANKS), self._decimal)
        value = self._seen[text]
        if value is None:
            return
        sign, digits, exponent = value.as_tuple()
        if sign and value:
            kind[i] = NEGATIVE
            return
        number = int("".join(map(str, digits)))
        while number and number % 10 == 0:
            number, exponent = number // 10, int(exponent) + 1
        needed = max(-int(exponent), 0) if number else 0
        scaled = number * 10 ** (2 * PLACES + int(exponent)) if number and needed <= 2 * PLACES else 0
        head, tail = divmod(scaled, 10**PLACES)
        if needed > 2 * PLACES or head // 10**PLACES >= LIMIT:
            raise self._too_fine()
        places[i] = min(needed, PLACES)
        fraction[i] = head % 10**PLACES // 10 ** (PLACES - int(places[i]))
        whole[i], kind[i] = head // 10**PLACES, NUMBER
        if tail:
            self._tails[self._records + i] = tail
        self._places = max(self._places, needed)

    def _too_fine(self) -> DataError:
        return DataError(
            "weight-digits",
            mark("{file}: the weights {variable} have more digits than can be added up exactly."),
            mark("Round the weights to fewer decimals."),
            file=self._path,
            variable=self.variable.name,
        )

    def finish(self) -> tuple[Weights, list[Notice]]:
        """The weights of all records, and what is to be said about them.

        Where they are those that are known, these are given back.

        Raises
        ------
        DataError
            ``weight-not-a-number``, ``weight-negative``, ``weight-empty``, ``weight-digits``.
        """
        self._refuse()
        if (limb := self._single_limb()) is not None:
            total = _total_of(limb, self._places)
            weights = Weights((limb,), (self._places,))
            return weights, weight_notices(self.variable.name, count_zeros(weights), total, len(limb))
        none = np.empty(0, dtype=np.int64)
        whole = np.concatenate([none, *(block.whole() for block in self._blocks)])
        fraction = np.concatenate([none, *(block.fraction() for block in self._blocks)])
        self._blocks = []
        tail = np.zeros(len(whole) if self._tails else 0, dtype=np.int64)
        tail[list(self._tails)] = list(self._tails.values())
        total = _total(whole, fraction)
        weights = self._limbs(whole, fraction, tail, total)
        zero = (whole == 0) & (fraction == 0)
        if len(tail):
            zero &= tail == 0
        return weights, weight_notices(self.variable.name, int(np.count_nonzero(zero)), total, len(whole))

    def _single_limb(self) -> NDArray[np.int64] | None:
        """The weights as one limb, where that is easily seen to hold them; uses up the blocks."""
        if self._tails or self._places > PLACES or any(block.rest is not None for block in self._blocks):
            return None
        most = sum(block.largest * len(block.value) * 10 ** (self._places - block.places) for block in self._blocks)
        if most + self._records >= LIMIT:
            return None
        known = self._known
        if known is not None and known.decimals == (self._places,) and self._same == self._records == len(known):
            self._blocks = []
            return known.limbs[0]
        limb: NDArray[np.int64] = np.empty(self._records, dtype=np.int64)
        end = self._records
        while self._blocks:
            block = self._blocks.pop()
            begin = end - len(block.value)
            limb[begin:end] = block.numbers()
            if block.places < self._places:
                limb[begin:end] *= 10 ** (self._places - block.places)
            end = begin
        return frozen(limb)

    def _limbs(
        self, whole: NDArray[np.int64], fraction: NDArray[np.int64], tail: NDArray[np.int64], total: int
    ) -> Weights:
        places = self._places
        if total * 10**places >= LIMIT * 10**PLACES:
            places = _significant_places(fraction, tail, places)
        first = min(places, PLACES)
        while first >= 0 and total * 10**first >= LIMIT * 10**PLACES:
            first -= 1
        if first < 0:
            raise self._too_fine()
        unit = 10 ** (PLACES - first)
        limb = frozen(whole * 10**first + fraction // unit)
        if first == places:
            return Weights((limb,), (places,))
        if len(whole) * 10 ** (places - first) >= LIMIT:
            raise self._too_fine()
        rest = fraction % unit
        if places <= PLACES:
            rest //= 10 ** (PLACES - places)
        else:
            rest *= 10 ** (places - PLACES)
            rest += tail // 10 ** (2 * PLACES - places)
        return Weights((limb, frozen(rest)), (first, places))

    def _refuse(self) -> None:
        for kind, (id, forms, hint) in _REFUSALS.items():
            bad, count = self._bad[kind], self._bad_count[kind]
            if bad:
                records = ", ".join(str(record) for record, _ in bad) + (", …" if count > len(bad) else "")
                raise DataError(
                    id,
                    plural(count, *forms),
                    hint,
                    file=self._path,
                    line=bad[0][1],
                    variable=self.variable.name,
                    count=count,
                    records=records,
                )


def count_zeros(weights: Weights) -> int:
    """How many weights are zero."""
    if weights.least > 0:
        return 0
    return len(weights) - int(np.count_nonzero(functools.reduce(np.bitwise_or, weights.limbs)))


def weight_notices(name: str, zeros: int, total: int, n: int) -> list[Notice]:
    """What is to be said of the weights `name` of n records, of which `zeros` are zero; `total` in units of 10**-18."""
    notices = []
    if zeros:
        notices.append(
            Notice.of(
                "zero-weights",
                plural(
                    zeros,
                    "The weight {variable} is zero in one record.",
                    "The weight {variable} is zero in {count} records.",
                ),
                where=name,
                variable=name,
                count=zeros,
            )
        )
    sum_ = total / 10**PLACES
    if n > 1 and (abs(sum_ / n - 1) < 0.01 or abs(sum_ - 1) < 0.01):
        notices.append(
            Notice.of(
                "weights-look-normalised",
                mark(
                    "The weights {variable} look normalised: they add up to {total} over {records} records. "
                    "Population frequencies need weights that add up to the population."
                ),
                where=name,
                variable=name,
                total=DecimalText(f"{sum_:.6g}"),
                records=n,
            )
        )
    return notices


@dataclass(frozen=True, eq=False)
class _Block:
    """Weights of some records: ``numbers() / 10**places``, or with too many digits for it ``value + rest / 10**18``.

    `finer` : decimals that `value` has beside, all of them 0
    """

    value: NDArray[np.integer[Any]]
    rest: NDArray[np.int64] | None
    places: int
    largest: int
    finer: int = 0

    def numbers(self) -> NDArray[np.integer[Any]]:
        """The weights without a decimal mark."""
        return self.value // 10**self.finer if self.finer else self.value

    def whole(self) -> NDArray[np.int64]:
        """Digits before the decimal mark."""
        value = self.numbers().astype(np.int64, copy=False)
        return value if self.rest is not None else value // 10**self.places

    def fraction(self) -> NDArray[np.int64]:
        """Digits behind it, in units of 10**-18."""
        if self.rest is not None:
            return self.rest
        found: NDArray[np.int64] = self.numbers().astype(np.int64, copy=False) % 10**self.places
        found *= 10 ** (PLACES - self.places)
        return found


def _packed(whole: NDArray[np.int64], fraction: NDArray[np.int64], places: NDArray[np.uint8]) -> _Block:
    """A block in one array where that holds it."""
    most = int(places.max(initial=0))
    if (int(whole.max(initial=0)) + 1) * 10**most >= LIMIT:
        return _Block(whole, fraction * _POWERS[PLACES - places], most, 0)
    value = whole * 10**most
    value += fraction if int(places.min(initial=most)) == most else fraction * _POWERS[most - places]
    largest = int(value.max(initial=0))
    return _Block(value.astype(np.uint32) if largest < 1 << 32 else value, None, most, largest)


def _total_of(limb: NDArray[np.int64], places: int) -> int:
    """The bound of `_total`, of one limb."""
    unit: int = 10 ** (PLACES - places)
    return len(limb) + int(limb.sum()) * unit


def _total(whole: NDArray[np.int64], fraction: NDArray[np.int64]) -> int:
    """An upper bound of the sum in units of 10**-18, exact but for tails (each counted as one unit)."""
    step = 1 << 20
    total = len(whole)
    for begin in range(0, len(whole), step):
        part = whole[begin : begin + step]
        low, high = part & 0xFFFFFFFF, part >> 32
        total += (int(low.sum()) + (int(high.sum()) << 32)) * 10**PLACES
        part = fraction[begin : begin + step]
        total += int((part & 0xFFFFFFFF).sum()) + (int((part >> 32).sum()) << 32)
    return total


def _significant_places(fraction: NDArray[np.int64], tail: NDArray[np.int64], places: int) -> int:
    """Decimals needed once trailing zeros are left out."""
    while places > PLACES and not np.any(tail % 10 ** (2 * PLACES - places + 1)):
        places -= 1
    while 0 < places <= PLACES and not np.any(fraction % 10 ** (PLACES - places + 1)):
        places -= 1
    return places
