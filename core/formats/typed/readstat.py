"""Work of pyreadstat (SPSS, SAS), as it is done in a child process: it holds Python's lock, and may crash.

`describe`, `batches` and `write` are called by `core.formats.typed.child` with what the caller feeds as first argument,
and are generators. What the library lacks is added: SPSS' portable files with labels and declared missing values.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from ...base.errors import DataError, OutputError
from ...base.texts import mark, translate
from ..argus.text_files import plain_signs
from ..detect import is_text, looks_like
from .columns import Calendar, TypedField, TypedFile, Value, sas_nan

CELLS = 1 << 20
"""Values read in one call of the library: what Cancel waits for, where the child is not ended."""

BYTES = 1 << 28
"""Of texts that are read in one call, at most: a packed file may hold long ones in few bytes."""

LONGEST = 32767
"""Bytes of the longest text that SPSS and SAS know."""

SMALLEST_IBM, LARGEST_IBM = 2.0**-260, 2.0**249
"""Numbers between these come back from an xpt file as they were written (tried for every power of two)."""

_DICTIONARY_BYTES = 1 << 26
_ALIGNMENTS = {"left": 0, "right": 1, "center": 2}
_SPSS_DATES = re.compile(r"(A|E|S|J)?DATE\d*|MOYR\d*|QYR\d*|WKYR\d*")
_SPSS_TIMES = re.compile(r"(DATETIME|YMDHMS)[\d.]*")
_SAS_DATES = re.compile(r"(DATE|DDMMYY|MMDDYY|YYMMDD|YYMM|MONYY|E8601DA|B8601DA|JULIAN|WORDDATE|WEEKDATE)[A-Z]?[\d.]*")
_SAS_TIMES = re.compile(r"(DATETIME|E8601DT|B8601DT|DATEAMPM)[\d.]*")


def describe(fed: Iterator[bytes], path: str, kind: str) -> Generator[bytes, None, TypedFile]:
    """A `TypedFile`; `kind` is the suffix without its point."""
    meta = _read(path, kind, metadataonly=True)[1]
    if not all(meta.column_names) or len(set(meta.column_names)) < len(meta.column_names):
        raise damaged(path, translate(mark("variables in it have no name, or the same one")))
    fields = tuple(_field(meta, name, kind) for name in meta.column_names)
    if any(field.width > LONGEST for field in fields):
        raise damaged(path, translate(mark("a text in it is longer than the format allows")))
    records = -1 if meta.number_rows is None or meta.number_rows < 0 else int(meta.number_rows)
    variant = kind if kind in ("zsav", "por") else ""
    yield from ()
    return TypedFile("spss" if kind in ("sav", "zsav", "por") else "sas", fields, records, variant=variant)


def batches(fed: Iterator[bytes], path: str, kind: str, names: Sequence[str]) -> Generator[bytes, None, int]:
    """The columns `names`, as Arrow streams of one batch each; returns the number of records."""
    rows = max(CELLS // max(len(names), 1), 1 << 12)
    widths = _read(path, kind, metadataonly=True)[1].variable_storage_width
    rows = max(min(rows, BYTES // max(sum(int(widths.get(name, 0)) for name in names), 1)), 1 << 6)
    done = 0
    while True:
        data, meta = _read(path, kind, usecols=list(names), row_offset=done, row_limit=rows)
        found = len(next(iter(data.values()), ()))
        if found:
            columns = [_column(data[name], meta.readstat_variable_types[name]) for name in names]
            batch = pa.RecordBatch.from_arrays(columns, list(names))
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            yield sink.getvalue().to_pybytes()
        done += found
        if found < rows:
            return done


def write(fed: Iterator[bytes], path: str, kind: str, file: TypedFile) -> Iterator[bytes]:
    """Write the batches fed (Arrow streams) as a file of `kind`."""
    import pandas as pd

    yield from ()
    tables = [pa.ipc.open_stream(item).read_all() for item in fed]
    table = pa.concat_tables(tables)
    columns = {field.name: _values(field, table.column(field.name), kind) for field in file.fields}
    frame = pd.DataFrame(columns, copy=False)
    del tables, table, columns
    try:
        _writer(kind)(frame, path, file)
    except OutputError:
        raise
    except Exception as error:
        raise OutputError(
            "typed-unwritable",
            mark("The data cannot be written as {kind}: {reason}."),
            mark("Write another format, for example csv or Parquet, or rename the variable concerned."),
            kind=kind,
            reason=str(error)[:200].rstrip("."),
        ) from None


def _read(path: str, kind: str, **options: Any) -> tuple[dict[str, list[Any]], Any]:
    import pyreadstat
    from pyreadstat._readstat_parser import parser_entry_point

    if kind != "xpt":
        options["user_missing"] = True
    functions: dict[str, Any] = {"sas7bdat": pyreadstat.read_sas7bdat, "xpt": pyreadstat.read_xport}
    # pyreadstat's own function for portable files takes declared missing values for absent ones.
    functions["por"] = partial(parser_entry_point, parser_format="por")
    try:
        found: tuple[dict[str, list[Any]], Any] = functions.get(kind, pyreadstat.read_sav)(
            path, disable_datetime_conversion=True, output_format="dict", **options
        )
    except MemoryError:
        raise
    except Exception as error:
        raise damaged(path, _reason(error)) from None
    return found


def damaged(path: str | Path, reason: str) -> DataError:
    """The error that a file is empty, of another format than its suffix says, or damaged."""
    file = Path(path)
    found, suffixes = looks_like(file)
    if file.is_file() and file.stat().st_size == 0:
        return DataError("data-damaged", mark("{file} is empty."), mark("Choose another data file."), file=file)
    if is_text(file) and file.suffix.lower() in suffixes:
        return DataError(
            "data-of-another-format",
            mark("{file} is a text file and cannot be read in the format that is set for it."),
            mark("Set the format to delimited or fixed, or remove the setting."),
            file=file,
        )
    if not found or file.suffix.lower() in suffixes:
        return DataError(
            "data-damaged",
            mark("{file} cannot be read: {reason}."),
            mark("The file is damaged or cut off: fetch it again, or save it anew."),
            file=file,
            reason=reason,
        )
    hint = mark("Give it the suffix {suffix}, or save it in the format that its name says.")
    if not suffixes:
        hint = mark("Save it in a format that Pavo reads, for example csv.")
    return DataError(
        "data-damaged",
        mark("{file} is not what its suffix says: its contents are those of {found}."),
        hint,
        file=file,
        found=translate(found),
        suffix=translate(mark(" or ")).join(suffixes),
    )


def _reason(error: Exception) -> str:
    """The library's own words, or the kind of error where the words may hold data."""
    if "Unable to read from file" in str(error):
        return translate(mark("it ends too early"))
    if "unsupported features" in str(error):
        return translate(mark("its contents are not those of such a file"))
    plain = type(error).__name__ in ("ReadstatError", "PyreadstatError")
    return str(error).strip().rstrip(".").replace("\n", " ") if plain and str(error) else type(error).__name__


