"""How long work tells how far it is, and how it is asked to stop."""

from __future__ import annotations

from typing import Protocol


class Cancelled(Exception):
    """The user asked to stop; everything stays as it was before the work began."""


class Progress(Protocol):
    """Passed to every function of core that can take longer than 0.3 s."""

    def report(self, done: float, total: float, text: str) -> None:
        """Say that `done` of `total` (same unit) of the step `text` is done. Cheap; may be called often."""

    def check(self) -> None:
        """Raise `Cancelled` if the user asked to stop. Called at least every 50 ms of work."""


class Enough:
    """Said by one who waits: what was found so far will do. Asked by the work, in whatever thread."""

    def __init__(self) -> None:
        self.said = False

    def __call__(self) -> bool:
        """Whether it was said."""
        return self.said


class Silent:
    """Progress that nobody watches and nobody cancels."""

    def report(self, done: float, total: float, text: str) -> None:
        """Do nothing."""

    def check(self) -> None:
        """Never cancelled."""


SILENT = Silent()
