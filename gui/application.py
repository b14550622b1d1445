"""Makes the application and its main window, and opens the files it was started with."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from core.texts import use_language
from gui.document import Document
from gui.settings import THEME, settings
from gui.theme import apply_fonts, theme
from gui.warm_up import warm_up
from gui.windows.main_window import MainWindow

WARM_UP_AFTER_MS = 50
"""The main window is drawn first."""


def build_application(argv: list[str]) -> tuple[QApplication, MainWindow]:
    """Application and main window, neither shown nor run yet.

    An existing QApplication is reused. Files among `argv` (as sys.argv) are opened as soon as the event loop runs;
    until then the document is busy.
    """
    app = _application(argv)
    document = Document()
    window = MainWindow(document)
    document.setParent(window)
    files = [Path(argument) for argument in argv[1:] if not argument.startswith("-")]
    if files:
        document.expect()
        QTimer.singleShot(0, window, lambda: _open(window, files))
    QTimer.singleShot(WARM_UP_AFTER_MS, window, lambda: document.tasks.run("warm-up", warm_up, background=True))
    return app, window


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
    app.setStyle("Fusion")
    settings.forget_file()
    language = QLocale().name()
    use_language(language)
    translator = QTranslator(app)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    apply_fonts(app)
    theme.use(settings.get(THEME))
    app.styleHints().colorSchemeChanged.connect(lambda _scheme: theme.apply())


def _open(window: MainWindow, files: list[Path]) -> None:
    """Open the first file; the others are no part of this session."""
    try:
        window.commands.open_path(files[0])
    finally:
        window.document.expected()
