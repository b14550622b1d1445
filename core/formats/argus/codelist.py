"""Codelists (``.cdl``): one ``code,label`` a line, used for display only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...base.errors import Notice
from ...base.texts import mark
from .text_files import BLANKS, read_text, split_lines


def read_codelist(path: Path) -> dict[str, str]:
    """Labels by code, in file order. See `read_codelist_with_notices`."""
    return read_codelist_with_notices(path)[0]


def read_codelist_with_notices(path: Path) -> tuple[dict[str, str], tuple[Notice, ...]]:
    """Labels by code, and what was odd in the file.

    A label is everything after the first comma, without surrounding blanks and one pair of quotes; a code with a
    comma stands in quotes; within quotes ``""`` is one quote. A line without a comma is ignored, of two labels for
    one code the last counts; both are said.

    Raises
    ------
    MetadataError
        The file is absent, unreadable or binary.
    """
    labels: dict[str, str] = {}
    notices: list[Notice] = []
    for number, line in enumerate(split_lines(read_text(path)), start=1):
        if not line.strip():
            continue
        entry = _entry(line.strip(BLANKS))
        if entry is None:
            notices.append(_ignored(path, number))
            continue
        code, label = entry
        if code in labels and labels[code] != label:
            notices.append(_duplicate(path, number, code))
        labels[code] = label
    return labels, tuple(notices)


def codelist_text(labels: Mapping[str, str]) -> str:
    """Text of a codelist that reads back the same; ends of line within a label become blanks.

    A label is quoted where it holds a comma; μ-ARGUS then shows the part before the comma.
    """
    return "".join(f"{_quoted(code)},{_quoted(label)}\n" for code, label in labels.items())


def one_line(label: str) -> str:
    """The label as a codelist holds it: ends of line are blanks."""
    return " ".join(split_lines(label))


def _entry(line: str) -> tuple[str, str] | None:
    end = _end_of_quoted(line) if line.startswith('"') else None
    if end is not None and line[end:].lstrip(BLANKS).startswith(","):
        code, rest = _unquoted(line[:end]), line[end:].lstrip(BLANKS)[1:]
    else:
        code, comma, rest = line.partition(",")
        if not comma:
            return None
    return code.strip(BLANKS), _unquoted(rest.strip(BLANKS))


def _end_of_quoted(text: str) -> int | None:
    """Index after the closing quote of a text that starts with a quote; None where it stays open."""
    position = 1
    while (position := text.find('"', position)) >= 0:
        if text[position + 1 : position + 2] != '"':
            return position + 1
        position += 2
    return None


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"' and _end_of_quoted(text) == len(text):
        return text[1:-1].replace('""', '"')
    return text


def _quoted(text: str) -> str:
    text = one_line(text)
    if "," in text or text.startswith('"') or text != text.strip(BLANKS):
        return '"' + text.replace('"', '""') + '"'
    return text


def _ignored(path: Path, line: int) -> Notice:
    return Notice.of(
        "codelist-line-ignored",
        mark("{file}, line {line}: there is no comma; the line was ignored."),
        file=path.name,
        line=line,
    )


def _duplicate(path: Path, line: int, code: str) -> Notice:
    return Notice.of(
        "codelist-duplicate",
        mark("{file}, line {line}: code {code} occurs before; this label is used."),
        file=path.name,
        line=line,
        code=code,
    )
