"""Whether a recipe's data are one file or several, which are its parts."""

from __future__ import annotations

import os
from pathlib import Path

from core.recipe.model import Input

_PATTERN = frozenset("*?[")


def is_in_parts(source: Input) -> bool:
    """Whether ``[input] data`` names a list of files, a folder or a pattern (of which no file has the name)."""
    if source.parts:
        return True
    return source.data is not None and (source.data.is_dir() or _is_pattern(source.data))


def _is_pattern(path: Path) -> bool:
    return not _PATTERN.isdisjoint(path.name) and not os.path.lexists(path)
