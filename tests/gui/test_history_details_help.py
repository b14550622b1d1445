"""History, Report Details and Help."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Report, Threshold
from gui.help.window import GUIDE, Help, page_of, pages
from gui.history_window.window import HistoryWindow
from gui.main_window.window import MainWindow
from gui.report.details_window import ReportDetails
from gui.shared.windows import WINDOWS
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def main(open_window: Open, demo: Path, tmp_path: Path) -> MainWindow:
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    return open_window(tmp_path / "survey.pavo")


def item_texts(widget: QListWidget) -> list[str]:
    return [widget.item(row).text() for row in range(widget.count())]


# History ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def history(main: MainWindow, qtbot: QtBot) -> HistoryWindow:
    for value in (0.04, 0.03):
        recipe = main.document.recipe.with_(threshold=Threshold(individual_risk=value))
        main.document.commit(f"Threshold {value}", recipe)
    wait_idle(qtbot, main.document)
    main.menu_actions["actionHistory"].trigger()
    found = main.window_named("history")
    assert isinstance(found, HistoryWindow)
    return found


def test_steps_are_listed_and_gone_to(history: HistoryWindow, main: MainWindow, qtbot: QtBot) -> None:
    steps = history.findChild(QListWidget, "historySteps")
    jump = history.findChild(QPushButton, "historyJump")
    assert item_texts(steps) == ["Open survey.pavo", "Threshold 0.04", "Threshold 0.03  (now)"]
    assert not jump.isEnabled()
    steps.setFocus()
    qtbot.keyClick(steps, Qt.Key.Key_Home)
    qtbot.keyClick(steps, Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)
    assert main.document.session.history.index == 0
    assert item_texts(steps) == ["Open survey.pavo  (now)", "Threshold 0.04  (undone)", "Threshold 0.03  (undone)"]
    qtbot.keyClick(steps, Qt.Key.Key_End)
    qtbot.mouseClick(jump, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.threshold.individual_risk == 0.03


def test_the_list_follows_edits_and_undo_and_says_what_changed(
    history: HistoryWindow, main: MainWindow, qtbot: QtBot
) -> None:
    steps = history.findChild(QListWidget, "historySteps")
    main.document.undo()
    main.document.commit("Report details", main.document.recipe.with_(report=Report(title="New")))
    wait_idle(qtbot, main.document)
    assert item_texts(steps) == ["Open survey.pavo", "Threshold 0.04", "Report details  (now)"]
    assert "Changed: report details" in steps.item(2).toolTip()
    assert "Changed: threshold" in steps.item(1).toolTip()


# Report details --------------------------------------------------------------------------------------------------


@pytest.fixture
def details(main: MainWindow, qtbot: QtBot) -> ReportDetails:
    main.menu_actions["actionReportDetails"].trigger()
    found = main.window_named("reportDetails")
    assert isinstance(found, ReportDetails)
    return found


def test_details_are_one_step(details: ReportDetails, main: MainWindow, qtbot: QtBot) -> None:
    title = details.findChild(QLineEdit, "reportTitle")
    assert title.text() == "Survey of living conditions, demonstration"
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "Survey 2025")
    qtbot.keyClicks(details.findChild(QLineEdit, "reportAuthor"), "A. N. Other")
    qtbot.keyClicks(details.findChild(QLineEdit, "reportReleaseType"), "scientific use file")
    remarks = details.findChild(QPlainTextEdit, "reportRemarks")
    qtbot.keyClicks(remarks, "First.")
    qtbot.keyClick(remarks, Qt.Key.Key_Return)
    qtbot.keyClicks(remarks, "Second.")
    variant = details.findChild(QComboBox, "reportVariant")
    variant.setFocus()
    qtbot.keyClick(variant, Qt.Key.Key_Down)
    steps = len(main.document.session.history.steps)
    qtbot.keyClick(title, Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)
    assert len(main.document.session.history.steps) == steps + 1
    assert main.document.recipe.report == Report(
        title="Survey 2025",
        institution="The statistical office of an invented country",
        author="A. N. Other",
        release_type="scientific use file",
        remarks="First.\nSecond.",
        variant="external",
    )
    assert main.window_named("reportDetails") is None


def test_questions_are_answered_in_a_form(details: ReportDetails, main: MainWindow, qtbot: QtBot) -> None:
    main.document.session.released = None
    button = details.findChild(QRadioButton, "questions")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    box = details.findChild(QPlainTextEdit, "answer_longitudinal")
    assert box.isVisibleTo(details)
    assert "observed repeatedly" in box.accessibleName()
    box.setFocus()
    qtbot.keyClicks(box, "A single wave.")
    variant = details.findChild(QComboBox, "reportVariant")
    variant.setCurrentIndex(variant.findData("users"))
    again = ReportDetails(main.document)
    assert dict(again.answers.answers) == {"longitudinal": "A single wave."}
    again.draft.forget()
    again.close()
    qtbot.mouseClick(details.findChild(QPushButton, "accept"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    report = main.document.recipe.report
    assert report.answers == (("longitudinal", "A single wave."),)
    assert (report.audience, report.variant) == ("users", "internal")


def test_escape_asks_before_it_drops_and_cancel_drops(
    details: ReportDetails, main: MainWindow, qtbot: QtBot, answers: list[int]
) -> None:
    recipe = main.document.recipe
    qtbot.keyClicks(details.findChild(QLineEdit, "reportAuthor"), "x")
    answers[:] = [1]
    qtbot.keyClick(details, Qt.Key.Key_Escape)
    assert details.isVisible()
    qtbot.mouseClick(details.findChild(QPushButton, "cancel"), Qt.MouseButton.LeftButton)
    assert main.window_named("reportDetails") is None
    assert main.document.recipe is recipe


def test_unfinished_details_come_back_with_the_session(
    details: ReportDetails, main: MainWindow, qtbot: QtBot
) -> None:  # fmt: skip
    qtbot.keyClicks(details.findChild(QLineEdit, "reportAuthor"), "x")
    again = ReportDetails(main.document)
    assert again.draft.value == details.draft.value
    assert again.touched
    qtbot.mouseClick(details.findChild(QPushButton, "cancel"), Qt.MouseButton.LeftButton)
    assert main.document.session.drafts == {}
    again.draft.forget()
    again.close()


def test_a_touched_draft_stays_when_the_session_changes(
    details: ReportDetails, main: MainWindow, qtbot: QtBot
) -> None:  # fmt: skip
    document = main.document
    author = details.findChild(QLineEdit, "reportAuthor")
    document.commit("title", document.recipe.with_(report=Report(author="Theirs")))
    wait_idle(qtbot, document)
    assert author.text() == "Theirs"
    author.setFocus()
    qtbot.keyClick(author, Qt.Key.Key_End)
    qtbot.keyClicks(author, "!")
    document.commit("title", document.recipe.with_(report=Report(title="T")))
    wait_idle(qtbot, document)
    assert author.text() == "Theirs!"
    qtbot.mouseClick(details.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    assert author.text() == ""
    assert not details.touched


# Help ------------------------------------------------------------------------------------------------------------


def help_of(main: MainWindow) -> Help:
    found = main.window_named("help")
    assert isinstance(found, Help)
    return found


def test_f1_opens_the_page_of_the_window(main: MainWindow, qtbot: QtBot) -> None:
    main.menu_actions["actionHelpContents"].trigger()
    assert help_of(main).page == "overview"
    assert help_of(main).view.toPlainText().startswith("The main window")
    for name, page in (
        ("riskChart", "risk-chart"),
        ("makeProtectedFile", "make-protected-file"),
        ("browseData", "browse-data"),
    ):
        window = main.windows.open_window(name)
        wait_idle(qtbot, main.document)
        qtbot.keyClick(window, Qt.Key.Key_F1)
        assert help_of(main).page == page
        assert help_of(main).list.currentItem().data(Qt.ItemDataRole.UserRole) == page
    main.menu_actions["actionHelpContents"].trigger()
    assert help_of(main).page == "overview"


def test_every_window_has_a_page_that_exists() -> None:
    for name in (*WINDOWS, "mainWindow"):
        assert (GUIDE / f"{page_of(name)}.md").is_file()
    assert page_of("householdRiskChart") in ("risk-chart", "household-risk-chart")
    assert page_of("browseSafeFile") == "browse-safe-file"


def test_every_link_of_the_guide_leads_to_a_page(main: MainWindow) -> None:
    names = [name for name, _title in pages()]
    for name in names:
        text = (GUIDE / f"{name}.md").read_text("utf-8")
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            assert target.startswith("http") or (GUIDE / target).is_file(), f"{name}: {target}"


def test_links_are_followed_and_gone_back_from(main: MainWindow, qtbot: QtBot) -> None:
    main.resize(1600, 800)
    main.windows.open_window("help", page="index")
    window = help_of(main)
    cursor = window.view.document().find("Risk Chart")
    assert not cursor.isNull()
    cursor.movePosition(QTextCursor.MoveOperation.Left)
    window.view.setTextCursor(cursor)
    window.view.ensureCursorVisible()
    place = window.view.cursorRect(cursor).center()
    qtbot.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.page == "risk-chart"
    qtbot.mouseClick(window.findChild(QPushButton, "helpBack"), Qt.MouseButton.LeftButton)
    assert window.page == "index"
    qtbot.mouseClick(window.findChild(QPushButton, "helpForward"), Qt.MouseButton.LeftButton)
    assert window.page == "risk-chart"


def test_a_link_out_of_the_guide_never_shows_a_file(main: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("secret", encoding="utf-8")
    main.windows.open_window("help")
    window = help_of(main)
    window.view.setSource(QUrl.fromLocalFile(str(tmp_path / "other.md")))
    assert "secret" not in window.view.toPlainText()


def test_the_list_of_pages_stands_above_the_text_where_there_is_little_width(main: MainWindow, qtbot: QtBot) -> None:
    guide = Help(main.document)
    qtbot.addWidget(guide)
    guide.resize(500, 560)
    guide.show()
    assert guide.view.width() > 450
    guide.resize(900, 560)
    qtbot.waitUntil(lambda: guide.splitter.orientation() == Qt.Orientation.Horizontal)
    assert guide.list.width() < guide.view.width() < 800


def test_the_guide_is_searched(main: MainWindow, qtbot: QtBot) -> None:
    main.windows.open_window("help")
    window = help_of(main)
    qtbot.keyClicks(window.findChild(QLineEdit, "helpSearch"), "codelist trees nobody wrote of")
    assert item_texts(window.list) == ["Nothing found"]
    box = window.findChild(QLineEdit, "helpSearch")
    box.clear()
    qtbot.keyClicks(box, "group risk")
    titles = item_texts(window.list)
    assert "Make Protected File" in titles
    assert "History" not in titles
    row = titles.index("Make Protected File")
    window.list.setCurrentRow(row)
    assert window.page == "make-protected-file"
    assert len(window.view.extraSelections()) >= 1


def test_lists_and_tables_of_a_page_keep_their_shape(main: MainWindow) -> None:
    main.windows.open_window("help", page="makeProtectedFile")
    document = help_of(main).view.document()
    block, items = document.begin(), []
    while block.isValid():
        if block.textList() is not None:
            items.append(block.text().split(":")[0].split(".")[0])
        block = block.next()
    assert "Add risk" in items
    assert "Household identifier" in items
