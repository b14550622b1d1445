"""Describe columns by mouse and keys: edges, fields, names, a pasted layout, and the session that follows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.metadata.field_grid import Place, propose_fields
from core.recipe.model import VariableEdit
from gui.main_window.window import MainWindow
from gui.specify_metadata.describe_columns import DescribeColumns, PasteLayout
from gui.specify_metadata.files import sample_lines
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton
LINES = [b"0101 m12", b"0102 f 3", b"0103 m99"]


@pytest.fixture
def dialog(qtbot: QtBot) -> DescribeColumns:
    QGuiApplication.clipboard().clear()
    made = DescribeColumns(LINES, "utf-8", [])
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def click_border(qtbot: QtBot, dialog: DescribeColumns, after: int) -> None:
    qtbot.mouseClick(dialog.grid.viewport(), LEFT, pos=dialog.grid.border_at(after))


def drag(qtbot: QtBot, dialog: DescribeColumns, first: int, last: int) -> None:
    view, grid = dialog.grid.viewport(), dialog.grid
    qtbot.mousePress(view, LEFT, pos=grid.centre_of(first))
    qtbot.mouseMove(view, grid.centre_of(last))
    qtbot.mouseRelease(view, LEFT, pos=grid.centre_of(last))


def put(dialog: DescribeColumns, row: int, column: int, text: str) -> None:
    dialog.rows.setData(dialog.rows.index(row, column), text)


def test_fields_are_proposed(qtbot: QtBot, dialog: DescribeColumns) -> None:
    assert dialog.fields == [Place("V1", 1, 4), Place("V2", 6, 3)]
    press(qtbot, dialog, "clearFields")
    assert dialog.fields == []
    assert dialog.message.text() == "There is no field yet."
    assert not dialog.findChild(QPushButton, "acceptFields").isEnabled()
    press(qtbot, dialog, "proposeEdges")
    assert len(dialog.fields) == 2


def test_a_click_between_characters_makes_an_edge_and_removes_it(qtbot: QtBot, dialog: DescribeColumns) -> None:
    click_border(qtbot, dialog, 6)
    assert dialog.fields == [Place("V1", 1, 4), Place("V2", 6, 1), Place("V3", 7, 2)]
    click_border(qtbot, dialog, 6)
    assert dialog.fields == [Place("V1", 1, 4), Place("V2", 6, 3)]


def test_an_edge_is_made_with_the_keys(qtbot: QtBot, dialog: DescribeColumns) -> None:
    dialog.grid.setFocus()
    for _ in range(2):
        qtbot.keyClick(dialog.grid, Qt.Key.Key_Right)
    qtbot.keyClick(dialog.grid, Qt.Key.Key_Space)
    assert dialog.fields[:2] == [Place("V1", 1, 2), Place("V3", 3, 2)]


def test_a_drag_selects_a_field_and_names_it(qtbot: QtBot, dialog: DescribeColumns) -> None:
    drag(qtbot, dialog, 6, 6)  # no more than a click: selects the field there
    assert dialog.table.view.currentIndex().row() == 1
    drag(qtbot, dialog, 7, 8)
    assert dialog.fields == [Place("V1", 1, 4), Place("V2", 6, 1), Place("V3", 7, 2)]
    editor = next(e for e in dialog.table.view.viewport().findChildren(QLineEdit) if e.isVisible())
    qtbot.keyClicks(editor, "AGE")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert dialog.fields[2] == Place("AGE", 7, 2)


def test_nonsense_in_the_table_is_refused_in_words(dialog: DescribeColumns) -> None:
    put(dialog, 0, 1, "x")
    assert dialog.message.text() == "“x” is not a whole number of at least 1."
    assert dialog.fields[0] == Place("V1", 1, 4)
    put(dialog, 0, 2, "6")
    assert dialog.message.text() == "V2 begins within V1."
    assert not dialog.findChild(QPushButton, "acceptFields").isEnabled()
    put(dialog, 0, 2, "4")
    put(dialog, 1, 0, "v1")
    assert dialog.message.text() == "Two fields are called v1."
    put(dialog, 1, 0, "")
    assert dialog.message.text() == "The field at 6 has no name."


def test_cells_are_typed_into_however_the_rows_are_sorted(qtbot: QtBot, dialog: DescribeColumns) -> None:
    view = dialog.table.view
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    view.setFocus()
    view.setCurrentIndex(dialog.rows.index(0, 0))  # V2
    qtbot.keyClick(view, Qt.Key.Key_Return)
    editor = next(e for e in view.viewport().findChildren(QLineEdit) if e.isVisible())
    qtbot.keyClicks(editor, "AGE")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert dialog.fields == [Place("V1", 1, 4), Place("AGE", 6, 3)]
    assert [dialog.rows.index(row, 0).data() for row in range(2)] == ["AGE", "V1"]
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert dialog.fields == [Place("V1", 1, 4)]


def test_a_layout_is_pasted(qtbot: QtBot, dialog: DescribeColumns) -> None:
    press(qtbot, dialog, "pasteLayout")
    pasting = dialog.findChild(PasteLayout)
    assert pasting is not None
    text = pasting.findChild(QPlainTextEdit, "layoutText")
    text.setPlainText("REGION 1 4\nSEX 6")
    press(qtbot, pasting, "acceptLayout")
    assert pasting.message.text().startswith("Line 2 of the layout has no name, start and length: SEX 6")
    text.setPlainText("SEX 6 1\nREGION 1 4\n")
    press(qtbot, pasting, "acceptLayout")
    assert dialog.fields == [Place("REGION", 1, 4), Place("SEX", 6, 1)]


def test_fields_are_removed(qtbot: QtBot, dialog: DescribeColumns) -> None:
    dialog.table.view.selectRow(0)
    press(qtbot, dialog, "removeField")
    assert dialog.fields == [Place("V2", 6, 3)]


def test_characters_of_several_bytes_keep_their_places(qtbot: QtBot) -> None:
    made = DescribeColumns(["é1".encode(), b"ab1"], "utf-8", [])
    qtbot.addWidget(made)
    assert made.grid._lines == [["é", "", "1"], ["a", "b", "1"]]
    assert made.grid.length == 3


def test_a_file_without_metadata_is_described_and_read(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "bare.asc"
    data.write_bytes(b"".join(line + b"\n" for line in LINES * 10))
    main_window = open_window(data)
    document = main_window.document
    assert document.derived is None
    window = main_window.windows.open_window("specifyMetadata", describe=True)
    assert isinstance(window, SpecifyMetadata)
    qtbot.waitUntil(lambda: window.findChild(DescribeColumns) is not None, timeout=20_000)
    dialog = window.findChild(DescribeColumns)
    click_border(qtbot, dialog, 6)
    press(qtbot, dialog, "acceptFields")
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: window.draft.result is not None and window.draft.result.survey is not None, timeout=20_000)
    assert [v.name for v in window.draft.variables] == ["V1", "V2", "V3"]
    assert window.table.model.index(0, 3).data() == "3"
    press(qtbot, window, "accept")
    wait_idle(qtbot, document)
    assert document.recipe.input.variables == "here"
    assert document.recipe.variables == (
        VariableEdit("V1", start=1, length=4),
        VariableEdit("V2", start=6, length=1),
        VariableEdit("V3", start=7, length=2),
    )
    assert document.derived is not None
    assert document.derived.records == 30


@pytest.mark.parametrize("records", [800, 250_000])
def test_edges_are_proposed_by_records_all_over_the_file(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, records: int
) -> None:
    """Numbers to the right of their field have no leading digits in the first records."""
    data = tmp_path / "bare.asc"
    data.write_bytes(b"".join(b"%6d %d\r\n" % (number, number % 7) for number in range(1, records + 1)))
    main_window = open_window(data)
    window = main_window.windows.open_window("specifyMetadata", describe=True)
    qtbot.waitUntil(lambda: window.findChild(DescribeColumns) is not None, timeout=20_000)
    dialog = window.findChild(DescribeColumns)
    digits = len(str(records))
    assert dialog.fields == [Place("V1", 7 - digits, digits), Place("V2", 8, 1)]
    assert len(dialog.grid._lines) == 60
    press(qtbot, dialog, "clearFields")
    press(qtbot, dialog, "proposeEdges")
    assert len(dialog.fields) == 2
    dialog.reject()


def test_the_last_record_of_a_large_file_counts(tmp_path: Path) -> None:
    data = tmp_path / "bare.asc"
    data.write_bytes(b"     1\n" * 200_000 + b"200001")
    shown, spread = sample_lines(data)
    assert (len(shown), spread[-1]) == (60, b"200001")
    assert propose_fields(spread[:-1]) == [Place("V1", 6, 1)]


def test_the_empty_state_offers_what_fills_it(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "bare.asc"
    data.write_bytes(LINES[0] + b"\n")
    main_window = open_window(data)
    window = main_window.windows.open_window("specifyMetadata")
    assert isinstance(window, SpecifyMetadata)
    wait_idle(qtbot, main_window.document)
    button = window.findChild(QPushButton, "describeColumnsFirst")
    assert button is not None and button.isVisible()
    assert not window.accept.isEnabled()
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: window.findChild(DescribeColumns) is not None, timeout=20_000)
    window.findChild(DescribeColumns).reject()
