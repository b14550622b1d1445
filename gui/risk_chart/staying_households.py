"""Households that no suppression can make safe: how many there are, and all of them as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from core.base.texts import filled, plural, translate
from gui import numbers
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.table.table_dialog import TableDialog
from gui.theme import theme

if TYPE_CHECKING:
    from core.suppression.households.limits import UnprotectableHouseholds


class StayingList(QWidget):
    """`unprotectableHouseholds`, a sentence, and `listUnprotectable`, which opens the table of that name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.said = QLabel(objectName="unprotectableHouseholds", wordWrap=True)
        self.open_list = QPushButton(translate("&List them…"), objectName="listUnprotectable")
        self._found: UnprotectableHouseholds | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.said, 1)
        row.addWidget(self.open_list, 0, Qt.AlignmentFlag.AlignTop)
        self.open_list.clicked.connect(self._open)
        theme.changed.connect(self._dress)
        self._dress()
        self.say("")

    def say(self, text: str) -> None:
        """Say something else than who stays; an empty text: nothing."""
        self._found = None
        self.said.setText(text)
        self.open_list.hide()
        self.setVisible(bool(text))

    def show_households(self, found: UnprotectableHouseholds | None) -> None:
        """Say how many households stay unsafe; None: there are none."""
        self.say("")
        if found is None:
            return
        count, error = len(found.identifiers), found.refusal
        text = plural(
            count,
            "{households} household with {records} records cannot be brought below the household threshold"
            " {shown} by any suppression.",
            "{households} households with {records} records cannot be brought below the household threshold"
            " {shown} by any suppression.",
        )
        records = numbers.format_count(sum(found.members))
        values = {"households": numbers.format_count(count), "records": records, "shown": error.values["shown"]}
        self.said.setText(f"{filled(text, values, shown=True)} {error.advice}")
        self._found = found
        self.open_list.show()
        self.show()

    def _open(self) -> None:
        found = self._found
        if found is None:
            return
        title = translate("Households that no suppression makes safe")
        table = DataTable("unprotectableTable", title)
        table.set_columns(
            [
                Column(translate("identifier"), list(found.identifiers)),
                Column(translate("members"), list(found.members), numbers.format_count, True),
            ]
        )
        dialog = TableDialog("unprotectableList", title, table, self.window())
        dialog.resize(420, 420)
        dialog.open()

    def _dress(self) -> None:
        self.said.setStyleSheet(f"color: {theme.scheme.amber_text};")
