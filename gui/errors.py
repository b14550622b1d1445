"""Unexpected errors: one dialog and one file, whose text holds no data, because it gets mailed.

Expected errors (`core.base.errors.PavoError`) are no exceptions for the user: `gui.shared.message_area` shows them.
"""

from __future__ import annotations

import platform
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import PySide6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from core import __version__
from core.base.errors import PavoError
from core.base.state_folder import make_privately, private_folder
from core.base.texts import mark, translate

REPORT = "unexpected-problem.txt"
"""File of the last unexpected error, in the program's own folder."""
_ROOT = Path(__file__).resolve().parent.parent


def details(kind: type[BaseException], trace: TracebackType | None) -> str:
    """What went wrong for a developer: kind and places in the program, never the message (it may quote data)."""
    lines = [f"{kind.__module__}.{kind.__qualname__}"]
    for frame in traceback.extract_tb(trace):
        path = Path(frame.filename)
        place = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-3:])
        lines.append(f"  {place.as_posix()}:{frame.lineno} {frame.name}")
    lines.append(f"Pavo {__version__}, Python {platform.python_version()}, PySide {PySide6.__version__}")
    lines.append(f"{platform.system()} {platform.release()}")
    return "\n".join(lines)


def keep(text: str) -> Path | None:
    """Put the text into a file for the user alone, in place of the one before; None where there is no such folder."""
    try:
        path = private_folder() / REPORT
        path.unlink(missing_ok=True)
        with make_privately(path) as file:
            file.write(text.encode("utf-8") + b"\n")
    except OSError:
        return None
    return path


def _say(text: str) -> None:
    if sys.stderr is not None:  # a program without a console has none
        sys.stderr.write(text + "\n")


class CrashDialog(QDialog):
    """`crashDialog`: says that something unexpected happened, that the session is kept, and what to send."""

    def __init__(self, text: str, kept: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crashDialog")
        self.setWindowTitle(translate(mark("Unexpected problem — Pavo")))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        explanation = QLabel(
            translate(
                mark(
                    "Pavo met a problem that it did not expect. Your session is kept and is offered again at the next "
                    "start. You can go on working; save under another name to be safe.\n\nThe details below name "
                    "places in the program, not your data or your files."
                )
            )
        )
        if kept is not None:
            stands = translate(mark("They also stand in this file: {path}"))
            explanation.setText(f"{explanation.text()} {stands.format(path=kept)}")
        explanation.setTextFormat(Qt.TextFormat.PlainText)
        explanation.setWordWrap(True)
        self.details = QPlainTextEdit(text, objectName="crashDetails", readOnly=True)
        buttons = QDialogButtonBox()
        copy = QPushButton(translate(mark("&Copy details")), objectName="copyDetails")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details.toPlainText()))
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(translate(mark("Go &on")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(explanation)
        layout.addWidget(self.details)
        layout.addWidget(buttons)
        self.resize(620, 380)


class CrashHandler(QObject):
    """Takes what nobody caught, from any thread, to one dialog in the GUI thread."""

    _met = Signal(str)
    _expected = Signal(object)

    def __init__(self, before: Callable[[], Any], show_expected: Callable[[PavoError], None], parent: QObject) -> None:
        super().__init__(parent)
        self._before = before
        self._dialog: CrashDialog | None = None
        self._previous, self._unraisable = sys.excepthook, sys.unraisablehook
        self._met.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._expected.connect(show_expected, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """From now on; a hook that was installed before (a test's, a debugger's) is still called."""
        sys.excepthook = self._handle
        threading.excepthook = lambda args: self._handle(args.exc_type, args.exc_value, args.exc_traceback)
        if sys.unraisablehook is sys.__unraisablehook__:  # which quotes values on standard error
            sys.unraisablehook = lambda args: _say(details(args.exc_type, args.exc_traceback))

    def uninstall(self) -> None:
        """Put back what was there."""
        if sys.excepthook == self._handle:
            sys.excepthook = self._previous
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = self._unraisable

    def _handle(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error or kind(), trace)
            return
        if isinstance(error, PavoError):
            self._expected.emit(error)
            return
        if self._previous is not sys.__excepthook__:
            self._previous(kind, error or kind(), trace)
        else:
            _say(details(kind, trace))
        self._met.emit(details(kind, trace))

    def _show(self, text: str) -> None:
        self._before()
        if self._dialog is not None:
            return
        self._dialog = CrashDialog(text, keep(text))
        self._dialog.finished.connect(self._forget)
        self._dialog.show()

    def _forget(self) -> None:
        self._dialog = None
