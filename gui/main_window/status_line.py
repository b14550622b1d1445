"""The status line: facts of the session, each leading to where it is changed, remarks, and work under way."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStatusBar, QToolButton

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.main_window.status_texts import status_parts
from gui.main_window.work_indicator import WorkIndicator
from gui.shared.accessible import PressedPart
from gui.shared.labels import ElidedLabel
from gui.texts import as_tip
from gui.theme import muted, set_greyed, theme

_LEADS_TO = {
    "File": "openMicrodata",
    "Records": "browseData",
    "MissingRule": "selectCombinations",
    "Thresholds": "riskChart",
    "Unsafe": "riskChart",
    "Rate": "riskChart",
}
_WIDEST = 300
_LOW_WIDTH = 700
_SHORT = ("Records", "Thresholds", "Unsafe")
"""What is shown where there is little width."""


class Fact(ElidedLabel):
    """A short text; a click, Enter or Space leads to where it is changed."""

    spoken_as = PressedPart

    chosen = Signal()

    def __init__(self, name: str) -> None:
        super().__init__("", f"status{name}", _WIDEST)
        self.setContentsMargins(6, 2, 6, 2)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def click(self) -> None:
        """As a click of the mouse does."""
        self.chosen.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(QColor(theme.scheme.accent), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))


class StatusLine(QStatusBar):
    """`statusBar` with `statusFile` … `statusRate` and `statusRemarks`; `wanted(page)`, `remarks_wanted`."""

    wanted = Signal(str)
    remarks_wanted = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="statusBar")
        self.setSizeGripEnabled(False)
        self._document = document
        self._narrow = False
        self._facts = {name: Fact(name) for name in _LEADS_TO}
        for name, fact in self._facts.items():
            fact.chosen.connect(lambda name=name: self.wanted.emit(self._place_of(name)))
            self.addWidget(fact)
        muted(self._facts["File"])
        self._remarks = QToolButton(objectName="statusRemarks", autoRaise=True)
        self._remarks.clicked.connect(self.remarks_wanted)
        self.addWidget(self._remarks)
        self.work = WorkIndicator(document)
        self.addPermanentWidget(self.work)

    def refresh(self) -> None:
        """Show the session as it stands."""
        texts = dict(status_parts(self._document))
        for name, fact in self._facts.items():
            fact.setText(texts.get(name, ""))
            fact.setVisible(name in texts and (name in _SHORT or not self._narrow))
            if name != "File":
                set_greyed(fact, self._document.stale)
        remarks = self._document.derived.notices if self._document.derived is not None else ()
        self._remarks.setVisible(bool(remarks) and not self._narrow)
        self._remarks.setText(translate(mark("remarks: {n}")).format(n=len(remarks)))
        said = [texts[name] for name in self._facts if name in texts]
        self.setToolTip(as_tip("\n".join(said)) if self._narrow else "")

    def set_width(self, width: float) -> None:
        """Follow the width of the window, in points where text is 10 pt high."""
        narrow = width < _LOW_WIDTH
        if narrow != self._narrow:
            self._narrow = narrow
            self.refresh()

    def take_focus(self) -> bool:
        """Let the first fact have the focus; False where there is none."""
        for fact in self._facts.values():
            if fact.isVisible():
                fact.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    def _place_of(self, name: str) -> str:
        """The page where a fact is changed: the thresholds of households have a chart of their own."""
        page, derived = _LEADS_TO[name], self._document.derived
        if page != "riskChart" or derived is None:
            return page
        if not derived.risk_tables:
            return "showTables"
        by_households = all(table.threshold is None and table.household is not None for table in derived.risk_tables)
        return "householdRiskChart" if by_households else page
