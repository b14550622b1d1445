"""Outputs that appear all together or not at all, whatever happens in between.

Each output is written beside its target under a temporary name and synced. Then what stands at the targets is moved
aside and all are renamed; a failure puts everything back. A journal says how far this came, so that the next start
can clean up after a crash. While a run lives, it holds a lock on its journal, and with it on the files that it names.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from .errors import Notice, OutputError, PavoError
from .outputs_journal import Journal, Left, clean_up, identity, move_in, recover
from .outputs_journal_text import Identity, OutputEntry, key
from .state_folder import guarded, private_folder, state_folder
from .texts import mark

__all__ = ["Outputs", "check_targets", "outside_of", "recover", "written_file"]

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_MODELESS = {errno.EPERM, errno.ENOSYS, getattr(errno, "ENOTSUP", errno.ENOSYS)}
_NAMED = 10
"""Files named in one sentence."""
_PATIENCE = 5.0
"""Seconds that a run waits for one of another user whose outputs take their places in the same folder."""


class Outputs:
    """The outputs of one run. Leaving the ``with`` block without `commit` leaves everything as it was.

    Parameters
    ----------
    targets : by role (``"data"``, ``"report"``, ...) the path where the output is to appear
    inputs : files that no output may replace
    write_in : folders in and below which outputs may appear, links followed; None: everywhere

    Attributes
    ----------
    left : former files of earlier runs that could still not be removed
    notices : these, and whether there is no recovery after a crash
    """

    def __init__(
        self, targets: Mapping[str, Path], inputs: Iterable[Path], write_in: Sequence[Path] | None = None
    ) -> None:
        check_targets(targets, inputs)
        self._token = secrets.token_hex(8)
        self._targets = dict(targets)
        self._write_in = write_in
        self._entries = {
            role: OutputEntry.of(Path(os.path.realpath(target)), self._token, number)
            for number, (role, target) in enumerate(targets.items())
        }
        self._before: dict[str, Identity | None] = {}
        self._modes: dict[str, int] = {}
        self._journal: Journal | None = None
        self._written: set[str] = set()
        self.left: tuple[Notice, ...] = ()
        self.notices: tuple[Notice, ...] = ()

    def __enter__(self) -> Outputs:
        if not self._entries:
            return self
        try:
            self._begin()
            for role, entry in self._entries.items():
                # a folder that cannot be written to is better found before the work than after it
                with _refusing(self._targets[role]):
                    entry.target.parent.mkdir(parents=True, exist_ok=True)
                    self._before[role] = identity(entry.target)  # refuses a name that is too long
                    self._make_temporary(role, entry)
        except BaseException as error:
            self._undo(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo(error)

    def _begin(self) -> None:
        """Clean up after runs that crashed, and take the targets for this one."""
        first = next(iter(self._entries))
        try:
            folder = private_folder()
            with guarded(folder):
                found = clean_up(folder)
                self.notices = self.left = tuple(map(_left_notice, found.left))
                for role, entry in self._entries.items():
                    if key(entry.target) in found.busy:
                        raise _in_use(self._targets[role])
                self._check_inside()
                self._open_journal(folder)
        except OSError as error:
            if error.errno in _FULL:
                raise _unwritable(state_folder(), error) from None
            self.notices += (_no_recovery(error),)
            self._check_inside()
            with _refusing(self._targets[first]):
                self._open_journal(None)

    def _open_journal(self, folder: Path | None) -> None:
        entries = list(self._entries.values())
        with _refusing(self._targets[next(iter(self._entries))]) if folder is None else contextlib.nullcontext():
            self._journal = Journal(folder, self._token, entries, _lacking(entries))

    def _check_inside(self) -> None:
        if self._write_in is None:
            return
        # where the files will appear, not what the names lead to now: a link may have been changed since
        resolved = {role: entry.target for role, entry in self._entries.items()}
        outside = [str(self._targets[role]) for role in outside_of(self._write_in, resolved)]
        if outside:
            shown = [*outside[:_NAMED], *(["…"] if len(outside) > _NAMED else [])]
            raise OutputError(
                "output-outside",
                mark("The recipe writes outside its own folder and that of --out: {files}."),
                mark("Nothing was written. Add --overwrite to write these files, or name a folder with --out."),
                files="; ".join(shown),
            )

    def _make_temporary(self, role: str, entry: OutputEntry) -> None:
        """The empty file, for the user alone; the mode that a new file would have here is noted."""
        if self._before[role] is None:
            handle = os.open(entry.temporary, _NEW, 0o666)
            try:
                self._modes[role] = stat.S_IMODE(os.fstat(handle).st_mode)
            finally:
                os.close(handle)
            entry.temporary.unlink()  # nobody who opened it already may see what is written
        os.close(os.open(entry.temporary, _NEW, 0o600))

    def _undo(self, error: BaseException | None) -> None:
        """Put everything back; what could not be is said beside a refusal (the next start says it, too)."""
        journal, self._journal = self._journal, None
        left = journal.roll_back() if journal is not None else ()
        if left and isinstance(error, (PavoError, OSError)):
            raise OutputError(
                "outputs-left",
                mark("{refusal} Besides, these files could not be removed or put back: {files}."),
                mark(
                    "The next run tries again; else remove them by hand, and rename what ends with .old to what it was."
                ),
                refusal=f"{error.strerror}." if isinstance(error, OSError) else str(error),
                files="; ".join(f"{each.path} ({each.reason})" if each.reason else str(each.path) for each in left),
            ) from error

    def __contains__(self, role: object) -> bool:
        return role in self._entries

    @property
    def written(self) -> tuple[str, ...]:
        """The roles of what was written so far, in the order of the targets."""
        return tuple(role for role in self._entries if role in self._written)

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
        with written_file(self.path(role), self._targets[role]) as file:
            yield file
        self.note_written(role)

    def note_written(self, role: str) -> None:
        """The file of the output `role` at `path` is written completely, and synced: see `written_file`."""
        self._written.add(role)

    def write(self, role: str, content: str) -> None:
        """Write a text output, UTF-8 with line feeds."""
        with self.open(role) as file:
            file.write(content.encode("utf-8"))

    def commit(self) -> tuple[Notice, ...]:
        """Let all outputs appear; those that nobody wrote are left out. What could not be removed behind them.

        Raises
        ------
        OutputError
            One of them cannot take its place, or somebody else wrote one meanwhile; then none does.
        """
        if self._journal is None:
            return ()
        written = {role: entry for role, entry in self._entries.items() if role in self._written}
        with _undisturbed(), _held({entry.target.parent for entry in written.values()}):
            try:
                left = self._take_places(self._journal, written)
            except BaseException as error:
                self._undo(error)
                raise
        self._journal = None
        return tuple(map(_left_notice, left))

    def _take_places(self, journal: Journal, written: Mapping[str, OutputEntry]) -> tuple[Left, ...]:
        for role, entry in written.items():
            with _refusing(self._targets[role]):
                if identity(entry.target) != self._before[role]:
                    raise _changed_meanwhile(self._targets[role])
                _give_mode(entry, self._modes.get(role))
        with _refusing(state_folder()):
            journal.begin_moving(list(written.values()))
        for role, entry in written.items():
            with _refusing(self._targets[role]):
                if not move_in(entry, self._before[role]):
                    raise _changed_meanwhile(self._targets[role])
        for folder in {entry.target.parent for entry in written.values()}:
            with _refusing(folder):
                _sync_folder(folder)
        with _refusing(state_folder()):
            return journal.finish()

    def write_again(self, role: str, content: str) -> None:
        """Replace the text of an output that has appeared, as far as that can be done."""
        entry = self._entries[role]
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(entry.target.stat().st_mode)
            try:
                with os.fdopen(os.open(entry.temporary, _NEW, 0o600), "wb") as file:
                    file.write(content.encode("utf-8"))
                    file.flush()
                    os.fsync(file.fileno())
                entry.temporary.chmod(mode)
                entry.temporary.replace(entry.target)
            except BaseException:
                entry.temporary.unlink(missing_ok=True)
                raise


@contextlib.contextmanager
def written_file(path: Path, target: Path) -> Iterator[BinaryIO]:
    """The file at `path`, which is there, to be written anew for the output `target`; synced when the block ends.

    Raises
    ------
    OutputError
        About `target`: the folder cannot be written to, or the disk is full.
    """
    with _refusing(target), open(path, "wb", opener=_own) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


def _own(name: str, _flags: int) -> int:
    """Open a file that is there already; a link that somebody put in its place is not followed."""
    return os.open(name, os.O_WRONLY | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))


def _lacking(entries: Iterable[OutputEntry]) -> list[Path]:
    """Folders of outputs that are not there, the outer ones first."""
    found: dict[Path, None] = {}
    for entry in entries:
        missing = []
        folder = entry.target.parent
        while not os.path.lexists(folder):
            missing.append(folder)
            folder = folder.parent
        found |= dict.fromkeys(reversed(missing))
    return list(found)


def _give_mode(entry: OutputEntry, new: int | None) -> None:
    """Let the output be read by whom the file that it replaces could be read by, never by more."""
    if os.name != "posix":
        return
    mode = new
    if mode is None:
        former, own = entry.target.stat(), entry.temporary.stat()
        mode = stat.S_IMODE(former.st_mode) & 0o777
        if (former.st_uid, former.st_gid) != (own.st_uid, own.st_gid) and not (
            _given_to(entry.temporary, former.st_uid, former.st_gid) or _given_to(entry.temporary, -1, former.st_gid)
        ):
            mode &= ~0o070  # another group than that which could read it
    try:
        entry.temporary.chmod(mode)
    except OSError as error:
        if error.errno not in _MODELESS:  # a file system without modes: it stays as narrow as it was made
            raise


def _given_to(path: Path, user: int, group: int) -> bool:
    try:
        os.chown(path, user, group)
    except OSError:
        return False
    return True


def _left_notice(left: Left) -> Notice:
    if left.former:
        return Notice.of(
            "former-file-left",
            mark(
                "What stood at {target} before is still there as {path}: {reason}. Remove it; the next run tries, too."
            ),
            mark("What stood at {file} before is still there beside it as {left}. Remove it; the next run tries, too."),
            **_named(left),
        )
    return Notice.of(
        "part-left",
        mark("{path} was left by a run that ended early, and cannot be removed: {reason}. The next run tries again."),
        mark("{left} was left by a run that ended early, and cannot be removed. The next run tries again."),
        **_named(left),
    )


def _named(left: Left) -> dict[str, str]:
    reason = left.reason or mark("something else is in it")
    named = {"file": left.target.name, "left": left.path.name}
    return {"target": str(left.target), "path": str(left.path), "reason": reason, **named}


def _no_recovery(error: OSError) -> Notice:
    return Notice.of(
        "no-recovery",
        mark(
            "The program's own folder {folder} is not used: {reason}. Should this run be cut off, nothing cleans up "
            "after it, and another run to the same files is noticed only at the end."
        ),
        mark(
            "The program's own folder is not used: {reason}. Should this run be cut off, nothing cleans up after it, "
            "and another run to the same files is noticed only at the end."
        ),
        folder=str(state_folder()),
        reason=error.strerror or str(error),
    )


def _in_use(target: Path) -> OutputError:
    return OutputError(
        "output-in-use",
        mark("Another run of the program is about to write {target}."),
        mark("Nothing was written. Wait for its end, or name another file."),
        target=str(target),
    )


def _changed_meanwhile(target: Path) -> OutputError:
    return OutputError(
        "output-changed",
        mark("{target} was written or removed by somebody else while this run was going on."),
        mark("Nothing was written. Look at the file, and run again."),
        target=str(target),
    )


def outside_of(folders: Iterable[Path], targets: Mapping[str, Path]) -> list[str]:
    """The roles of those targets that would appear neither in one of the folders nor below it.

    Links count as what they lead to, whether that is there or not. Folders are the same by what the system says, where
    they are there: names may differ in case.
    """
    known = [Path(os.path.realpath(folder)) for folder in folders]
    places = {role: Path(os.path.realpath(target)).parent for role, target in targets.items()}
    inside = {place for place in set(places.values()) if _is_in(place, known)}
    return [role for role, place in places.items() if place not in inside]


def _is_in(place: Path, folders: Iterable[Path]) -> bool:
    return any(folder == part or _same_status(folder, part) for folder in folders for part in (place, *place.parents))


def _same_status(one: Path, two: Path) -> bool:
    try:
        return one.samefile(two)
    except OSError:
        return False


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
    return os.path.realpath(one) == os.path.realpath(two) or _same_status(one, two)


@contextlib.contextmanager
def _refusing(target: Path) -> Iterator[None]:
    """Turn what the system says about writing into an error about `target`."""
    try:
        yield
    except OSError as error:
        raise _unwritable(target, error) from None


def _unwritable(target: Path, error: OSError) -> OutputError:
    if error.errno in _FULL:
        return OutputError(
            "disk-full",
            mark("There is no room to write {target}: {reason}."),
            mark("Nothing was written. Free some space, or choose another folder."),
            target=str(target),
            reason=error.strerror,
        )
    return OutputError(
        "output-unwritable",
        mark("{target} cannot be written: {reason}."),
        mark("Nothing was written. Choose another folder, or close the program that uses the file."),
        target=str(target),
        reason=error.strerror or str(error),
    )


@contextlib.contextmanager
def _held(folders: Iterable[Path]) -> Iterator[None]:
    """Lock folders against runs of other users on this machine, as far as their file systems have such locks."""
    if os.name != "posix":
        yield
        return
    import fcntl

    end = time.monotonic() + _PATIENCE
    with contextlib.ExitStack() as stack:
        for folder in sorted(folders):  # in one order, so that no two wait for each other
            with contextlib.suppress(OSError):
                handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
                stack.callback(os.close, handle)
                while not _locked(fcntl.flock, handle, fcntl.LOCK_EX | fcntl.LOCK_NB) and time.monotonic() < end:
                    time.sleep(0.02)
        yield


def _locked(flock: Callable[[int, int], None], handle: int, how: int) -> bool:
    try:
        flock(handle, how)
    except BlockingIOError:
        return False
    return True


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
