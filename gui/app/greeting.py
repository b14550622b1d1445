"""What a person is told at the start of the program: hints, and once after an update what is new."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from core import __version__
from gui.main_window.window import MainWindow
from gui.settings import LAST_VERSION, RECENT_SESSIONS, settings


def greet(window: MainWindow) -> None:
    """Show hints from now on; where another version was in use last, show what is new. Not part of making windows."""
    window.show_hints()
    if is_updated():
        QTimer.singleShot(0, window, window.commands.whats_new)


def is_updated() -> bool:
    """Whether another version was in use last, and remember this one. The first start of all is no update.

    Versions that did not remember themselves left recent sessions.
    """
    before = settings.get(LAST_VERSION)
    settings.set(LAST_VERSION, __version__)
    return before != __version__ and bool(before or settings.get(RECENT_SESSIONS))
