"""All ways to lower the risk, listed on a page that is too low for them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.shared.parts.guidance import GuidanceCard
from tests.gui.waiting import wait_idle

EXAMPLE = Path(__file__).parents[3] / "resources" / "examples" / "communes" / "communes.pavo"


def test_all_candidates_are_scrolled_and_none_is_squeezed(
    open_window: Callable[..., MainWindow], qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    main = open_window(EXAMPLE)
    main.resize(1366, 768)
    with subtests.test("overview"):
        _all_are_seen(main, qtbot)
    main.windows.open_window("riskChart")
    with subtests.test("riskChart"):
        _all_are_seen(main, qtbot)


def _all_are_seen(main: MainWindow, qtbot: QtBot) -> None:
    wait_idle(qtbot, main.document)
    card = next(each for each in main.findChildren(GuidanceCard) if each.isVisible())
    qtbot.waitUntil(card.other.isVisible, timeout=10_000)
    if not card.all.isVisible():
        card.other.click()
    card.all.click()
    for _ in range(5):  # what is listed is laid out again once it is drawn
        QApplication.processEvents()
    prefix = f"{card.objectName()}Candidate"
    buttons = [each for each in card.findChildren(QPushButton) if each.objectName().startswith(prefix)]
    assert len(buttons) > 10
    assert all(each.height() >= each.sizeHint().height() for each in buttons)
    assert all(above.geometry().bottom() < below.geometry().top() for above, below in pairwise(buttons))
    assert card.height() <= 0.6 * main.height()
    card._listed.ensureWidgetVisible(buttons[-1])
    assert not buttons[-1].visibleRegion().isEmpty()
    assert buttons[-1].visibleRegion().boundingRect().height() == buttons[-1].height()
