"""Temporary folders for the user alone: gone when the program ends, and after a crash at the next start."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from .state_folder import lock, make_privately, open_privately, private_folder

_FOLDER = "temporary"
_LOCK = ".lock"
_held: dict[Path, BinaryIO] = {}
"""Folders of this process, each with the file that is locked as long as the process lives."""


def temporary_folder() -> Path:
    """A new folder that nobody else may look into, in the program's own one; where that is not to be had, elsewhere.

    Raises
    ------
    OSError
        No folder can be made at all.
    """
    try:
        parent = _parent(make=True)
        folder = parent / secrets.token_hex(8)
        file = make_privately(_lock_of(folder))
        if not lock(file):  # first the lock: whoever starts meanwhile takes no folder for left behind
            file.close()
            raise OSError(f"{folder} is taken")
        _held[folder] = file
        os.mkdir(folder, 0o700)  # noqa: PTH102 (with its mode from the beginning)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="pavo-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def remove_temporary() -> None:
    """Remove the folders of this process; at its end this is done by itself."""
    for folder, file in list(_held.items()):
        del _held[folder]
        _remove(folder, file)


atexit.register(remove_temporary)


def remove_left_behind() -> int:
    """Remove the folders of processes that live no more, and say how many there were; no link is followed."""
    removed = 0
    with contextlib.suppress(OSError):
        for path in [path for path in _parent(make=False).iterdir() if path.name.endswith(_LOCK)]:
            with contextlib.suppress(OSError):
                file = open_privately(path)
                if lock(file):
                    _remove(path.with_name(path.name.removesuffix(_LOCK)), file)
                    removed += 1
                else:
                    file.close()
    return removed


def _parent(make: bool) -> Path:
    parent = private_folder(make) / _FOLDER
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(parent, 0o700)  # noqa: PTH102
    if parent.is_symlink():
        raise OSError(f"{parent} is a link")
    return parent


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + _LOCK)


def _remove(folder: Path, file: BinaryIO) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    file.close()  # first, because elsewhere no open file can be removed
    with contextlib.suppress(OSError):
        _lock_of(folder).unlink()
