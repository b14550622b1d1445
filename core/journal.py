"""The journal of a run's outputs: how far it came, for itself when it fails and for the next start after a crash.

Lines of JSON in a file of the program's own folder (beside the first output where that folder cannot be written).
The process that writes it holds a lock on it, so that another one can tell a crash from a run that goes on.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_PATTERN = ".pavo-*.journal"


@dataclass(frozen=True)
class Entry:
    """One output: where it is to appear, where it is written, and where what stood there before is kept."""

    target: Path
    temporary: Path
    aside: Path

    def forget(self) -> None:
        """Remove what stood at the target before, and all that was written on the way."""
        self.aside.unlink(missing_ok=True)
        self.temporary.unlink(missing_ok=True)
        shutil.rmtree(parts_of(self.temporary), ignore_errors=True)

    def move_in(self) -> None:
        """Let the output take its place."""
        if self.target.exists():
            self.target.replace(self.aside)
        self.temporary.replace(self.target)

    def put_back(self, existed: bool) -> None:
        """Undo `move_in` from wherever it stopped."""
        shutil.rmtree(parts_of(self.temporary), ignore_errors=True)
        if self.aside.exists():
            self.aside.replace(self.target)
        elif not existed and not self.temporary.exists():
            self.target.unlink(missing_ok=True)
        self.temporary.unlink(missing_ok=True)


def parts_of(file: Path) -> Path:
    """The folder beside `file` for what is written on the way to it; a journal that names the file covers it too."""
    return file.with_name(file.name + ".parts")


class Journal:
    """The journal of a run that is going on."""

    def __init__(self, entries: Sequence[Entry], folders: Sequence[Path]) -> None:
        self._entries = entries
        self._folders = folders
        self._existed: list[bool] | None = None
        self._done = False
        self._path, self._file = _create(entries[0].target.parent)
        names = [[str(entry.target), str(entry.temporary), str(entry.aside)] for entry in entries]
        try:
            self._say({"entries": names, "folders": [str(folder) for folder in folders]})
        except BaseException:
            self._close()
            raise

    def begin_moving(self) -> None:
        """Note what stands at the targets, before anything there is touched."""
        self._existed = [entry.target.exists() for entry in self._entries]
        self._say({"existed": self._existed})

    def finish(self) -> None:
        """Note that all is in place, and forget what stood there before."""
        self._say({"done": True})
        self._done = True
        for entry in self._entries:
            with contextlib.suppress(OSError):
                entry.forget()
        self._close()

    def roll_back(self) -> None:
        """Put everything back as it was before the run."""
        if not self._done:
            _roll_back(self._entries, self._folders, self._existed)
        self._close()

    def _say(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _close(self) -> None:
        with contextlib.suppress(OSError):  # closing writes what a full disk refused before
            self._file.close()
        with contextlib.suppress(OSError):  # the next start understands it, and removes it
            self._path.unlink(missing_ok=True)


def recover(folders: Iterable[Path] = ()) -> int:
    """Clean up after runs that crashed; runs that are going on are left alone.

    Parameters
    ----------
    folders : where journals may be beside the program's own folder

    Returns
    -------
    int
        Number of crashed runs that were cleaned up.
    """
    cleaned = 0
    for folder in dict.fromkeys((journal_folder(), *folders)):
        for path in _journals(folder):
            with contextlib.suppress(OSError, ValueError, KeyError):
                cleaned += _recover_one(path)
    return cleaned


def _journals(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob(_PATTERN))
    except OSError:  # no such folder, or none that may be looked into
        return []


def journal_folder() -> Path:
    """The program's own folder for journals; the environment variable PAVO_STATE names another one."""
    own = os.environ.get("PAVO_STATE")
    if own:
        return Path(own)
    from platformdirs import user_state_path

    return user_state_path("pavo", appauthor=False)


def _recover_one(path: Path) -> bool:
    with path.open("r+b") as file:
        if not _lock(file):
            return False
        said: dict[str, object] = {}
        for line in file.read().splitlines():
            with contextlib.suppress(ValueError):  # a torn last line
                said.update(json.loads(line))
        entries, folders, existed = _understood(said)
        if said.get("done"):
            for entry in entries:
                entry.forget()
        else:
            _roll_back(entries, folders, existed)
    path.unlink(missing_ok=True)
    return True


def _understood(said: dict[str, object]) -> tuple[list[Entry], list[Path], list[bool] | None]:
    entries, folders, existed = said.get("entries", []), said.get("folders", []), said.get("existed")
    if not isinstance(entries, list) or not isinstance(folders, list):
        raise ValueError("not a journal")
    return (
        [Entry(*map(Path, entry)) for entry in entries],
        [Path(folder) for folder in folders],
        existed if isinstance(existed, list) else None,
    )


def _roll_back(entries: Sequence[Entry], folders: Sequence[Path], existed: Sequence[bool] | None) -> None:
    for number, entry in enumerate(entries):
        with contextlib.suppress(OSError):
            entry.put_back(existed is None or existed[number])
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _create(beside: Path) -> tuple[Path, BinaryIO]:
    name = f".pavo-{secrets.token_hex(8)}.journal"
    with contextlib.suppress(OSError):
        folder = journal_folder()
        folder.mkdir(parents=True, exist_ok=True)
        return _locked(folder / name)
    return _locked(beside / name)


def _locked(path: Path) -> tuple[Path, BinaryIO]:
    file = path.open("xb")
    _lock(file)
    return path, file


def _lock(file: BinaryIO) -> bool:
    """Lock `file` for as long as it is open; False where another process holds the lock."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # beyond the text, which stays readable
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
