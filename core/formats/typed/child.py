"""Work of libraries that hold Python's lock for seconds, or may crash on a damaged file: done in a child process.

The child is started once (by spawn) and kept for the next call. Items pass as bytes through a pipe, whose reading and
writing release the lock. Cancel, an error or a crash ends the child, and so does who leaves a call while more would
come; the next call starts another.
"""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, Literal

from ...base.child_process import has_come, start
from ...base.errors import DataError, OutputError, PavoError
from ...base.progress import SILENT, Progress
from ...base.texts import mark

_WAIT = 0.04
_CALL, _ITEM, _END, _DONE, _FAILED = range(5)
Purpose = Literal["read", "write"]


class Child:
    """A process that carries out functions named ``module:function``, one after another.

    The function is called with an iterator over what the caller feeds, and the arguments. What it yields (bytes)
    comes back item by item; what it returns ends the call.
    """

    def __init__(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = start(_serve, theirs)
        theirs.close()

    @property
    def alive(self) -> bool:
        """Whether another call can be made."""
        return self._process.is_alive()

    def run(self, function: str, args: tuple[Any, ...], feed: Iterable[bytes], progress: Progress) -> Iterator[Any]:
        """Items that the function yields, then what it returns; left before the last item, it ends the process."""
        finished = False
        try:
            self._pipe.send((_CALL, function, args))
            for item in feed:
                self._pipe.send_bytes(b"\1" + item)
                progress.check()
            self._pipe.send_bytes(b"\0")
            while True:
                self._wait(progress)
                kind, value = self._pipe.recv()
                if kind == _FAILED:
                    finished = True
                    raise value
                if kind == _ITEM:
                    yield self._pipe.recv_bytes()
                    continue
                finished = True
                yield value
                return
        except GeneratorExit:  # what was wanted has come: often all there is, as in the first records of a small file
            finished = finished or self._is_done()
            raise
        finally:
            if not finished:
                self.end()

    def _is_done(self) -> bool:
        """Whether nothing is left to come but the end of the call, which is taken from the pipe."""
        try:
            return has_come(self._pipe, _WAIT) and self._pipe.recv()[0] != _ITEM
        except (EOFError, ConnectionResetError):
            return False

    def _wait(self, progress: Progress) -> None:
        while not has_come(self._pipe, _WAIT):
            progress.check()
            if not self._process.is_alive() and not has_come(self._pipe):
                raise EOFError

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


_idle: dict[Purpose, list[Child]] = {"read": [], "write": []}


def stream(
    function: str, *args: Any, purpose: Purpose = "read", feed: Iterable[bytes] = (), progress: Progress = SILENT
) -> Iterator[Any]:
    """What ``module:function`` yields and then returns, computed in a child process.

    Raises
    ------
    PavoError
        What the function raised; or that it crashed, which is the file's fault as far as one can know.
    """
    children = _idle[purpose]
    child = children.pop() if children else Child()
    if not child.alive:
        child.end()
        child = Child()
    try:
        yield from child.run(function, args, feed, progress)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise _crashed(args[0] if args else "", purpose) from None
    finally:
        if child.alive:
            children.append(child)


def call(
    function: str, *args: Any, purpose: Purpose = "read", feed: Iterable[bytes] = (), progress: Progress = SILENT
) -> Any:
    """What ``module:function`` returns, computed in a child process."""
    result = None
    for result in stream(function, *args, purpose=purpose, feed=feed, progress=progress):  # noqa: B007
        pass
    return result


def _crashed(file: Any, purpose: Purpose) -> PavoError:
    if purpose == "write":
        return OutputError(
            "writer-ended",
            mark("The library that writes this format ended unexpectedly."),
            mark("There may be too little memory; write another format, for example csv or Parquet."),
        )
    return DataError(
        "reader-ended",
        mark("{file} cannot be read: the library that reads this format ended unexpectedly."),
        mark("The file is damaged, or there is too little memory; fetch it again, or save it in another format."),
        file=file,
    )


def _serve(pipe: Connection) -> None:
    """Carry out calls until the other side is gone."""
    while True:
        try:
            _, function, args = pipe.recv()
        except (EOFError, OSError):
            return
        fed = _fed(pipe)
        try:
            _answer(pipe, function, fed, args)
        except (BrokenPipeError, ConnectionResetError):
            return


def _answer(pipe: Connection, function: str, fed: Iterator[bytes], args: tuple[Any, ...]) -> None:
    module, name = function.split(":")
    try:
        work = getattr(importlib.import_module(module), name)(fed, *args)
        while True:
            try:
                item = next(work)
            except StopIteration as stop:
                answer = (_DONE, stop.value)
                break
            pipe.send((_ITEM, None))
            pipe.send_bytes(item)
    except PavoError as error:
        answer = (_FAILED, error)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except MemoryError:
        answer = (_FAILED, MemoryError())
    except Exception as error:  # a defect: told by its kind only, for its text may hold data
        answer = (_FAILED, RuntimeError(f"{type(error).__name__} in {function}"))
    for _ in fed:  # what was still to be fed must not stand in the pipe before the next call
        pass
    pipe.send(answer)


def _fed(pipe: Connection) -> Iterator[bytes]:
    while True:
        item = pipe.recv_bytes()
        if item[:1] == b"\0":
            return
        yield item[1:]
