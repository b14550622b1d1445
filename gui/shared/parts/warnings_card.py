"""What should also be looked at: one line at the foot of a page, which opens into a list with a button for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.labels import ElidedLabel
from gui.shared.layout.scrolled import ScrolledDown
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import empty_layout
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import write_as

_TALLEST = 160
"""Height from which the list scrolls: a page of 768 lines has it below its guidance and two tables."""


@dataclass(frozen=True)
class WarningLine:
    """Something to look at: a few words, a sentence, and the button that mends it."""

    name: str
    sentence: str
    button: str
    do: Callable[[], None]


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
        self._list = ScrolledDown(rows, least=_TALLEST // 2, tallest=_TALLEST)
        self._list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
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
