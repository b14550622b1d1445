"""Files whose columns have types and labels (SPSS, Stata, SAS, Parquet, Excel): one description, one way to codes.

A value's code is a text: a number in its shortest decimal form, a date as ISO 8601 writes it, an absent value as the
empty text, one of Stata's or SAS's further missing values as ``.a`` to ``.z``. `texts` and `typed` are each other's
inverse, so that a column can be read as codes and an edited code be written with the column's own type.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...recipe.model import Format

BASES: dict[str, int | float] = {"i1": 101, "i2": 32741, "i4": 2147483621, "f4": 2.0**127, "f8": 2.0**1023}
"""Of Stata: the smallest missing value, by kind and width of the type: all from there on are missing."""

STEPS = {"i1": 1, "i2": 1, "i4": 1, "f4": 1 << 11, "f8": 1 << 40}
"""How far the bits of one missing value are from the next."""

_BITS: dict[str, np.dtype[Any]] = {"f4": np.dtype("i4"), "f8": np.dtype("i8")}


def kind_and_width(dtype: np.dtype[Any]) -> str:
    """Such as ``i4``, the same on every system; NumPy's letter of a type is not: its int32 is ``l`` on Windows."""
    return dtype.str[1:]


def extended(values: NDArray[Any]) -> NDArray[np.int64]:
    """Number of the missing value, 0 for ``.`` to 26 for ``.z``, of each value; -1 where it is none.

    Parameters
    ----------
    values : (n,) int8, int16, int32, float32 or float64, in native byte order
    """
    kind = kind_and_width(values.dtype)
    found = np.full(len(values), -1, np.int64)
    where = np.flatnonzero(values >= BASES[kind])
    as_bits: np.dtype[Any] = _BITS.get(kind, values.dtype)
    bits = np.ascontiguousarray(values[where]).view(as_bits).astype(np.int64)
    first = int(np.array([BASES[kind]], values.dtype).view(as_bits)[0])
    found[where] = np.clip((bits - first) // STEPS[kind], 0, 26)
    return found


def extended_bits(kind: np.dtype[Any], number: int) -> NDArray[Any]:
    """The missing value `number` as an array of one."""
    name = kind_and_width(kind)
    bits: np.dtype[Any] = _BITS.get(name, kind)
    first = int(np.array([BASES[name]], kind).view(bits)[0])
    return np.array([first + number * STEPS[name]], bits).view(kind)


Value = float | int | str
Calendar = Literal["", "spss-date", "spss-datetime", "stata-date", "stata-datetime", "sas-date", "sas-datetime"]

_EPOCHS = {"spss": datetime(1582, 10, 14), "stata": datetime(1960, 1, 1), "sas": datetime(1960, 1, 1)}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d+)?)?")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?", re.ASCII)
_WIDER = {
    "int8": ("int16", "int32", "double"),
    "int16": ("int32", "double"),
    "int32": ("double",),
    "float": ("double",),
}
_EXACT = 2.0**53


@dataclass(frozen=True)
class TypedField:
    """A column as its file describes it.

    Attributes
    ----------
    storage : Arrow's name of the type of its values, as `pyarrow.DataType` prints it
    special : "stata" where large values of `storage` are missing values; "sas" where a nan's payload tells which
    calendar : what its numbers count, where they are dates
    width : bytes of a text column; 0 where none is declared
    format : display format, as the file's program writes it
    day_format : of Excel, that of days in a column of moments
    texts : of Excel, in a column of numbers and texts: the numbers that stand there as texts; None of another column
    values : labels by value; for numbers float, for texts str; further missing values by their code (".a")
    missing : declared missing values; ranges as (low, high) with infinities
    alignment : "left", "right" or "center" where the file says it
    label_set : name under which the file keeps `values`
    """

    name: str
    storage: str = "double"
    special: str = ""
    calendar: Calendar = ""
    width: int = 0
    label: str = ""
    format: str = ""
    day_format: str = ""
    texts: frozenset[str] | None = None
    values: tuple[tuple[Value, str], ...] = ()
    missing: tuple[Value, ...] = ()
    ranges: tuple[tuple[float, float], ...] = ()
    measure: str = ""
    display_width: int = 0
    alignment: str = ""
    label_set: str = ""

    @property
    def is_text(self) -> bool:
        """Whether its values are texts."""
        return self.storage in ("string", "large_string")

    @property
    def is_number(self) -> bool:
        """Whether its values are plain numbers in the file."""
        return self.storage in ("int8", "int16", "int32", "int64", "float", "double") or self.storage.startswith("uint")


