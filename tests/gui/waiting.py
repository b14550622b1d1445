"""Waiting until nothing is computed."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.document.document import Document

WAIT_MS = 60_000


def wait_idle(qtbot: QtBot, document: Document) -> None:
    """Run the event loop until nothing is computed."""
    qtbot.waitUntil(lambda: not document.busy, timeout=WAIT_MS)