def _field(meta: Any, name: str, kind: str) -> TypedField:
    text = meta.readstat_variable_types[name] == "string"
    shown = meta.original_variable_types.get(name) or ""
    missing, ranges = _missing(meta.missing_ranges.get(name, ()))
    labels = meta.variable_value_labels.get(name, {})
    sas = kind in ("sas7bdat", "xpt")
    return TypedField(
        name,
        storage="string" if text else "double",
        special="sas" if sas and not text else "",
        calendar="" if text else _calendar(shown, sas),
        width=int(meta.variable_storage_width.get(name, 0)) if text else 0,
        label=meta.column_names_to_labels.get(name) or "",
        format="" if shown == "NULL" else shown,
        values=tuple((value if text else float(value), label) for value, label in labels.items() if _kept(value, text)),
        missing=missing,
        ranges=ranges,
        measure=meta.variable_measure.get(name, ""),
        display_width=int(meta.variable_display_width.get(name, 0)),
        alignment=meta.variable_alignment.get(name, ""),
    )


def _kept(value: Any, text: bool) -> bool:
    return isinstance(value, str) if text else not isinstance(value, str)


def _missing(declared: Sequence[Any]) -> tuple[tuple[Value, ...], tuple[tuple[float, float], ...]]:
    single: list[Value] = []
    ranges = []
    for entry in declared:
        low, high = (entry["lo"], entry["hi"]) if isinstance(entry, dict) else (entry, entry)
        if low == high:
            single.append(low if isinstance(low, str) else float(low))
        elif low <= high:  # a damaged file may have bounds that are no numbers, between which nothing lies
            ranges.append((-math.inf if _lowest(low) else float(low), math.inf if _highest(high) else float(high)))
    return tuple(single), tuple(ranges)


