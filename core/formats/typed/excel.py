"""Excel's .xlsx for small tables, by openpyxl: the first sheet, names in its first row."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import re
import warnings
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...base.errors import DataError, OutputError
from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ..memory import available_bytes
from .columns import TypedField, TypedFile, number_code
from .readstat import damaged

LARGEST_BYTES = 1 << 28
"""Unpacked bytes of a sheet beyond which a file is refused: it is no small table, or packed to do harm."""

MOST_RECORDS, MOST_FIELDS = 1_048_575, 16_384
_CELL_BYTES = 34
"""What a cell takes unpacked, beside its text."""
_MEMORY = 4
"""Bytes of memory that reading and writing were seen to take for each unpacked byte."""
_STEP = 1 << 10
_EXACT = 1 << 53
_PLAIN = TypedField("")
_LIKE_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?")


def describe(path: Path, progress: Progress = SILENT) -> TypedFile:
    """Fields of a file: a column is of numbers where all its cells are, else of texts, some of which may be numbers.

    Raises
    ------
    DataError
        ``data-damaged``, ``excel-too-large``, ``excel-header``, ``excel-formula``.
    """
    names, columns, formats, _ = _table(path, progress)
    fields = tuple(map(_field, names, columns, formats))
    return TypedFile("excel", fields, len(columns[0]) if columns else 0)


def batches(path: Path, file: TypedFile, names: Sequence[str], progress: Progress = SILENT) -> Iterator[pa.RecordBatch]:
    """Columns of a file; see `core.formats.typed.reading.TypedFormat`."""
    found, columns, _, _ = _table(path, progress)
    size = sum(len(value) for name in names for value in columns[found.index(name)] if isinstance(value, str))
    if short := _short_of_memory(size):  # a text that the file holds once may stand in every cell
        raise _no_memory(path, short)
    chosen = [_array(columns[found.index(name)], file[name].storage) for name in names]
    yield pa.RecordBatch.from_arrays(chosen, list(names))


def sheets(path: Path, progress: Progress = SILENT) -> tuple[str, ...]:
    """Name of the sheet that is read, which is the first one, and of the others that are not hidden.

    Raises
    ------
    DataError
        As `describe`.
    """
    return _table(path, progress)[3]


def write(path: Path, file: TypedFile, batches: Iterable[pa.RecordBatch], progress: Progress = SILENT) -> None:
    """Write one sheet; a text that looks like a formula is written as text.

    Raises
    ------
    OutputError
        ``excel-too-many``, ``excel-too-large``, ``excel-memory``: before anything is written; ``excel-text``.
    """
    from openpyxl import Workbook
    from openpyxl.utils.exceptions import IllegalCharacterError

    _check_fits(file)
    book = Workbook(write_only=True)
    book.properties.creator = ""
    book.properties.created = book.properties.modified = dt.datetime(1970, 1, 1)
    sheet = book.create_sheet("Data")
    try:
        _keep_beside(sheet, path)
        sheet.append([_cell(sheet, field.name) for field in file.fields])
        for batch in batches:
            for number, row in enumerate(zip(*(column.to_pylist() for column in batch.columns), strict=True)):
                if number % _STEP == 0:
                    progress.check()
                cells = [(_of_mixed(value, field), field) for value, field in zip(row, file.fields, strict=True)]
                sheet.append([_cell(sheet, value, _shown_as(value, field)) for value, field in cells])
        book.save(path)
    except IllegalCharacterError:
        _abandon(sheet)
        raise OutputError(
            "excel-text",
            mark("A text holds a control character that Excel cannot hold."),
            mark("Write csv or Parquet."),
        ) from None
    except BaseException:
        _abandon(sheet)
        raise
    _without_time(path)


def _keep_beside(sheet: Any, path: Path) -> None:
    """Let the library put its temporary file with the records beside `path`, not in the folder of all users."""
    from openpyxl.worksheet import _writer as writers

    rows = path.with_name(path.name + ".rows")
    writers.ALL_TEMP_FILES.append(str(rows))  # as the library does with its own
    sheet._writer = writers.WorksheetWriter(sheet, str(rows))
    sheet._writer.write_top()


def _abandon(sheet: Any) -> None:
    """Remove the temporary file with the records written so far: the library keeps it until the program ends."""
    with contextlib.suppress(Exception):
        sheet.close()
    with contextlib.suppress(Exception):
        sheet._writer.cleanup()


def _check_fits(file: TypedFile) -> None:
    hint = mark("Write csv or Parquet.")
    if file.records > MOST_RECORDS or len(file.fields) > MOST_FIELDS:
        raise OutputError(
            "excel-too-many",
            mark(
                "An Excel sheet holds {most} records of {most_fields} variables, and these are {records} of {fields}."
            ),
            hint,
            most=MOST_RECORDS,
            most_fields=MOST_FIELDS,
            records=file.records,
            fields=len(file.fields),
        )
    size = file.records * sum(_CELL_BYTES + field.width * field.is_text for field in file.fields)
    if size > LARGEST_BYTES:
        raise OutputError(
            "excel-too-large",
            mark(
                "{records} records of {fields} variables are too many for an Excel file, which is meant for small "
                "tables: it would take about {size} MB unpacked, and {most} MB are the most."
            ),
            hint,
            records=file.records,
            fields=len(file.fields),
            size=size >> 20,
            most=LARGEST_BYTES >> 20,
        )
    if short := _short_of_memory(size):
        raise OutputError(
            "excel-memory",
            mark("Writing the Excel file takes about {needed} MB of memory, and {available} MB are free."),
            mark("Write csv or Parquet, or close other programs."),
            **short,
        )


def _short_of_memory(size: int) -> dict[str, int]:
    """What a table of so many bytes needs and what is free, in MB; empty where that is enough, or not known."""
    available = available_bytes()
    if available is None or _MEMORY * size <= available:
        return {}
    return {"needed": _MEMORY * size >> 20, "available": available >> 20}


def _of_mixed(value: Any, field: TypedField) -> Any:
    """The value; a number where a column of numbers and texts has this text as a number."""
    if field.texts is None or value in field.texts:
        return value
    number = _number(value)
    return value if number is None else number


def _number(text: str | None) -> float | None:
    """The number of which `text` is the code; None where it is that of none."""
    if not text or not _LIKE_NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if number_code(_PLAIN, number) == text else None


def _shown_as(value: Any, field: TypedField) -> str:
    """The number format of a value; empty where it is Excel's own."""
    if isinstance(value, str) or value is None:
        return ""
    return field.day_format if _is_day(value) else field.format


