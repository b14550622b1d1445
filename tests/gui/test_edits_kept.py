"""Windows are given up for another session only where the user agrees and the other session can be opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.base.errors import OutputError
from core.base.texts import mark
from gui.main_window import demonstration
from gui.main_window.window import MainWindow
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import opened
from tests.gui.waiting import wait_idle

KEEP_EDITING = 1


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    """The main window with the demonstration session in the test's own folder."""
    return open_window(Path(shutil.copytree(demo, tmp_path / "demo")) / "survey.pavo")


@pytest.fixture
def edited(qtbot: QtBot, main: MainWindow) -> SpecifyMetadata:
    """Specify Metadata with a label that is not in the recipe yet."""
    window = opened(qtbot, main)
    window.draft.change([0], label="mine")
    return window


def dropped(qtbot: QtBot, main: MainWindow, window: SpecifyMetadata, answers: list[int]) -> None:
    """Close the window, so that nothing is asked at the end."""
    answers[:] = [0]
    window.close()
    wait_idle(qtbot, main.document)


def test_keep_editing_keeps_the_session_open(
    qtbot: QtBot, main: MainWindow, edited: SpecifyMetadata, answers: list[int]
) -> None:
    data = main.document.recipe.input.data
    answers[:] = [KEEP_EDITING]
    main.commands.close_session()
    assert main.document.recipe.input.data == data is not None
    assert main.window_named("specifyMetadata") is edited
    assert edited.draft.variables[0].label == "mine"
    answers[:] = [0]
    main.commands.close_session()
    assert main.document.recipe.input.data is None
    assert main.windows.names() == []


@pytest.mark.parametrize("content", [None, "[[combinations\n"])
def test_a_session_that_cannot_be_read_costs_no_window(
    qtbot: QtBot,
    main: MainWindow,
    edited: SpecifyMetadata,
    answers: list[int],
    tmp_path: Path,
    content: str | None,
) -> None:
    other, recipe = tmp_path / "other.pavo", main.document.recipe
    if content is not None:
        other.write_text(content, encoding="utf-8")
    answers[:] = [0, 0]  # it would be dropped if anybody asked
    with qtbot.waitSignal(main.document.failed):
        main.commands.open_path(other)
    assert main.document.recipe is recipe
    assert main.window_named("specifyMetadata") is edited
    assert edited.draft.variables[0].label == "mine"
    assert answers == [0, 0]
    dropped(qtbot, main, edited, answers)


def test_a_demonstration_that_cannot_be_copied_costs_no_window(
    qtbot: QtBot,
    main: MainWindow,
    edited: SpecifyMetadata,
    answers: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(_example: demonstration.Example) -> Path:
        raise OutputError("cannot-write", mark("{file} cannot be written: {reason}."), "", file="x", reason="full")

    monkeypatch.setattr(demonstration, "copy_to_documents", full)
    answers[:] = [0, 0]
    with qtbot.waitSignal(main.document.failed):
        main.commands.try_demonstration()
    assert main.window_named("specifyMetadata") is edited
    assert edited.draft.variables[0].label == "mine"
    dropped(qtbot, main, edited, answers)
