"""The journal of a run's outputs: how far it came, for itself when it fails and for the next start after a crash.

Lines of JSON in a file of the program's own folder, and nowhere else: what stands in a folder with data may come from
anybody. The process that writes it holds a lock on it, so that another one can tell a crash from a run that goes on,
and knows which files that run is about to write. What a journal may name is checked all the same
(`core.base.outputs_journal_text`).
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from .outputs_journal_text import Identity, Moving, OutputEntry, Said, key, line, understood
from .state_folder import guarded, lock, make_privately, open_privately, private_folder
from .texts import mark, translate

_PATTERN = ".pavo-*.journal"
_MOST_BYTES = 1 << 24
_PARTS = re.compile(r"data(\.[a-z]+)?")
"""What `core.formats.typed.writing` makes in a folder of parts."""
_SAME_TIME = 2_000_000_000
"""Nanoseconds by which a file system may round the time of a file after it was written."""


@dataclass(frozen=True)
class Left:
    """A file that should be gone and could not be removed, or not be put back; `former`: what stood at the target."""

    path: Path
    target: Path
    former: bool
    reason: str


@dataclass
class Recovered:
    """Number of crashed runs cleaned up, what could not be, and the files that runs going on will write."""

    cleaned: int = 0
    left: list[Left] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)


def identity(path: Path) -> Identity | None:
    """Size and time of the file at `path`; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 (which says what is wrong, where pathlib only says no)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size, found.st_mtime_ns


def parts_of(file: Path) -> Path:
    """The folder beside `file` for what is written on the way to it; a journal that names the file covers it too."""
    return file.with_name(file.name + ".parts")


class Journal:
    """The journal of a run that is going on; in memory only where `folder` is None."""

    def __init__(
        self, folder: Path | None, token: str, entries: Sequence[OutputEntry], folders: Sequence[Path]
    ) -> None:
        self._said = Said(tuple(entries), tuple(folders))
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        if folder is None:
            return
        self._path = folder / f".pavo-{token}.journal"
        self._file = make_privately(self._path)
        try:
            lock(self._file)
            self._say(line(entries=entries, folders=folders))
        except BaseException:
            self._close(False)
            raise

    def begin_moving(self, written: Sequence[OutputEntry]) -> None:
        """Note what stands at the targets, and what will, before anything there is touched."""
        moving = [_moving(entry) if entry in written else None for entry in self._said.entries]
        self._say(line(moving=moving))
        self._said = Said(self._said.entries, self._said.folders, tuple(moving))

    def finish(self) -> tuple[Left, ...]:
        """Note that all is in place, and forget what stood there before; what of it could not be removed."""
        self._say(line(done=True))
        return self._closing(_forget)

    def roll_back(self) -> tuple[Left, ...]:
        """Put everything back as it was before the run; what of it could not be."""
        return self._closing(_roll_back)

    def _closing(self, last: Callable[[Said], tuple[Left, ...]]) -> tuple[Left, ...]:
        keep = True
        try:
            left = last(self._said)
            keep = bool(left)
        finally:
            self._close(keep)
        return left

    def _say(self, text: bytes) -> None:
        if self._file is None:
            return
        before = self._file.tell()
        try:
            rest = memoryview(text)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):  # what was not said in full was not said
                self._file.truncate(before)
            raise

    def _close(self, keep: bool) -> None:
        if self._file is None or self._path is None:
            return
        if not keep and os.name == "posix":  # while it is locked, so that nobody takes it for that of a crash
            _remove_quietly(self._path)
        with contextlib.suppress(OSError):
            self._file.close()
        if not keep:
            _remove_quietly(self._path)  # the next start understands one that stays, and removes it
        self._file = None


def recover() -> int:
    """Clean up after runs that crashed; runs that are going on are left alone. The number of those cleaned up."""
    try:
        folder = private_folder(make=False)
        with guarded(folder):
            return clean_up(folder).cleaned
    except OSError:  # no such folder, or one that is not believed
        return 0


def clean_up(folder: Path) -> Recovered:
    """Clean up after the runs whose journals stand in the program's own folder, which the caller has `guarded`."""
    found = Recovered()
    for path in sorted(folder.glob(_PATTERN)):
        with contextlib.suppress(OSError, ValueError, RecursionError):  # what cannot be believed is left alone
            _clean_up_one(path, found)
    return found


