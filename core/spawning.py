"""Child processes that need nothing of the program that starts them."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

_one_at_a_time = threading.Lock()


def start(target: Callable[..., object], *args: Any) -> BaseProcess:
    """A started process that carries out `target`, a function of a module, and ends with this one.

    A spawned process first imports the program's main script again: a script or notebook that uses core without
    ``if __name__ == "__main__"`` would be carried out twice. It is not needed here, so it is not shown to it.
    """
    process = multiprocessing.get_context("spawn").Process(target=target, args=args, daemon=True)
    with _one_at_a_time, _deaf_to_the_keyboard():
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = main
    return process


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
