"""Show Table Collection by mouse and keys, on the demonstration and on Demodata."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input, Recipe
from gui.main_window.window import MainWindow
from gui.show_tables.window import ShowTables
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton


def opened(qtbot: QtBot, main_window: MainWindow, recipe: Recipe) -> ShowTables:
    main_window.document.start("tables", recipe)
    wait_idle(qtbot, main_window.document)
    window = main_window.windows.open_window("showTables")
    assert isinstance(window, ShowTables)
    qtbot.waitExposed(window)
    wait_idle(qtbot, main_window.document)
    return window


def made(folder: Path, name: str, *combinations: Combination) -> Recipe:
    return Recipe(input=Input(data=folder / f"{name}.asc", metadata=folder / f"{name}.rda"), combinations=combinations)


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> ShowTables:
    table = Combination(("REGION", "SEX", "AGE"), model="frequency", count_threshold=2)
    return opened(qtbot, open_window(demo / "survey.asc"), made(demo, "survey", table))


def rows(window: ShowTables, column: int = 0) -> list[str]:
    model = window.collection.model
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def cells(window: ShowTables) -> list[tuple[str, ...]]:
    model = window.cells.model
    columns = range(model.columnCount())
    return [tuple(model.data(model.index(row, c)) for c in columns) for row in range(model.rowCount())]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def check(qtbot: QtBot, box: QCheckBox) -> None:
    option = QStyleOptionButton()
    option.initFrom(box)
    hit = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    qtbot.mouseClick(box, LEFT, pos=hit.center())


def test_tables_without_unsafe_cells_come_on_request(qtbot: QtBot, window: ShowTables) -> None:
    unsafe = rows(window)
    assert 0 < len(unsafe) < 7
    check(qtbot, window.show_all)
    assert len(rows(window)) == 7
    assert {"REGION", "SEX", "AGE", "REGION × SEX × AGE"} <= set(rows(window))
    assert all(number(n) > 0 for name, n in zip(rows(window), rows(window, 3), strict=True) if name in unsafe)
    assert all(n == "0" for name, n in zip(rows(window), rows(window, 3), strict=True) if name not in unsafe)


def test_the_variable_filters(qtbot: QtBot, window: ShowTables) -> None:
    check(qtbot, window.show_all)
    box = window.variable
    box.setFocus()
    while box.currentText() != "SEX":
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert rows(window) == ["SEX", "REGION × SEX", "SEX × AGE", "REGION × SEX × AGE"]


def test_a_table_is_opened_with_codes_labels_and_counts(qtbot: QtBot, window: ShowTables) -> None:
    check(qtbot, window.show_all)
    view, model = window.collection.view, window.collection.model
    place = view.visualRect(model.index(model.row_of("SEX"), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    wait_idle(qtbot, window.document)
    assert window.cells.model.rowCount() == 0  # none is unsafe
    check(qtbot, window.only_unsafe)
    derived = window.document.derived
    column, labels = derived.columns["SEX"], derived.labels["SEX"]
    expected = [(f"{column.codes[i]}  {labels[column.codes[i]]}", f"{column.counts[i]:,}", "") for i in range(2)]
    assert column.n_valid == 2
    assert cells(window)[:2] == expected
    assert sum(number(cell[1]) for cell in cells(window)) == derived.records


def test_only_unsafe_cells_are_those_counted(qtbot: QtBot, window: ShowTables) -> None:
    assert window.collection.select("REGION × SEX × AGE")
    wait_idle(qtbot, window.document)
    row = window.collection.model.row_of("REGION × SEX × AGE")
    assert len(cells(window)) == number(rows(window, 3)[row])
    assert {cell[-1] for cell in cells(window)} == {"1", "2"}
    check(qtbot, window.only_unsafe)
    assert {cell[-2] for cell in cells(window) if cell[-1] == "unsafe"} == {"1", "2"}
    assert {cell[-1] for cell in cells(window)} == {"unsafe", ""}


def test_a_change_of_the_session_shows_at_once(qtbot: QtBot, window: ShowTables) -> None:
    document = window.document
    document.commit("other", document.recipe.with_(combinations=(Combination(("EDUC",), "frequency"),)))
    wait_idle(qtbot, document)
    check(qtbot, window.show_all)
    assert rows(window) == ["EDUC"]
    document.commit("none", document.recipe.with_(combinations=()))
    wait_idle(qtbot, document)
    assert rows(window) == []


def test_demodata(qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path) -> None:
    folder = shared / "data" / "demodata"
    table = Combination(("REGION", "SEX", "AGE", "MARSTAT"))
    window = opened(qtbot, open_window(folder / "Demodata.asc"), made(folder, "Demodata", table))
    check(qtbot, window.show_all)
    found = dict(zip(rows(window), rows(window, 3), strict=True))
    assert len(found) == 15
    expected = {"REGION": "2", "REGION × SEX": "15", "REGION × AGE": "1,948", "REGION × SEX × AGE × MARSTAT": "3,014"}
    assert {name: found[name] for name in expected} == expected
    window.collection.select("REGION")
    wait_idle(qtbot, window.document)
    assert [cell[0] for cell in cells(window)] == ["97  Broekhuizen", "109  Chaam"]


def test_columns_keep_their_widths_when_the_table_was_empty_for_a_while(window: ShowTables) -> None:
    header = window.collection.view.horizontalHeader()
    before = [header.sectionSize(i) for i in range(header.count())]
    columns = window.collection.model.columns
    window.collection.show_empty("nothing")
    window.collection.set_columns(columns)
    assert [header.sectionSize(i) for i in range(header.count())] == before
