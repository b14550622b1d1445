"""Writing .dta: pandas' writer, given finished records block by block instead of a DataFrame."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from pandas.io import stata as writers

from ...base.errors import OutputError
from ...base.progress import Progress
from ...base.texts import mark
from .columns import TypedField, TypedFile, np_type

_TYPES = {"int8": 65530, "int16": 65529, "int32": 65528, "float": 65527, "double": 65526}
_STRL = 32768
_LONGEST = 2045
_WRITERS: Any = writers  # the stubs of pandas know little of this module
_EPOCH = datetime(1970, 1, 1)


def write_records(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress) -> None:
    """See `core.formats.typed.stata.write`."""
    unicode = file.version == 0 or file.version >= 118
    encoding = "utf-8" if unicode else "latin-1"
    if not unicode:
        file = replace(file, fields=tuple(map(_in_latin, file.fields)))
    _check(file, encoding)
    maker = _unicode_writer if unicode else _latin_writer
    maker(path, file, batches, progress, encoding).write_file()


def _check(file: TypedFile, encoding: str) -> None:
    """Refuse what the format cannot hold, before anything is written."""
    for field in file.fields:
        named = field.name.isidentifier() and len(field.name) <= 32
        if not named or not _fits(field.name, encoding, 128):
            raise _refused(field, mark("the name is too long, or holds a character that Stata does not allow"))
        if len(field.label) > 80 or not _fits(field.label, encoding, 320):
            raise _refused(field, mark("its label has more than 80 characters, or some that the file cannot hold"))
        for value, label in field.values:
            if not isinstance(value, str) and not (float(value).is_integer() and -(2**31) < value < 2147483621):
                raise _refused(field, mark("it has a label for a value that is not a whole number"))
            if not _fits(label, encoding, 32000):
                raise _refused(field, mark("a label of a value is too long, or the file cannot hold its characters"))


def _in_latin(field: TypedField) -> TypedField:
    """With labels that pandas' writer, which knows Latin-1 only, writes as the bytes of Windows' encoding."""
    values = tuple((value, _latin(label)) for value, label in field.values)
    return replace(field, label=_latin(field.label), values=values)


def _latin(text: str) -> str:
    content = _single_bytes(text)
    return text if content is None else content.decode("latin-1")


def _fits(text: str, encoding: str, most: int) -> bool:
    try:
        return len(text.encode(encoding)) <= most
    except UnicodeEncodeError:
        return False


def _refused(field: TypedField, reason: str) -> OutputError:
    return OutputError(
        "stata-unwritable",
        mark("Variable {variable} cannot be written to a Stata file: {reason}."),
        mark("Rename or relabel it, or write another format."),
        variable=field.name,
        reason=reason,
    )


class _Records:
    """What the writer needs of a file, in place of the DataFrame that it would take apart."""

    def __init__(
        self, path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress, encoding: str
    ) -> None:
        self._fname: Any = path
        self._file, self._batches, self._progress = file, batches, progress
        self._text_encoding = encoding
        self._dta_version = 117 if encoding == "latin-1" else 119 if len(file.fields) > 32767 else 118
        self._data_label = ""
        self._time_stamp = _EPOCH
        self._compression: Any = None
        self.storage_options: Any = None
        self._output_file: Any = None
        self._byteorder = "<"
        self._map: dict[str, int] = {}
        self.nobs, self.nvar = file.records, len(file.fields)
        self.varlist = [field.name for field in file.fields]
        self.typlist = [_type(field) for field in file.fields]
        self.fmtlist = [field.format or _default_format(field) for field in file.fields]
        self.data: Any = self.varlist
        self._variable_labels: Any = {field.name: field.label for field in file.fields}
        self._value_labels: Any = list(_label_sets(file, encoding))
        self._strls: dict[str | bytes, tuple[int, int]] = {}
        self._done = 0

    def _prepare_data(self) -> Any:
        return None

    def _write_data(self, records: Any) -> None:
        writer: Any = self
        writer._update_map("data")
        writer._write_bytes(b"<data>")
        for batch in self._batches:
            self._progress.check()
            writer._write_bytes(self._bytes(batch))
        writer._write_bytes(b"</data>")
        if self._done != self.nobs:
            raise ValueError(f"{self._done} records where {self.nobs} were announced")

    def _write_value_label_names(self) -> None:
        writer: Any = self
        writer._update_map("value_label_names")
        width = 33 if self._dta_version == 117 else 129
        names = (field.label_set if field.values else "" for field in self._file.fields)
        content = b"".join(name.encode(self._text_encoding)[: width - 1].ljust(width, b"\0") for name in names)
        writer._write_bytes(writer._tag(content, "value_label_names"))

    def _write_strls(self) -> None:
        writer: Any = self
        writer._update_map("strls")
        long = _WRITERS.StataStrLWriter(pd.DataFrame(), [], self._dta_version, "<")
        writer._write_bytes(writer._tag(long.generate_blob(self._strls), "strls"))

    def _bytes(self, batch: pa.RecordBatch) -> bytes:
        kinds: list[Any] = [(f"s{i}", _kind(field)) for i, field in enumerate(self._file.fields)]
        records: NDArray[Any] = np.zeros(batch.num_rows, np.dtype(kinds))
        for position, (field, column) in enumerate(zip(self._file.fields, batch.columns, strict=True)):
            records[f"s{position}"] = self._values(field, column, position)
        self._done += batch.num_rows
        return records.tobytes()

    def _values(self, field: TypedField, column: pa.Array, position: int) -> Any:
        if not field.is_text:
            return column.to_numpy(zero_copy_only=False)
        texts = column.fill_null("").to_pylist()
        if _type(field) == _STRL:
            long = texts if self._text_encoding == "utf-8" else [_encoded(field, text) for text in texts]
            return [self._place(text, position, row) for row, text in enumerate(long)]
        if self._text_encoding == "utf-8":
            return [text.encode() for text in texts]
        return [_encoded(field, text) for text in texts]

    def _place(self, text: str | bytes, position: int, row: int) -> int:
        """Where a long text will stand: variable and record of its first occurrence, in one number."""
        if not text:
            return 0
        variable, record = self._strls.setdefault(text, (position + 1, self._done + row + 1))
        return variable + (record << (32 if self._dta_version == 117 else 16 if self._dta_version == 118 else 24))


def _encoded(field: TypedField, text: str) -> bytes:
    content = _single_bytes(text)
    if content is None:
        raise _refused(field, mark("it holds a character that this version of the format cannot hold"))
    return content


def _single_bytes(text: str) -> bytes | None:
    """The reader's way back: Windows' encoding, else Latin-1; None where it has neither."""
    for encoding in ("cp1252", "latin-1"):
        with suppress(UnicodeEncodeError):
            return text.encode(encoding)
    return None


def _latin_writer(*args: Any) -> Any:
    return type("LatinWriter", (_Records, _WRITERS.StataWriter117), {})(*args)


def _unicode_writer(*args: Any) -> Any:
    return type("UnicodeWriter", (_Records, _WRITERS.StataWriterUTF8), {})(*args)


def _type(field: TypedField) -> int:
    if not field.is_text:
        return _TYPES[field.storage]
    return field.width if 0 < field.width <= _LONGEST else _STRL


def _kind(field: TypedField) -> str:
    if field.is_text:
        return "<u8" if _type(field) == _STRL else f"S{field.width}"
    return np_type(field.storage).newbyteorder("<").str


def _default_format(field: TypedField) -> str:
    if field.is_text:
        return f"%{field.width}s" if 0 < field.width <= _LONGEST else "%9s"
    return {"int8": "%8.0g", "int16": "%8.0g", "int32": "%12.0g", "float": "%9.0g"}.get(field.storage, "%10.0g")


class _LabelSet(_WRITERS.StataValueLabel):  # type: ignore[misc]
    """One set of labels as the writer expects it, with values that it could not hold (.a to .z)."""

    def __init__(self, name: str, labels: Iterable[tuple[int, str]], encoding: str) -> None:
        self.labname: Any = name
        self._encoding: Any = encoding
        self.value_labels: Any = list(labels)
        self._prepare_value_labels()

    def generate_value_label(self, byteorder: str) -> bytes:
        width = 33 if self._encoding == "latin-1" else 129
        name = str(self.labname).encode(self._encoding)[: width - 1].ljust(width, b"\0")
        out = BytesIO()
        out.write(struct.pack("<i", self.len) + name + b"\0" * 3)
        out.write(struct.pack("<ii", self.n, self.text_len))
        out.write(self.off.astype("<i4").tobytes() + self.val.astype("<i4").tobytes())
        out.write(b"".join(text + b"\0" for text in self.txt))
        return out.getvalue()


def _label_sets(file: TypedFile, encoding: str) -> Iterable[_LabelSet]:
    written = set()
    for field in file.fields:
        if field.values and field.label_set not in written:
            written.add(field.label_set)
            yield _LabelSet(field.label_set, ((_label_value(value), text) for value, text in field.values), encoding)


def _label_value(value: Any) -> int:
    if isinstance(value, str):
        return 2147483621 + (ord(value[1]) - ord("a") + 1 if value else 0)
    return int(value)
