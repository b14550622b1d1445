"""Headings of a report that is shown, to go to."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QTextBrowser, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.shared.accessible import as_heading
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import empty_layout
from gui.texts import as_tip
from gui.theme import scaled, write_as

_WIDTH = 220


class ReportOutline(QScrollArea):
    """`reportOutline` with a button for each main heading of `view`: it scrolls to it."""

    def __init__(self, view: QTextBrowser) -> None:
        super().__init__(
            objectName="reportOutline",
            accessibleName=translate("Outline of the report"),
            widgetResizable=True,
            frameShape=QFrame.Shape.NoFrame,
        )
        self._view = view
        self.setFixedWidth(scaled(_WIDTH))
        place = QWidget()
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        title = QLabel(translate(mark("Contents")))
        write_as(title, "section")
        as_heading(title)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        column.addWidget(title)
        column.addLayout(self._rows)
        column.addStretch(1)
        self.setWidget(place)
        for ground in (place, self.viewport()):
            ground.setAutoFillBackground(False)

    def refresh(self) -> None:
        """List the headings of what is shown now."""
        empty_layout(self._rows)
        room = scaled(_WIDTH) - 16
        for number, (text, place) in enumerate(_headings(self._view), 1):
            shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
            button = role_button(shown, f"reportHeading{number}", "quiet")
            button.setAccessibleName(text)
            button.setToolTip(as_tip(text) if shown != text else "")
            button.clicked.connect(lambda _=False, place=place: self._go_to(place))
            self._rows.addWidget(button)

    def _go_to(self, place: int) -> None:
        view = self._view
        cursor = QTextCursor(view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        view.setTextCursor(cursor)  # from below, so that the heading comes to stand on top
        cursor.setPosition(place)
        view.setTextCursor(cursor)
        bar = view.verticalScrollBar()
        bar.setValue(bar.value() + view.cursorRect(cursor).top() - view.viewport().rect().top())


def _headings(view: QTextBrowser) -> Iterator[tuple[str, int]]:
    block: QTextBlock = view.document().begin()
    while block.isValid():
        if block.blockFormat().headingLevel() == 2 and block.text().strip():
            yield block.text().strip(), block.position()
        block = block.next()