def _is_day(value: Any) -> bool:
    return isinstance(value, dt.datetime) and value.time() == dt.time()


def _cell(sheet: Any, value: Any, shown_as: str = "") -> Any:
    from openpyxl.cell import WriteOnlyCell

    formula = isinstance(value, str) and value.startswith("=")
    cell = WriteOnlyCell(sheet, None if formula else value)
    if formula:
        cell._value, cell.data_type = value, "s"
    elif isinstance(value, float):
        # The shortest text that leads back to the number: the library itself would write 16 digits, not always enough.
        cell._value = repr(value).removesuffix(".0")
    if shown_as:
        cell.number_format = shown_as
    return cell


def _without_time(path: Path) -> None:
    """Pack the parts again with one date, so that the same data give the same file."""
    with zipfile.ZipFile(path) as packed:
        parts = [(name, packed.read(name)) for name in packed.namelist()]
    stamp = b"1970-01-01T00:00:00Z"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts:
            if name == "docProps/core.xml":
                for tag in (b"created", b"modified"):
                    begin = content.index(b">", content.index(b"<dcterms:" + tag)) + 1
                    content = content[:begin] + stamp + content[content.index(b"<", begin) :]
            packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


Table = tuple[list[str], list[list[Any]], list[tuple[str, str]], tuple[str, ...]]
_Formats = dict[tuple[int, bool], Counter[str]]
"""By column, and whether the value is a day without a time: how many cells have each number format."""
_last: dict[tuple[str, int, int], Table] = {}


def _table(path: Path, progress: Progress) -> Table:
    """Names, columns, their formats (of other values and of days), and `sheets`; the last table is kept, because a
    file can only be read as a whole.
    """
    status = path.stat()
    key = str(path), status.st_size, status.st_mtime_ns
    if key not in _last:
        rows, formats, listed = _rows(path, progress)
        names, columns = _columns(path, rows)
        usual = [(_usual(formats, i, False), _usual(formats, i, True)) for i in range(len(names))]
        table = names, columns, usual, listed
        _last.clear()
        _last[key] = table
    return _last[key]


def _usual(formats: _Formats, position: int, day: bool) -> str:
    """The format that most cells have: one of a single cell could tell what stood there."""
    found = formats.get((position, day))
    usual = found.most_common(1)[0][0] if found else ""
    return "" if usual == "General" else usual


