"""What a user does in Make Protected File, and the survey it is done on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from core.recipe.edits_checklist import with_edits
from core.recipe.model import Output, VariableEdit
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from tests.gui.waiting import wait_idle


def copy_survey(demo: Path, folder: Path) -> Path:
    """The demonstration survey in a folder of its own; its session."""
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (folder / source.name).write_bytes(source.read_bytes())
    return folder / "survey.pavo"


def keep_all(main: MainWindow, qtbot: QtBot) -> None:
    """Every column that no model judges is kept as it is: it was looked at."""
    derived, recipe = main.document.derived, main.document.recipe
    assert derived is not None
    said = {edit.name: edit for edit in recipe.variables}
    edits = [replace(said.get(name, VariableEdit(name)), decision="keep") for name in derived.metadata.names]
    main.document.commit("Kept", with_edits(recipe, edits))
    wait_idle(qtbot, main.document)


def open_protecting(main: MainWindow, qtbot: QtBot) -> MakeProtectedFile:
    """The window as the menu command opens it, on a session without outputs named."""
    main.document.commit("No outputs", main.document.recipe.with_(output=Output()))
    wait_idle(qtbot, main.document)
    main.menu_actions["actionMakeProtectedFile"].trigger()
    found = main.window_named("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    qtbot.waitExposed(found)
    wait_idle(qtbot, main.document)
    return found


class Hands:
    """What a user does in the window."""

    def __init__(self, window: MakeProtectedFile, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot

    def find(self, kind: type, name: str) -> Any:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.find(QPushButton, name), Qt.MouseButton.LeftButton)
        wait_idle(self.qtbot, self.window.document)

    def check(self, name: str) -> None:
        box = self.find(QCheckBox, name)
        self.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))

    def choose(self, name: str, value: str) -> None:
        box = self.find(QComboBox, name)
        box.setFocus()
        while box.currentData() != value:
            before = box.currentIndex()
            self.qtbot.keyClick(box, Qt.Key.Key_Down if box.findData(value) > before else Qt.Key.Key_Up)
            assert box.currentIndex() != before

    def type_path(self, text: str) -> None:
        """Put it into the box at once, as by pasting: the window looks at the file system at every change."""
        box = self.find(QLineEdit, "outputPath")
        box.setFocus()
        box.selectAll()
        box.insert(text)

    def text(self, name: str) -> str:
        return str(self.find(QLabel, name).text())

    def table(self, name: str) -> dict[str, list[str]]:
        model = self.find(QTableView, name).model()
        columns = range(1, model.columnCount())
        return {
            model.index(row, 0).data(): [model.index(row, column).data() for column in columns]
            for row in range(model.rowCount())
        }
