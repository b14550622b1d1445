"""Pages of the main window: shown, beside each other, taken out and put back, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.settings import WORKSPACE, settings
from gui.shared.mnemonics import letter_of, with_free_letter
from gui.shared.tool_window import ToolWindow
from gui.workspace.holder import Holder
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


class Bench:
    """The main window with the demonstration survey, and what a person does with its pages."""

    def __init__(self, qtbot: QtBot, main: MainWindow) -> None:
        self.qtbot, self.main = qtbot, main

    def open(self, name: str) -> ToolWindow:
        page = self.main.windows.open_window(name)
        wait_idle(self.qtbot, self.main.document)
        return page

    def press(self, page: str, button: str) -> None:
        """A button of a page's header."""
        found = self.holder(page).findChild(QWidget, button)
        assert found is not None and found.isVisible(), button
        self.qtbot.mouseClick(found, LEFT)
        wait_idle(self.qtbot, self.main.document)

    def holder(self, page: str) -> Holder:
        found = self.main.window_named(page)
        place: QWidget | None = found
        while place is not None and not isinstance(place, Holder):
            place = place.parentWidget()
        assert place is not None
        return place

    def in_sight(self, *names: str) -> list[str]:
        return [name for name in names if (page := self.main.window_named(name)) is not None and page.isVisible()]

    def beside(self, first: str, name: str) -> None:
        header = self.holder(first).header
        assert header is not None
        header.menu.aboutToShow.emit()
        action = header.menu.findChild(QAction, f"beside_{name}")
        assert action is not None and action.isEnabled()
        action.trigger()
        wait_idle(self.qtbot, self.main.document)


@pytest.fixture
def bench(qtbot: QtBot, open_window: Open, demo: Path, tmp_path: Path) -> Iterator[Bench]:
    main = open_window(copy_survey(demo, tmp_path))
    main.resize(1366, 768)
    yield Bench(qtbot, main)
    main.workspace.put_all_back()


def test_one_page_is_in_sight_and_closing_it_goes_back(bench: Bench) -> None:
    risk = bench.open("riskChart")
    recode = bench.open("globalRecode")
    assert bench.in_sight("riskChart", "globalRecode") == ["globalRecode"]
    assert not bench.main.overview.isVisible()
    risk.show()
    assert bench.in_sight("riskChart", "globalRecode") == ["riskChart"]
    assert bench.main.window_named("globalRecode") is recode, "out of sight, and as it was"
    risk.close()
    assert bench.in_sight("riskChart", "globalRecode") == ["globalRecode"]
    recode.close()
    assert bench.main.overview.isVisible()
    assert bench.main.windows.names() == []


def test_a_page_stands_beside_another_whenever_that_one_is_shown(bench: Bench) -> None:
    bench.open("riskChart")
    bench.beside("riskChart", "globalRecode")
    risk, recode = bench.holder("riskChart"), bench.holder("globalRecode")
    assert bench.in_sight("riskChart", "globalRecode") == ["riskChart", "globalRecode"]
    assert risk.mapTo(bench.main, risk.rect().topRight()).x() <= recode.mapTo(bench.main, recode.rect().topLeft()).x()
    assert bench.main.steps.width() == 100
    bench.open("specifyMetadata")
    assert bench.in_sight("riskChart", "globalRecode") == []
    assert bench.main.steps.width() == 216
    bench.open("riskChart")
    assert bench.in_sight("riskChart", "globalRecode") == ["riskChart", "globalRecode"]
    bench.press("globalRecode", "closePage")
    assert bench.main.window_named("globalRecode") is None
    assert (bench.in_sight("riskChart"), settings.get(WORKSPACE)) == (["riskChart"], {})