def _rows(path: Path, progress: Progress) -> tuple[list[tuple[Any, ...]], _Formats, tuple[str, ...]]:
    from openpyxl import load_workbook

    try:
        _check_size(path)
        with path.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # what the library leaves out is not read here
            book = load_workbook(file, read_only=True, data_only=False)
            rows: list[tuple[Any, ...]] = []
            formats: _Formats = defaultdict(Counter)
            listed = tuple(s.title for i, s in enumerate(book.worksheets) if not i or s.sheet_state == "visible")
            if book.worksheets:
                book.worksheets[0].reset_dimensions()
                for number, row in enumerate(book.worksheets[0].iter_rows()):
                    if number % _STEP == 0:
                        progress.check()
                    rows.append(tuple((_value(cell.value), cell.data_type) for cell in row))
                    for position, cell in enumerate(row if number else ()):
                        if cell.value is not None and not isinstance(cell.value, str):
                            formats[position, _is_day(cell.value)][cell.number_format] += 1
            book.close()
    except (DataError, MemoryError):
        raise
    except Exception as error:
        if type(error).__name__ == "Cancelled":
            raise
        raise damaged(path, translate(mark("it is not an Excel file (.xlsx), or a damaged one"))) from None
    return rows, formats, listed


def _value(value: Any) -> Any:
    """A cell's value; whole numbers that are not all exact as the doubles that Excel takes them for.

    Raises
    ------
    OverflowError
        A number that no double holds.
    """
    if isinstance(value, int) and abs(value) >= _EXACT:
        return float(value)
    if isinstance(value, float) and math.isinf(value):
        raise OverflowError
    return value


def _check_size(path: Path) -> None:
    with zipfile.ZipFile(path) as packed:
        size = sum(part.file_size for part in packed.infolist())
    if size > LARGEST_BYTES:
        raise DataError(
            "excel-too-large",
            mark("{file} is too large for a table in an Excel file ({size} MB unpacked)."),
            mark("Save it as csv."),
            file=path,
            size=size >> 20,
        )
    if short := _short_of_memory(size):
        raise _no_memory(path, short)


def _no_memory(path: Path, short: dict[str, int]) -> DataError:
    return DataError(
        "excel-memory",
        mark("Reading {file} takes about {needed} MB of memory, and {available} MB are free."),
        mark("Save it as csv, or close other programs."),
        file=path,
        **short,
    )


def _columns(path: Path, rows: list[tuple[Any, ...]]) -> tuple[list[str], list[list[Any]]]:
    while rows and all(value is None for value, _ in rows[-1]):
        rows.pop()
    if not rows:
        raise DataError(
            "data-empty", mark("The file {file} contains no records."), mark("Choose another data file."), file=path
        )
    width = max((i for row in rows for i, (value, _) in enumerate(row, 1) if value is not None), default=0)
    names = ["" if value is None else str(value).strip() for value, _ in rows[0][:width]]
    names += [""] * (width - len(names))
    seen: set[str] = set()
    for column, name in enumerate(names, 1):
        if not name or name in seen:
            raise DataError(
                "excel-header",
                mark("{file}: column {column} has no name of its own in the first row of the first sheet."),
                mark("Write a different name above every column."),
                file=path,
                column=column,
            )
        seen.add(name)
    columns: list[list[Any]] = [[] for _ in names]
    for number, row in enumerate(rows[1:], 2):
        for position in range(width):
            value, kind = row[position] if position < len(row) else (None, "n")
            if kind in ("f", "e"):
                raise DataError(
                    "excel-formula",
                    mark("{file}, row {row}, column {column}: there is a formula or an error, not a value."),
                    mark("Replace formulas by their values, or save the sheet as csv."),
                    file=path,
                    row=number,
                    column=names[position],
                )
            columns[position].append(value)
    return names, columns


def _field(name: str, column: list[Any], formats: tuple[str, str]) -> TypedField:
    storage, texts = _storage(column), None
    if storage == "string" and any(type(value) in (int, float) for value in column):
        # A code is a number in all cells or in none: a suppressed value must look like those that were missing before.
        stripped = {value.strip(" ") for value in column if isinstance(value, str)}
        texts = frozenset(text for text in stripped if _number(text) is not None)
        if not all(value is None or type(value) in (int, float, str) for value in column):
            formats = "", ""
    return TypedField(name, storage=storage, format=formats[0], day_format=formats[1], texts=texts)


def _storage(column: list[Any]) -> str:
    kinds = {type(value) for value in column if value is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int64"
    if kinds and kinds <= {int, float}:
        return "double"
    if kinds == {dt.datetime}:
        return "timestamp[us]"
    if kinds == {dt.time}:
        return "time64[us]" if any(value is not None and value.microsecond for value in column) else "time32[s]"
    return "string"


def _array(column: list[Any], storage: str) -> pa.Array:
    if storage != "string":
        return pa.array(column, pa.timestamp("us") if storage.startswith("timestamp") else pa.type_for_alias(storage))
    return pa.array([None if value is None else _code(value) for value in column], pa.string())


def _code(value: Any) -> str:
    return number_code(_PLAIN, float(value)) if type(value) in (int, float) else str(value)
