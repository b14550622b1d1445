"""Names of files and folders that no system takes are refused beside the box where they were typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Output
from gui.export.window import Export
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

TOO_LONG = "a" * 300
REFUSED = "is too long"


@pytest.mark.parametrize("name", [f"{TOO_LONG}.asc", f"{TOO_LONG}/safe.asc", f"new/{TOO_LONG}/further/safe.asc"])
def test_make_protected_file_refuses_them(hands: Hands, tmp_path: Path, name: str) -> None:
    make = hands.find(QPushButton, "makeFile")
    assert make.isEnabled()
    hands.type_path(str(tmp_path / name))
    assert REFUSED in hands.text("outputPathMessage")
    assert not make.isEnabled()
    hands.type_path(str(tmp_path / "safe.asc"))
    assert make.isEnabled()


def test_a_session_with_such_an_output_can_be_looked_at(main: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    output = Output(data=tmp_path / TOO_LONG / "safe.asc")
    main.document.commit("output", main.document.recipe.with_(output=output))
    wait_idle(qtbot, main.document)
    window = main.windows.open_window("makeProtectedFile")
    message = window.findChild(QLabel, "outputPathMessage")
    assert REFUSED in message.text()
    assert not window.findChild(QPushButton, "makeFile").isEnabled()


@pytest.mark.parametrize("action", ["exportForSdcMicro", "exportForMuArgus"])
def test_an_export_refuses_them(main: MainWindow, qtbot: QtBot, tmp_path: Path, action: str) -> None:
    window = main.windows.open_window(action)
    assert isinstance(window, Export)
    qtbot.waitExposed(window)
    box = window.findChild(QLineEdit, "exportPath")
    for name in (TOO_LONG, f"{TOO_LONG}/check"):
        box.selectAll()
        box.insert(str(tmp_path / name))
        assert REFUSED in window.message.text()
        assert not window.export.isEnabled()
    box.selectAll()
    box.insert(str(tmp_path / "check"))
    assert window.message.text() == ""
    assert window.export.isEnabled()
