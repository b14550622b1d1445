"""The rows of a list, put into it without an object of Python for each.

PySide keeps an object for every item that Python has made or asked for, and looks for them by address when the list is
cleared. It has been seen to find one whose item was gone, which ends the program. Rows that only the list itself knows
leave nothing to be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget

Row = Mapping[int, Any]


def replace_rows(view: QListWidget, rows: Iterable[Row]) -> None:
    """Let `view` show these rows only; each gives its text as ``DisplayRole``, and what else it has by role."""
    model = view.model()
    model.removeRows(0, model.rowCount())
    for place, row in enumerate(rows):
        view.addItem(row[Qt.ItemDataRole.DisplayRole])
        index = model.index(place, 0)
        for role, value in row.items():
            if role != Qt.ItemDataRole.DisplayRole:
                model.setData(index, value, role)
