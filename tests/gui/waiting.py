"""Waiting until nothing is computed."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.document.document import Document

WAIT_MS = 60_000
LOOK_MS = 10
"""How often is looked, for work that ends without a signal because nobody wants it any more."""


def wait_idle(qtbot: QtBot, document: Document) -> None:
    """Run the event loop until nothing is computed, nor what the end of it has asked for."""
    end = time.monotonic() + WAIT_MS / 1000
    while document.busy:
        assert time.monotonic() < end, f"still busy after {WAIT_MS} ms"
        qtbot.waitSignal(document.idle, timeout=LOOK_MS, raising=False).wait()
        QApplication.processEvents()
