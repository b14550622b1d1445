"""SPSS' portable file (.por), written by pyreadstat: labels and declared missing values included."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.base.errors import OutputError
from core.base.texts import mark
from core.formats.argus.plain_signs import plain_signs
from core.formats.typed.columns import TypedField, TypedFile

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