def test_where_there_is_little_room_two_pages_are_tabs_and_the_rail_is_a_box(bench: Bench) -> None:
    bench.open("riskChart")
    bench.beside("riskChart", "globalRecode")
    bench.main.resize(960, 540)
    tabs, workspace = bench.main.workspace.tabs, bench.main.workspace
    assert (tabs.isVisible(), tabs.count(), tabs.tabText(tabs.currentIndex())) == (True, 2, "Recode")
    assert bench.in_sight("riskChart", "globalRecode") == ["globalRecode"]
    tabs.setCurrentIndex(0)
    assert bench.in_sight("riskChart", "globalRecode") == ["riskChart"]
    bench.main.resize(683, 384)
    assert bench.main.size().toTuple() == (683, 384)
    assert not bench.main.steps.isVisible()
    box = workspace.in_sight()[0].findChild(QToolButton, "stepBox")
    assert box is not None and box.isVisible() and box.text() == "4 Risk"
    box.menu().aboutToShow.emit()
    box.menu().actions()[2].trigger()
    assert bench.in_sight("specifyMetadata", "riskChart") == ["specifyMetadata"]
    assert box.text() == "2 Metadata"
    bench.main.resize(1366, 768)
    assert bench.main.steps.isVisible() and not box.isVisible() and not tabs.isVisible()


def test_the_box_of_steps_outlives_the_page_that_it_stood_on(bench: Bench) -> None:
    bench.open("perturb")
    for width, height in ((683, 384), (1366, 768)):
        bench.main.resize(width, height)
    bench.press("perturb", "closePage")
    bench.qtbot.waitUntil(lambda: bench.main.findChild(Holder, "holder_perturb") is None)
    bench.main.resize(683, 384)
    assert bench.main.steps.box.isVisible() and bench.main.steps.box.text()
    for rail in ("wide", "box", "narrow"):  # before any page took it
        bench.main.steps.arrange(rail, low=False)
        assert bench.main.steps.box.isHidden() is (rail != "box")


def test_a_page_taken_out_is_the_same_page_and_keeps_its_focus(bench: Bench) -> None:
    page = bench.open("riskChart")
    box = page.findChild(QLineEdit, "riskThreshold")
    assert box is not None
    box.setFocus()
    bench.qtbot.keyClick(box, "7")
    typed = box.text()
    bench.main.menu_actions["actionTakeOutIntoAWindow"].trigger()
    own = page.window()
    bench.qtbot.waitUntil(lambda: own.isActiveWindow() and box.hasFocus())
    assert own is not bench.main and own.windowTitle() == page.windowTitle() != ""
    assert (page.isVisible(), box.text()) == (True, typed)
    assert bench.main.overview.isVisible()
    assert "in its own window" in [label.text() for label in bench.main.steps.button("Risk").findChildren(QLabel)]
    bench.open("globalRecode")
    assert bench.open("riskChart") is page
    assert page.window() is own and bench.in_sight("globalRecode", "riskChart") == ["globalRecode", "riskChart"]
    bench.press("riskChart", "putBack")
    assert page.window() is bench.main and bench.in_sight("globalRecode", "riskChart") == ["riskChart"]


def test_a_page_is_taken_out_after_the_one_beside_it_was_closed(bench: Bench) -> None:
    page = bench.open("riskChart")
    bench.beside("riskChart", "globalRecode")
    second = bench.main.window_named("globalRecode")
    assert second is not None and second.close()
    bench.main.menu_actions["actionTakeOutIntoAWindow"].trigger()
    assert page.window() is not bench.main
    assert bench.main.overview.isVisible()


def test_a_window_of_its_own_closes_with_its_page_and_comes_again(bench: Bench, answers: list[int]) -> None:
    page = bench.open("selectCombinations")
    bench.main.workspace.take_out("selectCombinations")
    own = page.window()
    page.builder.add(["REGION"])  # type: ignore[attr-defined]
    assert not own.close(), "there is a draft, and it is to be kept"
    assert own.isVisible() and page.isVisible()
    answers.append(0)
    assert own.close()
    assert bench.main.window_named("selectCombinations") is None
    again = bench.open("selectCombinations")
    assert again.window() is not bench.main and again.isVisible()


