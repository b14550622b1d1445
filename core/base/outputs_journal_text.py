"""What stands in a journal of outputs, written and understood; what no run of the program writes is refused whole."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Identity = tuple[int, int]
"""Size in bytes and time of the last change, ns: enough to tell a file from another one under its name."""

_TOKEN = re.compile(r"\.pavo-([0-9a-f]{16})\.journal")
_MOST_ENTRIES = 100_000
_MOST_NUMBER = 1 << 63


@dataclass(frozen=True)
class OutputEntry:
    """One output: where it is to appear, where it is written, and where what stood there before is kept."""

    target: Path
    temporary: Path
    aside: Path

    @classmethod
    def of(cls, target: Path, token: str, number: int) -> OutputEntry:
        """The entry of a run's output by its number (0-based); both other files stand beside the target."""
        name = f".pavo-{token}-{number}"
        return cls(target, target.with_name(name + ".tmp"), target.with_name(name + ".old"))


@dataclass(frozen=True)
class Moving:
    """Of an output that takes its place: whether a file stood there, and what the output itself is."""

    existed: bool
    made: Identity


@dataclass(frozen=True)
class Said:
    """All that a journal says; `moving` by entry, None for an output that was not written."""

    entries: tuple[OutputEntry, ...]
    folders: tuple[Path, ...]
    moving: tuple[Moving | None, ...] | None = None
    done: bool = False

    def each_moving(self) -> tuple[Moving | None, ...]:
        """By entry; None, too, for all of a run that did not come as far."""
        return self.moving or (None,) * len(self.entries)


def key(path: Path) -> str:
    """By what an output is told from others: names that differ in case only are one file on many systems."""
    return unicodedata.normalize("NFC", os.path.realpath(path)).casefold()


def line(
    entries: Sequence[OutputEntry] = (),
    folders: Sequence[Path] = (),
    moving: Sequence[Moving | None] | None = None,
    done: bool = False,
) -> bytes:
    """One line of a journal."""
    said: dict[str, Any] = {}
    if entries:
        said["entries"] = [[str(each.target), str(each.temporary), str(each.aside)] for each in entries]
        said["folders"] = [str(each) for each in folders]
    if moving is not None:
        said["moving"] = [None if each is None else [each.existed, *each.made] for each in moving]
    if done:
        said["done"] = True
    return json.dumps(said).encode() + b"\n"


def understood(text: bytes, name: str) -> Said:
    """What the journal of that file name says; a last line that was cut off was not said.

    Raises
    ------
    ValueError
        It says anything that no run of the program says.
    """
    token = _TOKEN.fullmatch(name)
    if token is None:
        raise ValueError("not the name of a journal")
    lines = [json.loads(each) for each in text.split(b"\n")[:-1]]
    forms = [{"entries", "folders"}, {"moving"}, {"done"}]
    if len(lines) > len(forms):
        raise ValueError("too many lines")
    for said, form in zip(lines, forms, strict=False):
        if not isinstance(said, dict) or said.keys() != form:
            raise ValueError("not a line of a journal")
    entries = _entries(lines[0]["entries"], token[1]) if lines else ()
    folders = _folders(lines[0]["folders"], entries) if lines else ()
    moving = _moving(lines[1]["moving"], len(entries)) if len(lines) > 1 else None
    if len(lines) > 2 and lines[2]["done"] is not True:
        raise ValueError("neither done nor not")
    return Said(entries, folders, moving, len(lines) > 2)


def _entries(said: Any, token: str) -> tuple[OutputEntry, ...]:
    if not isinstance(said, list) or not 0 < len(said) <= _MOST_ENTRIES:
        raise ValueError("no entries")
    found = []
    for number, each in enumerate(said):
        if not isinstance(each, list) or len(each) != 3:
            raise ValueError("no entry")
        entry = OutputEntry(*map(_path, each))
        if not entry.target.name or entry != OutputEntry.of(entry.target, token, number):
            raise ValueError("not the program's own names")
        found.append(entry)
    if len({entry.target for entry in found}) < len(found):
        raise ValueError("an output twice")
    return tuple(found)


def _folders(said: Any, entries: Sequence[OutputEntry]) -> tuple[Path, ...]:
    if not isinstance(said, list):
        raise ValueError("no folders")
    allowed = {parent for entry in entries for parent in entry.target.parents}
    found = tuple(map(_path, said))
    if not set(found) <= allowed:
        raise ValueError("folders of no output")
    return found


def _moving(said: Any, count: int) -> tuple[Moving | None, ...]:
    if not isinstance(said, list) or len(said) != count:
        raise ValueError("not one for each entry")
    return tuple(None if each is None else _one_moving(each) for each in said)


def _one_moving(said: Any) -> Moving:
    if not isinstance(said, list) or len(said) != 3 or [type(each) for each in said] != [bool, int, int]:
        raise ValueError("not what becomes of an entry")
    existed, size, time = said
    if max(abs(size), abs(time)) >= _MOST_NUMBER:
        raise ValueError("no size, or no time")
    return Moving(existed, (size, time))


def _path(said: Any) -> Path:
    """A path as the program writes it: absolute and without detours."""
    if not isinstance(said, str) or "\0" in said or not Path(said).is_absolute() or os.path.normpath(said) != said:
        raise ValueError("not a path of a journal")
    return Path(said)
