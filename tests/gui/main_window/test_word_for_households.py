"""What households are called by a session, in menus that were made before it was opened and in pages made since."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.data.variables import Variable
from core.results.households import derived_variable
from gui.main_window.demonstration import HOUSING
from gui.main_window.window import MainWindow
from tests.gui.waiting import wait_idle

PAGES = "householdRiskChart", "riskChart", "makeProtectedFile", "showTables", "specifyMetadata"

NAMED = re.compile(r"(?<![\w(-])[Hh]ouseholds?\b")
"""The word itself: neither in the name of a file nor in the title that the session gives its report."""


OF_EXAMPLES = {"Try the Household Survey", HOUSING.title, HOUSING.sentence}
"""The households of an example are households, whatever another session calls its groups."""


def said(root: QWidget) -> Iterator[str]:
    """Texts, tool tips and names to be read aloud of everything on a window."""
    for widget in (root, *root.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
    for action in root.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def named(root: QWidget) -> Iterator[str]:
    """What of it has the word of households."""
    yield from (text for text in said(root) if NAMED.search(text) and text.replace("&", "") not in OF_EXAMPLES)


def of_companies(survey: Path) -> Path:
    """The session about households, which calls them companies."""
    session = survey / "companies.pavo"
    body = (survey / "survey-households.pavo").read_text(encoding="utf-8")
    session.write_text(body.replace("[households]\n", '[households]\nword = "company"\n'), encoding="utf-8")
    return session


def test_every_page_and_menu_has_the_word_of_the_session(
    qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path
) -> None:
    session = of_companies(survey)
    main = open_window()
    action = main.menu_actions["actionHouseholdRiskChart"]
    assert action.text().replace("&", "") == "Household Risk Chart"
    main.document.open_session(session)
    wait_idle(qtbot, main.document)
    for name in PAGES:
        main.windows.open_window(name)
        wait_idle(qtbot, main.document)
    assert action.text().replace("&", "") == "Company Risk Chart"
    asked: list[Variable] = []
    main.document.compute("label", lambda progress: derived_variable(main.document.recipe, "HHSIZE"), done=asked.append)
    wait_idle(qtbot, main.document)
    assert asked[0].label == "Number of company members in the file", "made in the other thread"
    texts = set(named(main))
    assert not texts
    main.document.close()
    wait_idle(qtbot, main.document)
    assert action.text().replace("&", "") == "Household Risk Chart"


def test_pages_made_before_follow_where_they_stand(
    qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path
) -> None:
    session, main = of_companies(survey), open_window()
    main.document.open_session(survey / "survey-households.pavo")
    wait_idle(qtbot, main.document)
    for name in PAGES:
        main.windows.open_window(name)
        wait_idle(qtbot, main.document)
    main.windows.open_window("help")
    lasting = main.windows.window_named("help")
    main.workspace.put_beside("riskChart", "householdRiskChart")
    main.workspace.take_out("makeProtectedFile")
    wait_idle(qtbot, main.document)
    arrangement = main.workspace._arrangement
    texts = set(named(main))
    assert texts
    main.document.open_session(session)
    wait_idle(qtbot, main.document)
    qtbot.wait(1)  # what was ended is deleted
    assert not set(named(main))
    assert main.workspace._arrangement == arrangement
    assert main.workspace.out == {"makeProtectedFile"}
    out = main.windows.window_named("makeProtectedFile")
    assert out is not None
    assert out.isVisible()
    assert not set(named(out.window()))
    assert main.windows.window_named("help") is lasting, "it is of no session"
