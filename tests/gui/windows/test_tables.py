"""Every table of every window: sorted, filtered, copied with headers, exported, with widths that are remembered."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QTableView, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Output
from gui import dialogs
from gui.settings import COLUMN_WIDTHS as _WIDTHS
from gui.settings import settings
from gui.widgets.records_view import RecordsView
from gui.windows.main_window import MainWindow
from gui.windows.registry import WINDOWS, exists, reason_against
from tests.gui.conftest import wait_idle
from tests.gui.windows.hands import copy_survey

FORMS = {"suppressionWeights": "rows of a slider and a number, in the order of the key variables"}
"""Tables that are typed into, not looked up in."""
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
            if view.objectName() in FORMS or not view.objectName() or _is_popup(view):
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
    before = dict(settings.get(_WIDTHS))
    movable = next(i for i in range(header.count()) if header.sectionResizeMode(i) == header.ResizeMode.Interactive)
    header.resizeSection(movable, header.sectionSize(movable) + 11)
    now = settings.get(_WIDTHS)
    changed = [name for name in now if now[name] != before.get(name)]
    assert any(name.startswith(view.objectName()) for name in changed), view.objectName()
    assert header.sectionSize(movable) in next(now[name] for name in changed if name.startswith(view.objectName()))
    if isinstance(view, RecordsView):
        assert view.kept_widths
