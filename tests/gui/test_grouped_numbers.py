"""Numbers that are read have their digits in groups: on every page, in every dialog and in the report."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.base.texts import use_language
from core.recipe.model import Combination, Output
from docs.screenshot_scenes import SCENES
from gui.main_window.window import MainWindow
from tests.gui.make_protected_file.hand import keep_all
from tests.gui.seen_texts import seen_texts
from tests.gui.test_names import WINDOWS
from tests.gui.waiting import wait_idle

_NUMBER = re.compile(r"(?<![\w.,:/#-])[1-9]\d{3,}(?![\w-]|[.,]\d{3}\b)")
_OF_FILE = ("browseRecords", "QHeaderView")
"""Tables of values as they stand in the file, and the heads of rows, which have their tables' texts."""
_NAMED = {"1998"}
"""The year of what is cited."""
DIALOGS = [scene for scene in SCENES if scene.shown is not None and scene.data in ("demonstration", "households")]


def _ungrouped(main: MainWindow, window: QWidget) -> dict[str, str]:
    """Texts with a number of four digits or more in one run, by what says them."""
    derived = main.document.derived
    assert derived is not None
    coded = {variable.name for variable in derived.metadata.variables if variable.categorical}
    columns = [*derived.columns.values(), *(each for name, each in derived.original.columns.items() if name in coded)]
    codes = _NAMED | {code for column in columns for code in column.codes}
    seen = [(where, text) for where, text in seen_texts(window) if not any(name in where for name in _OF_FILE)]
    return {where: text for where, text in seen if set(_NUMBER.findall(text)) - codes}


@pytest.fixture(params=["en", "de"])
def main(
    request: pytest.FixtureRequest, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """The main window with the survey of households, in a language."""

    def speak(_language: str = "") -> None:
        use_language(request.param)
        QLocale.setDefault(QLocale(request.param))

    monkeypatch.setattr("gui.app.application.speak", speak)
    window = open_window(demo / "survey-households.pavo")
    speak()
    yield window
    use_language(None)
    QLocale.setDefault(QLocale("en_US"))


def test_windows_group_the_digits_of_all_numbers(qtbot: QtBot, main: MainWindow) -> None:
    found = {f"mainWindow: {where}": text for where, text in _ungrouped(main, main).items()}
    for action, name in WINDOWS.items():
        opener = main.findChild(QAction, action)
        assert isinstance(opener, QAction)
        opener.trigger()
        wait_idle(qtbot, main.document)
        window = main.window_named(name)
        assert window is not None
        found |= {f"{name}: {where}": text for where, text in _ungrouped(main, window).items()}
        window.close()
    assert not found, "\n".join(f"{where}: {text[:200]!r}" for where, text in found.items())


def test_dialogs_group_the_digits_of_all_numbers(qtbot: QtBot, main: MainWindow) -> None:
    found = {}
    for scene in DIALOGS:
        window = main.windows.open_window(scene.window, **(scene.arguments or {}))
        wait_idle(qtbot, main.document)
        assert scene.shown is not None
        if scene.act is not None:
            scene.act(window)
        wait_idle(qtbot, main.document)
        dialog = scene.shown(window)
        assert dialog is not None, scene.name
        found |= {f"{scene.name}: {where}": text for where, text in _ungrouped(main, dialog).items()}
        dialog.close()
        window.close()
    assert not found, "\n".join(f"{where}: {text[:200]!r}" for where, text in found.items())


def test_the_report_groups_the_digits_of_all_numbers(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    keep_all(main, qtbot)
    document, page = main.document, tmp_path / "safe.html"
    output = Output(data=tmp_path / "safe.asc", report=page)
    few = (Combination(("REGION", "SEX", "MARSTAT")),)
    document.commit("Few keys", document.recipe.with_(combinations=few, recodes=(), output=output))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    text = re.sub(r"<style.*?</style>|<script.*?</script>", "", page.read_text("utf-8"), flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]*>", "\n", text))
    found = [line for line in text.splitlines() if _NUMBER.search(line)]
    assert document.derived is not None
    assert document.derived.records > 999
    assert re.search(rf"\b{document.derived.records:,}\b".replace(",", "[,.]"), text)
    assert not found, "\n".join(found)
