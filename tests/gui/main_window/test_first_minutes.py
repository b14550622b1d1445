"""The first minutes: worked examples on the first page, hints that leave, what is new after an update."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import core
from core.base.texts import language_in_use
from gui.app import greeting
from gui.help import whats_new
from gui.main_window.window import MainWindow
from gui.settings import HINTS_KNOWN, LAST_VERSION, RECENT_SESSIONS, settings
from gui.shared.windows import WINDOWS
from gui.workspace.hints import HINTS
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


def hints_of(window: QWidget) -> list[str]:
    """Texts of the hints in sight."""
    return [label.text() for label in window.findChildren(QLabel, "pageHintText") if label.isVisible()]


def test_from_the_first_start_by_an_example_to_its_report(qtbot: QtBot, open_window: Open, home: Path) -> None:
    main = open_window()
    main.resize(1366, 768)
    greeting.greet(main)
    press(qtbot, main, "tryHouseholds")
    wait_idle(qtbot, main.document)
    session = home / "Documents" / "Pavo examples" / "housing" / "housing.pavo"
    assert main.document.session.path == session
    assert hints_of(main) == [HINTS["overview"].text]
    press(qtbot, main, "stepProtect")
    qtbot.waitUntil(lambda: main.window_named("makeProtectedFile") is not None)
    wait_idle(qtbot, main.document)
    assert hints_of(main) == [HINTS["makeProtectedFile"].text]
    make = main.window_named("makeProtectedFile").findChild(QPushButton, "makeFile")
    qtbot.waitUntil(make.isEnabled)
    press(qtbot, main, "makeFile")
    qtbot.waitUntil(lambda: main.document.session.released is not None, timeout=30_000)
    qtbot.waitUntil(lambda: main.window_named("report") is not None)
    wait_idle(qtbot, main.document)
    assert (session.parent / "safe" / "housing_safe.html").is_file()
    assert "makeProtectedFile" in settings.get(HINTS_KNOWN)
    assert main.workspace.current == "report"
    assert hints_of(main) == [HINTS["report"].text]


def test_a_hint_leaves_when_it_is_dismissed_and_comes_again_when_asked_for(
    qtbot: QtBot, open_window: Open, survey: Path
) -> None:
    main = open_window(survey / "survey.pavo")
    assert hints_of(main) == [], "none where nobody wants them"
    main.resize(1366, 768)
    main.show_hints()
    hint, page = main.findChild(QWidget, "pageHint"), main.overview
    qtbot.waitUntil(lambda: 0 < hint.mapTo(main, hint.rect().bottomLeft()).y() < page.mapTo(main, page.pos()).y())
    press(qtbot, main, "pageHintKnown")
    assert hints_of(main) == []
    assert page.isAncestorOf(QApplication.focusWidget()), "work goes on where it was"
    assert settings.get(HINTS_KNOWN) == ["overview"]
    page = main.windows.open_window("settings")
    press(qtbot, page, "showHintsAgain")
    assert settings.get(HINTS_KNOWN) == []
    assert not page.findChild(QPushButton, "showHintsAgain").isEnabled()
    main.workspace.show_home()
    assert hints_of(main) == [HINTS["overview"].text]
    main.resize(683, 384)
    assert hints_of(main) == [], "where there is little height the page has it"


def test_a_hint_is_known_once_its_step_was_done_or_what_is_only_looked_at_was_left(
    qtbot: QtBot, open_window: Open, survey: Path
) -> None:
    main = open_window(survey / "survey.pavo")
    main.show_hints()
    main.windows.open_window("showTables")
    assert hints_of(main) == [HINTS["showTables"].text]
    main.workspace.show_home()
    assert settings.get(HINTS_KNOWN) == ["showTables"]
    main.document.commit("Recode", main.document.recipe.with_(recodes=()))
    wait_idle(qtbot, main.document)
    assert settings.get(HINTS_KNOWN) == ["showTables", "overview"]
    assert hints_of(main) == []


def test_hints_are_of_pages_that_there_are() -> None:
    assert HINTS.keys() - WINDOWS.keys() == {"overview"}


@pytest.mark.parametrize(
    ("last", "recent", "updated"),
    [("", [], False), ("0.0.9", [], True), (core.__version__, ["a.pavo"], False), ("", ["a.pavo"], True)],
    ids=["first start", "updated", "same version", "updated from one that did not remember itself"],
)
def test_an_update_is_told_once_and_a_first_start_is_none(
    last: str, recent: list[str], updated: bool, home: Path
) -> None:
    settings.set(LAST_VERSION, last)
    settings.set(RECENT_SESSIONS, recent)
    assert greeting.is_updated() == updated
    assert not greeting.is_updated()


def test_what_is_new_is_a_page_of_the_guide(qtbot: QtBot, open_window: Open) -> None:
    settings.set(LAST_VERSION, "0.0.9")
    main = open_window()
    greeting.greet(main)
    qtbot.waitUntil(lambda: main.window_named("help") is not None)
    guide = main.window_named("help")
    qtbot.waitUntil(lambda: guide.page == whats_new.PAGE)
    assert guide.view.document().firstBlock().text() == f"What's new in Pavo {core.__version__}"
    assert guide.view.document().blockCount() > 5
    assert guide.list.currentItem().text() == whats_new.title()
    guide.show_for("index")
    guide.view.backward()
    assert guide.page == whats_new.PAGE


def test_the_section_of_the_version_is_told_else_the_newest_that_says_something() -> None:
    changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-02\n\n- b\n\n## [1.0.0] - 2025-01-02\n\n- a\n"
    assert whats_new.section_of(changelog, "1.0.0") == "- a"
    assert whats_new.section_of(changelog, "2.0.0") == "- b"
    assert whats_new.section_of("# Changelog\n", "1.0.0") == ""


def test_what_is_new_is_said_in_every_language_and_the_changelog_in_english() -> None:
    with language_in_use("en"):
        english = whats_new.page()
    with language_in_use("de"):
        german = whats_new.page()
    assert english.count("\n- ") > 12 and "\n## " in english
    assert "CHANGELOG.md" in german and len(german) < 3000
