"""Names of files that the system does not take."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from core.base.texts import translate


def too_long(files: Iterable[Path]) -> str:
    """That a name among these is longer than the system takes; empty where none is."""
    if any(map(_is_too_long, files)):
        return translate("The name of a file or folder is too long. Choose a shorter one.")
    return ""


def _is_too_long(path: Path) -> bool:
    """The system tells of a name only where the folder around it is there, so each is asked for by itself."""
    there = next((parent for parent in path.parents if is_there(parent)), path.parent)
    for asked in (path, *map(there.joinpath, path.relative_to(there).parts)):
        try:
            asked.stat()
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return True
    return False


def is_there(path: Path) -> bool:
    """Whether a path exists; False where the system cannot even ask, as behind a closed folder."""
    return os.path.exists(path)  # noqa: PTH110
