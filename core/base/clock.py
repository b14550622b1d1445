"""Durations of the phases of a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Adds up the seconds spent in named phases."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._begun = time.perf_counter()

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Count the time inside the ``with`` block for `phase`."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - begun

    @property
    def total(self) -> float:
        """Seconds since the clock was made."""
        return time.perf_counter() - self._begun
