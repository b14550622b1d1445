"""Export windows that are open while the session changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from gui.export.window import Export
from gui.main_window.window import MainWindow
from tests.gui.waiting import wait_idle


@pytest.mark.parametrize("name", ["exportForSdcMicro", "exportForMuArgus"])
def test_nothing_is_exported_once_the_combinations_are_gone(
    main: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    document = main.document
    window = main.windows.open_window(name)
    assert isinstance(window, Export)
    qtbot.waitExposed(window)
    assert window.export.isEnabled()
    listed = window.findChild(QPlainTextEdit, "exportFiles")
    assert listed.toPlainText()
    before = set(tmp_path.iterdir())
    document.commit("no keys", document.recipe.with_(combinations=()))
    wait_idle(qtbot, document)
    assert "at least one combination" in window.message.text()
    assert listed.toPlainText() == ""
    assert not window.export.isEnabled()
    window.findChild(QLineEdit, "exportPath").returnPressed.emit()
    wait_idle(qtbot, document)
    assert set(tmp_path.iterdir()) == before
    document.undo()
    wait_idle(qtbot, document)
    assert window.message.text() == ""
    assert window.export.isEnabled()
