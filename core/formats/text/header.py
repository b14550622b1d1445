"""The first line of delimited text: which column is which; and what its records can get wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...base.errors import DataError, MetadataError
from ...base.texts import mark
from ...data.encoding import BLANKS
from ...data.variables import Metadata
from ...kernels.fields import AFTER_QUOTE, OPEN_QUOTE

UNNAMED = "unnamed"
_SEPARATOR = re.compile(r'(?i)"?sep=([\t -~])"?[ \t]*\r?[\r\n]')


def separator_line(text: str) -> tuple[int, str]:
    """Length of a first line such as ``sep=;``, which spreadsheet programs write and heed, and the delimiter in it."""
    found = _SEPARATOR.match(text)
    return (found.end(), found[1]) if found else (0, "")


def lacks_one(text: str, delimiter: str, records: Sequence[Sequence[str]]) -> bool:
    """Whether a header has one name fewer than columns, because R's write.table does not name that of its row names.

    All names and the row names stand in quotes then: nothing else is taken for it.

    Parameters
    ----------
    text : from the header on; `records` : its first records, the header among them
    """
    if len(records) < 2 or len(records[1]) != len(records[0]) + 1 or not records[1][-1]:
        return False
    blank = "" if delimiter == " " else " *"
    field = rf'{blank}"(?:[^"]|"")*"{blank}'
    return re.match(rf'\s*{field}(?:{re.escape(delimiter)}{field})*\s*[\r\n]\s*"', text) is not None


def column_names(given: Sequence[str], lacking: bool = False) -> list[str]:
    """A name for every column: those `given`, without quotes and blanks, and others where these cannot be used.

    A column without a name, and the first where the header is `lacking` one, is called ``unnamed``; of two names that
    differ in case only, the second is numbered. A name that is given twice stays, to be refused.
    """
    names = ["", *given] if lacking else list(given)
    taken, times = {name.casefold() for name in names}, Counter(names)
    met: dict[str, str] = {}
    for place, name in enumerate(names):
        if name and (times[name] > 1 or met.setdefault(name.casefold(), name) == name):
            continue
        base, number = name or UNNAMED, 1
        candidate = base if not name else f"{base}_2"
        while candidate.casefold() in taken:
            number += 1
            candidate = f"{base}_{number}"
        taken.add(candidate.casefold())
        names[place] = candidate
    return names


def header_names(path: Path, header: Sequence[bytes], encoding: str, lacking: bool = False) -> list[str]:
    """Names of the columns below a header's fields (as they stand); see `column_names`.

    Raises
    ------
    DataError
        ``header-duplicate-name``.
    """
    names = column_names([unquoted(field.decode(encoding)) for field in header], lacking)
    check_names(path, names)
    return names


def check_names(path: Path, names: Sequence[str]) -> None:
    """Refuse a header with a column that has the name of another.

    Raises
    ------
    DataError
        ``header-duplicate-name``.
    """
    seen: dict[str, int] = {}
    for column, name in enumerate(names, 1):
        if name in seen:
            raise DataError(
                "header-duplicate-name",
                mark("{file}, line 1: the header has the name {name} twice, in columns {first} and {column}."),
                mark("Give every column a name of its own, or say that the file has no header."),
                file=path,
                name=name,
                first=seen[name],
                column=column,
            )
        seen[name] = column


def unquoted(field: str) -> str:
    """A field as it stands, without quotes and surrounding blanks."""
    text = field.strip(BLANKS)
    if text.startswith('"'):
        text = text[1:-1].replace('""', '"')
    return text.strip(BLANKS)


def parsed_name(field: str) -> str:
    """A name as Python's csv module gives it, which leaves quotes behind a blank as they are."""
    return unquoted(field) if field.startswith(" ") else field.strip(BLANKS)


def named_columns(path: Path, given: Sequence[str], header: Sequence[str], names: Iterable[str]) -> list[int]:
    """0-based column of each of `names` in the header, called as by `column_names` or as it was given."""
    places = {name: len(header) - len(given) + column for column, name in enumerate(given)}
    places |= {name: column for column, name in enumerate(header)}
    for name in names:
        if name not in places:
            raise DataError(
                "column-missing",
                mark("The header of {file} has no column {variable}."),
                mark("Correct the variable's name in the metadata, or the delimiter; upper and lower case differ."),
                file=path,
                variable=name,
            )
    return [places[name] for name in names]


def numbered_columns(path: Path, metadata: Metadata, fields: int, names: Iterable[str]) -> list[int]:
    """0-based column of each variable as the metadata number them, else in their order."""
    columns = []
    for name in names:
        column = metadata[name].column or metadata.names.index(name) + 1
        if column > fields:
            raise DataError(
                "column-missing",
                mark("{file} has {fields} columns, but variable {variable} is column {column}."),
                mark("Correct the metadata, or the delimiter."),
                file=path,
                variable=name,
                column=column,
                fields=fields,
            )
        columns.append(column - 1)
    return columns


def malformed(path: Path, line: int, status: int, found: int, fields: int) -> DataError:
    """The error for a record that the kernel stopped at with `status`."""
    if status == OPEN_QUOTE:
        return DataError(
            "data-open-quote",
            mark("{file}: the record that begins on line {line} has a quotation mark that is never closed."),
            mark("Correct the line; a quotation mark within quotes is written twice."),
            file=path,
            line=line,
        )
    if status == AFTER_QUOTE:
        return DataError(
            "data-after-quote",
            mark("{file}: the record that begins on line {line} has text directly behind a closing quotation mark."),
            mark("Correct the line; a quotation mark within quotes is written twice."),
            file=path,
            line=line,
        )
    return DataError(
        "data-ragged",
        mark("{file}, line {line}: the number of fields is {found} here but {fields} on the first line."),
        mark("Check the delimiter; a field that contains it must stand in quotation marks."),
        file=path,
        line=line,
        found=found,
        fields=fields,
    )


def delimiter_byte(delimiter: str) -> int:
    """The byte of a delimiter.

    Raises
    ------
    MetadataError
        ``delimiter``: not one ASCII character, or one with another meaning.
    """
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise MetadataError(
            "delimiter",
            mark("The delimiter {delimiter} cannot be used."),
            mark("A delimiter is one ASCII character, for example a comma, a semicolon or a tab."),
            delimiter=repr(delimiter),
        )
    return ord(delimiter)
