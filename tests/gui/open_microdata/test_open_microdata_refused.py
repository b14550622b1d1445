"""Open Microdata refuses a file that cannot be read, and leaves the session that is open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.open_microdata.window import OpenMicrodata
from tests.gui.waiting import wait_idle


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    made = open_window()
    made.document.open_data(demo / "survey.asc")
    wait_idle(qtbot, made.document)
    return made


@pytest.fixture
def window(main: MainWindow) -> OpenMicrodata:
    made = main.windows.open_window("openMicrodata")
    assert isinstance(made, OpenMicrodata)
    return made


def look_at(qtbot: QtBot, window: OpenMicrodata, path: Path) -> None:
    window.data.setText(str(path))
    looked(qtbot, window)


def looked(qtbot: QtBot, window: OpenMicrodata) -> None:
    qtbot.waitUntil(lambda: window._look is not None and window._look.input == window.asked(), timeout=20_000)


@pytest.mark.parametrize(
    ("contents", "said", "shown"),
    [
        ("A,B\n", "contains no records. Choose another data file.", 0),
        ("A,B\n" + 200 * "1,2\n" + "3\n", "line 202: the number of fields is 1 here but 2 on the first line.", 100),
    ],
)
def test_a_file_that_cannot_be_read_to_its_end_leaves_the_open_session(
    qtbot: QtBot, main: MainWindow, window: OpenMicrodata, demo: Path, tmp_path: Path,
    contents: str, said: str, shown: int,
) -> None:  # fmt: skip
    path = tmp_path / "x.csv"
    path.write_text(contents, encoding="utf-8")
    look_at(qtbot, window, path)
    assert window.data_message.isVisible()
    assert said in window.data_message.text()
    assert window.preview.model.rowCount() == shown
    assert not window.accept.isEnabled()
    qtbot.keyClick(window.data, Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.input.data == demo / "survey.asc"


def test_a_file_in_two_encodings_is_warned_of_and_can_be_opened(
    qtbot: QtBot, window: OpenMicrodata, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("A,B\n1,Málaga\n".encode() + "2,Málaga\n".encode("cp1252"))
    look_at(qtbot, window, path)
    assert window.problems.item(0).text().startswith("Warning: This file seems to be in two encodings: line 3")
    assert window.accept.isEnabled()


def test_another_encoding_than_utf_16_is_refused_for_it(qtbot: QtBot, window: OpenMicrodata, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A,B\n1,é\n", encoding="utf-16")
    look_at(qtbot, window, path)
    assert window.encoding.itemText(0) == "utf-16 (detected)"
    place = window.encoding.findText("cp1252")
    window.encoding.setCurrentIndex(place)
    window.encoding.activated.emit(place)
    looked(qtbot, window)
    assert "is in UTF-16, not in cp1252" in window.problems.item(0).text()
    assert not window.accept.isEnabled()