def test_an_arrangement_is_there_again_at_the_next_start(bench: Bench, open_window: Open, demo: Path) -> None:
    bench.open("riskChart")
    bench.beside("riskChart", "globalRecode")
    bench.open("showTables")
    bench.main.workspace.take_out("showTables")
    settings.save()
    other = Bench(bench.qtbot, open_window(demo / "survey.pavo"))
    other.main.resize(1366, 768)
    other.open("riskChart")
    assert other.in_sight("riskChart", "globalRecode") == ["riskChart", "globalRecode"]
    assert other.open("showTables").window() is not other.main
    other.main.workspace.put_all_back()


def test_steps_and_parts_are_reached_by_keys(bench: Bench) -> None:
    main = bench.main
    main.activateWindow()
    for key, name in ((Qt.Key.Key_4, "riskChart"), (Qt.Key.Key_5, "globalRecode"), (Qt.Key.Key_2, "specifyMetadata")):
        bench.qtbot.keyClick(main, key, CONTROL)
        wait_idle(bench.qtbot, main.document)
        assert bench.in_sight("riskChart", "globalRecode", "specifyMetadata") == [name]
        focus = QApplication.focusWidget()
        assert focus is not None and bench.holder(name).isAncestorOf(focus), name
        assert main.steps.button({"r": "Risk", "g": "Recode", "s": "Metadata"}[name[0]]).isChecked()
    bench.open("riskChart")
    bench.beside("riskChart", "globalRecode")
    parts = {
        "status": main.status,
        "risk": bench.holder("riskChart"),
        "recode": bench.holder("globalRecode"),
        "rail": main.steps,
    }
    order = []
    for _ in range(5):
        focus = QApplication.focusWidget()
        order.append(next((name for name, part in parts.items() if focus is not None and part.isAncestorOf(focus)), ""))
        bench.qtbot.keyClick(main, Qt.Key.Key_F6)
    assert order == ["recode", "status", "rail", "risk", "recode"]
    bench.qtbot.keyClick(main, Qt.Key.Key_W, CONTROL)
    assert bench.in_sight("riskChart", "globalRecode") == ["riskChart"], "the page that had the focus last is closed"
    bench.qtbot.keyClick(main, Qt.Key.Key_0, CONTROL)
    assert main.overview.isVisible()


def test_the_guide_opens_on_the_page_that_is_worked_on_and_beside_it(bench: Bench) -> None:
    bench.open("globalRecode")
    bench.qtbot.keyClick(bench.main, Qt.Key.Key_F1)
    assert bench.in_sight("globalRecode", "help") == ["globalRecode", "help"]
    assert bench.main.window_named("help").page == "global-recode"  # type: ignore[union-attr]
    bench.open("riskChart")
    assert bench.in_sight("riskChart", "help") == ["riskChart", "help"]


def test_what_was_changed_is_taken_over_before_the_next_step(bench: Bench) -> None:
    page = bench.open("selectCombinations")
    before = bench.main.document.recipe
    page.combinations.view.selectRow(0)  # type: ignore[attr-defined]
    page.builder.add(["REGION", "SEX"])  # type: ignore[attr-defined]
    page.add_combination.click()  # type: ignore[attr-defined]
    assert page.touched  # type: ignore[attr-defined]
    bench.press("selectCombinations", "continueTo")
    wait_idle(bench.qtbot, bench.main.document)
    recipe = bench.main.document.recipe
    assert len(recipe.combinations) == len(before.combinations) + 1
    assert bench.in_sight("selectCombinations", "riskChart") == ["riskChart"]


def test_resizing_a_page_resizes_the_window_it_stands_in(bench: Bench) -> None:
    page = bench.open("riskChart")
    page.resize(1000, 560)
    assert page.size().toTuple() == (1000, 560)
    assert bench.main.width() > 1000


