"""The recipe's TOML form: strict reading here, of the sections that `core.recipe.sections` declares."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ..base.errors import RecipeError
from ..base.plain_file import read_plain
from ..base.texts import mark
from ..base.toml_text import TomlBeyondLimits, parse_toml
from .model import Recipe
from .sections import SECTIONS
from .toml_fields import TomlTable
from .toml_writer import RECIPE_VERSION, dumps

__all__ = ["RECIPE_VERSION", "dumps", "load", "parse", "parse_bytes", "read_bytes"]


def load(path: Path) -> Recipe:
    """The recipe in the file `path`.

    Raises
    ------
    RecipeError
        The file cannot be read, is not TOML, or says something that a recipe cannot say.
    """
    return parse_bytes(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """The content of the recipe file `path`, as `load` reads it."""
    try:
        return read_plain(path)
    except OSError as error:
        raise RecipeError(
            "recipe-unreadable",
            mark("The recipe {file} cannot be read: {reason}."),
            "",
            file=str(path),
            reason=error.strerror or str(error),
        ) from None


def parse_bytes(raw: bytes, path: Path) -> Recipe:
    """The recipe in `raw`, the content of the file `path`."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecipeError(
            "recipe-not-utf8",
            mark("The recipe {file} is not a text file in UTF-8: line {line}."),
            mark("Save it as UTF-8."),
            file=str(path),
            line=raw.count(b"\n", 0, error.start) + 1,
        ) from None
    return parse(text, path.absolute().parent, path)


def parse(text: str, folder: Path, file: Path | None = None) -> Recipe:
    """The recipe in `text`; relative paths are taken from `folder`. `file`: where it stands, if in one.

    Raises
    ------
    RecipeError
        Naming the key (elements of arrays counted from 1) and, for text that is not TOML, the line.
    """
    try:
        values = parse_toml(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(error) from None
    except TomlBeyondLimits as error:
        raise _unreadable(error) from None
    top = TomlTable(values, "", folder, file)
    _check_version(top)
    said = {section.name: section.of(top) for section in SECTIONS}
    changed = said["numeric"]
    said["numeric"] = tuple(entry for entry, _noise in changed if entry is not None)
    said["perturbations"] += tuple(noise for _entry, noise in changed if noise is not None)
    recipe = Recipe(**said)
    top.finish()
    if recipe.profile.file is not None and recipe.target.profile is not None:
        raise RecipeError(
            "profile-beside-target",
            mark("The recipe has both [profile] and [target]: the rules of the safe file are named twice."),
            mark("Remove one of them. As a target, the file of the profile is named in target.profile."),
        )
    return recipe.with_(read_as=tuple(top.read_as))


def _syntax_error(error: tomllib.TOMLDecodeError) -> RecipeError:
    reason = str(error)
    place = re.search(r"\s*\(at (.*)\)$", reason)
    return RecipeError(
        "recipe-syntax",
        mark("The recipe is not valid TOML: {reason}, at {place}."),
        "",
        reason=reason[: place.start()] if place else reason,
        place=place[1] if place else mark("end of document"),
    )


def _unreadable(error: TomlBeyondLimits) -> RecipeError:
    return RecipeError(
        "recipe-beyond-limits",
        mark("The recipe cannot be read: {reason}."),
        mark("Correct it."),
        reason=error.reason,
    )


def _check_version(top: TomlTable) -> None:
    top.require("recipe")
    version = top.integer("recipe", 1)
    if version is not None and version > RECIPE_VERSION:
        raise RecipeError(
            "recipe-newer",
            mark("The recipe says recipe = {version}, but this program knows only up to recipe = {known}."),
            mark("Open it with a newer version of Pavo."),
            version=version,
            known=RECIPE_VERSION,
        )
