"""Requests to stop a run without windows: Ctrl+C, terminate, a terminal that is closed."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from .progress import Cancelled, Progress
from .streams import write_error
from .texts import mark, translate

STOPPED = mark("Stopped; nothing was written.")


@contextlib.contextmanager
def stopping_at_once() -> Iterator[None]:
    """End the process by one sentence where it is asked to stop: an import cannot be relied on to pass that on."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        write_error(f"pavo: {translate(STOPPED)}\n")
        os._exit(1)

    with _heard_by(stop):
        yield


class StopSignal:
    """Progress that ends at its next check once there was a request to stop.

    An interruption at any moment could meet a finaliser or the compiler, where it is lost or leaves something half
    done. Only a second request takes that chance: something may never come to a check.
    """

    def __init__(self, shown: Progress) -> None:
        self.asked = False
        self.report = shown.report

    def check(self) -> None:
        """Raise `Cancelled` if there was a request to stop."""
        if self.asked:
            raise Cancelled

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Requests to stop are noted in the block."""
        with _heard_by(self._stop):
            yield

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextlib.contextmanager
def _heard_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    ours = threading.current_thread() is threading.main_thread()  # no other may set handlers
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if ours and hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]  # as nohup asks
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
