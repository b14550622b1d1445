"""Check against a Profile: rules, the records behind them, and a session that keeps to a profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gui import dialogs
from gui.browse.data_window import BrowseData
from gui.help.window import page_of
from gui.main_window.window import MainWindow
from gui.profile_check.window import ProfileCheck
from tests.gui.make_protected_file.hand import Hands, copy_survey, open_protecting
from tests.gui.waiting import wait_idle

OWN = """profile = 1
name = "Office"
[[checks]]
check = "no-direct-identifiers"
[[checks]]
check = "random-order"
[[checks]]
check = "top-coded"
share = 0.5
"""


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    window = open_window(copy_survey(demo, tmp_path))
    wait_idle(qtbot, window.document)
    return window


def page(qtbot: QtBot, main: MainWindow) -> ProfileCheck:
    main.menu_actions["actionCheckAgainstAProfile"].trigger()
    found = main.window_named("profileCheck")
    assert isinstance(found, ProfileCheck)
    wait_idle(qtbot, main.document)
    return found


def choose_own(
    qtbot: QtBot, main: MainWindow, found: ProfileCheck, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "open_file", lambda *_: path)
    qtbot.mouseClick(found.file, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)


def holding(found: ProfileCheck) -> list[bool]:
    model = found.rules.model
    return [bool(value) for value in model.columns[2].values] if model.columns else []


def test_rules_are_checked_and_the_records_behind_shown(
    qtbot: QtBot, main: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = page(qtbot, main)
    offered = [found.choice.itemText(i) for i in range(found.choice.count())]
    assert "Public use file, Statistics Netherlands" in offered
    (tmp_path / "office.toml").write_text(OWN, encoding="utf-8")
    choose_own(qtbot, main, found, tmp_path / "office.toml", monkeypatch)
    assert found.choice.currentText() == "Office"
    assert holding(found) == []
    qtbot.mouseClick(found.check, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert holding(found) == [True, False, False]
    assert found.summary.text() == "2 of 3 rules do not hold."
    assert found.rules.current_key == 2
    assert not found.records.isEnabled()
    found.rules.select(3)
    assert found.told.text() == "In the way of rule 3: INCOME (1)"
    qtbot.mouseClick(found.records, Qt.MouseButton.LeftButton)
    browse = main.window_named("browseData")
    assert isinstance(browse, BrowseData)
    wait_idle(qtbot, main.document)
    assert browse.count.text() == "1 of 5,002 records"
    browse.filter.setText("SEX=1")
    browse._choose()
    wait_idle(qtbot, main.document)
    assert browse.count.text() in ("0 of 5,002 records", "1 of 5,002 records")
    browse.filter.clear()
    button = browse.messages.findChild(QPushButton, "messageOffer1")
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert browse.count.text() == "5,002 records"
    assert page_of("profileCheck") == "profile-check"


def test_a_change_greys_what_was_found_and_a_profile_is_one_step(qtbot: QtBot, main: MainWindow) -> None:
    found = page(qtbot, main)
    found.choice.setCurrentIndex(found.choice.findText("k-anonymity, k = 3"))
    found.choice.activated.emit(found.choice.currentIndex())
    qtbot.mouseClick(found.check, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert holding(found) == [False]
    found.of_session.click()
    wait_idle(qtbot, main.document)
    named = main.document.recipe.profile.file
    assert named is not None
    assert named.name == "k-anonymity-3.toml"
    assert not found.rules.property("greyed")
    assert holding(found) == [False]
    main.document.commit("x", main.document.recipe.with_(output=replace(main.document.recipe.output, shuffle=True)))
    wait_idle(qtbot, main.document)
    assert found.rules.property("greyed")
    assert not found.records.isEnabled()
    main.document.undo()
    main.document.undo()
    wait_idle(qtbot, main.document)
    assert main.document.recipe.profile.file is None
    assert not found.of_session.isChecked()


def test_a_session_with_a_profile_writes_no_file_that_breaks_it(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    found = page(qtbot, main)
    found.choice.setCurrentIndex(found.choice.findText("k-anonymity, k = 3"))
    found.of_session.click()
    wait_idle(qtbot, main.document)
    making = Hands(open_protecting(main, qtbot), qtbot)
    main.windows.window_named("profileCheck").close()
    making.type_path(str(tmp_path / "made" / "survey.saf"))
    making.click("makeFile")
    assert "breaks a rule of the profile “k-anonymity, k = 3”" in making.window.messages.text
    assert not (tmp_path / "made").exists()
    making.click("messageOffer1")
    assert page(qtbot, main).choice.currentText() == "k-anonymity, k = 3"


def test_a_file_that_is_no_profile_is_said_and_the_others_stay(
    qtbot: QtBot, main: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = page(qtbot, main)
    (tmp_path / "wrong.toml").write_text(OWN.replace("0.5", "5"), encoding="utf-8")
    choose_own(qtbot, main, found, tmp_path / "wrong.toml", monkeypatch)
    assert "wrong.toml, line 9: checks[3].share is 5" in found.messages.text
    assert found.choice.count() >= 6
    assert found.check.isEnabled()
