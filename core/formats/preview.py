"""The first records of a file as text, whatever is wrong with them, for the eye."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..base.errors import DataError, Notice
from ..base.texts import mark
from ..data.variables import Metadata
from .text.header import column_names, lacks_one, parsed_name, separator_line
from .text.layout import read_beginning


@dataclass(frozen=True)
class Preview:
    """First records: column names, the fields of each record as text (blanks kept), and what is wrong with them."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    problems: tuple[Notice, ...]


def preview(path: Path, metadata: Metadata, n: int = 100) -> Preview:
    """The first `n` records as the metadata describe them; never refuses a record, but says what is wrong with it.

    Parameters
    ----------
    path : Path
    metadata : Metadata; without variables each record is one column of text
    n : int

    Raises
    ------
    DataError
        No such file, or an empty one.
    """
    if metadata.format not in ("fixed", "delimited"):
        from .typed.reading import typed_preview

        return Preview(metadata.names, typed_preview(path, metadata, n), ())
    sample = _sample(path)
    encoding = metadata.encoding
    problems = []
    try:
        sample.decode(encoding)
    except LookupError:
        encoding = "utf-8"
    except UnicodeDecodeError as error:
        problems.append(
            Notice.of(
                "data-encoding",
                mark("Line {line}: a byte is not valid {encoding}."),
                line=sample[: error.start].count(b"\n") + 1,
                encoding=encoding,
            )
        )
    if metadata.format == "fixed":
        header, rows, wrong = _fixed(sample, metadata, encoding, n)
    else:
        header, rows, wrong = _delimited(sample.decode(encoding, "replace"), metadata, n)
    return Preview(tuple(header), tuple(rows), (*problems, *wrong))


def _sample(path: Path) -> bytes:
    """Whole lines from the beginning of the file, without a byte order mark."""
    data = read_beginning(path)
    if len(data) < path.stat().st_size and b"\n" in data:
        data = data[: data.rindex(b"\n") + 1]
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise DataError(
            "data-empty", mark("The file {file} contains no records."), mark("Choose another data file."), file=path
        )
    return data


Rows = tuple[list[str], list[tuple[str, ...]], list[Notice]]


def _wrong_length(line: int, length: int, expected: int) -> Notice:
    return Notice.of(
        "data-line-length",
        mark("Line {line}: {length} bytes where the first record has {expected}."),
        line=line,
        length=length,
        expected=expected,
    )


def _fixed(sample: bytes, metadata: Metadata, encoding: str, n: int) -> Rows:
    stripped = ((number, line.rstrip(bytes(range(32)))) for number, line in enumerate(io.BytesIO(sample), 1))
    lines = list(islice(((number, line) for number, line in stripped if line), n))
    expected = len(lines[0][1]) if lines else 0
    problems = [_wrong_length(number, len(line), expected) for number, line in lines if len(line) != expected]
    problems += [
        Notice.of(
            "data-record-too-short",
            mark("Variable {variable} ends at byte {end}, behind the end of the first record ({length} bytes)."),
            where=variable.name,
            variable=variable.name,
            end=variable.start + variable.length - 1,
            length=expected,
        )
        for variable in metadata.variables
        if variable.start + variable.length - 1 > expected
    ]
    if not metadata.variables:
        return [""], [(line.decode(encoding, "replace"),) for _, line in lines], problems
    spans = [slice(max(v.start - 1, 0), max(v.start - 1, 0) + v.length) for v in metadata.variables]
    rows = [tuple(line[span].decode(encoding, "replace") for span in spans) for _, line in lines]
    return list(metadata.names), rows, problems


def _delimited(text: str, metadata: Metadata, n: int) -> Rows:
    length, _ = separator_line(text)
    skipped, text = int(length > 0), text[length:]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=metadata.delimiter)
    header: list[str] = []
    rows: list[tuple[str, ...]] = []
    problems = []
    begin = 1 + skipped
    try:
        for fields in reader:
            line, begin = begin, reader.line_num + 1 + skipped
            if not fields:
                continue
            if not header:
                names = list(metadata.names) or [str(i) for i in range(1, len(fields) + 1)]
                header = _names(fields, text, metadata.delimiter) if metadata.header else names
                if metadata.header:
                    continue
            if len(fields) != len(header):
                problems.append(_ragged(line, len(fields), len(header), reader.line_num + skipped > line))
            rows.append(tuple(fields))
            if len(rows) == n:
                break
    except csv.Error:
        problems.append(
            Notice.of("data-quotes", mark("Line {line}: the fields cannot be told apart; check quotes."), line=begin)
        )
    return header, rows, problems


def _names(fields: list[str], text: str, delimiter: str) -> list[str]:
    """A name for each column below a header."""
    first = list(islice(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)), 2))
    return column_names(list(map(parsed_name, fields)), lacks_one(text, delimiter, first))


def _ragged(line: int, found: int, fields: int, goes_on: bool) -> Notice:
    text = mark("Line {line}: {found} fields where {fields} are expected.")
    if goes_on:
        text = mark(
            "Line {line}: {found} fields where {fields} are expected; a quotation mark that opens there is not closed "
            "on that line."
        )
    return Notice.of(
        "data-ragged",
        text,
        line=line,
        found=found,
        fields=fields,
    )
