"""Checksums put into the text of a recipe, of which all else stays as it is, comments and ends of lines included."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..base.errors import RecipeError
from .toml import dumps, parse
from .toml_writer import checksums_section

_TOKEN = re.compile(
    r'''(?xs) (?P<comment> \#[^\r\n]* )
    | (?P<text> """ (?: \\. | [^\\] )*? """ "{0,2} | \'\'\' .*? \'\'\' \'{0,2}
        | " (?: \\. | [^"\\\n] )* " | ' [^'\n]* ' )
    | (?P<end> \r?\n ) | (?P<space> [ \t\r]+ ) | (?P<other> . )'''
)
_SHA256 = re.compile(r"""([ \t]*(?:sha256|"sha256"|'sha256')[ \t]*=[ \t]*)(?:"[^"\n]*"|'[^'\n]*')""")
_INPUT, _CHECKSUMS = {"input": {}}, {"input": {"checksums": {}}}  # type: ignore[var-annotated]


@dataclass
class _Section:
    """A table of the text: what its head is, where its lines begin, and where the last one that says something ends."""

    head: dict[str, Any]
    begin: int
    end: int
    lines: list[int] = field(default_factory=list)


def pinned(text: str, folder: Path, data: str, others: tuple[tuple[Path, str], ...]) -> tuple[str, bool]:
    """The text of a recipe with other checksums.

    Parameters
    ----------
    folder : of the recipe, from which its paths are taken
    data : SHA-256 of the data, hexadecimal
    others : of all other files that are read, by path

    Returns
    -------
    text, kept
        `kept`: whether comments and layout are those of before; else the recipe was written out.
    """
    recipe = parse(text, folder)
    wanted = recipe.with_(input=replace(recipe.input, sha256=data, checksums=others))
    if recipe == wanted:
        return text, True
    edited = _edited(text, data, checksums_section(others, folder) if others else "")
    try:
        if parse(edited, folder) == wanted:
            return edited, True
    except RecipeError:  # it says its input in a way of its own: in one line, or with dots
        pass
    return dumps(wanted, folder), False


def _edited(text: str, data: str, section: str) -> str:
    if text and not text.endswith("\n"):
        text += "\n"
    end = "\r\n" if "\r\n" in text else "\n"
    section = section.replace("\n", end)
    found = {str(each.head): each for each in _sections(text)}
    old, own = found.get(str(_CHECKSUMS)), found.get(str(_INPUT))
    changes: list[tuple[int, int, str]] = []
    if own is not None:
        line = next((match for at in own.lines if (match := _SHA256.match(text, at))), None)
        added = "" if line is not None else f'sha256 = "{data}"{end}'
        if line is not None:
            changes.append((line.start(), line.end(), f'{line[1]}"{data}"'))
        if old is None and section:
            added += f"{end}{section}"
        changes.append((own.end, own.end, added))
    if old is not None:
        changes.append((old.begin, old.end, section))
    for begin, stop, new in sorted(changes, key=lambda change: change[0], reverse=True):
        text = text[:begin] + new + text[stop:]
    return text


def _sections(text: str) -> Iterator[_Section]:
    """The tables of a text that is valid TOML, in its order."""
    section: _Section | None = None
    depth, at_start, says, line, is_head = 0, True, False, 0, False
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "end":
            if is_head:
                if section is not None:
                    yield section
                section = _Section(_head(text[line : token.start()]), line, token.end())
            elif says and section is not None:
                section.end = token.end()
            at_start, says, line, is_head = depth == 0, False, token.end(), False
            continue
        if kind in ("space", "comment"):
            continue
        if at_start:
            is_head = value == "["
            if not is_head and section is not None:
                section.lines.append(line)
        at_start, says = False, True
        if kind == "other" and not is_head:
            depth += (value in "[{") - (value in "]}")
    if section is not None:
        yield section


def _head(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except ValueError:  # of an array of tables that is not its first
        return {}