@dataclass(frozen=True)
class TypedFile:
    """Description that a file gives of itself beside its values.

    Attributes
    ----------
    version : of the format, where it has several; 0 where that does not matter
    variant : "zsav" and "por" of SPSS; else empty
    schema : Arrow's own types, for Parquet
    """

    format: Format
    fields: tuple[TypedField, ...]
    records: int
    version: int = 0
    label: str = ""
    variant: str = ""

    @cached_property
    def _by_name(self) -> dict[str, TypedField]:
        return {field.name: field for field in self.fields}

    def __getitem__(self, name: str) -> TypedField:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name


def arrow_type(storage: str) -> pa.DataType:
    """The Arrow type that prints as `storage`, for plain types."""
    return {"double": pa.float64(), "float": pa.float32(), "string": pa.string()}.get(storage) or pa.type_for_alias(
        storage
    )


def text_dictionary(field: TypedField, column: pa.Array) -> tuple[pa.StringArray, NDArray[np.uint32]]:
    """Distinct codes of a column, in the order in which they are met, and the number of each value's code among them.

    Returns
    -------
    texts : StringArray
        Without nulls; two values may have the same text.
    index : (n,) uint32
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        column = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
    null = column.is_null()
    bits = _bits(column)
    encoded = bits.dictionary_encode()
    values = encoded.dictionary if bits is column else encoded.dictionary.view(column.type)
    found = pa.array(texts(field, values), pa.string())
    index = encoded.indices.fill_null(len(found)).to_numpy(zero_copy_only=False).astype(np.uint32)
    if null.true_count:
        found = pa.concat_arrays([found, pa.array([""], pa.string())])
    return found, index


def plain_numbers(field: TypedField, column: pa.Array) -> NDArray[np.float64] | None:
    """A column's numbers, where its codes are nothing but their shortest decimals; None where that is not plain."""
    if field.calendar or field.special or field.ranges or column.null_count or not pa.types.is_float64(column.type):
        return None
    numbers: NDArray[np.float64] = column.to_numpy(zero_copy_only=False)
    return numbers


def _bits(column: pa.Array) -> pa.Array:
    """Floats as integers of the same bits, because a dictionary holds all nans for one; other columns as they are."""
    if pa.types.is_float64(column.type):
        return column.view(pa.int64())
    if pa.types.is_float32(column.type):
        return column.view(pa.int32())
    return column


def texts(field: TypedField, values: pa.Array) -> pa.Array | list[str]:
    """The code of each of `values` (no nulls)."""
    if field.calendar:
        numbers = values.to_numpy(zero_copy_only=False)
        return [_date_text(field, value) for value in numbers.tolist()]
    if field.special == "stata":
        return _stata_texts(field, values)
    if pa.types.is_floating(values.type):
        return _float_texts(field, values)
    return values if pa.types.is_string(values.type) else pc.cast(values, pa.string())


