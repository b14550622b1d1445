"""Differences to the Last Release: the memo by mouse and keys, with the figures of both releases, saved as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.toml import dumps, load
from gui import dialogs
from gui.help.window import page_of
from gui.main_window.window import MainWindow
from gui.report.memo_window import Memo
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    window = open_window(copy_survey(demo, tmp_path))
    wait_idle(qtbot, window.document)
    return window


@pytest.fixture
def last(main: MainWindow, tmp_path: Path) -> Path:
    """The folder of last year's release: its recipe, with another recode, and the summary that it names."""
    folder = tmp_path / "last year"
    folder.mkdir()
    assert main.document.session.path is not None
    former = load(main.document.session.path)
    output = former.output
    former = former.with_(recodes=(), output=type(output)(data=output.data, summary=folder / "then.json"))
    (folder / "survey 2024.pavo").write_text(dumps(former, folder), encoding="utf-8")
    (folder / "then.json").write_text(json.dumps({"records": 4900, "suppression": {"total": 123}}), encoding="utf-8")
    return folder


def page(qtbot: QtBot, main: MainWindow) -> Memo:
    main.menu_actions["actionDifferencesToTheLastRelease"].trigger()
    found = main.window_named("memo")
    assert isinstance(found, Memo)
    return found


def compare(qtbot: QtBot, main: MainWindow, found: Memo, place: Path | str) -> None:
    box = found.findChild(QLineEdit, "memoLast")
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, str(place))
    qtbot.keyClick(box, Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)


def test_from_last_years_folder_to_the_saved_memo(
    qtbot: QtBot, main: MainWindow, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = page(qtbot, main)
    save = found.findChild(QPushButton, "memoSaveHtml")
    assert not save.isEnabled() and not found.compare.isEnabled()
    compare(qtbot, main, found, last)
    assert found.messages.text == ""
    text = found.view.toPlainText()
    assert "what changed since survey 2024" in text
    assert "Global recodings: new: " in text
    assert "Figures are left out: there is no summary of survey" in text
    assert "Make the protected file first" in found.remark.text()
    for name, suffix in (("memoSaveHtml", "html"), ("memoSavePdf", "pdf")):
        target = tmp_path / f"memo.{suffix}"
        monkeypatch.setattr(dialogs, "save_file", lambda *_args, target=target: target)
        qtbot.mouseClick(found.findChild(QPushButton, name), LEFT)
    assert "survey 2024" in (tmp_path / "memo.html").read_text("utf-8")
    assert (tmp_path / "memo.pdf").read_bytes().startswith(b"%PDF")
    assert page_of("memo") == "report"


def test_figures_of_both_are_there_once_the_file_is_made(qtbot: QtBot, main: MainWindow, last: Path) -> None:
    main.document.make_protected_file()
    wait_idle(qtbot, main.document)
    found = page(qtbot, main)
    compare(qtbot, main, found, last / "survey 2024.pavo")
    text = found.view.toPlainText()
    assert "5,002" in text and "4,900" in text and "102" in text
    assert "Figures are left out" not in text
    assert found.remark.text() == ""
    recipe = main.document.recipe
    main.document.commit("x", recipe.with_(report=type(recipe.report)(title="Other")))
    assert "compare again" in found.remark.text()


def test_what_is_no_release_is_said(qtbot: QtBot, main: MainWindow, tmp_path: Path, subtests: pytest.Subtests) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "two").mkdir()
    for name in "ab":
        (tmp_path / "two" / f"{name}.pavo").touch()
    found = page(qtbot, main)
    expected = {"nowhere.pavo": "cannot be read", "empty": "holds no recipe", "two": "several recipes: a.pavo, b.pavo"}
    for typed, said in expected.items():
        with subtests.test(typed):
            compare(qtbot, main, found, tmp_path / typed)
            assert said in found.messages.text
            assert found.compare.isEnabled()
            assert found.memo is None


def test_the_summary_may_lie_elsewhere(
    qtbot: QtBot, main: MainWindow, last: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (last / "then.json").rename(tmp_path / "kept.json")
    main.document.make_protected_file()
    wait_idle(qtbot, main.document)
    found = page(qtbot, main)
    monkeypatch.setattr(dialogs, "open_file", lambda *_: tmp_path / "kept.json")
    qtbot.mouseClick(found.summary_browse, LEFT)
    compare(qtbot, main, found, last)
    assert "4,900" in found.view.toPlainText()
