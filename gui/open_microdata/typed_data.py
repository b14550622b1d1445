"""Data as they are typed: the path of a file, a folder or a pattern, or several files, each in quotation marks."""

from __future__ import annotations

import re
from pathlib import Path

from core.recipe.model import Input
from gui.places import typed_path

_QUOTED = re.compile(r'"([^"]+)"')


def typed_data(text: str) -> tuple[Path | None, tuple[Path, ...]]:
    """The path that was typed, or the paths of several parts; the other one is nothing."""
    several = [path for each in _QUOTED.findall(text) if (path := typed_path(each)) is not None]
    return (None, tuple(several)) if len(several) > 1 else (typed_path(text), ())


def data_text(source: Input) -> str:
    """What is typed for the data of an input."""
    if len(source.parts) > 1:
        return " ".join(f'"{path}"' for path in source.parts)
    return "" if source.place is None else str(source.place)