def _lowest(value: float) -> bool:
    return value <= -1.79e308


def _highest(value: float) -> bool:
    return value >= 1.79e308


def _calendar(shown: str, sas: bool) -> Calendar:
    upper = shown.upper()
    if sas:
        return "sas-datetime" if _SAS_TIMES.fullmatch(upper) else "sas-date" if _SAS_DATES.fullmatch(upper) else ""
    return "spss-datetime" if _SPSS_TIMES.fullmatch(upper) else "spss-date" if _SPSS_DATES.fullmatch(upper) else ""


def _column(values: list[Any], type: str) -> pa.Array:
    if type == "string":
        return pa.array(["" if value is None else value for value in values], pa.string())
    values = [None if value != value else value for value in values]  # a nan that is no declared missing value
    if any(isinstance(value, str) for value in values):
        values = [sas_nan("." + value) if isinstance(value, str) else value for value in values]
    return pa.array(values, pa.float64())


def _values(field: TypedField, column: pa.ChunkedArray, kind: str) -> Any:
    if not field.is_text:
        numbers = column.to_numpy()
        if field.special == "sas" and any(np.isnan(numbers) & (numbers.view(np.int64) & 0xFF != 0)):
            raise _special_missing(field)
        size = np.abs(numbers[numbers != 0])
        if kind == "xpt" and (np.isinf(size) | (size < SMALLEST_IBM) | (size > LARGEST_IBM)).any():
            raise _beyond(field)
        return numbers
    values = column.to_numpy(zero_copy_only=False).astype(object)
    if len(values):
        # The library declares a column as wide as its longest text; blanks at the end are none in these files.
        values[0] = values[0] + " " * max(field.width - len(values[0].encode()), 0)
    return values


def _special_missing(field: TypedField) -> OutputError:
    return OutputError(
        "special-missing",
        mark("Variable {variable} has special missing values (.A to .Z), which cannot be written to an xpt file."),
        mark("Write another format, for example csv or dta."),
        variable=field.name,
    )


def _beyond(field: TypedField) -> OutputError:
    return OutputError(
        "number-beyond",
        mark("Variable {variable} has numbers that are too large or too small for an xpt file."),
        mark("Write another format, for example csv or dta."),
        variable=field.name,
    )


def _writer(kind: str) -> Callable[[Any, str, TypedFile], None]:
    return {"xpt": _write_xport, "por": _write_por}.get(kind, _write_sav)


def _write_por(frame: Any, path: str, file: TypedFile) -> None:
    write_por(frame, path, file, {f.name: _declared(f) for f in file.fields if f.missing or f.ranges})


def _write_sav(frame: Any, path: str, file: TypedFile) -> None:
    import pyreadstat

    fields = file.fields
    pyreadstat.write_sav(
        frame,
        path,
        column_labels=[field.label or None for field in fields],
        compress=file.variant == "zsav",
        row_compress=file.variant != "zsav",
        variable_value_labels={f.name: dict[Any, str](f.values) for f in fields if f.values},
        missing_ranges={f.name: _declared(f) for f in fields if f.missing or f.ranges},
        variable_display_width={f.name: f.display_width for f in fields if f.display_width},
        variable_measure={f.name: f.measure for f in fields if f.measure},
        variable_format={f.name: f.format for f in fields if f.format},
    )
    with open(path, "r+b") as written:  # noqa: PTH123
        # Date and time of writing: the same data give the same file.
        written.seek(92)
        written.write(b"01 Jan 7000:00:00")
        _align(written, fields)


