"""Recipes and results that note what is looked at of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

Path = tuple[str, ...]


class Looked(set[Path]):
    """What was looked at; `copies`: who copies a value with some attributes changed looks at all others."""

    def __init__(self, copies: bool) -> None:
        super().__init__()
        self.copies = copies


_CLASSES: dict[type, type] = {}


def recorded(value: Any, path: Path, touched: Looked) -> Any:
    """`value`, which notes in `touched` when its attributes are looked at; of a tuple each element by itself."""
    if isinstance(value, tuple) and any(map(is_dataclass, value)):
        return tuple(recorded(each, (*path, str(place)), touched) for place, each in enumerate(value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    kind = type(value)
    if kind not in _CLASSES:
        _CLASSES[kind] = _recording(kind)
    made = object.__new__(_CLASSES[kind])
    made.__dict__.update({field.name: vars(value)[field.name] for field in fields(kind)})
    made.__dict__["__noted"] = value, path, touched
    return made


def _recording(kind: type) -> type:
    names = {field.name for field in fields(kind)}

    def look(self: Any, name: str) -> Any:
        value = object.__getattribute__(self, name)
        noted = object.__getattribute__(self, "__dict__").get("__noted")
        if name not in names or noted is None:  # a changed copy: what it was made of was looked at
            return value
        _original, path, touched = noted
        inner = recorded(value, (*path, name), touched)
        if inner is value and (touched.copies or sys._getframe(1).f_code is not replace.__code__):
            touched.add((*path, name))
        return inner

    def with_(self: Any, **changes: Any) -> Any:
        original, path, touched = object.__getattribute__(self, "__dict__")["__noted"]
        return recorded(original.with_(**{name: plain(each) for name, each in changes.items()}), path, touched)

    attributes: dict[str, Any] = {"__getattribute__": look, "__hash__": kind.__hash__}
    if hasattr(kind, "with_"):
        attributes["with_"] = with_
    return type("Recorded" + kind.__name__, (kind,), attributes)


def plain(value: Any) -> Any:
    """What was recorded, again as it is."""
    if isinstance(value, tuple):
        made = [plain(each) for each in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    try:
        noted = object.__getattribute__(value, "__dict__").get("__noted")
    except AttributeError:
        return value
    return value if noted is None else noted[0]


class Columns(Mapping[str, Any]):
    """Columns by name, of which it is noted which are looked at."""

    def __init__(self, columns: Mapping[str, Any], looked: set[str]) -> None:
        self._columns, self._looked = columns, looked

    def __getitem__(self, name: str) -> Any:
        found = self._columns[name]
        self._looked.add(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def altered(value: Any, path: Path) -> Any:
    """`value` with another number or the other truth at a path; None for what may mean the same in other words."""
    if path:
        step, rest = path[0], path[1:]
        inner = value[int(step)] if isinstance(value, tuple) else object.__getattribute__(value, step)
        changed = altered(inner, rest)
        if changed is None:
            return None
        if isinstance(value, tuple):
            return (*value[: int(step)], changed, *value[int(step) + 1 :])
        return replace(value, **{step: changed})
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value * 0.9 if isinstance(value, float) else None
