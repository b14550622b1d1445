"""Child processes that need nothing of the program that starts them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

from .progress import SILENT, Progress

_POLL = 0.05
_one_at_a_time = threading.Lock()


def start(target: Callable[..., object], *args: Any) -> BaseProcess:
    """A started process that carries out `target`, a function of a module, and ends with this one, even if it crashes.

    A spawned process first imports the program's main script again: a script or notebook that uses core without
    ``if __name__ == "__main__"`` would be carried out twice. It is not needed here, so it is not shown to it.
    """
    process = multiprocessing.get_context("spawn").Process(target=_carry_out, args=(target, *args), daemon=True)
    with _one_at_a_time, _deaf_to_the_keyboard():
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = main
    return process


def answer(
    target: Callable[..., Any], *args: Any, stop: Callable[[], bool] = lambda: False, progress: Progress = SILENT
) -> Any:
    """What `target`, a function of a module, gives in a process of its own; None where it was stopped or ended early.

    Raises
    ------
    Cancelled
        As `progress` asks.
    """
    receiver, sender = multiprocessing.get_context("spawn").Pipe(duplex=False)
    child = start(_send, sender, target, *args)
    sender.close()
    try:
        while not has_come(receiver, _POLL):
            progress.check()
            if stop() or (not child.is_alive() and not has_come(receiver)):
                return None
        return receiver.recv()
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()
        receiver.close()


def has_come(pipe: Connection, seconds: float = 0.0) -> bool:
    """Whether something can be received within `seconds`, or its other end is gone, which `recv` reports as EOFError.

    Where that end is gone, Windows raises an error already here; other systems let `poll` give True.
    """
    try:
        return pipe.poll(seconds)
    except BrokenPipeError:
        return True


def _send(sender: Connection, target: Callable[..., Any], *args: Any) -> None:
    sender.send(target(*args))
    sender.close()


def _carry_out(target: Callable[..., object], *args: Any) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_with(parent.sentinel)
    target(*args)


def _end_with(sentinel: int) -> None:
    """Let this process end when `sentinel`, the other end of which its parent alone holds, is closed."""
    if sys.platform == "linux":
        import fcntl

        # The system itself ends the process: a library that keeps Python's lock lets no thread see that it should.
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_watch, args=(sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextlib.contextmanager
def _deaf_to_the_keyboard() -> Iterator[None]:
    """A process started here ignores Ctrl+C, which a terminal sends to all: the one that started it ends it."""
    ours = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if ours else None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
