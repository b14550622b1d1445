"""Where the program keeps its own files, and where a user's documents are."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

from PySide6.QtCore import QStandardPaths, QUrl

RESOURCES = Path(__file__).resolve().parent.parent / "resources"


def app_data(*parts: str) -> Path:
    """A folder of the program's own, made if necessary."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation), *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def private_data(*parts: str) -> Path | None:
    """A folder of the program's own into which nobody else can put files; None where there is none to be had."""
    try:
        folder = app_data(*parts)
        if sys.platform != "win32":
            status = folder.stat()
            if status.st_uid != os.getuid():
                return None
            if status.st_mode & 0o077:
                folder.chmod(0o700)
    except OSError:
        return None
    return folder


def is_own_file(path: Path) -> bool:
    """Whether it is a plain file, no link and no device, of the user who runs the program."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.getuid())


def documents() -> Path:
    """The user's documents, else the home folder."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return folder if folder.is_dir() else Path.home()


def typed_path(text: str, folder: Path | None = None) -> Path | None:
    """The path that was typed or pasted (in quotes, as a URL), absolute; None for nothing.

    A relative one is taken from `folder`, without it from the current one.
    """
    plain = text.strip().strip('"')
    if not plain:
        return None
    if plain.startswith("file:"):
        plain = QUrl(plain).toLocalFile() or plain
    path = Path(plain)
    with contextlib.suppress(RuntimeError):  # a user that does not exist: the name is then meant as it stands
        path = path.expanduser()
    return (path if folder is None else folder / path).absolute()


def typed_folder(text: str) -> Path | None:
    """The folder of a path that was typed; None where there is none."""
    path = typed_path(text)
    return path.parent if path is not None and path.parent.is_dir() else None
