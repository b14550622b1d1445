"""Runs whose n-th file operation fails: all outputs or none, former files as they were, nothing left unsaid.

``python -m tests.fuzz.faults [STEP] [ERROR...]`` carries a small recipe out once for every STEP-th (1) file operation
and every error (ENOSPC EIO EACCES EPERM EROFS EDQUOT ENOENT EMFILE), failing that operation alone and, in another run,
all operations from it on that write; and prints how many runs were tried, and how many were wrong.

Each run is a child of a process that has loaded everything, so that it costs tenths of a second. Operations are those
of Python: open, read and write, sync, rename, remove, make and list folders, change modes, ask about files, lock.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.batch import main
from tests.core.small_survey import Survey

ERRORS = ("ENOSPC", "EIO", "EACCES", "EPERM", "EROFS", "EDQUOT", "ENOENT", "EMFILE")
WRITING = ("replace", "unlink", "mkdir", "rmdir", "fsync", "chmod", "fchmod", "link", "rename", "truncate")
ASKING = ("stat", "lstat", "fstat", "listdir", "scandir", "open", "access")
OLD = {"safe.asc": b"former", "safe.rds": b"former metadata", "report.html": b"former report"}
"""What stands in the folder of outputs before; records.csv does not."""
SUMMARY = 'summary = "out/deep/summary.json"\n'


@dataclass
class Fault:
    """Fails operation number `at` (1-based; 0: none), or, where it is `lasting`, every writing one from there on."""

    at: int
    number: int
    lasting: bool = False
    done: int = 0

    def strike(self, writes: bool) -> None:
        """Count an operation; raises OSError where it is the one."""
        self.done += 1
        if self.at and (self.done == self.at or (self.lasting and writes and self.done > self.at)):
            raise OSError(self.number, os.strerror(self.number))

    def before(self, call: Callable[..., Any], writes: bool) -> Callable[..., Any]:
        """`call`, counted."""

        def counted(*arguments: Any, **named: Any) -> Any:
            self.strike(writes)
            return call(*arguments, **named)

        return counted

    def opening(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """`open`, counted, with files whose writing and reading are counted."""

        def counted(name: Any, mode: str = "r", buffering: int = -1, *rest: Any, **named: Any) -> Any:
            writes = any(sign in mode for sign in "wxa+")
            if isinstance(name, int) or "b" not in mode or set(named) - {"opener", "closefd"} or rest:
                self.strike(writes)
                return call(name, mode, buffering, *rest, **named)
            self.strike(writes)
            raw = _Raw(self, name, mode.replace("b", ""), **named)
            if buffering == 0:
                return raw
            if "+" in mode:
                return io.BufferedRandom(raw)
            return io.BufferedWriter(raw) if writes else io.BufferedReader(raw)

        return counted

    @contextlib.contextmanager
    def everywhere(self) -> Iterator[None]:
        """Every file operation of the block is counted."""
        import fcntl  # which not every system has

        for name in WRITING + ASKING:
            setattr(os, name, self.before(getattr(os, name), name in WRITING))
        fcntl.flock = self.before(fcntl.flock, False)  # type: ignore[assignment]
        io.open = builtins.open = self.opening(io.open)  # type: ignore[assignment]
        yield  # the process ends with the run, so nothing is put back


class _Raw(io.FileIO):
    def __init__(self, fault: Fault, name: Any, mode: str, **named: Any) -> None:
        self._fault = fault
        super().__init__(name, mode, **named)

    def write(self, data: Any, /) -> int:
        self._fault.strike(True)
        return super().write(data)

    def readinto(self, buffer: Any, /) -> int | None:  # type: ignore[override]
        self._fault.strike(False)
        return super().readinto(buffer)

    def truncate(self, size: int | None = None, /) -> int:
        self._fault.strike(True)
        return super().truncate(size)


@dataclass(frozen=True)
class Ran:
    """What came of a run: exit status, what it said, files of its folder and of the program's own."""

    status: int
    said: str
    files: dict[str, bytes]
    state: tuple[str, ...]
    operations: int


