"""Open Microdata opens the file that Open was pressed for, and no other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.base.errors import DataError
from core.base.texts import mark
from gui.main_window.window import MainWindow
from gui.open_microdata import window as open_microdata
from gui.open_microdata.window import OpenMicrodata
from tests.gui.waiting import wait_idle


@pytest.fixture
def main(open_window: Callable[..., MainWindow]) -> MainWindow:
    return open_window()


@pytest.fixture
def window(qtbot: QtBot, main: MainWindow) -> OpenMicrodata:
    made = main.windows.open_window("openMicrodata")
    assert isinstance(made, OpenMicrodata)
    made.check.setChecked(False)
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def held(main: MainWindow) -> Iterator[threading.Event]:
    """The compute thread is busy until the event is set."""
    free = threading.Event()
    main.document.compute("test: busy", lambda progress: free.wait(60))
    yield free
    free.set()


def csv(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("A,B\n" + "1,2\n2,1\n" * 10, encoding="utf-8")
    return path


def looked_at(qtbot: QtBot, window: OpenMicrodata) -> None:
    qtbot.waitUntil(lambda: window._look is not None and window._look.input == window.asked(), timeout=20_000)


@pytest.mark.parametrize("between", [True, False])
def test_a_path_typed_after_enter_is_not_opened(
    qtbot: QtBot, main: MainWindow, window: OpenMicrodata, held: threading.Event, tmp_path: Path, between: bool
) -> None:
    window.data.setText(str(csv(tmp_path, "a.csv")))
    qtbot.keyClick(window.data, Qt.Key.Key_Return)
    if between:
        window.data.clear()
    window.data.setText(str(csv(tmp_path, "b.csv")))
    held.set()
    looked_at(qtbot, window)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.input.data is None
    assert main.window_named("openMicrodata") is window
    qtbot.keyClick(window.data, Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.input.data == tmp_path / "b.csv"


def test_another_reading_chosen_after_enter_is_shown_first(
    qtbot: QtBot, main: MainWindow, window: OpenMicrodata, held: threading.Event, tmp_path: Path
) -> None:
    window.data.setText(str(csv(tmp_path, "a.csv")))
    qtbot.keyClick(window.data, Qt.Key.Key_Return)
    place = window.header.findText("a record")
    window.header.setCurrentIndex(place)
    window.header.activated.emit(place)
    held.set()
    looked_at(qtbot, window)
    wait_idle(qtbot, main.document)
    assert window._look is not None and window._look.input.header is False
    assert main.document.recipe.input.data is None


def test_a_look_that_failed_opens_nothing_later(
    qtbot: QtBot, main: MainWindow, window: OpenMicrodata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise DataError("broken", mark("{file} is broken."), "", file="a.csv")

    data = csv(tmp_path, "a.csv")
    with monkeypatch.context() as patched:
        patched.setattr(open_microdata, "look", fail)
        window.data.setText(str(data))
        qtbot.keyClick(window.data, Qt.Key.Key_Return)
        wait_idle(qtbot, main.document)
    assert "a.csv is broken." in window.messages.text
    assert window.preview.isEnabled()
    window._start_look()
    looked_at(qtbot, window)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.input.data is None
    assert main.window_named("openMicrodata") is window
