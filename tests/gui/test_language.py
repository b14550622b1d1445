"""The language of the windows: chosen in Settings, its numbers, Qt's own texts; and that of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QComboBox, QPushButton

from core.base.texts import current_language, translate
from gui import language, numbers
from gui.main_window.window import MainWindow
from tests.pseudo import PSEUDO, pseudo, pseudo_language


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    language.speak("")
    QLocale.setDefault(QLocale("en_US"))
    language.speak("")


def test_a_chosen_language_is_spoken_at_once(open_window: Callable[..., MainWindow], tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    main = open_window()
    with pseudo_language(tmp_path / "locale", monkeypatch):
        box = main.windows.open_window("settings").findChild(QComboBox, "language")
        assert box is not None
        assert box.findData(PSEUDO) > 0
        box.setCurrentIndex(box.findData(PSEUDO))
        assert current_language() == PSEUDO
        assert translate("Settings") == pseudo("Settings")
        assert numbers.format_number(1.5, 1) == "1,5"
        assert main.windows.open_window("history").windowTitle().startswith(pseudo("History"))


@pytest.mark.usefixtures("qapp")  # Qt's own texts belong to it
@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "nl"])
def test_qt_and_numbers_follow(code: str) -> None:
    language.speak(code)
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") != "Cancel"
    assert numbers.locale().decimalPoint() == ","
    assert language.own_name(code)[0].isupper()


def test_the_language_of_the_report_is_chosen_in_its_details(
    open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    details = main.windows.open_window("reportDetails")
    box = details.findChild(QComboBox, "reportLanguage")
    accept = details.findChild(QPushButton, "accept")
    assert box is not None
    assert accept is not None
    assert box.currentData() == main.document.recipe.report.language == ""
    box.setCurrentIndex(box.findData("en"))
    accept.click()
    assert main.document.recipe.report.language == "en"
