"""A process with windows full of unfinished input and a slider under the hand, until test_kill.py kills it."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from gui.document.autosave import Autosave
from gui.main_window.window import MainWindow
from main import build_application
from tests.gui.document.killed_session import told
from tests.gui.risk_chart.hand import LEFT, handle_of

DRAFTS = ("specifyMetadata", "selectCombinations", "globalRecode", "numericalVariables")
KEPT_AFTER_MS = 20
"""In place of a second: a test waits less."""


def wait_for(there: Callable[[], bool]) -> None:
    """Run the event loop until something is there."""
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        QTest.qWait(5)


def open_all(main: MainWindow) -> dict[str, Any]:
    """The windows that have drafts, all open, once they show the session."""
    windows: dict[str, Any] = {name: main.windows.open_window(name) for name in DRAFTS if name != "globalRecode"}
    windows["globalRecode"] = main.windows.open_window("globalRecode", variable="AGE")

    def ready() -> bool:
        there = [windows["specifyMetadata"].draft.result is not None, windows["globalRecode"].subject() == "AGE"]
        there += [windows["globalRecode"]._prepared is not None, not windows["globalRecode"].preview.is_waiting]
        there += [windows["selectCombinations"].variables.model.rowCount() > 0]
        return all(there) and not main.document.busy

    wait_for(ready)
    return windows


def shown(windows: dict[str, Any]) -> dict[str, Any]:
    """What a user sees of the drafts."""
    variables = windows["specifyMetadata"].draft.variables
    return {
        "label": next(variable.label for variable in variables if variable.name == "SEX"),
        "combination": list(windows["selectCombinations"].builder.names),
        "scheme": windows["globalRecode"].text.edit.toPlainText(),
        "top": windows["numericalVariables"].rules.top.at.text(),
    }


def retype(box: QLineEdit, text: str) -> None:
    """Type in place of what stands in a box."""
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def edit(name: str, window: Any, chance: random.Random) -> None:
    """Do a little more of what is not done in a window."""
    if name == "specifyMetadata":
        window.go_to("SEX", "")
        retype(window.findChild(QLineEdit, "variableLabel"), f"Sex {chance.randint(1, 999)}")
    elif name == "selectCombinations":
        window.variables.select(chance.choice(("OCCUP", "ILLNESS", "SEX")))
        QTest.mouseClick(window.findChild(QPushButton, "addVariable"), LEFT)
    elif name == "globalRecode":
        window.text.edit.selectAll()
        QTest.keyClicks(window.text.edit, f"1: 0-{chance.randint(10, 80)}")
    else:
        retype(window.findChild(QLineEdit, "topValue"), str(chance.randint(2000, 9000)))


def drag(slider: Any, chance: random.Random) -> None:
    """Take the threshold somewhere, and hold it for a while."""
    QTest.mousePress(slider, LEFT, pos=handle_of(slider))
    for _ in range(4):
        place = QPoint(chance.randint(0, slider.width() - 1), slider.height() // 2)
        QTest.mouseMove(slider, place)
        print("held", flush=True)
        QTest.qWait(chance.randint(10, 40))
    QTest.mouseRelease(slider, LEFT, pos=place)


def tell_what_is_written(main: MainWindow, windows: dict[str, Any], folder: Path) -> None:
    """Tell each state before the program writes it by itself, and again when it is on disk."""
    keeper, write = main._autosave, Autosave.write

    def written() -> None:
        document = main.document
        state = json.dumps(
            {**json.loads(told(document, folder)), "drafts": document.session.drafts, "shown": shown(windows)}
        )
        print("writing", state, flush=True)
        write(keeper)
        print("written", state, flush=True)

    for timer in (keeper._timer, keeper._watch):
        timer.timeout.disconnect()
        timer.setInterval(KEPT_AFTER_MS)
    keeper._timer.timeout.connect(written)
    keeper._watch.timeout.connect(lambda: written() if main.document.session.drafts != keeper._known_drafts else None)


def main() -> None:
    session, seed = Path(sys.argv[1]), int(sys.argv[2])
    _, window = build_application(["pavo", str(session)])
    window.show()
    wait_for(lambda: window.document.derived is not None)
    windows, chart = open_all(window), window.windows.open_window("riskChart")
    tell_what_is_written(window, windows, session.parent)
    chance = random.Random(seed)
    while True:
        for name in chance.sample(DRAFTS, len(DRAFTS)):
            edit(name, windows[name], chance)
            QTest.qWait(chance.randint(1, 60))
        drag(chart.page.view.slider, chance)


if __name__ == "__main__":
    main()
