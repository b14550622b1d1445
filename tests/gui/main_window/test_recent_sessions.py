"""The start page says of recent sessions what comes next and how many records are unsafe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui.main_window.recent_sessions import standing_of
from gui.main_window.window import MainWindow
from gui.settings import settings
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle


def test_a_session_that_was_kept_stands_where_it_stood(
    open_window: Callable[..., MainWindow], qtbot: QtBot, demo: Path, tmp_path: Path
) -> None:
    session = copy_survey(demo, tmp_path)
    main = open_window(session)
    wait_idle(qtbot, main.document)
    found = standing_of(session)
    assert found is not None and (found.step, found.records) == ("Risk", 5002) and found.unsafe > 0
    document = main.document
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.9)))
    wait_idle(qtbot, document)
    assert standing_of(session) == found, "what is not kept in the file counts for nothing"
    document.close()
    said = [label.text() for label in main.empty_page.findChildren(QLabel)]
    assert "Risk" in said and f"{found.unsafe} of {found.records:,}" in [text.replace(".", ",") for text in said]
    session.write_bytes(session.read_bytes() + b"\n")
    assert standing_of(session) is None, "another program wrote it since"
    assert settings.recent_sessions() == [session]


def test_where_a_session_stands_is_kept_when_it_is_saved(
    open_window: Callable[..., MainWindow], qtbot: QtBot, demo: Path, tmp_path: Path
) -> None:
    session = copy_survey(demo, tmp_path)
    main = open_window(session)
    wait_idle(qtbot, main.document)
    before = standing_of(session)
    document = main.document
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.9)))
    wait_idle(qtbot, document)
    main.commands.save()
    found = standing_of(session)
    assert before is not None and found is not None and found.unsafe != before.unsafe
