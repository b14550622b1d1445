"""Reading a profile's TOML file strictly; what is wrong is named with its key and its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

from ..base.errors import PavoError, RecipeError
from ..base.plain_file import open_plain
from ..base.texts import mark
from ..base.toml_text import TomlBeyondLimits, parse_toml
from ..recipe.toml_fields import TomlTable
from .model import Level, ProfileRule, ReleaseProfile
from .registry import CHECKS

PROFILE_VERSION = 1
"""The newest format of profiles that this program reads."""

SHIPPED = Path(__file__).resolve().parents[2] / "resources" / "profiles"
"""The folder of the profiles that come with the program."""

SHIPPED_TARGETS = SHIPPED / "targets"
"""The folder of the targets that come with the program; a recipe names them by their names."""

LARGEST_FILE = 1 << 20
"""Bytes of the largest file that is taken for a profile."""

_KEY = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*=""")
_TOLD = {
    "recipe-bad-value": (
        mark("{file}, line {line}: {key} is {value}, but must be {expected}.{nearest}"),
        "",
    ),
    "recipe-missing-key": (mark("{file}, line {line}: {key} is not said."), mark("Add it: it is required there.")),
    "recipe-unknown-key": (
        mark("{file}, line {line}: the key {key} is unknown.{nearest}"),
        mark("Known there: {known}."),
    ),
}
"""By the id of what a reader of TOML finds, what is said of it in a profile."""


class ProfileError(PavoError):
    """A release profile cannot be used."""


def shipped() -> tuple[Path, ...]:
    """The profiles that come with the program, by name of their files."""
    return tuple(sorted(SHIPPED.glob("*.toml")))


def found_profile(path: Path) -> Path:
    """`path` where there is such a file, else the shipped profile of that name, if there is one."""
    own = SHIPPED / path.name
    return own if not path.is_file() and own.is_file() else path


def load_target(named: str | Path) -> ReleaseProfile:
    """The rules of a target: one of `core.recipe.model.TARGETS`, or a profile file.

    Raises
    ------
    ProfileError
        As of `load_profile`.
    """
    return load_profile(named if isinstance(named, Path) else SHIPPED_TARGETS / f"{named}.toml")


def load_profile(path: Path) -> ReleaseProfile:
    """The profile in the file `path`, or the shipped one of that name where there is none.

    Raises
    ------
    ProfileError
        The file cannot be read, or says something that a profile cannot say: with key and line.
    """
    path = found_profile(path)
    try:
        with open_plain(path) as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ProfileError(
            "profile-unreadable",
            mark("The profile {file} cannot be read: {reason}."),
            mark("Name a file of your own, or one of those that come with the program: {known}."),
            file=str(path),
            reason=error.strerror or str(error),
            known=", ".join(each.name for each in shipped()),
        ) from None
    if len(raw) > LARGEST_FILE:
        raise _unreadable(path, 1, mark("it is far too long"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unreadable(path, raw.count(b"\n", 0, error.start) + 1, mark("it is not in UTF-8")) from None
    profile = parse_profile(text, path)
    if path.parent not in (SHIPPED, SHIPPED_TARGETS):
        return profile
    return replace(profile, name=mark(profile.name), description=mark(profile.description))  # texts of the program


def parse_profile(text: str, path: Path) -> ReleaseProfile:
    """The profile in `text`, the content of the file `path`."""
    text = text.replace("\r\n", "\n")
    try:
        values = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise _unreadable(path, line, re.sub(r"\s*\(at .*\)$", "", str(error))) from None
    except TomlBeyondLimits as error:
        raise _unreadable(path, 1, error.reason) from None
    lines = dict(_lines(text))
    try:
        return _profile(TomlTable(values, "", path.parent), path, lines)
    except RecipeError as error:
        template, hint = _TOLD[error.id]
        key = error.values["key"]
        raise ProfileError(
            error.id.replace("recipe", "profile", 1),
            template,
            hint,
            **{**error.values, "file": path.name, "line": _line_of(key, lines)},
        ) from None


def _profile(top: TomlTable, path: Path, lines: Mapping[str, int]) -> ReleaseProfile:
    top.require("profile")
    version = top.integer("profile", 1)
    if version is not None and version > PROFILE_VERSION:
        top.refuse("profile", version, f"<= {PROFILE_VERSION}")
    top.require("name")
    name = top.text("name") or ""
    if not name.strip():
        top.refuse("name", name, mark("a name"))
    description, source = top.text("description") or "", top.text("source") or ""
    top.require("checks")
    checks = tuple(_check(table, lines) for table in top.tables("checks"))
    if not checks:
        top.refuse("checks", [], mark("a list with at least one entry"))
    top.finish()
    return ReleaseProfile(path, name.strip(), checks, description.strip(), source.strip())


def _check(table: TomlTable, lines: Mapping[str, int]) -> ProfileRule:
    table.require(CHECKS.word)
    name: str = table.choice(CHECKS.word, CHECKS.names)
    declaration = CHECKS[name].DECLARATION
    sentence = table.text("sentence") or ""
    level: Level = table.choice("level", get_args(Level)) or "stops"
    said = {parameter.name: parameter.read(table) for parameter in declaration.parameters}
    table.finish()
    several = [each for each in declaration.at_most_one if said[each] is not None]
    if len(several) > 1:
        table.refuse(several[-1], said[several[-1]], mark("left out where variables are named"))
    used = {p.name: p.default if said[p.name] is None else said[p.name] for p in declaration.parameters}
    known = {key: value for key, value in used.items() if value is not None}
    return ProfileRule(name, known, sentence.strip(), _line_of(table.where, lines), level)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """(path of a key or table as errors name it, line from 1); inside of texts of several lines it may be mistaken."""
    table, number = "", 0
    for line, content in enumerate(text.split("\n"), 1):
        if re.match(r"\s*\[\[\s*checks\s*\]\]", content):
            number += 1
            table = f"checks[{number}]"
            yield table, line
        elif head := re.match(r"\s*+\[++\s*+([^\]]++)\]", content):
            table = head[1].rstrip()
            yield table, line
        elif key := _KEY.match(content):
            name = key[1] or key[2] or key[3]
            yield (f"{table}.{name}" if table else name), line


def _line_of(key: str, lines: Mapping[str, int]) -> int:
    """The line of a key; of one that is not there the line of its table, else the first."""
    return lines.get(key, lines.get(key.rpartition(".")[0], lines.get(re.sub(r"\[\d+\].*", "", key), 1)))


def _unreadable(path: Path, line: int, reason: str) -> ProfileError:
    return ProfileError(
        "profile-syntax",
        mark("{file}, line {line}: the profile is not valid: {reason}."),
        mark("Correct it."),
        file=path.name,
        line=line,
        reason=reason,
    )
