"""Start of the application: its main window, and the files it was started with."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from core.base.texts import use_marks
from gui import numbers
from gui.app.garbage import GarbageCollector
from gui.app.qt_classes import make_all
from gui.app.warm_up import load_kernels, load_pages, warm_up
from gui.document.document import Document
from gui.language import speak
from gui.main_window.window import MainWindow
from gui.motion import ask_system, is_reduced
from gui.settings import FONT_SIZE, LANGUAGE, THEME, settings
from gui.shared import accessible
from gui.theme import apply_fonts, move_less, theme
from gui.theme.tokens import MOST_POINTS, SMALLEST_POINTS

WARM_UP_AFTER_MS = 50
"""The main window is drawn first."""


def build_application(argv: list[str], checked: bool = False) -> tuple[QApplication, MainWindow]:
    """Application and main window, neither shown nor run yet.

    An existing QApplication is reused. Files among `argv` (as sys.argv) are opened as soon as the event loop runs;
    until then the document is busy. `checked` : whether a data file among them is checked in Specify Metadata.
    """
    app = _application(argv)
    document = Document()
    window = MainWindow(document)
    document.setParent(window)
    files = [Path(argument) for argument in argv[1:] if not argument.startswith("-")]
    if files:
        document.expect()
    QTimer.singleShot(WARM_UP_AFTER_MS, window, lambda: _begin(window, files, checked))
    return app, window


def _begin(window: MainWindow, files: list[Path], checked: bool) -> None:
    """Get the slow libraries ready, and open the first file meanwhile; the others are no part of this session.

    The order matters: a first calculation must find the kernels compiled.
    """
    tasks = window.document.tasks
    window.work.follow(tasks.run("warm-up", warm_up, background=True, lasting=True))
    if files:
        try:
            window.commands.open_path(files[0], checked=checked)
        finally:
            window.document.expected()
    tasks.run("warm-up of kernels", load_kernels, background=True, lasting=True)
    tasks.run("warm-up of pages", load_pages, background=True, lasting=True)


def _application(argv: list[str]) -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        if not existing.property("pavo"):
            _set_up(existing)
        return existing
    app = QApplication(argv)
    _set_up(app)
    return app


def _set_up(app: QApplication) -> None:
    app.setProperty("pavo", True)
    app.setApplicationName("Pavo")
    app.setApplicationDisplayName("Pavo")
    app.setDesktopFileName("org.pavo.Pavo")  # by which Wayland finds the icon
    app.setStyle("Fusion")
    GarbageCollector(app)
    make_all()
    accessible.install()
    settings.forget_file()
    speak(settings.get(LANGUAGE))
    use_marks(numbers.marks)
    theme.points = settings.get(FONT_SIZE) if settings.get(FONT_SIZE) in range(SMALLEST_POINTS, MOST_POINTS + 1) else 0
    apply_fonts(app)
    if is_reduced():
        move_less(True)
    ask_system(app, lambda: move_less(True))
    theme.use(settings.get(THEME))
    app.styleHints().colorSchemeChanged.connect(lambda _scheme: theme.apply())
