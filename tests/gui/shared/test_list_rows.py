"""Rows of lists: shown with all that they have, replaced as a whole."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from gui.shared.list_rows import replace_rows

DISPLAY, TIP, OWN = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.UserRole


def texts(view: QListWidget) -> list[str]:
    return [view.item(row).text() for row in range(view.count())]


def test_rows_are_replaced_and_keep_what_they_have(qtbot: QtBot) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    replace_rows(view, [{DISPLAY: "one", TIP: "first", OWN: ("x", True)}, {DISPLAY: "two"}])
    assert texts(view) == ["one", "two"]
    assert view.item(0).toolTip() == "first"
    assert view.item(0).data(OWN) == ("x", True)
    assert view.item(1).toolTip() == ""
    replace_rows(view, [{DISPLAY: "three"}])
    assert texts(view) == ["three"]
    assert view.item(0).toolTip() == ""
    replace_rows(view, [])
    assert view.count() == 0


def test_items_that_somebody_still_holds_do_no_harm(qtbot: QtBot) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    held = []
    for number in range(2000):
        replace_rows(view, [{DISPLAY: f"{number} {place}"} for place in range(5)])
        held.append(view.item(number % 5))
    assert texts(view) == [f"1999 {place}" for place in range(5)]