def test_no_page_asks_for_more_than_a_small_screen_has(bench: Bench) -> None:
    for name in ("openMicrodata", "specifyMetadata", "selectCombinations", "riskChart", "globalRecode",
                 "makeProtectedFile", "showTables", "compare"):  # fmt: skip
        bench.open(name)
        least = bench.main.window_named(name)
        assert least is not None
        assert least.minimumSizeHint().width() <= 1320 and least.minimumSizeHint().height() <= 690, name


@pytest.mark.parametrize("width", [1140, 1366])
def test_two_pages_stand_beside_each_other_only_where_both_have_the_room_they_need(bench: Bench, width: int) -> None:
    main = bench.main
    main.resize(width, 768)
    for first in ("riskChart", "selectCombinations", "specifyMetadata", "showTables", "householdRiskChart"):
        bench.open(first)
        main.workspace.put_beside(first, "makeProtectedFile")
        wait_idle(bench.qtbot, main.document)
        bench.qtbot.waitUntil(lambda: not any(map(_is_cut, main.workspace.in_sight())))
        names = bench.in_sight(first, "makeProtectedFile")
        assert main.workspace.tabs.isVisible() == (len(names) == 1)
        main.workspace.close_page("makeProtectedFile")


def test_a_page_without_room_beside_another_comes_beside_it_where_the_window_grows(bench: Bench) -> None:
    bench.main.resize(1140, 768)
    bench.open("selectCombinations")
    bench.main.workspace.put_beside("selectCombinations", "makeProtectedFile")
    assert bench.in_sight("selectCombinations", "makeProtectedFile") == ["makeProtectedFile"]
    bench.main.resize(1900, 800)
    bench.qtbot.waitUntil(lambda: len(bench.in_sight("selectCombinations", "makeProtectedFile")) == 2)
    bench.main.resize(1140, 768)
    bench.qtbot.waitUntil(lambda: len(bench.in_sight("selectCombinations", "makeProtectedFile")) == 1)


def _is_cut(holder: Holder) -> bool:
    area = holder.findChild(QScrollArea, "pageScroll")
    assert isinstance(area, QScrollArea)
    return holder.sheet.width() > area.viewport().width()


def test_a_helper_is_a_dialog_over_its_page_and_escape_closes_only_it(bench: Bench) -> None:
    page = bench.open("riskChart")
    button = page.findChild(QPushButton, "chooseForMe")
    assert button is not None
    bench.qtbot.mouseClick(button, LEFT)
    dialog = page.findChild(QDialog)
    assert dialog is not None and dialog.isVisible()
    assert dialog.windowHandle().transientParent() is bench.main.windowHandle()
    assert not dialog.windowIcon().isNull()
    bench.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible() and page.isVisible()


def test_no_key_of_a_page_takes_one_of_the_menus(bench: Bench) -> None:
    bar = bench.main.findChild(QMenuBar)
    assert bar is not None
    menus = {letter_of(action.text()) for action in bar.actions()}
    assert len(menus) == len(bar.actions())
    for name in ("makeProtectedFile", "globalRecode", "riskChart", "specifyMetadata"):
        texts = [button.text() for button in bench.open(name).findChildren(QPushButton)]
        assert [text for text in texts if letter_of(text) in menus] == [], name


def test_another_letter_is_found_where_one_is_taken() -> None:
    assert with_free_letter("&Make file", {"M", "A"}) == "Ma&ke file"
    assert with_free_letter("&Apply", {"M"}) == "&Apply"
    assert with_free_letter("Plain", {"P"}) == "Plain"
    assert with_free_letter("&AB", {"A", "B"}) == "AB"
    assert with_free_letter("Save && &open", {"O"}) == "&Save && open"


def test_a_page_is_put_beside_one_that_is_not_open(bench: Bench) -> None:
    bench.main.workspace.put_beside("riskChart", "globalRecode")
    both = ["riskChart", "globalRecode"]
    bench.qtbot.waitUntil(lambda: bench.in_sight(*both) == both)  # they say what room they need once they are made
