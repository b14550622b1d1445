"""What the disk is asked beside the thread that draws: a folder on a network may answer late, or never."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

Answer = TypeVar("Answer")

PATIENCE = 0.03
"""Seconds for which the thread that draws waits for an answer: a disk of one's own gives it sooner."""


class _Asked(Generic[Answer]):
    """One question, answered in a thread that nothing waits for when the program ends."""

    def __init__(self, question: Callable[[], Answer], answered: Callable[[], None]) -> None:
        self.done = threading.Event()
        self._answer: Answer | None = None
        self._error: BaseException | None = None
        self._question, self._answered = question, answered
        threading.Thread(target=self._run, name="disk question", daemon=True).start()

    def _run(self) -> None:
        try:
            self._answer = self._question()
        except BaseException as error:
            self._error = error
        self.done.set()
        with suppress(RuntimeError):  # who asked may be gone
            self._answered()

    def taken(self) -> Answer:
        if self._error is not None:
            raise self._error
        return self._answer  # type: ignore[return-value]


class DiskQuestion(QObject, Generic[Answer]):
    """Questions of one kind, one at a time; of those that come while one is under way the newest is asked next.

    Signals
    -------
    answered(answer) : one that `ask` could not give at once
    """

    answered = Signal(object)
    _arrived = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._asked: _Asked[Answer] | None = None
        self._next: Callable[[], Answer] | None = None
        self._arrived.connect(self._take)

    def ask(self, question: Callable[[], Answer]) -> Answer | None:
        """The answer where it comes at once; None: `answered` tells it later, unless another question has come."""
        if self._asked is not None and not self._asked.done.is_set():
            self._next = question
            return None
        asked = self._begin(question)
        if not asked.done.wait(PATIENCE):
            return None
        self._asked = None
        return asked.taken()

    def _begin(self, question: Callable[[], Answer]) -> _Asked[Answer]:
        self._next = None
        self._asked = _Asked(question, self._arrived.emit)
        return self._asked

    def _take(self) -> None:
        asked = self._asked
        if asked is None or not asked.done.is_set():  # given at once
            return
        self._asked = None
        if self._next is not None:
            self._begin(self._next)
        else:
            self.answered.emit(asked.taken())