def _align(written: BinaryIO, fields: Sequence[TypedField]) -> None:
    """Enter how columns are aligned, which the library cannot be told, into a .sav file.

    Record 7, subtype 11 of the format: measure, width and alignment of each variable, four bytes each; a text of more
    than 255 bytes is several variables.
    """
    parts = [max(-(-field.width // 252), 1) if field.width > 255 else 1 for field in fields]
    head = struct.pack("<4i", 7, 11, 4, 3 * sum(parts))
    written.seek(0)
    begin = written.read(_DICTIONARY_BYTES).find(head)
    if begin < 0:
        return
    place = begin + len(head) + 8
    for field, count in zip(fields, parts, strict=True):
        if field.alignment in _ALIGNMENTS:
            for part in range(count):
                written.seek(place + 12 * part)
                written.write(struct.pack("<i", _ALIGNMENTS[field.alignment]))
        place += 12 * count


def _declared(field: TypedField) -> list[Any]:
    return [*({"lo": low, "hi": high} for low, high in field.ranges), *field.missing]


def _write_xport(frame: Any, path: str, file: TypedFile) -> None:
    import pyreadstat

    fields = file.fields
    short = all(len(f.name.encode()) <= 8 and len(f.label.encode()) <= 40 for f in fields)
    pyreadstat.write_xport(
        frame,
        path,
        column_labels=[field.label or None for field in fields],
        file_format_version=5 if short else 8,
        variable_format={f.name: f.format for f in fields if f.format},
    )
    with Path(path).open("r+b") as written:
        head = written.read(1024)
        written.seek(0)
        written.write(re.sub(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", b"01JAN70:00:00:00", head))


_NAME = re.compile(r"[A-Z@#$][A-Z0-9@#$._]{0,7}")
_LINE = 80
_DATE = 40 * 5 + 256 + len("SPSSPORTA")
"""Behind five names of the file, the characters it uses, and its mark: date and time of writing."""


def write_por(frame: Any, path: str, file: TypedFile, missing: dict[str, list[Any]]) -> None:
    """Write a frame with a column for each field.

    Parameters
    ----------
    missing : by field, its declared missing values as pyreadstat takes them

    Raises
    ------
    OutputError
        ``portable-name``, ``portable-text``.
    """
    # pyreadstat's own function of this name leaves out labels of values and missing values.
    from pyreadstat._readstat_writer import writer_entry_point

    fields = [_in_ascii(field) for field in file.fields]
    for field in fields:
        _check(field, frame[field.name] if field.is_text else ())
    writer_entry_point(
        frame,
        path,
        writer_format="por",
        column_labels=[field.label or None for field in fields],
        variable_value_labels={f.name: dict[Any, str](f.values) for f in fields if f.values},
        missing_ranges=missing,
        variable_format={f.name: f.format for f in fields if f.format},
    )
    _without_time(Path(path))


def _in_ascii(field: TypedField) -> TypedField:
    values = tuple((value, plain_signs(label)) for value, label in field.values)
    return replace(field, label=plain_signs(field.label), values=values)


def _check(field: TypedField, texts: Any) -> None:
    if not _NAME.fullmatch(field.name):
        raise OutputError(
            "portable-name",
            mark(
                "{variable} cannot be the name of a variable in an SPSS portable file: that has at most eight "
                "characters, capital letters without accents, digits and . _ @ # $."
            ),
            mark("Rename it, or write .sav."),
            variable=field.name,
        )
    shown = [field.label, *(label for _, label in field.values)]
    shown += [value for value, _ in field.values if isinstance(value, str)]
    if not all(text.isascii() for text in shown) or not all(text.isascii() for text in texts):
        raise OutputError(
            "portable-text",
            mark("{variable} has letters with accents or other signs that an SPSS portable file cannot hold."),
            mark("Write .sav."),
            variable=field.name,
        )


def _without_time(path: Path) -> None:
    """Enter one date and time, so that the same data give the same file; lines are cut after every 80 characters."""
    with path.open("r+b") as written:
        for i, character in enumerate(b"8/197001016/000000", _DATE):
            written.seek(i + 2 * (i // _LINE))
            written.write(bytes([character]))
