"""A data file that another program changes while a session is open: noticed, said, and read anew when asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from core.recipe.model import Recode, Report
from core.recipe.toml import load
from gui.document.autosave import left_behind
from gui.document.engine import INPUT_CHANGED
from gui.main_window.window import MainWindow
from tests.core.small_survey import Survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    survey = Survey(tmp_path)
    survey.write()
    return survey


@pytest.fixture
def window(open_window: Open, survey: Survey) -> MainWindow:
    return open_window(survey.folder / "survey.pavo")


def records(window: MainWindow) -> int:
    derived = window.document.derived
    assert derived is not None
    assert not window.document.stale
    return int(derived.records)


def one_more(survey: Survey) -> None:
    survey.lines = [*survey.lines, survey.lines[0]]
    survey.write()


def press(qtbot: QtBot, window: MainWindow, text: str) -> None:
    def offers() -> list[QPushButton]:
        buttons = window.messages.findChildren(QPushButton)
        return [b for b in buttons if b.isVisible() and b.text().replace("&", "") == text]

    qtbot.waitUntil(lambda: len(offers()) == 1)
    qtbot.mouseClick(offers()[0], Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)


def refused(qtbot: QtBot, window: MainWindow) -> PavoError:
    """Why no protected file is made."""
    said: list[PavoError] = []
    window.document.make_protected_file(failed=said.append)
    wait_idle(qtbot, window.document)
    assert len(said) == 1
    return said[0]


@pytest.mark.parametrize("way", ["session", "data", "again"])
def test_what_is_opened_again_is_read_again(qtbot: QtBot, window: MainWindow, survey: Survey, way: str) -> None:
    assert records(window) == 60
    one_more(survey)
    if way == "session":
        window.document.open_session(survey.folder / "survey.pavo")
    elif way == "data":
        window.document.open_data(survey.data, survey.folder / "survey.rda")
    else:
        window.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, window.document)
    assert records(window) == 61


def test_no_results_stand_once_a_change_is_noticed(qtbot: QtBot, window: MainWindow, survey: Survey) -> None:
    one_more(survey)
    assert refused(qtbot, window).id == "data-changed"
    document = window.document
    assert document.stale
    assert "attention" in window.steps.button("Data").accessibleName()
    assert "has changed since it was read" in window.messages.text
    assert len(document.recipe.combinations) == 1
    press(qtbot, window, "Read it again")
    assert document.session.error is None
    assert records(window) == 61
    assert len(document.recipe.combinations) == 1


def test_a_saved_session_asks_before_it_goes_on_with_another_file(
    qtbot: QtBot, window: MainWindow, survey: Survey
) -> None:
    window.document.save()
    window.document.open_session(survey.folder / "survey.pavo")
    wait_idle(qtbot, window.document)
    one_more(survey)
    assert refused(qtbot, window).id == "data-changed"
    press(qtbot, window, "Read it again")
    assert window.document.session.error is not None
    assert window.document.session.error.id == INPUT_CHANGED
    press(qtbot, window, "Accept the changed file")
    assert records(window) == 61


def test_a_file_that_is_gone_can_be_located(
    qtbot: QtBot, window: MainWindow, survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = survey.data.rename(survey.folder / "moved.asc")
    assert refused(qtbot, window).id == "data-missing"
    assert window.document.stale
    monkeypatch.setattr("gui.dialogs.open_file", lambda *_args: elsewhere)
    press(qtbot, window, "Locate…")
    assert records(window) == 60
    assert window.document.recipe.input.data == elsewhere


# Files beside the data -----------------------------------------------------------------------------------------------


def offered(window: MainWindow) -> list[str]:
    return [button.text() for button in window.messages.findChildren(QPushButton) if button.isVisible()]


def another_weight(survey: Survey) -> None:
    survey.rda = survey.rda.replace('AGE 4 2 "99"\n', 'AGE 4 2 "99"\n  <SUPPRESSWEIGHT> 10\n')
    survey.write_metadata()


def reopened(qtbot: QtBot, window: MainWindow, survey: Survey) -> None:
    window.document.open_session(survey.folder / "survey.pavo")
    wait_idle(qtbot, window.document)


def test_save_pins_every_file_and_a_changed_one_is_accepted(qtbot: QtBot, window: MainWindow, survey: Survey) -> None:
    session, metadata = survey.folder / "survey.pavo", survey.folder / "survey.rda"
    window.document.save()
    digest = hashlib.sha256(metadata.read_bytes()).hexdigest()
    assert load(session).input.checksums == ((metadata, digest),)
    another_weight(survey)
    reopened(qtbot, window, survey)
    document = window.document
    assert document.derived is None
    assert "survey.rda is not the file that the recipe was saved with" in window.messages.text
    assert window.messages.text.endswith("until you accept the file as it is now.")
    assert "attention" in window.steps.button("Metadata").accessibleName()
    assert len(document.recipe.combinations) == 1
    press(qtbot, window, "Accept the changed file")
    assert records(window) == 60
    assert document.session.history.undo_label == "Accept the changed survey.rda"
    document.save()
    assert load(session).input.checksums == ((metadata, hashlib.sha256(metadata.read_bytes()).hexdigest()),)
    reopened(qtbot, window, survey)
    assert records(window) == 60
    assert document.session.error is None


def test_what_does_not_fit_any_more_is_told_by_the_file_that_changed(
    qtbot: QtBot, window: MainWindow, survey: Survey
) -> None:
    window.document.save()
    survey.rda = survey.rda.replace("AGE 4 2", "YEARS 4 2")
    survey.write_metadata()
    reopened(qtbot, window, survey)
    assert "survey.rda is not the file" in window.messages.text
    press(qtbot, window, "Accept the changed file")
    assert "AGE" in window.messages.text


def test_metadata_that_are_gone_can_be_located_and_are_compared(
    qtbot: QtBot, window: MainWindow, survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.save()
    elsewhere = (survey.folder / "survey.rda").rename(survey.folder / "moved.rda")
    reopened(qtbot, window, survey)
    monkeypatch.setattr("gui.dialogs.open_file", lambda *_args: elsewhere)
    press(qtbot, window, "Locate…")
    assert records(window) == 60
    assert window.document.recipe.input.metadata == elsewhere
    elsewhere.write_text(elsewhere.read_text() + "\n")
    reopened(qtbot, window, survey)
    press(qtbot, window, "Locate…")
    assert "moved.rda is not the file" in window.messages.text
    press(qtbot, window, "Accept the changed file")
    assert records(window) == 60


def test_several_changed_files_are_named_and_accepted_together(
    qtbot: QtBot, window: MainWindow, survey: Survey
) -> None:
    scheme = survey.folder / "Age.grc"
    scheme.write_text("1: -39\n2: 40-\n")
    document = window.document
    document.commit("recode", document.recipe.with_(recodes=(Recode("AGE", scheme_file=scheme),)))
    wait_idle(qtbot, document)
    document.save()
    another_weight(survey)
    scheme.write_text("1: -38\n2: 39-\n")
    reopened(qtbot, window, survey)
    assert "survey.rda; Age.grc" in window.messages.text
    assert offered(window) == ["Accept the changed files"]
    press(qtbot, window, "Accept the changed files")
    assert records(window) == 60
    assert document.recipe.input.checksums == ()


def test_a_file_is_not_made_from_metadata_that_changed_meanwhile(
    qtbot: QtBot, window: MainWindow, survey: Survey
) -> None:
    window.document.save()
    reopened(qtbot, window, survey)
    another_weight(survey)
    window.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, window.document)
    error = refused(qtbot, window)
    assert error.id == INPUT_CHANGED
    assert "--accept-changed" not in str(error)


def test_a_session_kept_by_autosave_notices_it_too(qtbot: QtBot, window: MainWindow, survey: Survey) -> None:
    window.document.save()
    reopened(qtbot, window, survey)
    window.document.commit("edit", window.document.recipe.with_(report=Report(title="mine")))
    kept = window._autosave
    kept.write()
    content = kept.file.read_bytes()
    another_weight(survey)
    lost = kept.file.with_name("1-dead.json")
    lost.write_bytes(content)
    lost.chmod(0o600)
    sitting = next(each.sitting for each in left_behind() if each.file == lost)
    window.document.restore(sitting)
    wait_idle(qtbot, window.document)
    assert window.document.derived is None
    assert "survey.rda is not the file" in window.messages.text
    press(qtbot, window, "Accept the changed file")
    assert records(window) == 60
    assert window.document.recipe.report.title == "mine"
