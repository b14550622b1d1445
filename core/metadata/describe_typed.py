"""Variables of a file that describes them itself: types, labels and declared missing values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..data.variables import Metadata, Variable
from ..formats.text.block_file import BlockFile
from ..formats.typed.columns import TypedField, TypedFile
from ..formats.typed.reading import typed_format
from ..formats.typed.writing import code_of, declared
from ..recipe.model import Format, Input


def described(
    source: Input, format: Format, read: Metadata | None, listed: Sequence[str]
) -> tuple[list[Variable], bool]:
    """Variables of a typed file before the recipe's edits, and whether nothing but the file says what they are.

    Parameters
    ----------
    read : the metadata file beside it, which gives roles and attributes; labels and missing codes stay the file's
        where it says none
    listed : names in the recipe; with ``variables = "here"`` these are all

    Raises
    ------
    DataError
        The file is absent or damaged.
    """
    own = file_variables(source.data or Path(), format)
    by_name = {variable.name: variable for variable in own}
    if source.variables == "here":
        return [by_name.get(name, Variable(name, categorical=True, missing=("",))) for name in listed], True
    if read is None:
        return own, True
    given = {variable.name: variable for variable in read.variables}
    merged = [_merged(variable, given[variable.name]) if variable.name in given else variable for variable in own]
    return merged + [replace(v, start=0, length=0) for v in read.variables if v.name not in by_name], False


def file_variables(path: Path, format: Format) -> list[Variable]:
    """Variables as the file itself describes them, in its order."""
    with BlockFile(path):  # says what is wrong with a file that cannot be opened
        pass
    file: TypedFile = typed_format(format).describe(path)
    return [_variable(field, column) for column, field in enumerate(file.fields, 1)]


def _variable(field: TypedField, column: int) -> Variable:
    labels = {code_of(field, value): label for value, label in field.values}
    return Variable(
        field.name,
        column=column,
        decimals=0,
        label=field.label,
        categorical=True,
        missing=declared(field),
        labels=tuple(labels.items()),
        missing_ranges=field.ranges,
    )


def _merged(own: Variable, given: Variable) -> Variable:
    return replace(
        given,
        start=0,
        length=0,
        column=own.column,
        label=given.label or own.label,
        missing=given.missing or own.missing,
        labels=() if given.codelist else own.labels,
        missing_ranges=own.missing_ranges,
    )
