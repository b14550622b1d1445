"""Measures how long the GUI thread does not answer, in a process of its own.

::

    python -m tests.gui.heartbeat idle            an event loop that does nothing, until standard input ends
    python -m tests.gui.heartbeat SESSION         the program: opens the session, looks at its risks, protects it

Each prints one JSON object: the longest gap between two beats, in milliseconds, by what was going on; the first one
also what a million additions take here, in milliseconds, as ``additions``.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer, Signal

if TYPE_CHECKING:
    from gui.main_window.window import MainWindow

BEAT_MS = 2
PATIENCE_S = 300


class Heart(QObject):
    """A timer in the GUI thread that notes how late it comes."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: dict[str, float] = {}
        self._phase = ""
        self._last = 0.0
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def begin(self, phase: str) -> None:
        """Put gaps down to `phase` from now on."""
        self._beat()
        self._phase = phase
        self.gaps.setdefault(phase, 0.0)
        if not self._timer.isActive():
            self._last = time.perf_counter()
            self._timer.start()

    def stop(self) -> None:
        self._beat()
        self._timer.stop()

    def _beat(self) -> None:
        now = time.perf_counter()
        if self._phase and self._timer.isActive():
            self.gaps[self._phase] = max(self.gaps[self._phase], 1000 * (now - self._last))
        self._last = now


def wait_until(met: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    loop = QEventLoop()
    watch = QTimer(interval=5)
    watch.timeout.connect(lambda: met() and loop.quit())
    watch.start()
    limit = QTimer(singleShot=True, interval=1000 * PATIENCE_S)
    limit.timeout.connect(lambda: loop.exit(1))
    limit.start()
    if loop.exec():
        raise SystemExit(f"not within {PATIENCE_S} seconds")


class _Quitter(QObject):
    asked = Signal()


def additions() -> float:
    """Milliseconds for a million additions in Python, the least of some trials: how fast this machine is."""
    taken = []
    for _ in range(5):
        start, total = time.perf_counter(), 0
        for number in range(1_000_000):
            total += number
        taken.append(1000 * (time.perf_counter() - start))
    return min(taken)


def idle() -> dict[str, float]:
    """Beat in an application without windows until standard input ends."""
    speed = additions()
    app = QCoreApplication([])
    quitter = _Quitter()
    quitter.asked.connect(app.quit, Qt.ConnectionType.QueuedConnection)
    heart = Heart()
    heart.begin("idle")

    def wait_for_the_end() -> None:
        sys.stdin.read()
        quitter.asked.emit()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    app.exec()
    heart.stop()
    return {**heart.gaps, "additions": speed}


def work(session: Path) -> dict[str, float]:
    """Use the program as a person does, and beat while it computes."""
    import main

    _, window = main.build_application(["pavo"])
    window.show()
    heart = Heart()
    heart.begin("preparing")
    wait_until(lambda: "core.session" in sys.modules and window.document.tasks.rests)
    heart.begin("reading and tabulating")
    window.commands.open_path(session)
    wait_until(lambda: not window.document.busy)
    assert window.document.derived is not None, window.document.session.error
    heart.begin("opening the chart")
    window.windows.visit("riskChart")
    wait_until(lambda: window.workspace.current == "riskChart")
    chart: Any = window.window_named("riskChart")
    chart.page.segments.choose("riskiestView")
    for _ in range(3):  # the first painting
        QCoreApplication.processEvents()
    heart.begin("forecasting")
    wait_until(lambda: not window.document.busy and window.document.tasks.rests)
    slide(heart, chart)
    heart.begin("protecting")
    released: list[Any] = []
    window.document.make_protected_file(done=released.append)
    wait_until(lambda: not window.document.busy)
    heart.stop()
    assert released, window.document.session.error
    assert released[0].summary["verified"] is True
    close(window)
    return heart.gaps


def slide(heart: Heart, chart: Any) -> None:
    """Move the slider as a hand does, sixty times a second."""
    heart.begin("sliding")
    slider = chart.page.view.slider
    slider.setSliderDown(True)
    positions = iter(range(2000, 8000, 100))
    moves = QTimer(interval=16)
    done = False

    def move() -> None:
        nonlocal done
        position = next(positions, None)
        if position is None:
            done = True
        else:
            slider.setSliderPosition(position)

    moves.timeout.connect(move)
    moves.start()
    wait_until(lambda: done)
    moves.stop()
    chart.draft.forget()
    slider.setSliderDown(False)
    chart.results_changed()
    wait_until(lambda: not chart.document.busy and chart.document.tasks.rests)


def close(window: MainWindow) -> None:
    from gui import dialogs

    dialogs.ask = lambda *_args, **_kwargs: 1
    window.close()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(idle() if sys.argv[1] == "idle" else work(Path(sys.argv[1]))) + "\n")