def _float_texts(field: TypedField, values: pa.Array) -> pa.Array:
    if pa.types.is_float16(values.type):
        values = values.cast(pa.float32())
    numbers = values.to_numpy(zero_copy_only=False)
    with np.errstate(invalid="ignore"):  # some nans signal
        whole = np.isfinite(numbers) & (np.abs(numbers) < _EXACT) & (numbers == np.floor(numbers))
    short = pc.cast(pa.array(np.where(whole, numbers, 0).astype(np.int64)), pa.string())
    if whole.all():
        return short
    found = pc.if_else(pa.array(whole), short, pc.cast(values, pa.string()))
    odd = np.flatnonzero(~np.isfinite(numbers) | pc.match_substring(found, "e").to_numpy(zero_copy_only=False))
    if len(odd):
        listed = found.to_pylist()
        for i in odd.tolist():
            listed[i] = _odd_text(field, numbers[i], listed[i])
        found = pa.array(listed, pa.string())
    return found


def _odd_text(field: TypedField, value: np.floating[Any], text: str) -> str:
    if np.isnan(value):
        letter = chr(int(np.float64(value).view(np.int64)) & 0xFF) if field.special == "sas" else ""
        return f".{letter.lower()}" if letter.isalpha() or letter == "_" else ""
    if np.isinf(value):
        return text
    return format(Decimal(text), "f") if abs(math.log10(abs(float(value)))) < 30 else text


def _stata_texts(field: TypedField, values: pa.Array) -> pa.Array | list[str]:
    numbers = values.to_numpy(zero_copy_only=False)
    which = extended(numbers)
    plain = _float_texts(field, values) if pa.types.is_floating(values.type) else pc.cast(values, pa.string())
    if not (which >= 0).any():
        return plain
    return [text if number < 0 else missing_code(number) for text, number in zip(plain.to_pylist(), which, strict=True)]


def missing_code(number: int) -> str:
    """Code of Stata's missing value number 0 (the system's own) to 26 (.z)."""
    return "" if number == 0 else "." + chr(ord("a") + number - 1)


def _date_text(field: TypedField, value: float) -> str:
    if field.special == "stata":
        number = int(extended(np.array([value], np_type(field.storage)))[0])
        if number >= 0:
            return missing_code(number)
    if math.isnan(value):
        return _odd_text(field, np.float64(value), "")
    family, _, kind = field.calendar.partition("-")
    try:
        moment = _EPOCHS[family] + timedelta(**{_unit(field): value})
    except (OverflowError, ValueError):
        return _plain(value)
    # Only a text that leads back to the same number may stand for it.
    whole = (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)
    text = moment.date().isoformat() if kind == "date" and whole else moment.isoformat()
    return text if date_number(field, text) == value else _plain(value)


