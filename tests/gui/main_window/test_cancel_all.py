"""Cancel of the main window stops what the user waits for; what a window shows of the session arrives all the same."""

from __future__ import annotations

import threading

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.base.progress import Progress
from gui.document.document import Document
from gui.main_window.work_indicator import WorkIndicator


def test_what_a_window_shows_arrives_after_cancel_and_cancel_is_offered_only_where_it_stops_something(
    qtbot: QtBot, document: Document
) -> None:
    indicator = WorkIndicator(document)
    qtbot.addWidget(indicator)
    indicator.show()
    cancel = indicator.findChild(QPushButton, "workCancel")
    go, told = threading.Event(), []

    def work(progress: Progress) -> str:
        while not go.wait(0.001):
            progress.check()
        progress.check()
        return "shown"

    document.compute("begun", work, done=told.append, cancelled=lambda: told.append("stopped"))
    document.compute("columns", work, done=told.append)
    qtbot.waitUntil(cancel.isVisible, timeout=3000)
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: told == ["stopped"])
    qtbot.waitUntil(lambda: not cancel.isVisible(), timeout=3000)
    assert document.busy
    go.set()
    qtbot.waitUntil(lambda: not document.busy)
    assert told == ["stopped", "shown"]
