"""The first line of delimited text: which column is which; and what its records can get wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from core.errors import DataError, MetadataError
from core.kernels.fields import AFTER_QUOTE, OPEN_QUOTE
from core.microdata.encoding import BLANKS
from core.microdata.variables import Metadata
from core.texts import mark


def header_names(path: Path, header: Sequence[bytes], encoding: str) -> list[str]:
    """Names in a header's fields (as they stand), without quotes and surrounding blanks.

    Raises
    ------
    DataError
        ``header-empty-name``, ``header-duplicate-name``.
    """
    names = [_unquoted(field.decode(encoding)) for field in header]
    check_names(path, names)
    return names


def check_names(path: Path, names: Sequence[str]) -> None:
    """Refuse a header with a column that has no name, or that of another.

    Raises
    ------
    DataError
        ``header-empty-name``, ``header-duplicate-name``.
    """
    seen: dict[str, int] = {}
    for column, name in enumerate(names, 1):
        if not name:
            raise DataError(
                "header-empty-name",
                mark("{file}, line 1: column {column} of the header has no name."),
                mark("Give every column a name, or say that the file has no header."),
                file=path,
                column=column,
            )
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


def _unquoted(field: str) -> str:
    text = field.strip(BLANKS)
    if text.startswith('"'):
        text = text[1:-1].replace('""', '"')
    return text.strip(BLANKS)


def named_columns(path: Path, header: Sequence[str], names: Iterable[str]) -> list[int]:
    """0-based column of each name in the header."""
    places = {name: column for column, name in enumerate(header)}
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
