"""Every table of every window: sorted, filtered, copied with headers, exported, with widths that are remembered."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QSlider, QTableView, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Output
from gui import dialogs
from gui.browse.records_view import RecordsView
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.main_window.window import MainWindow
from gui.make_protected_file.weights_table import SuppressionWeights
from gui.settings import COLUMN_WIDTHS as _WIDTHS
from gui.settings import settings
from gui.shared.table.data_table import DataTable
from gui.shared.windows import WINDOWS, exists, reason_against
from gui.specify_metadata.describe_columns import DescribeColumns
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

_INPUTS = {"planLevels", "parameter_keepTable", "parameter_alphaTable"}
"""What is ticked or typed in: no tables of figures."""
FILTERS = {"browseRecords": "browseFilter", "originalRecords": "browseFilter", "safeRecords": "browseFilter"}


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    """The demonstration survey with a protected file, so that every window can be opened."""
    copy_survey(demo, tmp_path)
    made = open_window(tmp_path / "survey-households.pavo")
    document = made.document
    output = replace(Output(), data=tmp_path / "safe.asc")
    document.commit("output", document.recipe.with_(output=output))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    return made


def test_every_table_of_every_window(
    qtbot: QtBot, main: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()
    lacking: list[str] = []
    for name in ("mainWindow", *WINDOWS):
        if name != "mainWindow" and (not exists(name) or reason_against(name, main.document)):
            continue
        window = main if name == "mainWindow" else main.windows.open_window(name)
        wait_idle(qtbot, main.document)
        qtbot.wait(50)
        for view in [*window.findChildren(QTableView), *window.findChildren(QTreeView)]:
            if not view.objectName() or _is_popup(view):
                continue
            if view.objectName() in _INPUTS:
                continue
            seen.add(view.objectName())
            lacking += [f"{name}.{view.objectName()}: {what}" for what in _lacking(window, view)]
            if view.isVisible() and view.model().rowCount():
                _copy(view)
                _export(qtbot, main, view, tmp_path / f"{view.objectName()}.csv", monkeypatch)
                _widen(view)
        if window is not main:
            window.close()
    assert not lacking
    expected = {
        "overviewVariables",
        "overviewCodes",
        "preview",
        "variableList",
        "categoricalVariables",
        "tableCollection",
    }
    assert expected | set(FILTERS) <= seen


def _the_same_as_the_others(qtbot: QtBot, table: DataTable, owner: QWidget) -> None:
    """Sorted by a click on a head, filtered, copied whole rows with headers, as every table is."""
    view = table.view
    assert _lacking(owner, view) == []
    before = [table.model.texts(column, 10**6) for column in range(table.model.columnCount())]
    assert len(before[0]) > 1
    header = view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(0) + 30, header.height() // 2)
    for _ in range(2):  # ascending, descending
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert table.model.texts(0, 10**6) != before[0]
    assert sorted(table.model.texts(0, 10**6)) == sorted(before[0])
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)  # as they were
    assert table.model.texts(0, 10**6) == before[0]
    table.filter.setText(before[0][1])
    assert before[0][1] in table.model.texts(0, 10**6)
    assert table.model.rowCount() < len(before[0])
    table.filter.clear()
    _copy(view)
    titles = [column.title for column in table.model.columns]
    is_number = [column.number for column in table.model.columns]
    first = [texts[0].replace(",", "") if number else texts[0] for texts, number in zip(before, is_number, strict=True)]
    assert QGuiApplication.clipboard().text() == "".join("\t".join(line) + "\n" for line in (titles, first))


def test_the_table_of_suggested_merges(qtbot: QtBot, main: MainWindow) -> None:
    window = main.windows.open_window("globalRecode", variable="AGE")
    wait_idle(qtbot, main.document)
    window.codes.suggest.click()
    dialog = window.findChildren(SuggestMerges)[-1]
    qtbot.waitUntil(dialog.use.isEnabled, timeout=60_000)
    assert dialog._found is not None
    dialog.slider.setValue(max(range(len(dialog._found.choices)), key=lambda i: len(dialog._found.choices[i].runs)))
    ticked, total = dialog.accepted_rows, dialog.total.text()
    _the_same_as_the_others(qtbot, dialog.table, dialog)
    assert (dialog.accepted_rows, dialog.total.text()) == (ticked, total), "what is shown changes no tick"
    dialog.reject()


def test_the_table_of_suggested_uses(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    main = open_window(demo / "survey.csv")
    window = main.windows.open_window("specifyMetadata")
    qtbot.waitUntil(lambda: window.draft.result is not None, timeout=60_000)
    window.findChild(QPushButton, "suggest").click()
    proposals = window.proposals
    assert window.focusWidget() is proposals.table.view
    taken = proposals.checked()
    _the_same_as_the_others(qtbot, proposals.table, window)
    assert proposals.checked() == taken, "what is shown changes no tick"
    window.close()


def test_the_table_of_fields(qtbot: QtBot) -> None:
    dialog = DescribeColumns([b"0101 m12", b"0102 f 3"], "utf-8", [])
    qtbot.addWidget(dialog)
    dialog.show()
    fields = dialog.fields
    view = dialog.table.view
    shown = sum(view.columnWidth(column) for column in range(3))
    assert shown == view.viewport().width(), "names take the room that is left"
    _the_same_as_the_others(qtbot, dialog.table, dialog)
    assert dialog.fields == fields


def test_the_table_of_suppression_weights_keeps_its_sliders(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("makeProtectedFile")
    wait_idle(qtbot, main.document)
    table = window.findChild(SuppressionWeights)
    assert table is not None
    assert table.isVisible()
    _the_same_as_the_others(qtbot, table, window)
    names, weights = table.model.texts(0, 99), table.model.texts(1, 99)
    header = table.view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(1) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert table.model.texts(1, 99) == sorted(weights, key=int)
    assert table.model.texts(0, 99) != names
    qtbot.wait(50)
    for row, name in enumerate(table.model.texts(0, 99)):
        slider = table.view.indexWidget(table.model.index(row, 2))
        assert slider.objectName() == f"suppressionWeight_{name}"
        assert slider.value() == int(table.model.texts(1, 99)[row])
        middle = table.view.visualRect(table.model.index(row, 2)).center().y()
        assert abs(slider.geometry().center().y() - middle) <= 1  # the line below a row belongs to it
    last = table.model.texts(0, 99)[-1]
    table.filter.setText(last)
    slider = table.view.indexWidget(table.model.index(0, 2))
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    table.filter.clear()
    assert dict(zip(table.model.texts(0, 99), table.model.texts(1, 99), strict=True))[last] == "0"
    row = table.model.row_of(last)
    table.view.setFocus()
    table.view.setCurrentIndex(table.model.index(row, 0))
    qtbot.keyClick(table.view, Qt.Key.Key_Return)
    editor = table.view.viewport().findChild(QLineEdit)
    qtbot.keyClicks(editor, "33")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(QSlider, f"suppressionWeight_{last}").value() == 33)
    qtbot.waitUntil(lambda: table.view.state() == QTableView.State.NoState)
    qtbot.wait(400)  # the forecast of these weights is asked for a moment later
    wait_idle(qtbot, main.document)
    window.close()


def _is_popup(view: QWidget) -> bool:
    return view.window().windowType() == Qt.WindowType.Popup


def _lacking(window: QWidget, view: QTableView) -> list[str]:
    name = view.objectName()
    header = view.horizontalHeader()
    box = window.findChild(QLineEdit, FILTERS.get(name, f"{name}Filter"))
    found = {
        "a filter box": box is not None,
        "sorting": header.sectionsClickable() and header.isSortIndicatorShown(),
        "copying": hasattr(view, "copy"),
        "export": hasattr(view, "export_csv"),
        "a menu": view.contextMenuPolicy() == Qt.ContextMenuPolicy.CustomContextMenu,
        "a name": view.accessibleName() != "",
    }
    return [what for what, is_there in found.items() if not is_there]


def _titles(view: QTableView) -> list[str]:
    model = view.model()
    return [str(model.headerData(i, Qt.Orientation.Horizontal) or "") for i in range(model.columnCount())]


def _copy(view: QTableView) -> None:
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    view.selectRow(0)
    QGuiApplication.clipboard().clear()
    view.keyPressEvent(_control_c())
    first, *rest = QGuiApplication.clipboard().text().splitlines()
    shown = [title for title in _titles(view) if title]
    assert set(shown) <= set(first.split("\t")), view.objectName()
    assert rest, view.objectName()


def _control_c() -> object:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    return QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def _export(qtbot: QtBot, main: MainWindow, view: QTableView, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: target)
    view.export_csv()  # type: ignore[attr-defined]
    wait_idle(qtbot, main.document)
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + view.model().rowCount(), view.objectName()


def _widen(view: QTableView) -> None:
    header = view.horizontalHeader()
    if header.count() == 1:  # it has all the room there is
        return
    before = dict(settings.get(_WIDTHS))
    changed: list[str] = []
    movable = -1  # the column that fills what the others leave keeps its own width
    while not changed and movable + 1 < header.count():
        movable += 1
        if header.sectionResizeMode(movable) == header.ResizeMode.Interactive:
            header.resizeSection(movable, header.sectionSize(movable) + 11)
        now = settings.get(_WIDTHS)
        changed = [name for name in now if now[name] != before.get(name)]
    assert any(name.startswith(view.objectName()) for name in changed), view.objectName()
    assert header.sectionSize(movable) in next(now[name] for name in changed if name.startswith(view.objectName()))
    if isinstance(view, RecordsView):
        assert view.kept_widths
