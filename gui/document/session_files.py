"""Session files as the windows open, save and lock them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QIODevice, QLockFile, QSaveFile

from core.base.errors import DataError, OutputError
from core.base.plain_file import read_plain
from core.base.texts import mark
from core.recipe.model import Recipe
from gui.places import private_data

SESSION_SUFFIXES = (".pavo", ".toml")
DELIMITED_SUFFIXES = (".csv", ".tsv", ".tab")
_LOCK_BYTES, _LOCK_LINES = 1 << 12, 3
"""Of a lock: Qt writes the number of the process, the application and the computer, a line each."""
_guarded: list[Callable[[], Iterable[Path]]] = []


def is_session(path: Path) -> bool:
    """Whether a file is a session by its name; everything else is microdata."""
    return path.suffix.lower() in SESSION_SUFFIXES


def metadata_beside(data: Path) -> Path | None:
    """The metadata file with the data file's name, in any case of letters; None where there is none.

    Of a folder of parts also the only one in it. One of fixed positions beside a data file that is delimited by its
    suffix belongs to another file of that name.
    """
    try:
        siblings = sorted(data.parent.iterdir())
    except OSError:
        return None
    if data.is_dir():
        own = [path for path in data.iterdir() if path.suffix.lower() == ".rda"]
        if len(own) == 1:
            return own[0]
    wanted = data.stem.lower() + ".rda"
    found = next((path for path in siblings if path.name.lower() == wanted and path != data), None)
    delimited = data.suffix.lower() in DELIMITED_SUFFIXES
    return None if found is not None and delimited and not _names_separator(found) else found


def _names_separator(metadata: Path) -> bool:
    try:
        return b"<separator>" in read_plain(metadata).lower()
    except OSError:  # whoever reads it says so
        return True


def read_recipe(path: Path) -> Recipe:
    """The recipe in a session file; raises `PavoError` where it cannot be read."""
    from core.recipe.toml import load

    if not path.is_file():
        raise DataError(
            "session-missing",
            mark("There is no session file {file}."),
            mark("It may have been moved or renamed; open it from where it is now."),
            file=str(path),
        )
    return load(path)


def write_recipe(path: Path, recipe: Recipe) -> None:
    """Write a session file so that a failure leaves the old one; raises `OutputError`."""
    from core.recipe.toml import dumps

    write_atomically(path, dumps(recipe, path.parent).encode("utf-8"))


def guard(inputs: Callable[[], Iterable[Path]]) -> None:
    """From now on `write_atomically` refuses these files, by whatever name: the inputs of the open session."""
    _guarded[:] = [inputs]


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; raises `OutputError`."""
    for inputs in _guarded:
        if any(_same_file(path, source) for source in inputs()):
            raise OutputError(
                "output-is-input",
                mark("{file} is an input of this session; inputs are never overwritten."),
                mark("Choose another file name."),
                file=str(path),
            )
    file = QSaveFile(str(path))
    file.setDirectWriteFallback(False)
    written = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(content) == len(content) and file.commit()
    if not written:
        raise OutputError(
            "cannot-write",
            mark("{file} cannot be written: {reason}."),
            mark("Choose another folder, or make room on the disk; nothing was changed."),
            file=str(path),
            reason=file.errorString(),
        )


def _same_file(one: Path, two: Path) -> bool:
    try:
        return one.samefile(two)
    except OSError:
        return False


class SessionLock:
    """Tells other running Pavos that a session file is open here; left behind by a crash, it is void."""

    def __init__(self) -> None:
        self._lock: QLockFile | None = None
        self._path: Path | None = None

    def acquire(self, path: Path) -> bool:
        """Lock a session file; False where another running process has it."""
        self.release()
        lock = _lock_of(path)
        if lock is None:
            return True
        if not _taken_or_free(lock):
            return False
        self._lock, self._path = lock, path
        return True

    def can_acquire(self, path: Path) -> bool:
        """Whether nobody else has it."""
        if path == self._path:
            return True
        lock = _lock_of(path)
        if lock is None:
            return True
        free = _taken_or_free(lock)
        lock.unlock()
        return free

    def move_to(self, path: Path) -> None:
        """Hold the lock of another file instead."""
        if path != self._path:
            self.acquire(path)

    def release(self) -> None:
        """Give the file free."""
        if self._lock is not None:
            self._lock.unlock()
        self._lock = self._path = None


def _taken_or_free(lock: QLockFile) -> bool:
    """Take a lock; True too where locks cannot be kept at all, which must not keep anybody from working."""
    return take(lock) or lock.error() != QLockFile.LockError.LockFailedError


def take(lock: QLockFile) -> bool:
    """Take a lock; one that says nothing of who has it was cut off by a crash, unless the system knows its holder."""
    if lock.tryLock(0):
        return True
    if lock.error() != QLockFile.LockError.LockFailedError or _names_holder(lock):
        return False
    return lock.removeStaleLockFile() and lock.tryLock(0)


def _names_holder(lock: QLockFile) -> bool:
    try:
        lines = Path(lock.fileName()).read_bytes()[:_LOCK_BYTES].splitlines()
    except OSError:
        return True
    return bool(lines) and lines[0].strip().isdigit() and len(lines) >= _LOCK_LINES


def lock_at(file: Path) -> QLockFile:
    """A lock that is void only once its process is dead, however old."""
    lock = QLockFile(str(file))
    lock.setStaleLockTime(0)
    return lock


def _lock_of(path: Path) -> QLockFile | None:
    """The lock of a session file; None where there is no folder in which it could be believed."""
    folder = private_data("locks")
    key = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]
    return None if folder is None else lock_at(folder / f"{key}.lock")
