"""Columns of a file that no variable describes: they are never copied to the safe file, which is to be said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..base.errors import DataError, Notice
from ..base.texts import mark
from ..data.variables import Metadata
from ..formats.preview import preview
from ..recipe.model import TYPED, Input

_NAMES = 12


def undescribed_columns(path: Path, metadata: Metadata) -> tuple[str, ...]:
    """Names, without a header numbers, of the columns of a delimited or typed file that `metadata` does not have.

    Raises
    ------
    DataError
        The file is absent, empty or damaged.
    """
    if metadata.format in TYPED:
        from .describe_typed import file_variables

        names: Sequence[str] = [variable.name for variable in file_variables(path, metadata.format)]
    else:
        first = preview(path, metadata, 1)
        names = first.header
        if not metadata.header:
            taken = {variable.column or place for place, variable in enumerate(metadata.variables, 1)}
            count = len(first.rows[0]) if first.rows else 0
            return tuple(str(column) for column in range(1, count + 1) if column not in taken)
    return tuple(name for name in names if name not in metadata)


def undescribed_notice(columns: Sequence[str], positions: bool = False) -> Notice:
    """What is said of them; `positions`: of bytes of a fixed file."""
    shown = ", ".join(columns[:_NAMES]) + (", …" if len(columns) > _NAMES else "")
    text = mark("No variable describes the columns {columns}; they are never copied to the safe file.")
    if positions:
        text = mark("No variable describes the positions {columns}; they are never copied to the safe file.")
    return Notice.of("undescribed-columns", text, columns=shown)


def said_of_columns(source: Input, metadata: Metadata) -> tuple[Notice, ...]:
    """The notice for a recipe's input, where something else than the file itself lists its variables."""
    listed = source.variables == "here" or (source.metadata is not None and metadata.format not in TYPED)
    if not listed or source.data is None or metadata.format == "fixed":
        return ()
    try:
        columns = undescribed_columns(source.data, metadata)
    except DataError:  # whoever reads the data says so
        return ()
    return (undescribed_notice(columns),) if columns else ()
