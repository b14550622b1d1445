"""A dialog about a table, which can be exported."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.table.data_table import DataTable


class TableDialog(OrderedDialog):
    """`table` with Close and *Export as CSV* below it, `export`; gone once it is closed.

    What else a subclass shows goes into `column`, above the table.
    """

    def __init__(self, name: str, title: str, table: DataTable, parent: QWidget) -> None:
        super().__init__(parent, objectName=name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.table = table
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.export = buttons.addButton(translate("&Export as CSV…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.export.clicked.connect(table.export_csv)
        self.column = QVBoxLayout(self)
        self.column.addWidget(table)
        self.column.addWidget(buttons)
