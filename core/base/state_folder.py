"""The program's own folder for what is believed later: private to the user, or not believed at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .texts import mark, translate

_GUARD = ".pavo.lock"
_PATIENCE = 20.0
"""Seconds that a run waits for others that begin or clean up, which takes moments."""

_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, getattr(errno, "EDEADLK", errno.EAGAIN)}


def state_folder() -> Path:
    """Where the folder is; the environment variable PAVO_STATE names another one."""
    own = os.environ.get("PAVO_STATE")
    if own:
        return Path(own).absolute()
    from platformdirs import user_state_path

    return user_state_path("pavo", appauthor=False)


def private_folder(make: bool = True) -> Path:
    """The folder, made where it is lacking, for the user alone.

    Raises
    ------
    OSError
        It cannot be made, is a link, belongs to somebody else, or others may write in it.
    """
    folder = state_folder()
    if make:
        with contextlib.suppress(FileExistsError):
            folder.parent.mkdir(parents=True, exist_ok=True)
            os.mkdir(folder, 0o700)  # noqa: PTH102 (pathlib's takes what is there for its own)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise _unbelieved(mark("it is a link or a file"))
    _check_private(found)
    if os.name == "posix" and found.st_mode & 0o077:
        os.chmod(folder, 0o700)  # noqa: PTH101
    return folder


def open_privately(path: Path) -> BinaryIO:
    """Open a file of the folder for reading and writing.

    Raises
    ------
    OSError
        It cannot be opened, is a link or no file, belongs to somebody else, or others may write to it.
    """
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = open(path, "r+b", buffering=0, opener=lambda name, _flags: os.open(name, flags | _BINARY))  # noqa: SIM115
    try:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or path.is_symlink():
            raise _unbelieved(mark("it is a link or no file"))
        _check_private(found)
    except BaseException:
        file.close()
        raise
    return file


def make_privately(path: Path) -> BinaryIO:
    """A new file that only the user may read, open for writing without a buffer."""
    return open(path, "xb", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600))


@contextlib.contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Hold off all other runs of the same user that begin or clean up.

    Raises
    ------
    OSError
        The folder cannot be written, knows no locks, or another run does not come to an end with it.
    """
    path, end = folder / _GUARD, time.monotonic() + _PATIENCE
    while (file := _take(path)) is None:
        if time.monotonic() > end:
            raise OSError(errno.EBUSY, translate(mark("another run of the program does not let go of it")))
        time.sleep(0.02)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                path.unlink()  # while it is held: whoever waits for it sees that it is gone, and makes another
        with contextlib.suppress(OSError):
            file.close()


def lock(file: BinaryIO) -> bool:
    """Lock `file` for as long as it is open; False where another run holds the lock.

    Raises
    ------
    OSError
        Files there cannot be locked.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # beyond the text, which stays readable
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            finally:
                file.seek(0)  # also where another run holds the lock: its text is read from the start
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True


_BINARY = getattr(os, "O_BINARY", 0)


def _take(path: Path) -> BinaryIO | None:
    try:
        file = open_privately(path)
    except FileNotFoundError:
        try:
            file = make_privately(path)
        except FileExistsError:
            return None
    try:
        if lock(file) and _is_still(path, file):
            return file
    except BaseException:
        file.close()
        raise
    file.close()
    return None


def _is_still(path: Path, file: BinaryIO) -> bool:
    """Whether the file that was locked is the one that others find."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))  # noqa: PTH116
    except FileNotFoundError:
        return False


def _check_private(found: os.stat_result) -> None:
    if os.name != "posix":
        return  # there the folder stands in the user's own profile, which others cannot write in
    if found.st_uid != os.geteuid():
        raise _unbelieved(mark("it belongs to another user"))
    if found.st_mode & 0o022:
        raise _unbelieved(mark("others may write in it"))


def _unbelieved(reason: str) -> OSError:
    return OSError(errno.EPERM, translate(reason))
