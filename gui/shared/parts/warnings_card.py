"""What should also be looked at: one line at the foot of a page, which opens into a list with a button for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.labels import ElidedLabel
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import empty_layout
from gui.shared.parts.scrolled import ScrolledDown
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import scaled, write_as

_TALLEST = 160
"""Height from which the list scrolls: a page of 768 lines has it below its guidance and two tables."""


@dataclass(frozen=True)
class WarningLine:
    """Something to look at: a few words, a sentence, and the button that mends it."""

    name: str
    sentence: str
    button: str
    do: Callable[[], None]


class _Scrolled(ScrolledDown):
    """Rows in their full height, as high as they are while that is little."""

    def __init__(self, rows: QWidget) -> None:
        super().__init__(rows)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        rows.installEventFilter(self)

    def sizeHint(self) -> QSize:
        frame = 2  # the line around it that the style gives
        return QSize(self.held.sizeHint().width(), min(self._height() + frame, scaled(_TALLEST)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self._height(), scaled(_TALLEST) // 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        """Sentences are as high as they are at this width: nothing of one is cut off."""
        self.held.setMinimumHeight(self._height())
        self.updateGeometry()

    def _height(self) -> int:
        return max(self.held.heightForWidth(self.viewport().width()), 0)


class WarningsCard(QWidget):
    """`<name>` with the line and, once opened, a row for each remark; hidden where there is none."""

    def __init__(self, name: str = "warningList") -> None:
        super().__init__(objectName=name)
        self._name = name
        self._headline = QLabel(objectName=f"{name}Headline")
        write_as(self._headline, "section")
        self._names = ElidedLabel(objectName=f"{name}Names")
        self.toggle = role_button("", f"{name}Toggle", "quiet")
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(Sign("attention", 18))
        line.addWidget(self._headline)
        line.addWidget(self._names, 1)
        line.addWidget(self.toggle)
        rows = QWidget()
        self._rows = QVBoxLayout(rows)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)
        self._list = _Scrolled(rows)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self._list)
        self.toggle.clicked.connect(lambda: self.open_list(self._list.isHidden()))
        self.open_list(False)
        self.hide()

    def show_remarks(self, remarks: Sequence[WarningLine]) -> None:
        """Show these; none hides the line."""
        self.setVisible(bool(remarks))
        self._headline.setText(translate("Also to look at ({count}):").format(count=len(remarks)))
        self._names.setText(" · ".join(dict.fromkeys(remark.name for remark in remarks)))
        self.setAccessibleName(f"{self._headline.text()} {self._names.text()}")
        empty_layout(self._rows)
        for number, remark in enumerate(remarks, 1):
            row = QHBoxLayout()
            row.addWidget(WrappedLabel(remark.sentence), 100)
            row.addStretch(1)
            button = role_button(remark.button, f"{self._name}Mend{number}")
            button.clicked.connect(lambda _=False, do=remark.do: do())
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            self._rows.addLayout(row)

    def open_list(self, opened: bool) -> None:
        """Show the rows, or the line alone."""
        self._list.setVisible(opened)
        self._names.setVisible(not opened)
        self.toggle.setText(translate("Hide the list") if opened else translate("Show the list"))