def _plain(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < _EXACT else repr(float(value))


def number_code(field: TypedField, value: float) -> str:
    """The code of one number, as `texts` has it."""
    if field.calendar:
        return _date_text(replace(field, special=""), value)
    if value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    text = repr(value).removesuffix(".0")  # beyond what is exact, whole numbers end so
    return _odd_text(field, np.float64(value), text) if "e" in text else text


def code_number(field: TypedField, code: str) -> float | None:
    """The number of a code, or None where it is none."""
    number = _number(replace(field, storage="double"), code) if code else None
    return None if number is None or number is False or isinstance(number, str) else float(number)


def _unit(field: TypedField) -> str:
    family, _, kind = field.calendar.partition("-")
    if family == "spss" or (family == "sas" and kind == "datetime"):
        return "seconds"
    return "milliseconds" if kind == "datetime" else "days"


def date_number(field: TypedField, text: str) -> float | None:
    """The number that stands for an ISO date in the file, or None where `text` is no date."""
    if not _DATE.fullmatch(text):
        return None
    try:
        span = datetime.fromisoformat(text) - _EPOCHS[field.calendar.partition("-")[0]]
    except ValueError:
        return None
    return span / timedelta(**{_unit(field): 1})


def np_type(storage: str) -> np.dtype[Any]:
    """NumPy's type of a plain number."""
    return np.dtype({"double": "f8", "float": "f4"}.get(storage, storage))


def typed(field: TypedField, codes: Sequence[str], type: pa.DataType) -> pa.Array | None:
    """Values of `codes` in a column of Arrow type `type`; None where one of them is not possible there."""
    if field.is_text:
        return pa.array(codes, type)
    if field.is_number:
        values = [_number(field, code) for code in codes]
        if any(value is False for value in values):
            return None
        return _stata_array(field, values) if field.special == "stata" else _plain_array(field, values, type)
    try:
        if pa.types.is_dictionary(type):
            type = type.value_type
        listed = [code or None for code in codes]
        made = _times(listed, type) if pa.types.is_time(type) else pa.array(listed, pa.string()).cast(type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    back = [text if text is not None else "" for text in pc.cast(made, pa.string()).to_pylist()]
    return made if back == list(codes) else None


def _times(codes: Sequence[str | None], type: pa.DataType) -> pa.Array:
    """Times of day from texts, which Arrow does not do: units since midnight, counted in integers.

    Raises
    ------
    pyarrow.ArrowInvalid
        A text that is no time.
    """
    found = [None if code is None else _TIME.fullmatch(code) for code in codes]
    if any(code and not match for code, match in zip(codes, found, strict=True)):
        raise pa.ArrowInvalid
    places = {"s": 0, "ms": 3, "us": 6, "ns": 9}[type.unit]
    counts: list[int | None] = []
    for match in found:
        if match is None:
            counts.append(None)
            continue
        hours, minutes, seconds, fraction = match.groups("")
        whole = 3600 * int(hours) + 60 * int(minutes) + int(seconds)
        counts.append(whole * 10**places + int((fraction + "0" * places)[:places] or 0))
    return pa.array(counts, pa.int32() if type.bit_width == 32 else pa.int64()).cast(type)


def _number(field: TypedField, code: str) -> Any:
    """A number, None (absent), a code of further missing values, or False where `code` is none of these."""
    if code == "":
        return None
    if field.special and re.fullmatch(r"\.[a-z_]", code):
        return code
    if field.calendar and (number := date_number(field, code)) is not None:
        return number
    if not (_NUMBER.fullmatch(code) and code.isascii()):
        return False
    return float(code) if field.storage in ("double", "float") else _integer(code)


def _integer(code: str) -> Any:
    value = Decimal(code)
    return int(value) if value == value.to_integral_value() and abs(value) < 1 << 63 else False


def _plain_array(field: TypedField, values: Sequence[Any], type: pa.DataType) -> pa.Array | None:
    if field.special == "sas":
        numbers = [sas_nan(value) if isinstance(value, str) else value for value in values]
        return pa.array(numbers, type)
    try:
        made = pa.array(list(values), type)
    except (pa.ArrowInvalid, OverflowError):
        return None
    if pa.types.is_float32(type) and not all(value is None or _is_single(value) for value in values):
        return None
    return made


def _is_single(value: float) -> bool:
    """Whether a number in four bytes is told as the same number again: by its shortest decimal, as it is read."""
    return float(str(np.float32(value))) == value


def sas_nan(code: str) -> float:
    """The nan whose payload is the letter of one of SAS's further missing values."""
    return float(np.array([0x7FF8000000000000 | ord(code[1].upper())], np.int64).view(np.float64)[0])


def _stata_array(field: TypedField, values: Sequence[Any]) -> pa.Array | None:
    kind = np_type(field.storage)
    name = kind_and_width(kind)
    made = np.zeros(len(values), kind)
    for i, value in enumerate(values):
        if value is None or isinstance(value, str):
            made[i : i + 1] = extended_bits(kind, 0 if value is None else ord(value[1]) - ord("a") + 1)
            continue
        low, high = (-float(BASES[name]), float(BASES[name]))
        if not low < value < high or (kind.kind == "i" and value < np.iinfo(kind).min + 1):
            return None
        if name == "f4" and not _is_single(value):
            return None
        made[i] = value
    return pa.array(made)


def wider(field: TypedField) -> tuple[str, ...]:
    """Types of number to which the column may be widened, in order."""
    return _WIDER.get(field.storage, ())
