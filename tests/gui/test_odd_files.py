"""Odd surveys in the windows: they open, and marks of HTML in names, codes, labels and files are shown as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.shared.windows import WINDOWS, exists, reason_against
from tests.gui.waiting import wait_idle
from tests.odd_files import MAKERS, categories, variables

Open = Callable[..., MainWindow]


def every_window(main: MainWindow, qtbot: QtBot) -> list[QWidget]:
    """The main window and every window that can be opened on the session, with its work done."""
    for name in WINDOWS:
        if exists(name) and not reason_against(name, main.document):
            main.windows.open_window(name)
            wait_idle(qtbot, main.document)
            QApplication.processEvents()
    return [main, *(main.windows.window_named(name) for name in main.windows.names())]


@pytest.mark.parametrize("name", list(MAKERS))
def test_they_open(open_window: Open, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    # each window makes a row of every variable, and of every code: hundreds are more than any shows at once
    smaller = {"variables": lambda: variables(tmp_path, 150), "categories": lambda: categories(tmp_path, 5_000)}
    main = open_window(smaller.get(name, lambda: MAKERS[name](tmp_path))())
    assert main.document.session.error is None
    assert main.document.derived is not None
    windows = every_window(main, qtbot)
    assert len(windows) > 8
    for window in windows:
        window.show()
        assert window.isVisible(), window.objectName()
    assert main.document.session.error is None


def items(model: QAbstractItemModel, parent: QModelIndex, most: int = 40) -> Iterator[QModelIndex]:
    for row in range(min(model.rowCount(parent), most)):
        for column in range(most):
            index = model.index(row, column, parent)
            if not index.isValid():
                break
            yield index
            if column == 0 and model.rowCount(index):
                yield from items(model, index, most)


def rich(text: object) -> bool:
    return isinstance(text, str) and GuiQt.mightBeRichText(text) and "<qt>" not in text


def told_as_html(window: QWidget) -> Iterator[str]:
    """What Qt would take for HTML in labels and tool tips."""
    for label in window.findChildren(QLabel):
        if label.textFormat() == Qt.TextFormat.AutoText and rich(label.text()):
            yield f"label {label.objectName()} of {window.objectName()}: {label.text()}"
    for widget in window.findChildren(QWidget):
        if rich(widget.toolTip()):
            yield f"tool tip of {widget.objectName()} {type(widget).__name__}: {widget.toolTip()}"
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            model = widget.model()
            for index in items(model, QModelIndex()):
                if rich(index.data(Qt.ItemDataRole.ToolTipRole)):
                    yield f"tool tip in {widget.objectName()}: {index.data(Qt.ItemDataRole.ToolTipRole)}"
            for section in range(40):
                tip = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
                if rich(tip):
                    yield f"tool tip of a heading in {widget.objectName()}: {tip}"
    for action in window.findChildren(QAction):
        if rich(action.toolTip()):
            yield f"tool tip of {action.objectName()}: {action.toolTip()}"


def test_marks_of_html_are_text_in_every_window(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    main = open_window(MAKERS["html"](tmp_path))
    windows = every_window(main, qtbot)
    made = main.windows.window_named("makeProtectedFile")
    assert made is not None
    made.make.click()  # type: ignore[attr-defined]
    wait_idle(qtbot, main.document)
    windows = every_window(main, qtbot)
    told = [text for window in windows for text in told_as_html(window)]
    assert not told, "\n".join(sorted(set(told)))


def test_questions_show_names_as_they_are(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    from gui import dialogs

    seen: list[QMessageBox] = []

    def look(box: QMessageBox) -> int:
        seen.append(box)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", look)
    dialogs.ask(None, "Save <b>x</b>?", "<img src=x>", ["&Yes", "&No"])
    labels = [label for label in seen[0].findChildren(QLabel) if label.text() in ("Save <b>x</b>?", "<img src=x>")]
    assert len(labels) == 2
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
