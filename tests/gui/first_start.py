"""Records how long input waits at a first start, where nothing is compiled: ``python -m tests.gui.first_start [FILE]``.

A thread gives the main window an input every ten milliseconds, by the clock, and the window notes how late it comes,
whatever held it up. Meanwhile the program is used: menus, a session (FILE, else the demonstration), its windows.
Prints, for each phase, how long it took and the longest wait of an input in milliseconds, and the same for a process
beside it that does nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

EVERY_S = 0.01
REPO = Path(__file__).resolve().parent.parent.parent


def record(session: Path) -> dict[str, tuple[float, float]]:
    """Seconds and longest wait in milliseconds of each phase."""
    from PySide6.QtCore import QCoreApplication, QEvent, QObject
    from PySide6.QtWidgets import QMenu

    import main
    from gui import dialogs
    from tests.gui.heartbeat import wait_until

    kind = QEvent.Type(QEvent.registerEventType())

    class Input(QEvent):
        def __init__(self, due: float) -> None:
            super().__init__(kind)
            self.due = due

    class Taker(QObject):
        def event(self, event: QEvent) -> bool:
            if isinstance(event, Input):
                waits[phase[-1]] = max(waits[phase[-1]], 1000 * (time.perf_counter() - event.due))
            return True

    def give() -> None:
        due = time.perf_counter()
        while not over.wait(max(0.0, due - time.perf_counter())):
            QCoreApplication.postEvent(taker, Input(due))
            due += EVERY_S

    def begin(name: str) -> None:
        begun.append(time.perf_counter())
        phase.append(name)
        waits[name] = 0.0

    phase: list[str] = []
    begun: list[float] = []
    waits: dict[str, float] = {}
    over = threading.Event()
    dialogs.ask = lambda *_args, **_kwargs: 1
    _, window = main.build_application(["pavo"])
    taker = Taker()
    window.show()
    QCoreApplication.processEvents()
    begin("menus")
    threading.Thread(target=give, daemon=True).start()
    for menu in window.menuBar().findChildren(QMenu)[:4]:
        menu.popup(window.pos())
        until = time.perf_counter() + 0.5
        wait_until(lambda until=until: time.perf_counter() > until)
        menu.close()
    begin("opening a session")
    window.commands.open_path(session)
    until = time.perf_counter() + 1
    wait_until(lambda: time.perf_counter() > until)
    said = window.work._text.text()
    begin("waiting for its figures")
    wait_until(lambda: not window.document.busy)
    assert window.document.derived is not None, window.document.session.error
    begin("loading charts")
    wait_until(lambda: window.document.tasks.rests)
    begin("opening a chart")
    window.windows.open_window("riskChart")
    wait_until(lambda: not window.document.busy and window.document.tasks.rests)
    begun.append(time.perf_counter())
    over.set()
    window.close()
    sys.stderr.write(f"said while opening: {said}\n")
    return {name: (begun[i + 1] - begun[i], waits[name]) for i, name in enumerate(phase)}


def main_script(arguments: list[str]) -> None:
    """Record in a process with empty folders, beside an idle one."""
    session = Path(arguments[0]) if arguments else REPO / "resources" / "demo" / "survey.pavo"
    command = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory() as home:
        empty = {name: str(Path(home) / name) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "PAVO_STATE")}
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, **empty}
        environment["NUMBA_CACHE_DIR"] = str(Path(home) / "compiled")
        with subprocess.Popen(
            [*command, "tests.gui.heartbeat", "idle"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as control:
            done = subprocess.run(
                [*command, "tests.gui.first_start", "--record", str(session)],
                env=environment, stdout=subprocess.PIPE, check=True,
            )  # fmt: skip
            idle, _ = control.communicate(timeout=30)
    for name, (seconds, wait) in json.loads(done.stdout.splitlines()[-1]).items():
        print(f"{name:26} {seconds:6.1f} s   longest wait {wait:6.0f} ms")
    print(f"{'idle process beside it':26} {'':6}     longest gap  {json.loads(idle)['idle']:6.0f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        print(json.dumps(record(Path(sys.argv[2]))))
    else:
        main_script(sys.argv[1:])
