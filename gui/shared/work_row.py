"""Progress of a window's own work, with Stop."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from core.base.texts import translate
from gui.document.document import Document
from gui.motion import is_reduced
from gui.shared.labels import ElidedLabel


class WorkRow(QWidget):
    """`<name>` with `<name>Text`, `<name>Bar` and, for a layout elsewhere, `stop`. `stopped()`."""

    stopped = Signal()

    def __init__(self, document: Document, name: str = "protectWork") -> None:
        super().__init__(objectName=name)
        self.text = ElidedLabel("", f"{name}Text")
        self.bar = QProgressBar(objectName=f"{name}Bar", minimum=0, maximum=1000, textVisible=False)
        self.bar.setFixedHeight(10)
        self.bar.setMinimumWidth(120)
        self.stop = QPushButton(translate("Sto&p"), objectName="stop")
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.bar)
        row.addWidget(self.text, 1)
        document.progressed.connect(self._progress)
        self._running = False
        self.end()

    @property
    def running(self) -> bool:
        """Whether work is under way."""
        return self._running

    def begin(self, text: str) -> None:
        """Work begins."""
        self._running = True
        self.text.setText(text)
        self.bar.setMaximum(1000 if is_reduced() else 0)  # 0: it moves to and fro
        self.bar.show()
        self.text.show()
        self.stop.setEnabled(True)

    def end(self) -> None:
        """Nothing is done at the moment."""
        self._running = False
        self.bar.hide()
        self.text.hide()
        self.stop.setEnabled(False)

    def _progress(self, fraction: float, text: str) -> None:
        if not self._running:
            return
        if text:
            self.text.setText(text)
            self.bar.setAccessibleName(text)
        self.bar.setMaximum(1000 if fraction >= 0 or is_reduced() else 0)
        self.bar.setValue(round(fraction * 1000) if fraction >= 0 else 0)
