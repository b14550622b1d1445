"""Layout of a delimited file, as far as its beginning tells: encoding, delimiter, header, decimal mark."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import DataError
from ...base.plain_file import open_plain
from ...base.texts import mark
from ...recipe.model import Input
from ..detect import not_text, utf16
from .block_file import HEAD_BYTES
from .header import column_names, delimiter_byte, lacks_one, parsed_name, separator_line
from .records import python_encoding

SAMPLE = 1 << 20
"""Bytes at the beginning of a file by which its layout is told."""
_RECORDS = 50
_DELIMITERS = ",;\t|"
_BLANK_BETWEEN = re.compile(r'"[^"\n]*"( "[^"\n]*")+\s*\n')
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+")


@dataclass(frozen=True)
class TextLayout:
    """A delimited file's layout and the fields of its first record (its names, where `header`).

    `lacking`: the first column has no field there, see `core.formats.text.header.lacks_one`.
    """

    delimiter: str
    header: bool
    encoding: str
    decimal: str
    first: tuple[str, ...]
    lacking: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each column: by the header, or V and the column's number where there is none."""
        if self.header:
            return tuple(column_names(self.given, self.lacking))
        return tuple(f"V{position}" for position in range(1, len(self.first) + 1))

    @property
    def given(self) -> tuple[str, ...]:
        """The names as the header gives them."""
        return tuple(map(parsed_name, self.first))


def detect_layout(source: Input) -> TextLayout:
    """Layout of the delimited file ``source.data``: what `source` says, and for the rest what the file looks like.

    The delimiter is the one of comma, semicolon, tab and bar that cuts the first records most evenly; there is a
    header unless a field of the first record is a number and stands above something else than text.

    Raises
    ------
    DataError
        The file is absent, empty, or not text.
    MetadataError
        The delimiter is not one ASCII character.
    """
    path = source.data or Path()
    data = read_beginning(path)
    encoding = source.encoding or detect_encoding(data)
    if encoding.lower().replace("_", "-").startswith("utf-16"):
        encoding = "utf-8"  # as which a file in UTF-16 is read
    text = _decoded(data, python_encoding(encoding), path)
    if source.delimiter is not None:
        delimiter_byte(source.delimiter)  # refuses what none can be
    begin, separator = separator_line(text)
    text = text[begin:]
    delimiter = source.delimiter or separator or _detect_delimiter(text)
    records = _records(text, delimiter)
    if not records:
        raise DataError(
            "data-empty", mark("The file {file} contains no records."), mark("Choose another data file."), file=path
        )
    header = source.header if source.header is not None else _looks_like_header(records)
    decimal = source.decimal or _detect_decimal(records[header:], delimiter)
    lacking = header and lacks_one(text, delimiter, records)
    return TextLayout(delimiter, header, encoding, decimal, tuple(records[0]), lacking)


def read_beginning(path: Path) -> bytes:
    """The first megabyte of a data file; of one in UTF-16 in UTF-8."""
    try:
        with open_plain(path) as file:
            data = file.read(SAMPLE)
        wide = utf16(data[:HEAD_BYTES])
        return codecs.getincrementaldecoder(wide)("replace").decode(data).encode() if wide else data
    except FileNotFoundError:
        raise DataError(
            "data-missing",
            mark("The file {file} does not exist."),
            mark("Check the name, or choose the data file again."),
            file=path,
        ) from None
    except (OSError, ValueError) as error:
        raise DataError(
            "data-unreadable",
            mark("The file {file} cannot be read: {reason}."),
            mark("Check the name and the permissions."),
            file=path,
            reason=getattr(error, "strerror", None) or str(error),
        ) from error


def is_wide(path: Path) -> bool:
    """Whether a file of text is in UTF-16; False where it cannot be read."""
    try:
        with open_plain(path) as file:
            return bool(utf16(file.read(HEAD_BYTES)))
    except OSError:
        return False


def detect_encoding(data: bytes) -> str:
    """``utf-8`` where the beginning of a file is that, else ``cp1252`` or, with bytes that it has not, ``latin-1``."""
    for encoding in ("utf-8", "cp1252"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(data)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def second_encoding(data: bytes) -> int:
    """The line (1-based) of the first byte that is not UTF-8, where letters in lines before it are; else 0."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError as error:
        end = b"\n" if b"\n" in data else b"\r"
        before = data[: data.rfind(end, 0, error.start) + 1]
        return 0 if before.removeprefix(codecs.BOM_UTF8).isascii() else before.count(end) + 1
    return 0


def _decoded(data: bytes, encoding: str, path: Path) -> str:
    if b"\0" in data:
        raise not_text(path, data[: data.index(b"\0")].count(b"\n") + 1)
    return data.decode(encoding, "replace").removeprefix("\ufeff")


def _records(text: str, delimiter: str) -> list[list[str]]:
    records: list[list[str]] = []
    try:
        for record in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            records += [record] if record else []
            if len(records) > _RECORDS:
                break
    except csv.Error:
        # A field beyond csv's limit, such as an open quote: the reader of the data says where.
        pass
    return records


def _detect_delimiter(text: str) -> str:
    best, best_score = ",", (0, False, 0)
    for delimiter in _DELIMITERS:
        widths = Counter(map(len, _records(text, delimiter)))
        width, times = widths.most_common(1)[0] if widths else (1, 0)
        # Decimal commas may be as regular as the semicolons between them: at equal evenness the comma loses.
        score = (times, delimiter != ",", width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    # R's write.table puts a blank between names in quotes.
    return " " if best_score == (0, False, 0) and _BLANK_BETWEEN.match(text) else best


def _looks_like_header(records: Sequence[Sequence[str]]) -> bool:
    first, others = records[0], [record for record in records[1:] if len(record) == len(records[0])]
    numeric = [_is_number(field) for field in first]
    for position, is_number in enumerate(numeric):
        below = [record[position] for record in others if record[position].strip()]
        if not is_number and first[position].strip() and below and all(map(_is_number, below)):
            return True
    return not any(numeric)


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _detect_decimal(records: Sequence[Sequence[str]], delimiter: str) -> str:
    fields = [field.strip() for record in records for field in record]
    comma = any(_DECIMAL_COMMA.fullmatch(field) for field in fields)
    point = any(_DECIMAL_POINT.fullmatch(field) for field in fields)
    return "," if comma and not point and delimiter != "," else "."
