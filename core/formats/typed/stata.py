"""Stata's .dta, read and written with pandas' reader and writer of it, records as they stand.

pandas' own DataFrame would lose what kind of missing value a value is, and the types of columns with missing values;
so its reader is asked for the description only, and its writer gets finished records.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from .columns import Calendar, TypedField, TypedFile, extended_bits, kind_and_width, missing_code
from .readstat import damaged

if TYPE_CHECKING:
    from pandas.io.stata import StataReader

ROWS = 1 << 16
STRL = "strL"
_STORAGE = {"i1": "int8", "i2": "int16", "i4": "int32", "f4": "float", "f8": "double"}
_WIDER = {"int8": "int16", "int16": "int32", "int32": "double"}


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file; see `core.formats.typed.reading.TypedFormat`.

    Raises
    ------
    DataError
        ``data-damaged``.
    """
    with _Open(path) as reader:
        return reader.described()


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.formats.typed.reading.TypedFormat`."""
    with _Open(path) as reader:
        columns = [(reader.names.index(name), file[name]) for name in names]
        rows = max(min(ROWS, (1 << 25) // max(reader.dtype.itemsize, 1)), 1)
        for begin in range(0, reader.records, rows):
            records = reader.rows(begin, min(rows, reader.records - begin))
            made = []
            for position, field in columns:
                progress.check()
                made.append(reader.column(records, position, field))
            yield pa.RecordBatch.from_arrays(made, list(names))
            progress.report(begin + len(records), reader.records, translate(mark("Reading the data")))


class _Open:
    """pandas' reader of an open file, and the records behind its description."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> _Open:
        from pandas.io.stata import StataReader

        self._reader: StataReader = StataReader(self.path, convert_dates=False, convert_categoricals=False)
        self._reader.__enter__()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pandas warns of texts and types that a damaged file has
                reader: Any = self._reader
                reader._ensure_open()
                reader._read_value_labels()
        except (DataError, MemoryError):
            raise
        except Exception:
            self._reader.__exit__(None, None, None)
            raise damaged(self.path, translate(mark("it is not a Stata file, or a damaged one"))) from None
        self.names: list[str] = list(reader._varlist)
        self.dtype: np.dtype[Any] = reader._dtype
        self.records = int(reader._nobs)
        self.version = int(reader._format_version)
        self._strls: dict[int, str] | None = None
        return self

    def __exit__(self, *failure: object) -> None:
        self._reader.__exit__(None, None, None)

    def described(self) -> TypedFile:
        reader: Any = self._reader
        size = self.path.stat().st_size
        begin = int(reader._data_location)
        if begin < 0 or not self.dtype.itemsize:
            raise damaged(self.path, translate(mark("it is not a Stata file, or a damaged one")))
        if self.records < 0 or begin + self.records * self.dtype.itemsize > size:
            raise damaged(self.path, translate(mark("it is shorter than it says")))
        if len(set(self.names)) < len(self.names):
            raise damaged(self.path, translate(mark("two variables have the same name")))
        sets = {
            name: {value: self._renamed(label) for value, label in labels.items()}
            for name, labels in reader._value_label_dict.items()
        }
        fields = tuple(self._field(position, sets) for position in range(len(self.names)))
        return TypedFile("stata", fields, self.records, self.version)

    def _field(self, position: int, sets: dict[str, dict[int, str]]) -> TypedField:
        reader: Any = self._reader
        shown, set_name = reader._fmtlist[position], reader._lbllist[position]
        kind = self.dtype[position]
        storage = "string" if kind.kind == "S" or kind.kind == "u" else _STORAGE[kind_and_width(kind)]
        if self.version < 113 and storage in _WIDER:
            storage = _WIDER[storage]  # what is a number in these versions may be a missing value in later ones
        text = storage == "string"
        return TypedField(
            self.names[position],
            storage=storage,
            special="" if text else "stata",
            calendar="" if text else _calendar(shown),
            width=kind.itemsize if kind.kind == "S" else 0,
            label=self._renamed(reader._variable_labels[position]),
            format=shown,
            values=() if text else tuple(_labels(sets.get(set_name, {}))),
            measure=STRL if kind.kind == "u" else "",
            label_set=set_name,
        )

    def rows(self, begin: int, count: int) -> NDArray[Any]:
        """Records as the file holds them."""
        stream: Any = self._reader._path_or_buf  # type: ignore[attr-defined]
        stream.seek(self._reader._data_location + begin * self.dtype.itemsize)  # type: ignore[attr-defined]
        content = stream.read(count * self.dtype.itemsize)
        if len(content) < count * self.dtype.itemsize:
            raise damaged(self.path, translate(mark("it is shorter than it says")))
        return np.frombuffer(content, self.dtype)

    def column(self, records: NDArray[Any], position: int, field: TypedField) -> pa.Array:
        """One column of some records."""
        kind = self.dtype[position]
        values = records[self.dtype.names[position]]  # type: ignore[index]
        if kind.kind == "u":
            return pa.array([self._long(int(value)) for value in values], pa.string())
        values = np.ascontiguousarray(values.astype(kind.newbyteorder("=")))
        if kind.kind == "S":
            return self._text(values)
        return pa.array(self._renewed(values, field) if self.version < 113 else values)

    def _text(self, values: NDArray[np.bytes_]) -> pa.Array:
        encoded = pa.array(values, pa.binary()).dictionary_encode()
        encoding = "utf-8" if self.version >= 118 else "cp1252"
        listed = [self._decoded(value, encoding) for value in encoded.dictionary.to_pylist()]
        return pa.array(listed, pa.string()).take(encoded.indices)

    def _renamed(self, text: str) -> str:
        """A text that pandas read, which takes older files for Latin-1: Stata on Windows wrote its own encoding."""
        return text if self.version >= 118 else self._decoded(text.encode("latin-1"), "cp1252")

    def _decoded(self, value: bytes, encoding: str) -> str:
        text = value.partition(b"\0")[0]
        try:
            return text.decode(encoding)
        except UnicodeDecodeError:
            if encoding == "cp1252":
                return text.decode("latin-1")
            raise damaged(self.path, translate(mark("a text in it is not UTF-8"))) from None

    def _renewed(self, values: NDArray[Any], field: TypedField) -> NDArray[Any]:
        """Values of versions before 8, which had one missing value, the largest number of each type."""
        limits = {"i1": 127, "i2": 32767, "i4": 2147483647, "f4": 2.0**127, "f8": 2.0**1023}
        absent = values >= limits[kind_and_width(values.dtype)]
        kind = np.dtype({"float": "f4", "double": "f8"}.get(field.storage, field.storage))
        renewed = values.astype(kind)
        renewed[absent] = extended_bits(kind, 0)[0]
        return renewed

    def _long(self, place: int) -> str:
        if self._strls is None:
            reader: Any = self._reader
            try:
                reader._read_strls()
            except Exception:
                raise damaged(self.path, translate(mark("it is not a Stata file, or a damaged one"))) from None
            self._strls = {int(key): self._renamed(value) for key, value in reader.GSO.items()}
        if place not in self._strls:
            raise damaged(self.path, translate(mark("a long text is not in it")))
        return self._strls[place]


def release(path: Path) -> int:
    """Release of the format that a file says it has; 0 where it says none."""
    with path.open("rb") as file:
        begin = file.read(64)
    if begin.startswith(b"<stata_dta>"):
        number = begin.partition(b"<release>")[2][:3]
        return int(number) if number.isdigit() else 0
    return begin[0] if begin else 0


def _calendar(shown: str) -> Calendar:
    plain = shown.replace("-", "").lower()
    if plain.startswith(("%tc", "%c")):
        return "stata-datetime"
    return "stata-date" if plain.startswith(("%td", "%d")) else ""


def _labels(found: dict[int, str]) -> Iterator[tuple[float | str, str]]:
    for value, label in found.items():
        number = int(value)
        beyond = number - 2147483621
        yield (missing_code(beyond) if 0 <= beyond <= 26 else float(number)), label


def write(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT) -> None:
    """Write a .dta file in the version that `file` says (117 for older ones).

    Raises
    ------
    OutputError
        A name, label or text that the format cannot hold.
    """
    from .stata_writer import write_records

    write_records(path, file, batches, progress)
