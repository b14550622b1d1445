"""A box to go to a record by its number."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from core.base.texts import translate
from gui import numbers
from gui.shared.number_box import NumberBox


class RecordBox(QWidget):
    """`goToRecord`. `wanted(record)`, 0-based; the owner calls `refuse` where it is not shown."""

    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.box = NumberBox("goToRecord", lambda value: numbers.format_count(int(value)), numbers.parse_count)
        self.box.setFixedWidth(90)
        self.box.setAccessibleName(translate("Go to record"))
        label = QLabel(translate("&Go to record"))
        label.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box.message)
        row.addWidget(label)
        row.addWidget(self.box)
        self._records = 0
        self.box.entered.connect(self._entered)
        self.box.returnPressed.connect(self._again)

    def set_records(self, records: int) -> None:
        """How many there are."""
        self._records = records
        self.box.setEnabled(records > 0)

    def refuse(self, text: str) -> None:
        """Say why the record cannot be shown."""
        self.box.refuse(text)

    def _entered(self, value: float) -> None:
        if not 1 <= value <= self._records:
            self.box.refuse(translate("The file has records 1 to {n}.").format(n=numbers.format_count(self._records)))
            return
        self.box.set_value(value)
        self.wanted.emit(int(value) - 1)

    def _again(self) -> None:
        """Enter on the number that is shown goes there once more."""
        if self.box.value is not None and not self.box.has_typing:
            self.wanted.emit(int(self.box.value) - 1)
