"""Kind of a file by its first bytes, whatever its name says."""

from __future__ import annotations

import codecs
from pathlib import Path

from ..base.errors import DataError
from ..base.plain_file import open_plain
from ..base.texts import mark, translate

_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c")
_BEGINNINGS: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"$FL", mark("an SPSS file"), (".sav", ".zsav")),
    (b"PAR1", mark("a Parquet file"), (".parquet",)),
    (b"PK\x03\x04", mark("an Excel file"), (".xlsx",)),
    (b"<stata_dta>", mark("a Stata file"), (".dta",)),
    (_SAS, mark("a SAS file"), (".sas7bdat",)),
    (b"HEADER RECORD*******LIB", mark("a SAS transport file"), (".xpt",)),
    (b"\xd0\xcf\x11\xe0", mark("an Excel file of the old kind (.xls)"), ()),
    (b"%PDF", mark("a PDF document"), ()),
    (b"\x1f\x8b", mark("a file packed with gzip"), ()),
)
_TEXT = mark("a text file")
_HEAD = 1 << 12
_LEAST_TEXT = 3


def looks_like(path: Path) -> tuple[str, tuple[str, ...]]:
    """A description to be translated, and the suffixes of such files; an empty description where nothing is known."""
    try:
        with open_plain(path) as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return "", ()
    for beginning, what, suffixes in _BEGINNINGS:
        if head.startswith(beginning):
            return what, suffixes
    if b"SPSS PORT FILE" in head[:200]:
        return mark("an SPSS portable file"), (".por",)
    if len(head) >= _LEAST_TEXT and _is_text(head):
        return _TEXT, (".csv", ".asc")
    return "", ()


def is_text(path: Path) -> bool:
    """Whether the beginning of the file is text in one byte a character."""
    return looks_like(path)[0] == _TEXT


def utf16(head: bytes) -> str:
    """Which UTF-16 a text file is in by its first bytes, as Python calls it; empty where it is in another encoding.

    ``utf-16`` where a byte order mark says it. Without one the zero bytes do, which all stand in the same half of each
    pair where letters of the Latin alphabet, digits or separators are written with two bytes.
    """
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    head = head[: len(head) // 2 * 2]
    first, second = head[::2].count(0), head[1::2].count(0)
    if min(first, second) or 4 * max(first, second) < len(head) or len(head) < _LEAST_TEXT:
        return ""
    encoding = "utf-16-be" if first else "utf-16-le"
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return ""
    return encoding if all(character >= " " or character in "\t\n\r" for character in text) else ""


def not_text(path: Path, line: int) -> DataError:
    """The error that a file of text holds a zero byte; says what it looks like instead."""
    found, _ = looks_like(path)
    if found and found != _TEXT:
        return DataError(
            "data-not-text",
            mark("{file} is not a text file: its contents are those of {found}."),
            mark("Give it the suffix of its format, or save it as csv."),
            file=path,
            found=translate(found),
        )
    return DataError(
        "data-not-text",
        mark("{file}, line {line}: there is a zero byte; this is not a text file, or it is UTF-16."),
        mark("Save the data as UTF-8 text."),
        file=path,
        line=line,
    )


def _is_text(head: bytes) -> bool:
    return all(byte >= 32 or byte in (9, 10, 13) for byte in head)
