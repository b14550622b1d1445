"""Making the protected file from the main window, and the report about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from core.recipe.model import Output, Threshold
from gui import dialogs
from gui.main_window import commands
from gui.main_window.window import MainWindow
from gui.report.window import ViewReport
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, open_window: Open, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The survey open, and no window for making files: the command asks for the file and carries out the recipe."""
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    monkeypatch.setattr(commands, "exists", lambda _name: False)
    opened = open_window(tmp_path / "survey.pavo")
    opened.document.commit("No outputs", opened.document.recipe.with_(output=Output()))
    wait_idle(qtbot, opened.document)
    return opened


@pytest.fixture
def report(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ViewReport:
    """The report window after a protected file was made by menu and message button."""
    target = tmp_path / "safe" / "survey_safe.asc"
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: target)
    window.menu_actions["actionMakeProtectedFile"].trigger()
    wait_idle(qtbot, window.document)
    assert "written and verified" in window.messages.text
    qtbot.mouseClick(window.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    found = window.window_named("report")
    assert isinstance(found, ViewReport)
    return found


def test_safe_file_metadata_report_and_summary_appear(report: ViewReport, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "safe"
    assert sorted(p.suffix for p in folder.iterdir()) == [".asc", *[".cdl"] * 8, ".html", ".json", ".rds"]
    summary = json.loads((folder / "survey_safe.json").read_text("utf-8"))
    assert summary["verified"] is True
    assert "done" in window.steps.button("Protect").accessibleName()
    assert "done" in window.steps.button("Report").accessibleName()


def test_the_report_shows_the_figures_of_the_summary(report: ViewReport, tmp_path: Path) -> None:
    view = report.findChild(QTextBrowser, "reportView")
    summary = json.loads((tmp_path / "safe" / "survey_safe.json").read_text("utf-8"))
    text = view.toPlainText().replace(" ", "").replace(",", "")
    assert str(summary["records"]) in text
    assert str(summary["suppression"]["total"]) in text


def test_a_full_disk_is_told_where_the_browser_was_to_show_it(
    report: ViewReport, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gui.report.window.temporary_folder", full)
    window.document.commit("x", window.document.recipe.with_(output=Output()))
    report.open_in_browser()
    assert "cannot be written for the browser: No space left on device" in report.messages.text


def test_it_is_shown_as_outsiders_would_have_it(report: ViewReport, window: MainWindow, qtbot: QtBot) -> None:
    view = report.findChild(QTextBrowser, "reportView")
    folder = str(window.document.recipe.output.data.parent)  # type: ignore[union-attr]
    assert folder in view.toPlainText()
    assert "Checked: by the individual risk, every" in view.toPlainText()
    before = window.document.recipe
    report.written_for.buttons["external"].click()
    qtbot.waitUntil(lambda: folder not in view.toPlainText())
    assert "Checked: by the individual risk, every" in view.toPlainText()
    assert window.document.recipe is before, "only what is looked at is another"
    report.written_for.buttons["internal"].click()
    assert folder in view.toPlainText()


def test_an_edit_makes_file_and_report_out_of_date_and_undo_brings_them_back(
    report: ViewReport, window: MainWindow, qtbot: QtBot
) -> None:
    document = window.document
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.5)))
    wait_idle(qtbot, document)
    assert "needs attention" in window.steps.button("Protect").accessibleName()
    remark = report.findChild(QLabel, "reportRemark")
    assert "file made before" in remark.text()
    document.undo()
    wait_idle(qtbot, document)
    assert "done" in window.steps.button("Protect").accessibleName()
    assert remark.text() == ""


@pytest.mark.parametrize(("button", "start"), [("reportSaveHtml", b"<!DOCTYPE html>"), ("reportSavePdf", b"%PDF-")])
def test_the_report_is_saved(
    report: ViewReport, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, button: str, start: bytes
) -> None:
    target = tmp_path / "report.out"
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: target)
    qtbot.mouseClick(report.findChild(QPushButton, button), Qt.MouseButton.LeftButton)
    content = target.read_bytes()
    assert content.lower().startswith(start.lower())
    assert len(content) > 5000


def test_the_report_is_never_saved_over_an_input(
    report: ViewReport, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = window.document.recipe.input.data
    before = data.read_bytes()
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: data)
    qtbot.mouseClick(report.findChild(QPushButton, "reportSaveHtml"), Qt.MouseButton.LeftButton)
    assert data.read_bytes() == before
    assert "inputs are never overwritten" in report.messages.text


def test_the_report_closes_with_the_main_window(
    report: ViewReport, window: MainWindow, qtbot: QtBot, answers: list[int]
) -> None:
    qtbot.keyClick(report, Qt.Key.Key_Escape)
    assert report.isVisible()
    window.workspace.take_out("report")
    own = report.window()
    answers[:] = [1]
    window.close()
    assert not own.isVisible()


def test_without_a_threshold_the_command_is_disabled_and_says_why(window: MainWindow, qtbot: QtBot) -> None:
    window.document.commit("No threshold", window.document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, window.document)
    action = window.menu_actions["actionMakeProtectedFile"]
    assert not action.isEnabled()
    assert "threshold" in action.toolTip()


def test_the_report_is_printed_on_paper_of_its_own(
    report: ViewReport, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    printed: list[QPrinter] = []

    def agreed(dialog: QPrintDialog) -> int:
        printer = dialog.printer()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "paper.pdf"))
        printed.append(printer)
        return 1

    monkeypatch.setattr(QPrintDialog, "exec", agreed)
    qtbot.mouseClick(report.findChild(QPushButton, "reportPrint"), Qt.MouseButton.LeftButton)
    assert len(printed) == 1
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF-")
