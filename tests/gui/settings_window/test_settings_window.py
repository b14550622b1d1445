"""Settings: remembered, applied at once, and the same as elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit

from gui import dialogs
from gui.main_window.window import MainWindow
from gui.settings import DECIMALS, FONT_SIZE, THEME, folder_for_safe_files, settings
from gui.settings_window.window import SettingsWindow
from gui.theme import body_points, theme


@pytest.fixture
def main_window(open_window: Callable[..., MainWindow]) -> MainWindow:
    return open_window()


@pytest.fixture
def window(main_window: MainWindow) -> Iterator[SettingsWindow]:
    main_window.menu_actions["actionSettings"].trigger()
    made = main_window.window_named("settings")
    assert isinstance(made, SettingsWindow)
    yield made
    theme.use_points(0)
    theme.use("auto")


def choose(window: SettingsWindow, name: str, value: object) -> None:
    box = window.findChild(QComboBox, name)
    assert box is not None
    box.setCurrentIndex(box.findData(value))


def test_size_and_theme_are_applied_at_once(main_window: MainWindow, window: SettingsWindow) -> None:
    before = body_points()
    choose(window, "fontSize", 13)
    assert (body_points(), QApplication.font().pointSizeF()) == (13.0, 13.0)
    assert settings.get(FONT_SIZE) == 13
    choose(window, "fontSize", 0)
    assert body_points() == before
    choose(window, "theme", "dark")
    assert theme.dark
    assert main_window.menu_actions["actionThemeDark"].isChecked()
    main_window.menu_actions["actionThemeLight"].trigger()
    box = window.findChild(QComboBox, "theme")
    assert box is not None and box.currentData() == settings.get(THEME) == "light"


def test_decimals_and_motion(window: SettingsWindow) -> None:
    choose(window, "decimals", 7)
    assert settings.get(DECIMALS) == 7
    settings.set(DECIMALS, 4)  # as the box in a chart does
    box, motion = window.findChild(QComboBox, "decimals"), window.findChild(QCheckBox, "reducedMotion")
    assert box is not None and box.currentData() == 4
    assert motion is not None
    motion.setChecked(True)
    main = window.window()
    assert isinstance(main, MainWindow)
    indicator = main.findChild(QLabel, "workText").parent()
    indicator._begin()
    assert indicator._bar.maximum() == 1000
    motion.setChecked(False)
    indicator._begin()
    assert indicator._bar.maximum() == 0
    indicator._end()


def test_folders(window: SettingsWindow, tmp_path: Path) -> None:
    data, safe = tmp_path / "data", tmp_path / "safe"
    data.mkdir()
    safe.mkdir()
    assert folder_for_safe_files(data / "x.csv") == data
    box, message = window.findChild(QLineEdit, "safeFolder"), window.findChild(QLabel, "safeFolderMessage")
    assert box is not None and message is not None
    box.setText(str(safe))
    box.editingFinished.emit()
    assert folder_for_safe_files(data / "x.csv") == safe
    box.setText(str(tmp_path / "none"))
    box.editingFinished.emit()
    assert "no such folder" in message.text()
    assert folder_for_safe_files(data / "x.csv") == safe
    box.clear()
    box.editingFinished.emit()
    assert folder_for_safe_files(data / "x.csv") == data
    first = window.findChild(QLineEdit, "dataFolder")
    assert first is not None
    first.setText(str(data))
    first.editingFinished.emit()
    assert dialogs.last_folder() == data
