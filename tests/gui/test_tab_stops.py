"""Wherever the Tab key goes it is seen, in the order in which one reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.theme import theme
from tests.gui.waiting import WAIT_MS

Open = Callable[..., MainWindow]
MOST_STOPS = 90
EDGE = 8
"""How far around it a mark of the focus may be drawn, in pixels."""

WINDOWS = (
    "openMicrodata", "specifyMetadata", "selectCombinations", "showTables", "globalRecode", "riskChart",
    "riskLaboratory", "perturb",
    "numericalVariables", "makeProtectedFile", "reportDetails", "history", "help", "exportForSdcMicro", "profileCheck",
    "findPlan", "memo",
)  # fmt: skip


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def dark(request: pytest.FixtureRequest) -> Iterator[None]:
    theme.use("dark" if request.param else "light")
    yield
    theme.use("light")


def stops(window: QWidget) -> Iterator[QWidget]:
    """What of a page, or of the main window, has the focus at first, and then at every press of Tab."""
    seen: list[QWidget] = []
    while len(seen) < MOST_STOPS:
        focus = QApplication.focusWidget()
        if focus is None or focus in seen:
            return
        seen.append(focus)
        if window.isAncestorOf(focus):
            yield focus
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        QApplication.processEvents()


def is_seen(focus: QWidget, window: QWidget) -> bool:
    """Whether the window looks otherwise without the focus, there where the focus is."""
    QApplication.processEvents()
    for _ in range(500):  # charts are painted apart, one a turn of the event loop
        if focus.updatesEnabled():
            break
        QTest.qWait(10)
    place = QRect(focus.mapTo(window, QPoint()), focus.size()).adjusted(-EDGE, -EDGE, EDGE, EDGE) & window.rect()
    shown = window.grab(place).toImage()
    focus.clearFocus()
    QApplication.processEvents()
    differs = shown != window.grab(place).toImage()
    focus.setFocus(Qt.FocusReason.TabFocusReason)
    return differs


def has_settled(main: MainWindow, window: QWidget) -> bool:
    """Whether nothing is computed or about to be asked for: a line that comes late moves what is below it."""
    about_to = any(timer.isSingleShot() and timer.isActive() for timer in window.findChildren(QTimer))
    return main.document.tasks.rests and not main.document.busy and not about_to


def test_every_stop_of_the_start_window_is_seen(open_window: Open, dark: None) -> None:
    main = open_window()
    main.activateWindow()
    QApplication.processEvents()
    assert QApplication.focusWidget() is main.empty_page.first
    assert [stop.objectName() for stop in stops(main) if not is_seen(stop, main)] == []


def test_stops_of_the_main_window_are_seen_and_follow_its_order(
    open_window: Open, demo: Path, qtbot: QtBot, dark: None
) -> None:
    main = open_window(demo / "survey.pavo")
    main.messages.show_good("Something.", [("Help with it", lambda: None)])
    qtbot.waitUntil(lambda: has_settled(main, main), timeout=WAIT_MS)
    main.overview.variables.view.setFocus(Qt.FocusReason.TabFocusReason)
    names = []
    for stop in stops(main):
        names.append(stop.objectName())
        assert is_seen(stop, main), stop.objectName()
    order = (
        "overviewVariables",
        "overviewCodes",
        "next_riskChart",
        "next_globalRecode",
        "messageOffer1",
        "messageClose",
    )
    places = [names.index(name) for name in order]
    assert places == sorted(places), names
    assert names.index("next_makeProtectedFile") < names.index("stepData") < names.index("stepProtect")


def test_every_stop_of_a_window_is_seen(
    open_window: Open, demo: Path, qtbot: QtBot, dark: None, subtests: pytest.Subtests
) -> None:
    main = open_window(demo / "survey.pavo")
    for name in WINDOWS:
        with subtests.test(name):
            window = main.windows.open_window(name)
            qtbot.waitUntil(lambda window=window: has_settled(main, window), timeout=WAIT_MS)
            window.activateWindow()
            qtbot.waitUntil(lambda w=window: w.focusWidget() is not None and w.focusWidget().hasFocus())
            for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):  # from the first Tab on Qt marks the focus
                QTest.keyClick(window.focusWidget(), key)
            found = [(stop.objectName(), is_seen(stop, window)) for stop in stops(window)]
            assert len(found) > 1
            assert [stop for stop, seen in found if not seen] == []
            assert window.close()
