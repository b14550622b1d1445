"""Indicator of work in the status bar: a bar after 0.3 s, a Cancel button after 1 s where it would stop anything.

What is prepared in the background (`WorkIndicator.follow`) is shown while nobody waits for anything else.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.document.tasks import POLL_MS, Task
from gui.motion import is_reduced

SHOW_AFTER_MS = 300
CANCEL_AFTER_MS = 1000


class WorkIndicator(QWidget):
    """`workIndicator` with `workText`, `workBar` and `workCancel`."""

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="workIndicator")
        self._text = QLabel(objectName="workText", textFormat=Qt.TextFormat.PlainText)
        self._bar = QProgressBar(objectName="workBar", minimum=0, maximum=1000, textVisible=False)
        self._bar.setFixedSize(140, 12)
        self._cancel = QPushButton(translate(mark("Cancel")), objectName="workCancel")
        self._cancel.clicked.connect(document.cancel)
        self._document = document
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 6, 0)
        row.addWidget(self._text)
        row.addWidget(self._bar)
        row.addWidget(self._cancel)
        self._show_timer = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._show_timer.timeout.connect(self._appear)
        self._cancel_timer = QTimer(self, singleShot=True, interval=CANCEL_AFTER_MS)
        self._cancel_timer.timeout.connect(self._offer_cancel)
        self._followed: Task | None = None
        self._look_timer = QTimer(self, interval=POLL_MS)
        self._look_timer.timeout.connect(self._look)
        document.started.connect(self._begin)
        document.progressed.connect(self._progress)
        document.idle.connect(self._end)
        self._end()

    def follow(self, task: Task) -> None:
        """Show how far work in the background is that says so, until it ends; the user can begin meanwhile."""
        self._followed = task
        self._look_timer.start()

    def _look(self) -> None:
        task = self._followed
        if task is None or task.is_over:
            self._followed = None
            self._look_timer.stop()
            if not self._document.busy:
                self._end()
        elif not self._document.busy and task.progress.text:
            text = translate(mark("{what}. You can begin.")).format(what=task.progress.text)
            self._progress(task.progress.fraction, text)
            self._appear()

    def _begin(self) -> None:
        self._show_timer.start()
        self._cancel_timer.start()
        self._progress(-1.0, translate(mark("Working…")))

    def _progress(self, fraction: float, text: str) -> None:
        if text:
            self._text.setText(text)
            self._bar.setAccessibleName(text)
        if not self._cancel_timer.isActive():
            self._offer_cancel()
        self._bar.setMaximum(1000 if fraction >= 0 or is_reduced() else 0)  # 0: it moves to and fro
        self._bar.setValue(round(fraction * 1000) if fraction >= 0 else 0)

    def _appear(self) -> None:
        self._text.show()
        self._bar.show()

    def _offer_cancel(self) -> None:
        """Only where it would stop anything: what windows need to show themselves runs on."""
        self._cancel.setVisible(self._document.stoppable)

    def _end(self) -> None:
        self._show_timer.stop()
        self._cancel_timer.stop()
        for widget in (self._text, self._bar, self._cancel):
            widget.hide()