def _clean_up_one(path: Path, found: Recovered) -> None:
    with open_privately(path) as file:
        crashed = lock(file)
        if os.fstat(file.fileno()).st_size > _MOST_BYTES:
            raise ValueError("too long for a journal")
        said = understood(_all_of(file), path.name)
        if not crashed:
            found.busy |= {key(entry.target) for entry in said.entries}
            return
        if any(_is_out_of_reach(entry, said.folders) for entry in said.entries):
            return
        left = _forget(said) if said.done else _roll_back(said)
        found.left += left
        if left:
            return
        found.cleaned += 1
        if os.name == "posix":
            path.unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _all_of(file: BinaryIO) -> bytes:
    parts = []
    while part := file.read(1 << 20):
        parts.append(part)
    return b"".join(parts)


def _is_out_of_reach(entry: OutputEntry, made: Sequence[Path]) -> bool:
    """Whether the folder of an output is away (a disk that is not there now) or leads elsewhere by now."""
    folder = entry.target.parent
    if os.path.realpath(folder) != str(folder) or entry.target.is_symlink():
        return True
    return not folder.exists() and not any(each in made for each in (folder, *folder.parents))


def _forget(said: Said) -> tuple[Left, ...]:
    """Remove what stood at the targets before, and all that was written on the way."""
    left = []
    for entry, moving in zip(said.entries, said.each_moving(), strict=True):
        if moving is not None:
            left += _removed(entry.aside, entry.target, True)
        left += _without_temporary(entry)
    return tuple(left)


def _roll_back(said: Said) -> tuple[Left, ...]:
    left = []
    for entry, moving in zip(said.entries, said.each_moving(), strict=True):
        if moving is not None:
            left += _put_back(entry, moving)
        left += _without_temporary(entry)
    for folder in sorted(said.folders, key=lambda each: len(each.parts), reverse=True):
        with contextlib.suppress(OSError):  # only one that is empty goes
            os.rmdir(folder)  # noqa: PTH106
    return tuple(left)


def move_in(entry: OutputEntry, before: Identity | None) -> bool:
    """Let an output take its place; False where its target is not, or no longer, what it was at the beginning."""
    if identity(entry.target) != before:
        return False
    if before is not None:
        os.replace(entry.target, entry.aside)  # noqa: PTH105
        if identity(entry.aside) != before:  # somebody was faster
            return False
    os.replace(entry.temporary, entry.target)  # noqa: PTH105
    return True


def _moving(entry: OutputEntry) -> Moving:
    return Moving(identity(entry.target) is not None, identity(entry.temporary) or (0, 0))


def _put_back(entry: OutputEntry, moving: Moving) -> list[Left]:
    """Undo `move_in` from wherever it stopped; what somebody else wrote there meanwhile stays."""
    try:
        there = identity(entry.target)
        ours = there is not None and _is_same(there, moving.made)
        if os.path.lexists(entry.aside):
            if there is not None and not ours:
                raise OSError(0, translate(mark("another file stands in its place by now")))
            if not stat.S_ISREG(os.lstat(entry.aside).st_mode):
                raise OSError(0, translate(mark("it is no file")))
            os.replace(entry.aside, entry.target)  # noqa: PTH105
        elif not moving.existed and ours and not os.path.lexists(entry.temporary):
            entry.target.unlink(missing_ok=True)
    except OSError as error:
        former = os.path.lexists(entry.aside)
        return [Left(entry.aside if former else entry.target, entry.target, former, error.strerror or str(error))]
    return []


def _is_same(one: Identity, two: Identity) -> bool:
    return one[0] == two[0] and abs(one[1] - two[1]) <= _SAME_TIME


def _without_temporary(entry: OutputEntry) -> list[Left]:
    parts = parts_of(entry.temporary)
    _remove_parts(parts)
    # os.path says no where the system cannot even ask (a name too long)
    left = [Left(parts, entry.target, False, "")] if os.path.isdir(parts) else []  # noqa: PTH112
    return left + _removed(entry.temporary, entry.target, False)


def _removed(path: Path, target: Path, former: bool) -> list[Left]:
    reason = ""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
    if not os.path.lexists(path):
        return []
    return [Left(path, target, former, reason or translate(mark("the system says that it is not there")))]


def _remove_parts(folder: Path) -> None:
    """Remove a folder of parts with what the program makes in one; a link is not followed, nothing else is touched."""
    with contextlib.suppress(OSError):
        if folder.is_symlink() or not folder.is_dir():
            return
        if os.name != "posix":
            for part in folder.iterdir():
                if _PARTS.fullmatch(part.name):
                    part.unlink()
        else:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                for name in os.listdir(handle):  # noqa: PTH208
                    if _PARTS.fullmatch(name):
                        with contextlib.suppress(OSError):
                            os.unlink(name, dir_fd=handle)
            finally:
                os.close(handle)
        os.rmdir(folder)  # noqa: PTH106


def _remove_quietly(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
