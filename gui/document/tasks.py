"""The only threading code of the windows: one compute thread that carries out their work.

Two parallel numba kernels from two threads abort the process, and a session of core belongs to one thread, so there
is exactly one. Work is queued; a new run in the same *slot* cancels the older one, whose late result is dropped.
Results arrive in the GUI thread.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from typing import Any, TypeGuard

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from core.base.errors import PavoError
from core.base.progress import Cancelled
from core.base.texts import mark

STOPPED = "stopped"
"""The id of what is said of work that the user stopped."""
BETWEEN_MS = 1
"""Between two outcomes, which windows show: after 0, Qt does all of them before it looks at what the user does."""
POLL_MS = 80
"""How often progress is looked at: often enough to seem live, too seldom to cost anything."""


class TaskProgress:
    """Progress as core wants it: written by the compute thread, read by the GUI thread."""

    def __init__(self) -> None:
        self.fraction = -1.0
        self.text = ""
        self._cancelled = threading.Event()

    def report(self, done: float, total: float, text: str) -> None:
        """Note how far the work is; `fraction` is -1 where the total is not known."""
        self.fraction = min(max(done / total, 0.0), 1.0) if total > 0 else -1.0
        self.text = text

    def check(self) -> None:
        """Raise `Cancelled` once `cancel` was called."""
        if self._cancelled.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._cancelled.is_set()


class Task:
    """One run of ``f(*args, progress=...)`` and what is to be done with its outcome."""

    def __init__(self, slot: str, f: Callable[..., Any], args: tuple[Any, ...], background: bool) -> None:
        self.slot = slot
        self.background = background
        self.lasting = self.gives_way = False
        self.progress = TaskProgress()
        self.result: Any = None
        self.error: BaseException | None = None
        self.superseded = False
        self.noted: Callable[[Any], None] | None = None
        self.done: Callable[[Any], None] | None = None
        self.failed: Callable[[PavoError], None] | None = None
        self.cancelled: Callable[[], None] | None = None
        self._f: Callable[..., Any] | None = f
        self._args = args
        self._context = copy_context()  # texts that are made there are in the words of who asks
        self._claimed = threading.Lock()

    @property
    def stoppable(self) -> bool:
        """Whether stopping all work stops this too: somebody waits for it and will be told."""
        return not self.background and self.cancelled is not None

    @property
    def is_over(self) -> bool:
        """Whether it ended and its outcome was handed over."""
        return self._f is None

    def claim(self) -> bool:
        """Whether the caller is the first who says so: the one thread that may end this run."""
        return self._claimed.acquire(blocking=False)

    def supersede(self) -> None:
        """Ask the work to stop, and drop its outcome."""
        self.superseded = True
        self.progress.cancel()

    def carry_out(self) -> None:
        """Run in the compute thread; never raises."""
        try:
            self.progress.check()
            assert self._f is not None
            self.result = self._context.run(self._f, *self._args, progress=self.progress)
        except Cancelled as error:
            self.error = error if self.progress.cancelled else _stopped_by_another(error)
        except BaseException as error:  # everything is handed to the GUI thread, which decides
            self.error = error

    def forget(self) -> None:
        """Let go of all that was given, in the GUI thread: the last to hold a window must not be the other thread."""
        self._f, self._args = None, ()
        self.result = self.noted = self.done = self.failed = self.cancelled = None


class Tasks(QObject):
    """The compute thread as the windows see it."""

    started = Signal()
    """The first task that somebody waits for was queued."""
    refused = Signal(object)
    """An expected error ended a task; whoever asked for it was told."""
    progressed = Signal(float, str)
    """Fraction (0..1, or -1 where not known) and what is being done; about twelve times a second."""
    idle = Signal()
    """Nothing that somebody waits for is queued or running."""
    rested = Signal()
    """Nothing at all is queued or running."""
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._pending: list[Task] = []
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self._arrived: deque[Task] = deque()
        self._rest = QTimer(self, singleShot=True, interval=BETWEEN_MS)
        self._rest.timeout.connect(self._hand_over_next)
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether work that somebody waits for is queued or running."""
        return any(not task.background for task in self._pending)

    @property
    def stoppable(self) -> bool:
        """Whether `cancel` of everything would stop something that is not asked to stop already."""
        return any(task.stoppable and not task.progress.cancelled for task in self._pending)

    @property
    def rests(self) -> bool:
        """Whether nothing at all is queued or running, work that nobody waits for included."""
        return not self._pending

    def run(
        self,
        slot: str,
        f: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[PavoError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
        noted: Callable[[Any], None] | None = None,
        background: bool = False,
        lasting: bool = False,
        gives_way: bool = False,
    ) -> Task:
        """Queue ``f(*args, progress=...)``; an older run in the same `slot` is cancelled and dropped.

        Parameters
        ----------
        slot : str
            What the result is for; one run a slot is wanted at a time.
        done, failed, cancelled : callables
            Called in the GUI thread with the result, the expected error, or nothing. None of them is called for a
            run that was superseded. An unexpected error goes to `sys.excepthook`.
        noted : callable
            Called with the result before `done`, and also where nobody waits any more: the work left something behind.
        background : bool
            Work nobody waits for; it does not make the program busy.
        lasting : bool
            Work of the program: `give_up` leaves it alone.
        gives_way : bool
            Work for times of rest: it is dropped as soon as anything else is asked for. `rested` says when it can be
            asked for again.
        """
        task = Task(slot, f, args, background)
        if self._stopped:
            task.superseded = True
            return task
        task.lasting, task.gives_way = lasting, gives_way
        self._supersede(slot)
        for other in self._pending:
            if other.gives_way:
                other.supersede()
        was_busy = self.busy
        task.done, task.failed, task.cancelled, task.noted = done, failed, cancelled, noted
        if not self._pending:
            self._poll.start()
        self._pending.append(task)
        self._start_thread()
        self._queue.put(task)
        if self.busy and not was_busy:
            self.started.emit()
        return task

    def cancel(self, slot: str | None = None) -> None:
        """Ask the run of `slot` to stop; `cancelled` is called then.

        None: every run that somebody waits for and hears the end of. What a window asks for to show itself runs on:
        a window that is not told would wait for ever.
        """
        for task in self._pending:
            if task.slot == slot or (slot is None and task.stoppable):
                task.progress.cancel()
                if task.claim():  # it waits behind other work, for which nobody who said stop should wait
                    task.error = Cancelled()
                    self._ended.emit(task)

    def drop(self, slot: str) -> None:
        """Cancel the run of `slot` as if a newer one had come: nobody is told."""
        self._supersede(slot)

    def give_up(self) -> None:
        """Drop every run but those of the program itself: another session begins, and nobody waits for this one."""
        for task in self._pending:
            if not task.lasting:
                task.supersede()

    def stop(self, timeout: float = 5.0) -> None:
        """Cancel everything and end the thread; for closing the program. What is asked for later is not done."""
        self._stopped = True
        for task in self._pending:
            task.supersede()
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(timeout)
            self._thread = None
        self._pending.clear()
        self._rest.stop()
        self._poll.stop()

    def _supersede(self, slot: str) -> None:
        for task in self._pending:
            if task.slot == slot:
                task.supersede()

    def _start_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="compute", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (task := self._queue.get()) is not None:
            if not task.claim():
                continue
            task.carry_out()
            try:
                self._ended.emit(task)
            except RuntimeError:  # the application went away while work was running
                return

    @Slot(object)
    def _on_ended(self, task: Task) -> None:
        """Hand its outcome over, one a turn of the event loop: together several would hold the windows up."""
        self._arrived.append(task)
        if not self._rest.isActive():
            self._hand_over_next()

    @Slot()
    def _hand_over_next(self) -> None:
        if self._arrived:
            self._rest.start()
            self._hand_over(self._arrived.popleft())

    def _hand_over(self, task: Task) -> None:
        was_busy = self.busy
        if task not in self._pending:
            task.forget()
            return
        self._pending.remove(task)
        if not self._pending:
            self._poll.stop()
        try:
            if task.noted is not None and task.error is None:
                task.noted(task.result)
            if not task.superseded:
                self._deliver(task)
        finally:
            task.forget()
            if was_busy and not self.busy:
                self.idle.emit()
            if not self._pending:
                self.rested.emit()

    def _deliver(self, task: Task) -> None:
        error = task.error
        if error is None:
            if _wanted(task.done):
                task.done(task.result)
        elif isinstance(error, Cancelled):
            if _wanted(task.cancelled):
                task.cancelled()
        else:
            if _wanted(task.failed):
                task.failed(error if isinstance(error, PavoError) else _unexpected())
            if isinstance(error, PavoError):
                self.refused.emit(error)
            else:
                sys.excepthook(type(error), error, error.__traceback__)

    @Slot()
    def _look(self) -> None:
        waited_for = next((task for task in self._pending if not task.superseded), None)
        if waited_for is not None and self.busy:
            self.progressed.emit(waited_for.progress.fraction, waited_for.progress.text)


def _wanted(callback: Callable[..., None] | None) -> TypeGuard[Callable[..., None]]:
    """Whether somebody still waits: a window that was closed meanwhile does not, its widgets are gone."""
    return callback is not None and all(isValid(owner) for owner in _owners(callback))


def _owners(callback: Callable[..., Any]) -> Iterator[QObject]:
    """Objects of Qt that a function works on: its own, those it encloses, and those of functions it encloses."""
    waiting: list[Any] = [callback]
    seen: set[int] = set()
    while waiting:
        held = waiting.pop()
        if id(held) in seen:
            continue
        seen.add(id(held))
        if isinstance(held, QObject):
            yield held
        elif isinstance(held, partial):
            waiting += [held.func, *held.args, *held.keywords.values()]
        elif callable(held):
            waiting += [getattr(held, "__self__", None), *_enclosed(held)]


def _enclosed(function: Callable[..., Any]) -> Iterator[Any]:
    for cell in getattr(function, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # the name is not bound yet
            continue


def _unexpected() -> PavoError:
    return PavoError(
        "unexpected",
        mark("Something unexpected went wrong while calculating."),
        mark("The session is kept. Undo the last change, or report the problem with the details of the message."),
    )


def _stopped_by_another(error: Cancelled) -> RuntimeError:
    """Work that nobody stopped ended as if somebody had: it asked the progress of a run that is over."""
    found = RuntimeError("work was stopped by the progress of another run")
    found.__cause__ = error
    return found


def stopped() -> PavoError:
    """What is said of work that the user stopped."""
    return PavoError(
        STOPPED, mark("The calculation was stopped."), mark("Choose Calculate Again when you want its results.")
    )


def told_of_stop(failed: Callable[[PavoError], None] | None) -> Callable[[], None] | None:
    """What is called where long work for a window is stopped: the window says so as it says what failed."""
    return None if failed is None else lambda: failed(stopped())
