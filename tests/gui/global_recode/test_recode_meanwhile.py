"""Global Recode while something else happens: the metadata changes, the file is read anew, another row is clicked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from core.base.progress import SILENT, Progress
from core.recipe.model import Recode, VariableEdit
from gui.global_recode import edits
from gui.global_recode.window import GlobalRecode
from tests.gui.global_recode.hand import click_rows, press, settle, text, write
from tests.gui.waiting import wait_idle


@pytest.fixture
def window(recode_window: GlobalRecode) -> GlobalRecode:
    """AGE of the demonstration."""
    return recode_window


@pytest.fixture
def held(window: GlobalRecode) -> Callable[[], Callable[[], None]]:
    """Keeps the compute thread busy from the first call on, until what that returns is called."""

    def hold() -> Callable[[], None]:
        free: list[bool] = []

        def wait(progress: Progress = SILENT) -> None:
            while not free:
                progress.check()
                time.sleep(0.001)

        window.document.compute("held", wait)
        return lambda: free.append(True)

    return hold


def describe(window: GlobalRecode, label: str) -> None:
    """Change the metadata elsewhere."""
    document = window.document
    document.commit("metadata", document.recipe.with_(variables=(VariableEdit("EDUC", label=label),)))


def test_figures_that_come_after_the_metadata_changed_are_not_shown(
    qtbot: QtBot, window: GlobalRecode, held: Callable[[], Callable[[], None]]
) -> None:
    arrived: list[Any] = []
    window.preview.arrived.connect(arrived.append)
    write(qtbot, window, "1: 0-14\n2: 15-")
    settle(qtbot, window)
    (effect,) = arrived[-1:]
    free = held()
    describe(window, "School")
    window.preview.arrived.emit(effect)  # it was on its way
    assert window.codes.table.codes.model.total == 0
    free()
    settle(qtbot, window)
    assert text(window) == "1: 0-14\n2: 15-"


def test_figures_asked_for_before_the_metadata_changed_are_not_computed(qtbot: QtBot, window: GlobalRecode) -> None:
    write(qtbot, window, "1: 0-14")
    window.text.flush()
    assert window.preview.is_waiting
    describe(window, "School")
    assert not window.preview.is_waiting
    settle(qtbot, window)


def test_offers_about_a_draft_go_while_the_file_is_read_anew(
    qtbot: QtBot, window: GlobalRecode, held: Callable[[], Callable[[], None]]
) -> None:
    write(qtbot, window, "1: 0-14")
    settle(qtbot, window)
    document = window.document
    document.commit("elsewhere", document.recipe.with_(recodes=(Recode("AGE", scheme="1: 0-50\n"),)))
    settle(qtbot, window)
    assert window.messages.text == "The session changed."
    free = held()
    describe(window, "School")
    assert window.messages.text == ""
    assert not [b for b in window.messages.findChildren(QPushButton) if b.isVisible() and b.text() == "Reload"]
    free()
    settle(qtbot, window)
    assert (text(window), window.drafts.all_touched()) == ("1: 0-14", ["AGE"])
    press(qtbot, window, "dropDraft")
    settle(qtbot, window)
    assert text(window) == "1: 0-50"


def test_what_is_typed_when_the_metadata_changes_is_kept_with_all_other_drafts(
    qtbot: QtBot, window: GlobalRecode, held: Callable[[], Callable[[], None]]
) -> None:
    write(qtbot, window, "1: 0-14")
    settle(qtbot, window)
    window.show_for(variable="SEX")
    settle(qtbot, window)
    write(qtbot, window, "9: 1-2")
    free = held()
    describe(window, "School")
    qtbot.wait(600)  # longer than typing may pause
    free()
    settle(qtbot, window)
    assert (window.subject(), text(window)) == ("SEX", "9: 1-2")
    assert sorted(window.drafts.all_touched()) == ["AGE", "SEX"]


def test_dropping_a_draft_does_not_keep_from_turning_to_another_variable(
    qtbot: QtBot, window: GlobalRecode, held: Callable[[], Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_for(variable="SEX")
    settle(qtbot, window)
    write(qtbot, window, "9: 1-2")
    settle(qtbot, window)
    window.show_for(variable="AGE")
    settle(qtbot, window)
    click_rows(qtbot, window, "20", "22")
    press(qtbot, window, "merge")
    settle(qtbot, window)
    monkeypatch.setattr(edits, "FEW_CODES", 0)
    free = held()
    click_rows(qtbot, window, "30", "31")
    press(qtbot, window, "merge")
    window.apply.click()  # about the draft, and so dropped with it
    window.variables.select("SEX")
    QApplication.processEvents()
    assert window.subject() == "AGE"
    press(qtbot, window, "dropDraft")
    free()
    settle(qtbot, window)
    wait_idle(qtbot, window.document)
    assert (window.subject(), window.variables.current_key, text(window)) == ("SEX", "SEX", "9: 1-2")
    assert window.drafts.all_touched() == ["SEX"]
    assert window.document.recipe.recodes == ()
