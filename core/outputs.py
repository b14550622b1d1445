"""Outputs that appear all together or not at all, whatever happens in between.

Each output is written beside its target under a temporary name and synced. Then what stands at the targets is moved
aside and all are renamed; a failure puts everything back. A journal says how far this came, so that the next start
can clean up after a crash. While a run lives, it holds a lock on its journal.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from core.errors import OutputError
from core.journal import Entry, Journal, recover
from core.texts import mark

__all__ = ["Outputs", "check_targets", "recover"]

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class Outputs:
    """The outputs of one run. Leaving the ``with`` block without `commit` leaves everything as it was.

    Parameters
    ----------
    targets : by role (``"data"``, ``"report"``, ...) the path where the output is to appear
    inputs : files that no output may replace
    """

    def __init__(self, targets: Mapping[str, Path], inputs: Iterable[Path]) -> None:
        check_targets(targets, inputs)
        token = secrets.token_hex(4)
        self._targets = dict(targets)
        self._entries: dict[str, Entry] = {}
        for number, (role, target) in enumerate(targets.items()):
            real = Path(os.path.realpath(target))
            name = f".pavo-{token}-{number}"
            self._entries[role] = Entry(real, real.with_name(name + ".tmp"), real.with_name(name + ".old"))
        self._folders: list[Path] = []
        self._journal: Journal | None = None
        self._written: set[str] = set()
        self._committed = False

    def __enter__(self) -> Outputs:
        try:
            for role, entry in self._entries.items():
                with _refusing(self._targets[role]):
                    self._make_folder(entry.target.parent)
            if self._entries:
                first = next(iter(self._entries))
                with _refusing(self._targets[first]):
                    self._journal = Journal(list(self._entries.values()), self._folders)
            for role, entry in self._entries.items():
                # a folder that cannot be written to is better found before the work than after it
                with _refusing(self._targets[role]):
                    entry.temporary.open("xb").close()
                    entry.target.exists()  # refuses a name that is too long
        except BaseException:
            self._undo()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo()

    def _undo(self) -> None:
        if self._journal is not None:
            self._journal.roll_back()
            self._journal = None
        elif not self._committed:
            self._remove_folders()

    def __contains__(self, role: object) -> bool:
        return role in self._entries

    def path(self, role: str) -> Path:
        """Where the output `role` stands until `commit`."""
        return self._entries[role].temporary

    @contextlib.contextmanager
    def open(self, role: str) -> Iterator[BinaryIO]:
        """The file of the output `role`, empty at first, written completely and synced when the block ends.

        Raises
        ------
        OutputError
            The folder cannot be written to, or the disk is full.
        """
        with _refusing(self._targets[role]), self.path(role).open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        self._written.add(role)

    def write(self, role: str, content: str) -> None:
        """Write a text output, UTF-8 with line feeds."""
        with self.open(role) as file:
            file.write(content.encode("utf-8"))

    def commit(self) -> None:
        """Let all outputs appear; those that nobody wrote are left out.

        Raises
        ------
        OutputError
            One of them cannot take its place; then none does.
        """
        if self._journal is None:
            self._committed = True
            return
        entries = [self._entries[role] for role in self._entries if role in self._written]
        with _undisturbed():
            self._journal.begin_moving()
            for entry in entries:
                with _refusing(entry.target):
                    entry.move_in()
            with _refusing(entries[0].target if entries else Path()):
                for folder in {entry.target.parent for entry in entries}:
                    _sync_folder(folder)
                self._journal.finish()
            self._journal, self._committed = None, True

    def _make_folder(self, folder: Path) -> None:
        missing = []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        for each in reversed(missing):
            each.mkdir()
            self._folders.append(each)

    def _remove_folders(self) -> None:
        for folder in reversed(self._folders):
            with contextlib.suppress(OSError):
                folder.rmdir()


def check_targets(targets: Mapping[str, Path], inputs: Iterable[Path]) -> None:
    """Refuse outputs that are inputs (by whatever name), folders, devices, or one and the same file.

    Raises
    ------
    OutputError
        Naming the output.
    """
    known: dict[str, str] = {}
    sources = tuple(inputs)
    for role, target in targets.items():
        _check_no_input(role, target, sources)
        # os.path says no where the system cannot even ask (a closed folder, a name too long): a matter of writing
        if os.path.isdir(target):  # noqa: PTH112
            raise OutputError(
                "output-is-folder",
                mark("output.{role} is {target}, which is a folder."),
                mark("Name a file in it."),
                role=role,
                target=str(target),
            )
        # a device or a pipe: the rename would put a file in its place
        if os.path.exists(target) and not os.path.isfile(target):  # noqa: PTH110, PTH113
            raise OutputError(
                "output-not-a-file",
                mark("output.{role} is {target}, which is a device or a pipe."),
                mark("Name a file; without output.summary the summary goes to standard output."),
                role=role,
                target=str(target),
            )
        # names that differ only in case are one file on many systems
        real = os.path.realpath(target).casefold()
        if real in known:
            raise OutputError(
                "output-twice",
                mark("output.{role} and output.{other} are the same file {target}."),
                mark("Give each its own name."),
                role=role,
                other=known[real],
                target=str(target),
            )
        known[real] = role


def _check_no_input(role: str, target: Path, sources: Iterable[Path]) -> None:
    for source in sources:
        if _same_file(target, source):
            raise OutputError(
                "output-is-input",
                mark("output.{role} is {target}, which is an input ({source}); inputs are never overwritten."),
                mark("Choose another file name."),
                role=role,
                target=str(target),
                source=str(source),
            )


def _same_file(one: Path, two: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(two):
        return True
    try:
        return one.samefile(two)
    except OSError:
        return False


@contextlib.contextmanager
def _refusing(target: Path) -> Iterator[None]:
    """Turn what the system says about writing into an error about `target`."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise OutputError(
                "disk-full",
                mark("There is no room to write {target}: {reason}."),
                mark("Nothing was written. Free some space, or choose another folder."),
                target=str(target),
                reason=error.strerror,
            ) from None
        raise OutputError(
            "output-unwritable",
            mark("{target} cannot be written: {reason}."),
            mark("Nothing was written. Choose another folder, or close the program that uses the file."),
            target=str(target),
            reason=error.strerror or str(error),
        ) from None


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Drop requests to stop: while outputs take their places they come too late."""
    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders cannot be opened there, and renames are journalled by the file system
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
