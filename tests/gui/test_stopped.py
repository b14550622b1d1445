"""Cancel of the main window stops what a window waits for; the window says so, and it can be asked for again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import core.browse.records
import core.browse.side_by_side
import core.tables.table_cells
import core.whatif.merges
import core.whatif.recode_effect
import gui.risk_chart.riskiest
from core.recipe.model import Combination, NumericEdit, Output, Threshold
from gui.document import engine
from gui.document.document import Document
from gui.global_recode.suggest_merges_dialog import SuggestMerges
from gui.main_window.window import MainWindow
from tests.gui.held import Held
from tests.gui.risk_chart.hand import Hand
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main(open_window: Open, demo: Path) -> MainWindow:
    return open_window(demo / "survey.pavo")


def stop(qtbot: QtBot, document: Document, held: Held) -> None:
    """Cancel while it is held; from then on it is not."""
    qtbot.waitUntil(held.begun.is_set, timeout=20_000)
    assert document.stoppable
    document.cancel()
    wait_idle(qtbot, document)
    held.go.set()


def press(qtbot: QtBot, window: QWidget, text: str) -> None:
    """Press the button with this text that is seen in the window."""
    found = [b for b in window.findChildren(QPushButton) if b.isVisible() and b.text().replace("&", "") == text]
    assert len(found) == 1, [b.text() for b in window.findChildren(QPushButton) if b.isVisible()]
    qtbot.mouseClick(found[0], LEFT)


def says(window: QWidget, text: str) -> bool:
    return any(text in label.text() for label in window.findChildren(QLabel) if label.isVisible())


def suggesting(main: MainWindow, qtbot: QtBot) -> SuggestMerges:
    window = main.windows.open_window("globalRecode", variable="AGE")
    wait_idle(qtbot, main.document)
    qtbot.mouseClick(window.codes.suggest, LEFT)
    qtbot.waitUntil(lambda: window.findChild(SuggestMerges) is not None)
    return window.findChild(SuggestMerges)


@pytest.mark.parametrize("is_asked", [True, False], ids=["derive", "suggest_merges"])
def test_suggested_merges(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch, is_asked: bool) -> None:
    window = main.windows.open_window("globalRecode", variable="AGE")
    wait_idle(qtbot, main.document)
    asked = main.document._engine, "ask", engine.derive
    held = Held(monkeypatch, *(asked if is_asked else (core.whatif.merges, "suggest_merges")))
    dialog = suggesting(main, qtbot)
    stop(qtbot, main.document, held)
    assert "was stopped" in dialog.state.text() and not dialog.bar.isVisible()
    press(qtbot, dialog, "Calculate again")
    wait_idle(qtbot, main.document)
    assert dialog.slider.isEnabled() and dialog.table.rows.total > 0
    assert not dialog.again.isVisible()
    dialog.reject()
    assert window.isVisible()


def test_what_ticked_merges_come_to(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    threshold = Threshold(reidentification_rate=0.001)
    main.document.commit("Rate", main.document.recipe.with_(threshold=threshold, recodes=()))
    wait_idle(qtbot, main.document)
    dialog = suggesting(main, qtbot)
    wait_idle(qtbot, main.document)
    assert dialog._found is not None
    runs = [len(choice.runs) for choice in dialog._found.choices]
    dialog.slider.setValue(runs.index(max(runs)))
    assert dialog.table.rows.total > 1
    held = Held(monkeypatch, core.whatif.merges, "unsafe_when_merged")
    dialog.table.rows.tick([0])
    dialog._show_total()
    stop(qtbot, main.document, held)
    assert "was stopped" in dialog.total.text()
    press(qtbot, dialog, "Calculate again")
    wait_idle(qtbot, main.document)
    assert dialog.total.text().startswith("Ticked:")
    assert not dialog.again.isVisible()


def test_cells_of_a_table(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    rare = Combination(("REGION", "SEX", "AGE"), model="frequency", count_threshold=2)
    main.document.commit("Rare", main.document.recipe.with_(combinations=(rare,)))
    wait_idle(qtbot, main.document)
    window = main.windows.open_window("showTables")
    wait_idle(qtbot, main.document)
    window.show_all.setChecked(True)
    window.only_unsafe.setChecked(False)
    wait_idle(qtbot, main.document)
    before = window.cells.title.text()
    held = Held(monkeypatch, core.tables.table_cells, "table_cells")
    qtbot.keyClick(window.collection.view, Qt.Key.Key_Down)
    qtbot.waitUntil(held.begun.is_set)
    assert window.cells.title.text() == before, "no name of another table over the cells of this one"
    stop(qtbot, main.document, held)
    assert says(window, "Opening the table was stopped.")
    press(qtbot, window, "Open it again")
    wait_idle(qtbot, main.document)
    assert window.cells.title.text() == window.collection.current_key != before
    assert window.cells.model.rowCount() > 0


@pytest.mark.parametrize("name", ["globalRecode", "selectCombinations"])
def test_the_variables_of_the_file(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    held = Held(monkeypatch, main.document._engine, "ask", engine.prepare)
    window = main.windows.open_window(name)
    table = window.variables
    stop(qtbot, main.document, held)
    assert table.model.rowCount() == 0
    assert says(window, "Reading the file was stopped.")
    press(qtbot, window, "Read again")
    wait_idle(qtbot, main.document)
    qtbot.waitUntil(lambda: table.model.rowCount() > 0)


def test_figures_of_a_recode(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch, core.whatif.recode_effect, "recode_effect")
    window = main.windows.open_window("globalRecode", variable="AGE")
    stop(qtbot, main.document, held)
    assert "The calculation was stopped." in window.messages.text
    main.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, main.document)
    assert "(" in window.preview.now.labels["Unsafe"].text()


def test_the_distribution_of_a_number_and_its_changes(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = main.windows.open_window("numericalVariables")
    window.variables.select("INCOME")
    wait_idle(qtbot, main.document)
    held = Held(monkeypatch, main.document._engine, "ask", engine.compare_numbers)
    box = window.findChild(QLineEdit, "roundingBase")
    box.setFocus()
    qtbot.keyClicks(box, "100")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    stop(qtbot, main.document, held)
    assert says(window, "Reading the numbers was stopped.")
    press(qtbot, window, "Read again")
    wait_idle(qtbot, main.document)
    assert window._good["INCOME"].plain == NumericEdit("INCOME", round=100)
    window._good.clear()
    held.go.clear()
    held.begun.clear()
    qtbot.mouseClick(window.apply, LEFT)
    stop(qtbot, main.document, held)
    assert says(window, "Nothing is applied") and not main.document.recipe.numeric
    qtbot.mouseClick(window.messages.findChild(QPushButton, "messageOffer1"), LEFT)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.numeric == (NumericEdit("INCOME", round=100),)


def test_the_riskiest_combinations(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window = main.windows.open_window("riskChart")
    window.page.segments.choose("histogram")
    wait_idle(qtbot, main.document)
    window.page.riskiest.show_for(None, None, None)
    held = Held(monkeypatch, gui.risk_chart.riskiest, "_find")
    window.page.segments.choose("riskiestView")
    stop(qtbot, main.document, held)
    panel = window.page.riskiest
    assert "The calculation was stopped." in panel.summary.text()
    main.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, main.document)
    assert panel.view.model.rowCount() > 0


@pytest.mark.parametrize("is_asked", [True, False], ids=["prepare", "choose_records"])
def test_finding_records(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch, is_asked: bool) -> None:
    window = main.windows.open_window("browseData")
    wait_idle(qtbot, main.document)
    asked = main.document._engine, "ask", engine.prepare
    held = Held(monkeypatch, *(asked if is_asked else (core.browse.records, "choose_records")))
    before = window.count.text()
    qtbot.keyClicks(window.filter, "Aa")
    qtbot.keyClick(window.filter, Qt.Key.Key_Return)
    stop(qtbot, main.document, held)
    assert window.count.text() == before
    assert says(window, "Finding the records was stopped")
    press(qtbot, window, "Find again")
    wait_idle(qtbot, main.document)
    assert window.count.text() != before
    assert not window.messages.isVisible()


def test_the_state_before_a_recode_comes_with_calculate_again(
    qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch, main.document._engine, "ask", engine.derive)
    window = main.windows.open_window("riskChart")
    stop(qtbot, main.document, held)
    assert window.before.exists and window.before.table is None
    main.menu_actions["actionCalculateAgain"].trigger()
    wait_idle(qtbot, main.document)
    assert window.before.table is not None


def test_records_of_the_safe_file(
    qtbot: QtBot, main: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = main.document
    document.commit("Output", document.recipe.with_(output=Output(data=tmp_path / "safe.asc")))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    window = main.windows.open_window("browseSafeFile")
    wait_idle(qtbot, document)
    before = window.original.records.rowCount()
    held = Held(monkeypatch, core.browse.side_by_side, "choose_places")
    qtbot.keyClicks(window.filter, "MARSTAT=1")
    qtbot.keyClick(window.filter, Qt.Key.Key_Return)
    stop(qtbot, document, held)
    assert says(window, "Finding the records was stopped") and window.original.records.rowCount() == before
    press(qtbot, window, "Find again")
    wait_idle(qtbot, document)
    assert 0 < window.original.records.rowCount() < before


def test_households_that_stay_unsafe(
    qtbot: QtBot, open_window: Open, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes = Hand(qtbot, open_window(demo / "survey-households.pavo"), "householdRiskChart")
    held = Held(monkeypatch, homes.document._engine, "ask", engine.unprotectable)
    homes.type("householdThreshold", "0.0001", key=None)
    qtbot.keyClick(homes.find(QLineEdit, "householdThreshold"), Qt.Key.Key_Return)  # and not until all is done
    stop(qtbot, homes.document, held)
    assert "The calculation was stopped." in homes.text("unprotectableHouseholds")
    homes.main.menu_actions["actionCalculateAgain"].trigger()
    homes.settle()
    text = "cannot be brought below the household threshold"
    qtbot.waitUntil(lambda: text in homes.text("unprotectableHouseholds"), timeout=10_000)
