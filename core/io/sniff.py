"""Guessing how a text file is laid out, from its beginning. Only guesses: the windows show them for correction."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from core.errors import DataError
from core.texts import mark

SAMPLE_BYTES = 1 << 18
DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Layout:
    """How a delimited file seems to be laid out; the attributes are those of `Metadata`.

    `columns` is 1 where no delimiter was found: the file is perhaps not delimited.
    """

    delimiter: str
    header: bool
    encoding: str
    decimal: str
    columns: int


def sniff(path: Path) -> Layout:
    """Guess delimiter, header, encoding and decimal mark of a text file.

    The delimiter is the one among comma, semicolon, tab and bar that, outside quotes, cuts most records into the
    same number of fields (more than one). The encoding is UTF-8 unless the whole file's bytes are not, else cp1252.

    Raises
    ------
    DataError
        ``data-missing``, ``data-unreadable``, ``data-empty``, ``data-not-text``.
    """
    sample, encoding = read_sample(path), encoding_of(path)
    text = sample.decode(encoding, "replace")
    best, score = ",", (0.0, False, 1)
    for delimiter in DELIMITERS:
        widths = Counter(len(row) for row in sample_rows(text, delimiter))
        columns, agreeing = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        # Decimal commas may be as regular as the semicolons between them, so the comma loses a tie.
        rank = (agreeing / max(widths.total(), 1), delimiter != ",", columns)
        if columns > 1 and rank > score:
            best, score = delimiter, rank
    rows = sample_rows(text, best)
    return Layout(best, _has_header(rows), encoding, _decimal(rows, best), score[2])


def read_sample(path: Path) -> bytes:
    """Whole lines from the beginning of a file, about 256 KB, without a byte order mark.

    Raises
    ------
    DataError
        No such file, not readable, no bytes, or zero bytes in it.
    """
    try:
        with path.open("rb") as file:
            sample = file.read(SAMPLE_BYTES)
    except FileNotFoundError:
        raise DataError(
            "data-missing", mark("There is no file {file}."), mark("Check the path of the data file."), file=path
        ) from None
    except OSError as error:
        raise DataError(
            "data-unreadable", mark("The file {file} cannot be read: {reason}."), "", file=path, reason=error.strerror
        ) from None
    if len(sample) == SAMPLE_BYTES and b"\n" in sample:
        sample = sample[: sample.rindex(b"\n") + 1]
    sample = sample.removeprefix(codecs.BOM_UTF8)
    if not sample.strip():
        raise DataError(
            "data-empty", mark("The file {file} contains no records."), mark("Choose another data file."), file=path
        )
    if b"\0" in sample:
        raise DataError(
            "data-not-text",
            mark("{file}, line {line}: there is a zero byte; this is not a text file, or it is UTF-16."),
            mark("Save the data as UTF-8 text."),
            file=path,
            line=sample[: sample.index(b"\0")].count(b"\n") + 1,
        )
    return sample


def encoding_of(path: Path) -> str:
    """``utf-8`` where the file's first 64 MB are valid UTF-8, else ``cp1252``."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        for _ in range(64):
            block = file.read(1 << 20)
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError:
                return "cp1252"
            if not block:
                break
    return "utf-8"


def sample_rows(text: str, delimiter: str) -> list[list[str]]:
    """Up to 1000 records of a sample, empty lines left out; fewer where they cannot be parsed."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) == 1000:
                break
    except csv.Error:
        pass
    return rows


def _has_header(rows: list[list[str]]) -> bool:
    """Whether the first row's fields are names: texts with a letter, no numbers, and unlike what stands below them.

    Names may be empty or twice the same: that is a header too, which the reader then refuses.
    """
    first = [field.strip() for field in rows[0]] if rows else []
    names = [name for name in first if name]
    if not names or any(not any(map(str.isalpha, name)) or _NUMBER.fullmatch(name) for name in names):
        return False
    body = [row for row in rows[1:] if len(row) == len(first)]
    if not body:
        return len(rows) == 1
    for column, name in enumerate(first):
        if not name:
            continue
        fields = [row[column].strip() for row in body]
        if any(_NUMBER.fullmatch(field) for field in fields) or name not in fields:
            return True
    return False


def _decimal(rows: list[list[str]], delimiter: str) -> str:
    """The comma only where it cannot separate and numbers with a comma outnumber those with a point."""
    if delimiter == ",":
        return "."
    numbers = [field.strip() for row in rows[1:] for field in row if _NUMBER.fullmatch(field.strip())]
    commas = sum("," in number for number in numbers)
    return "," if commas > sum("." in number for number in numbers) else "."