def run(folder: Path, fault: Fault) -> Ran:
    """A run in a child process in a folder of its own."""
    survey, state = Survey(folder), folder.parent / (folder.name + ".state")
    survey.recipe += SUMMARY
    survey.out.mkdir(parents=True)
    survey.write()
    for name, content in OLD.items():
        (survey.out / name).write_bytes(content)
    told, heard = os.pipe()
    child = os.fork()
    if child == 0:
        _carry_out(survey, state, fault, heard)
    os.close(heard)
    with os.fdopen(told, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    *words, count = said.split("\0")
    files = {name: content for name, content in survey.files().items() if name.startswith("out")}
    own = tuple(path.name for path in state.iterdir()) if state.is_dir() else ()
    return Ran(os.waitstatus_to_exitcode(status), "".join(words), files, own, int(count or 0))


def _carry_out(survey: Survey, state: Path, fault: Fault, heard: int) -> None:
    """In the child: the run, then what it said and how many operations it had, into a pipe."""
    status, words = 70, io.StringIO()
    write = os.write
    try:
        os.environ["PAVO_STATE"] = str(state)
        sys.stdout, sys.stderr = io.StringIO(), words
        try:
            with fault.everywhere():
                status = main([str(survey.folder / "survey.pavo")])
        except BaseException:
            words.write("".join(traceback.format_exc()))
        write(heard, f"{words.getvalue()}\0{fault.done}".encode())
    finally:
        os._exit(status)


def new_files(folder: Path) -> tuple[dict[str, bytes], int]:
    """What a run writes where nothing fails, and its number of operations."""
    ran = run(folder, Fault(0, 0))
    assert (ran.status, ran.said) == (0, ""), ran.said
    return ran.files, ran.operations


def wrong(ran: Ran, new: dict[str, bytes]) -> str:
    """What is wrong with what came of a run; empty where all is well."""
    left = [name for name in ran.files if "/.pavo-" in name]
    files = {name: content for name, content in ran.files.items() if name not in left}
    old = {f"out/{name}": content for name, content in OLD.items()}
    unsaid = [name for name in left if name.rpartition("/")[2] not in ran.said]
    if "Traceback" in ran.said or "Unexpected error" in ran.said or ran.status not in (0, 1):
        return f"no clear sentence: {ran.said}"
    if unsaid:
        return f"left unsaid: {unsaid} ({ran.said})"
    if ran.status == 0:
        if files.keys() != new.keys() or any(files[name] == old[name] for name in old):
            return f"said to be done, and there are {sorted(files)}"
        return "" if _plain(files) == _plain(new) else "other files than without a fault"
    if not re.fullmatch(r"pavo: [^\n]+\n", ran.said):
        return f"not one sentence: {ran.said!r}"
    if files == old:
        return ""
    if left and all(name in ran.said for name in (each.rpartition("/")[2] for each in left)):
        gone = {name for name in old if files.get(name) != old[name]}
        kept = {content for name, content in ran.files.items() if name in left}
        if all(old[name] in kept for name in gone):
            return ""  # every former file is there, under a name that the sentence has
    return f"refused, and there are {sorted(ran.files)} ({ran.said})"


def _plain(files: dict[str, bytes]) -> dict[str, bytes]:
    """Files whose content does not depend on the time."""
    return {name: content for name, content in files.items() if name.endswith((".asc", ".rds", ".csv"))}


def try_all(folder: Path, positions: Sequence[int], errors: Sequence[str], lasting: Sequence[bool]) -> Counter[str]:
    """Try every fault; by what is wrong (empty: nothing), how often."""
    new, _ = new_files(folder / "whole")
    found: Counter[str] = Counter()
    for at in positions:
        for name in errors:
            for always in lasting:
                with tempfile.TemporaryDirectory(dir=folder) as place:
                    ran = run(Path(place) / "run", Fault(at, getattr(errno, name), always))
                problem = wrong(ran, new).replace(place, "FOLDER")
                if problem:
                    print(f"operation {at}, {name}{', lasting' if always else ''}: {problem}", flush=True)
                found["wrong" if problem else "refused" if ran.status else "done"] += 1
    return found


def everything(arguments: Sequence[str]) -> int:
    """The command."""
    step = int(arguments[0]) if arguments else 1
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        warm = Survey(folder / "warm")
        warm.folder.mkdir()
        warm.write()
        os.environ["PAVO_STATE"] = str(folder / "warm.state")
        assert warm.run("--quiet") == 0
        _, count = new_files(folder / "counted")
        positions = range(1, count + 1, step)
        found = try_all(folder, positions, tuple(arguments[1:]) or ERRORS, (False, True))
    print(f"{count} operations, {sum(found.values())} runs tried: {dict(found)}")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(everything(sys.argv[1:]))
