"""Writing a recipe as TOML: sections and keys in the order of the model; of what is default only the decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

import tomli_w

from core.recipe.model import (
    ByCode,
    Combination,
    Input,
    Measure,
    Perturbation,
    Recipe,
    SetKey,
    Suppression,
    VariableEdit,
)
from core.recipe.toml_fields import relative_text

RECIPE_VERSION = 1
"""The format version that this program writes, and the newest it reads."""


def dumps(recipe: Recipe, folder: Path) -> str:
    """The TOML text of `recipe`, saved into `folder`: paths relative to it where possible.

    ``parse(dumps(recipe, folder), folder) == recipe`` for every recipe that can be parsed.
    """
    parts = [f"recipe = {RECIPE_VERSION}\n"]
    for field in fields(recipe):
        value = getattr(recipe, field.name)
        if isinstance(value, tuple):
            parts += [_element(field.name, item, folder) for item in value]
        elif value != _default(field) or (recipe.combinations and isinstance(value, Suppression)):
            entries = _entries(value)
            answers, sums = dict(entries.pop("answers", ())), entries.pop("checksums", ())
            parts.append(_section(f"[{field.name}]", entries, folder))
            parts += [_section(f"[{field.name}.answers]", answers, folder)] if answers else []
            parts += [checksums_section(sums, folder)] if sums else []
    return "\n".join(parts)


def checksums_section(sums: Iterable[tuple[Path, str]], folder: Path) -> str:
    """The TOML text of ``[input.checksums]`` in a recipe in `folder`: the checksums of files by their paths."""
    return _section("[input.checksums]", {relative_text(path, folder): sha256 for path, sha256 in sums}, folder)


def _element(name: str, item: object, folder: Path) -> str:
    entries = _entries(item)
    if isinstance(item, VariableEdit):
        entries.pop("name")
        return _section(f"[{name}.{_key(item.name)}]", entries, folder)
    if isinstance(item, SetKey):
        entries = {"name": item.name, "kind": item.kind} | _made_of(item)
    if isinstance(item, Measure | Perturbation):
        entries |= dict(entries.pop("parameters", ()))
    return _section(f"[[{name}]]", entries, folder)


def _made_of(key: SetKey) -> dict[str, Any]:
    if key.separator:
        return {"variable": key.columns[0], "separator": key.separator}
    return {"set": key.columns}


def _section(head: str, entries: dict[str, Any], folder: Path) -> str:
    lines = [f"{_key(key)} = {_value(value, folder)}\n" for key, value in entries.items()]
    return f"{head}\n{''.join(lines)}"


def _entries(item: object) -> dict[str, Any]:
    """Attributes that differ from their default, and those that a reader of the recipe must find there."""
    said = ((field, getattr(item, field.name)) for field in fields(item))  # type: ignore[arg-type]
    decisions = _decisions(item)
    found = {field.name: value for field, value in said if value != _default(field) or field.name in decisions}
    if isinstance(item, Input) and item.parts:
        return {"data": found.pop("parts")} | found
    return found


def _decisions(item: object) -> tuple[str, ...]:
    if isinstance(item, Combination):
        return ("model", "count_threshold") if item.model == "frequency" else ("model", "missing_rule")
    return ("criterion", "mode") if isinstance(item, Suppression) else ()


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
