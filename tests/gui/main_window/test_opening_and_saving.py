"""What is opened is looked at first, what is saved lies beside its data, and yesterday's report is found again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing, steps
from gui.report.window import ViewReport
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    """The demonstration session in a folder of its own."""
    return Path(shutil.copytree(demo, tmp_path / "demo")) / "survey.pavo"


@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent")  # its only constructor in some versions
def test_dropped_data_are_checked_as_opened_ones_are(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(survey.with_name("survey.asc")))])
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    entering = QDragEnterEvent(QPoint(50, 50), actions, mime, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, entering)
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), actions, mime, button, Qt.KeyboardModifier.NoModifier))
    qtbot.waitUntil(lambda: window.window_named("specifyMetadata") is not None)
    wait_idle(qtbot, window.document)
    assert "done" in window.steps.button("Metadata").accessibleName()


def test_data_of_the_command_line_are_looked_at_before_anything_else(
    qtbot: QtBot, open_window: Open, survey: Path, answers: list[int]
) -> None:
    from main import build_application

    data = survey.with_name("survey.asc")
    window = open_window(data)
    assert "to do" in window.steps.button("Metadata").accessibleName()
    assert next_thing(window.document).offers[0][1] == "specifyMetadata"
    assert window.windows.names() == []
    _, checking = build_application(["pavo", str(data)], checked=True)
    checking.show()
    wait_idle(qtbot, checking.document)
    assert checking.document.recipe.input.data == data
    assert checking.windows.names() == ["specifyMetadata"]
    assert next_thing(checking.document).offers[0][1] == "selectCombinations"
    checking.close()
    checking.deleteLater()


def test_a_session_is_saved_beside_its_data(open_window: Open, survey: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window(survey.with_name("survey.asc"))
    starts: list[str] = []

    def answer(_parent: object, _title: str, start: str, _filters: str) -> tuple[str, str]:
        starts.append(start)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    assert not window.commands.save()
    assert starts == [str(survey)]


def test_an_earlier_report_can_be_opened_and_makes_no_step_done(
    qtbot: QtBot, open_window: Open, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(survey)
    report = survey.with_name("survey_safe.html")
    output = replace(window.document.recipe.output, data=survey.with_name("survey_safe.asc"), report=report)
    window.document.commit("outputs", window.document.recipe.with_(output=output))
    window.document.save()
    wait_idle(qtbot, window.document)
    assert not window.steps.button("Report").isEnabled()
    report.write_text("<p>made yesterday</p>", encoding="utf-8")
    made = datetime(2024, 5, 6, 7, 8).timestamp()
    os.utime(report, (made, made))
    window.commands.open_path(survey)
    wait_idle(qtbot, window.document)
    assert "survey_safe.html" in window.messages.text and "made on 2024-05-06 07:08" in window.messages.text
    assert "not checked against this session" in window.messages.text
    assert not window.messages._good, "no green tick before it"
    found = {step.name: step for step in steps(window.document)}
    assert (found["Protect"].state, found["Report"].state) == ("open", "open")
    assert found["Report"].detail == "of 2024-05-06"
    assert found["Risk"].state == "attention"
    assert found["Risk"].detail.endswith(" unsafe,\nreport of 2024-05-06")
    assert "not checked against this session" in found["Risk"].reason
    assert window.steps.button("Report").isEnabled()
    shown: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    view = window.windows.open_window("report")
    assert isinstance(view, ViewReport)
    text = view.findChild(QTextBrowser, "reportView").toPlainText()
    assert "made on 2024-05-06 07:08, not checked against this session" in text
    assert not view.findChild(QPushButton, "reportSavePdf").isEnabled()
    qtbot.mouseClick(view.findChild(QPushButton, "reportOpenInBrowser"), Qt.MouseButton.LeftButton)
    assert shown == [QUrl.fromLocalFile(str(report))]


def test_a_session_is_called_saved_only_where_it_was(
    open_window: Callable[..., MainWindow], demo: Path, qtbot: QtBot
) -> None:
    assert open_window(demo / "survey.csv").steps._kept.text() == "not saved yet"
    assert open_window(demo / "survey-csv.pavo").steps._kept.text() == "saved"


def test_session_with_a_retired_mode_says_which_to_take(open_window: Open, survey: Path) -> None:
    said = survey.read_text(encoding="utf-8")
    survey.write_text(said.replace("[suppression]", '[suppression]\nmode = "released-counts"'), encoding="utf-8")
    window = open_window()
    window.commands.open_path(survey)
    assert window.document.recipe.input.data is None
    assert f'{survey}: suppression.mode = "released-counts" is no longer offered.' in window.messages.text
    assert '"released-keys"' in window.messages.text and '"original-counts"' in window.messages.text
