"""The Qt binding itself, where it was met broken."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QLabel


class Sender(QObject):
    sent = Signal(int)


def test_calls_of_qt_give_back_the_references_they_use(qapp: QApplication) -> None:
    """PySide6 6.12.0 drops None at every call without a result, and True at every signal: Python 3.11 then aborts."""
    label, sender = QLabel(), Sender()
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(100):
        label.setText("")
        sender.sent.emit(number)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert after[0] > before[0] - 50
    assert after[1] > before[1] - 50
