"""A short list of what stands in the recipe, as high as its entries, with a button that takes one out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.accessible import as_heading
from gui.shared.elision import MIDDLE
from gui.shared.labels import ElidedLabel
from gui.shared.list_rows import replace_rows
from gui.shared.parts.buttons import role_button
from gui.shared.shortcuts import on_key
from gui.texts import as_tip
from gui.theme import scaled, write_as

_ROW = 26


class EntryList(QWidget):
    """`list` carries the name, the heading ``<name>Heading``; hidden without entries.

    `head` is the row of the heading; a subclass says where the button `remove` stands.

    Signals
    -------
    opened(int), removed(int)
        An entry, by its place from 0, shall be shown or taken out.
    """

    opened = Signal(int)
    removed = Signal(int)

    def __init__(self, name: str, called: str, remove: str, most_rows: int, cut: Qt.TextElideMode = MIDDLE) -> None:
        super().__init__()
        self._most_rows = most_rows
        self.title = ElidedLabel("", f"{name}Heading")
        write_as(self.title, "section")
        as_heading(self.title)
        self.list = QListWidget(objectName=name, accessibleName=called)
        self.list.setTextElideMode(cut)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.remove = role_button(translate("Re&move"), remove, "quiet")
        self.head = QHBoxLayout()
        self.head.addWidget(self.title, 1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        self.column.addLayout(self.head)
        self.column.addWidget(self.list)
        self.list.activated.connect(lambda index: self.opened.emit(index.row()))
        self.list.clicked.connect(lambda index: self.opened.emit(index.row()))
        self.remove.clicked.connect(self._remove)
        on_key(self.list, Qt.Key.Key_Delete, self._remove)

    def show_names(self, title: str, names: Sequence[str], current: int) -> None:
        """Show entries by their names; `current` is the selected one, -1 none."""
        self.setVisible(bool(names))
        self.title.setText(title)
        display, tip = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
        replace_rows(self.list, [{display: name, tip: as_tip(name)} for name in names])
        self.list.setFixedHeight(scaled(_ROW) * min(len(names), self._most_rows) + scaled(_ROW) // 2)
        self.list.setCurrentRow(current)

    def _remove(self) -> None:
        if self.list.currentRow() >= 0:
            self.removed.emit(self.list.currentRow())
