"""What the tests of Specify Metadata do with it, by mouse and keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.data.variable_uses import USES
from gui.main_window.window import MainWindow
from gui.specify_metadata.variable_table import UsePopup
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.waiting import wait_idle

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def opened(qtbot: QtBot, main_window: MainWindow) -> SpecifyMetadata:
    made = main_window.windows.open_window("specifyMetadata")
    assert isinstance(made, SpecifyMetadata)
    qtbot.waitExposed(made)
    wait_idle(qtbot, main_window.document)
    qtbot.waitUntil(lambda: made.draft.result is not None, timeout=20_000)
    return made


def examined(qtbot: QtBot, window: SpecifyMetadata) -> None:
    draft = window.draft
    qtbot.waitUntil(lambda: draft.result is not None and draft.result.description is draft.description, timeout=20_000)


def press(qtbot: QtBot, window: QWidget, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def offer(qtbot: QtBot, window: SpecifyMetadata, text: str) -> None:
    button = next(b for b in window.messages.findChildren(QPushButton) if b.text() == text)
    qtbot.mouseClick(button, LEFT)


def accept(qtbot: QtBot, window: SpecifyMetadata) -> None:
    document = window.document
    press(qtbot, window, "accept")
    wait_idle(qtbot, document)


def place(window: SpecifyMetadata, name: str) -> int:
    return next(i for i, v in enumerate(window.draft.variables) if v.name == name)


def select(window: SpecifyMetadata, *names: str) -> None:
    window.table.select_places([place(window, name) for name in names])


def click(qtbot: QtBot, window: SpecifyMetadata, name: str, column: int, keys: Any = None) -> None:
    view = window.table.view
    index = window.table.model.index(window.table.model.row_of(place(window, name)), column)
    view.scrollTo(index)
    centre = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), LEFT, keys or Qt.KeyboardModifier.NoModifier, centre)


def cell(window: SpecifyMetadata, name: str, column: int) -> str:
    model = window.table.model
    return str(model.index(model.row_of(place(window, name)), column).data())


def type_cell(qtbot: QtBot, window: SpecifyMetadata, name: str, column: int, text: str) -> None:
    view = window.table.view
    kept = [window.draft.variables[i].name for i in window.places]
    index = window.table.model.index(window.table.model.row_of(place(window, name)), column)
    view.setCurrentIndex(index)
    if name in kept:
        select(window, name, *kept)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = next(e for e in view.findChildren(QLineEdit) if e.isVisible())
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def type_box(qtbot: QtBot, window: SpecifyMetadata, name: str, text: str) -> QLineEdit:
    edit = window.findChild(QLineEdit, name)
    assert edit is not None and edit.isEnabled()
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    return edit


def choose_use(qtbot: QtBot, window: SpecifyMetadata, use: str) -> None:
    popup = window.table.findChild(UsePopup)
    assert popup is not None
    item = popup.item(USES.index(use))  # type: ignore[arg-type]
    qtbot.mouseClick(popup.viewport(), LEFT, pos=popup.visualItemRect(item).center())
    qtbot.waitUntil(lambda: window.table.findChild(UsePopup) is None)


def click_role(qtbot: QtBot, window: SpecifyMetadata, use: str) -> None:
    button = window.form.role_buttons[use]
    qtbot.mouseClick(button, LEFT, pos=QPoint(8, button.height() // 2))


def texts(found: QListWidget) -> list[str]:
    return [found.item(i).text() for i in range(found.count())]


def variable(window: SpecifyMetadata, name: str) -> Any:
    return window.draft.variables[place(window, name)]
