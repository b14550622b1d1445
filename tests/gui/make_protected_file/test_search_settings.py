"""Make Protected File: the mode that is proposed in a new session, and how long and with what seed is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Output, Threshold
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.numbers import format_count
from gui.shared.number_box import NumberBox
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def begun(qtbot: QtBot, open_window: Open, tmp_path: Path) -> Iterator[Hands]:
    """The window in a session that began with data, with one table and a threshold."""
    data = tmp_path / "s.csv"
    data.write_text("A,B\n" + "1,2\n" * 20 + "1,3\n2,2\n", encoding="utf-8")
    main = open_window(data)
    recipe = main.document.recipe.with_(
        combinations=(Combination(("A", "B")),), threshold=Threshold(individual_risk=0.3)
    )
    main.document.commit("c", recipe)
    wait_idle(qtbot, main.document)
    found = main.windows.open_window("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    qtbot.waitExposed(found)
    yield Hands(found, qtbot)
    found.forecasts.stop()


def mode(hands: Hands) -> str:
    return str(hands.find(QComboBox, "mode").currentData())


def test_a_new_session_is_judged_by_released_keys_unless_households_have_a_threshold(begun: Hands) -> None:
    document = begun.window.document
    box = begun.find(QComboBox, "mode")
    assert mode(begun) == "released-keys"
    assert box.currentText().endswith("(recommended)")
    assert not begun.window.touched
    assert document.recipe.suppression.mode == "original-counts", "proposed, and not in the session yet"
    document.commit("h", document.recipe.with_(threshold=Threshold(household_risk=0.3)))
    wait_idle(begun.qtbot, document)
    assert mode(begun) == "original-counts"
    assert box.currentText().endswith("(recommended)"), "what is proposed is what is recommended"
    assert box.itemText(box.findData("released-keys")) == "Judged by what is released"
    document.commit("r", document.recipe.with_(threshold=Threshold(individual_risk=0.3)))
    wait_idle(begun.qtbot, document)
    begun.choose("mode", "original-counts")
    begun.click("preview")
    assert mode(begun) == "original-counts", "what was chosen stays"
    assert document.recipe.suppression.mode == "original-counts"


def test_a_session_that_began_with_a_recipe_keeps_what_it_says(hands: Hands) -> None:
    document = hands.window.document
    document.commit("o", document.recipe.with_(output=Output()))
    assert mode(hands) == "original-counts"


def test_more_settings_are_folded_until_they_are_wanted(begun: Hands) -> None:
    folded, more = begun.find(QWidget, "moreSettingsFolded"), begun.find(QToolButton, "moreSettings")
    assert more.isVisible()
    assert not folded.isVisible()
    more.click()
    assert folded.isVisible()
    for name, typed in (("effort", "20"), ("leastRecords", "2"), ("suppressionSeed", "7")):
        box = begun.find(NumberBox, name)
        box.setFocus()
        box.selectAll()
        begun.qtbot.keyClicks(box, typed + "\r")
    begun.find(QCheckBox, "thorough").click()
    chosen = begun.window.draft_recipe.suppression
    assert (chosen.effort, chosen.least_records, chosen.thorough, chosen.seed) == (20, 2, True, 7)
    begun.choose("mode", "original-counts")
    assert not more.isVisible()
    assert not folded.isVisible()
    chosen = begun.window.draft_recipe.suppression
    assert (chosen.least_records, chosen.thorough) == (1, False)


def test_a_number_that_cannot_be_is_refused_beside_its_box(begun: Hands) -> None:
    begun.find(QToolButton, "moreSettings").click()
    box = begun.find(NumberBox, "leastRecords")
    box.setFocus()
    box.selectAll()
    begun.qtbot.keyClicks(box, "0\r")
    assert box.message.text() == f"A whole number from 1 to {format_count(1_000_000)}."
    assert begun.window.draft_recipe.suppression.least_records == 1
