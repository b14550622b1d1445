"""Writing a recipe as TOML: sections and keys in the order of the model; of what is default only the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

import tomli_w

from .model import (
    ByCode,
    Input,
    Measure,
    MultiResponseKey,
    Perturbation,
    Recipe,
    Suppression,
    VariableEdit,
)
from .toml_fields import relative_text

RECIPE_VERSION = 1
"""The format version that this program writes, and the newest it reads."""


def dumps(recipe: Recipe, folder: Path) -> str:
    """The TOML text of `recipe`, saved into `folder`: paths relative to it where possible.

    ``parse(dumps(recipe, folder), folder) == recipe`` for every recipe that can be parsed.
    """
    parts = [f"recipe = {RECIPE_VERSION}\n"]
    for field in filter(lambda each: each.name != "read_as", fields(recipe)):
        value = getattr(recipe, field.name)
        if isinstance(value, tuple):
            parts += [_element(field.name, item, folder) for item in value]
        elif value != _default(field) or (recipe.combinations and isinstance(value, Suppression)):
            entries = _entries(value)
            own = {name: dict(entries.pop(name, ())) for name in _tables_of_their_own(value)}
            parts.append(_section(f"[{field.name}]", entries, folder))
            parts += [
                _section(f"[{field.name}.{name}]", _by_text(said, folder), folder) for name, said in own.items() if said
            ]
    return "\n".join(parts)


def checksums_section(sums: Iterable[tuple[Path, str]], folder: Path) -> str:
    """The TOML text of ``[input.checksums]`` in a recipe in `folder`: the checksums of files by their paths."""
    return _section("[input.checksums]", _by_text(dict(sums), folder), folder)


def _tables_of_their_own(item: object) -> list[str]:
    """Keys of a section that are written as tables below it."""
    return [field.name for field in fields(item) if field.metadata.get("type") in ("answers", "checksums")]  # type: ignore[arg-type]


def _by_text(said: Mapping[Any, Any], folder: Path) -> dict[str, Any]:
    """A table whose keys may be paths."""
    return {relative_text(name, folder) if isinstance(name, Path) else name: value for name, value in said.items()}


def _element(name: str, item: object, folder: Path) -> str:
    entries = _entries(item)
    if isinstance(item, VariableEdit):
        entries.pop("name")
        return _section(f"[{name}.{_key(item.name)}]", entries, folder)
    if isinstance(item, MultiResponseKey):
        entries = {"name": item.name, "kind": item.kind} | _made_of(item)
    if isinstance(item, Measure | Perturbation):
        entries |= dict(entries.pop("parameters", ()))
    return _section(f"[[{name}]]", entries, folder)


def _made_of(key: MultiResponseKey) -> dict[str, Any]:
    if key.separator:
        return {"variable": key.columns[0], "separator": key.separator}
    return {"set": key.columns}


def _section(head: str, entries: dict[str, Any], folder: Path) -> str:
    lines = [f"{_key(key)} = {_value(value, folder)}\n" for key, value in entries.items()]
    return f"{head}\n{''.join(lines)}"


def _entries(item: object) -> dict[str, Any]:
    """Attributes that differ from their default, and those that a reader of the recipe must find there."""
    said = ((field, getattr(item, field.name)) for field in fields(item))  # type: ignore[arg-type]
    found = {field.name: value for field, value in said if value != _default(field) or _always(field, item)}
    if isinstance(item, Input) and item.parts:
        return {"data": found.pop("parts")} | found
    return found


def _always(field: Field[Any], item: object) -> bool:
    """Whether `field` is written where it is the default, too."""
    always = field.metadata.get("always", False)
    return bool(always(item) if callable(always) else always)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _value(value: object, folder: Path) -> str:
    if isinstance(value, Path):
        return _scalar(relative_text(value, folder))
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(item, folder) for item in value) + "]"
    if isinstance(value, ByCode):
        return "{ " + ", ".join(f"{_key(code)} = {_scalar(number)}" for code, number in value.items()) + " }"
    if is_dataclass(value):
        inside = ", ".join(f"{key} = {_value(item, folder)}" for key, item in _entries(value).items())
        return "{ " + inside + " }"
    return _scalar(value)


def _scalar(value: object) -> str:
    # TOML readers turn \r\n inside a multi-line text into \n; such a text stays on one line, escaped
    multiline = isinstance(value, str) and "\n" in value and "\r" not in value
    return tomli_w.dumps({"x": value}, multiline_strings=multiline)[len("x = ") : -1]


def _key(name: str) -> str:
    return tomli_w.dumps({name: 0})[: -len(" = 0\n")]
