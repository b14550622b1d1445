"""Rows keep their names where a table is scrolled to the right."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.compare.columns_view import NamedRows
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column


@pytest.fixture
def table(qtbot: QtBot) -> DataTable:
    made = DataTable("named")
    qtbot.addWidget(made)
    made.resize(500, 300)
    show(made, 40)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(table: DataTable, rows: int) -> None:
    figures = [Column(f"a long title {i}", list(range(rows)), number=True) for i in range(12)]
    table.set_columns([Column("Name", [f"row {i:02}" for i in range(rows)]), *figures])


def test_the_names_stay_where_the_table_is_scrolled(table: DataTable, qtbot: QtBot) -> None:
    named, view = NamedRows(table.view), table.view
    assert not named.rows.isVisible() and not named.head.isVisible()
    table.filter.setText("row")
    view.horizontalHeader().setSortIndicator(5, Qt.SortOrder.DescendingOrder)
    for across, down in ((300, 0), (300, 7), (view.horizontalScrollBar().maximum(), 3)):
        view.horizontalScrollBar().setValue(across)
        view.verticalScrollBar().setValue(down)
        assert named.rows.isVisible() and named.head.isVisible()
        assert named.rows.indexAt(QPoint(5, 40)).data() == table.model.key(view.rowAt(40))
        assert named.rows.rowViewportPosition(12) == view.rowViewportPosition(12)
        assert named.rows.viewport().mapTo(table, QPoint(0, 0)) == view.viewport().mapTo(table, QPoint(0, 0))
        assert named.head.sectionSize(0) == named.rows.columnWidth(0) == view.columnWidth(0) == named.rows.width()
    view.horizontalScrollBar().setValue(0)
    assert not named.rows.isVisible() and not named.head.isVisible()


def test_a_click_on_a_name_is_one_on_its_row(table: DataTable, qtbot: QtBot) -> None:
    named, view = NamedRows(table.view), table.view
    view.horizontalScrollBar().setValue(300)
    view.verticalScrollBar().setValue(5)
    place = named.rows.mapTo(table, QPoint(20, view.rowViewportPosition(8) + 4))
    hit = table.childAt(place)
    assert hit is view.viewport()
    QTest.mouseClick(hit, Qt.MouseButton.LeftButton, pos=hit.mapFrom(table, place))
    assert table.current_key == table.model.key(8) == "row 08"
    assert view.horizontalScrollBar().value() > 0


def test_the_names_follow_size_and_figures(table: DataTable, qtbot: QtBot) -> None:
    named, view = NamedRows(table.view), table.view
    view.horizontalScrollBar().setValue(300)
    table.resize(480, 400)
    qtbot.waitUntil(lambda: named.rows.height() == view.viewport().height() > 300)
    table.set_columns([Column("Name", ["x"]), *(Column(f"another title {i}", [1]) for i in range(9))])
    view.horizontalScrollBar().setValue(200)
    assert named.rows.columnWidth(0) == view.columnWidth(0) == named.rows.width()
    assert named.rows.model().rowCount() == 1
