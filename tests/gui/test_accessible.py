"""What assistive tools see: every control has a name and a fitting role, in the order of the Tab key; charts speak."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from docs.screenshot_scenes import SCENES
from docs.screenshots import Studio
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.shared.accessible import SpokenChoice, announce
from gui.shared.charts.told import told_of
from gui.shared.number_box import NumberBox
from gui.shared.parts.fold_line import FoldLine
from gui.shared.parts.segments import Segments
from gui.shared.table.model import Column
from tests.gui.accessible_tree import Role, Text, called, faults, told_stops, tree
from tests.gui.test_names import WINDOWS
from tests.gui.test_tab_stops import has_settled, stops
from tests.gui.waiting import WAIT_MS, wait_idle

Open = Callable[..., MainWindow]

SHOWN = (
    "main-empty", "open-microdata", "describe-columns", "describe-columns-paste", "generate-metadata",
    "automatic-specification", "group-codes", "group-codes-tree", "suggest-merges", "choose-for-me", "scenarios",
    "export-for-sdcmicro", "perturb", "risk-laboratory", "make-protected-file-preview", "browse-safe-file", "report",
)  # fmt: skip
"""Dialogs, and windows with something in them."""


pytestmark = pytest.mark.usefixtures("listening")


def spoken(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def test_every_control_of_every_window(qtbot: QtBot, open_window: Open, demo: Path) -> None:
    main = open_window(demo / "survey-households.pavo")
    assert faults(main) == []
    charts = set()
    for action, name in WINDOWS.items():
        found = main.findChild(QAction, action)
        assert isinstance(found, QAction), action
        found.trigger()
        wait_idle(qtbot, main.document)
        window = main.window_named(name)
        assert window is not None, name
        assert (name, faults(window)) == (name, [])
        for thing in tree(window):
            if thing.role() == Role.Chart:
                charts.add(thing.object().objectName())
                assert len(thing.text(Text.Description)) > 20, called(thing)
                assert "Figures as a table" in thing.actionInterface().actionNames()
    expected = {"riskHistogram", "forecastChart", "planMap", "riskUtilityMap", "utilityDistribution", "beforeHistogram"}
    assert expected <= charts


def orders_of(dialog: QDialog) -> tuple[list[str], list[str]]:
    """What can have the focus, in the order in which it is told, and in that of the Tab key."""
    dialog.activateWindow()
    QTest.qWaitForWindowActive(dialog)
    told = told_stops(dialog)
    for box in dialog.findChildren(QPlainTextEdit):  # in a text that is typed Tab is a character
        box.setTabChangesFocus(True)
    told[0].setFocus()
    return [stop.objectName() for stop in told], [stop.objectName() for stop in stops(dialog)]


def test_every_control_of_dialogs_and_of_what_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Listener(Studio):
        def keep(self, scene: Any, taken: Any, target: Path) -> None:
            looked.append((scene.name, faults(taken)))
            if isinstance(taken, QDialog):
                orders.append((scene.name, *orders_of(taken)))
            described.update(
                (thing.object().objectName(), thing.text(Text.Description))
                for thing in tree(taken)
                if thing.role() == Role.Chart
            )

    monkeypatch.setattr(dialogs, "ask", lambda *_arguments: 0)  # which the studio does, too
    looked: list[tuple[str, list[str]]] = []
    orders: list[tuple[str, list[str], list[str]]] = []
    described: dict[str, str] = {}
    studio = Listener(tmp_path, "light")
    try:
        for scene in SCENES:
            if scene.name in SHOWN:
                studio.take(scene, tmp_path)
        assert looked == [(scene.name, []) for scene in SCENES if scene.name in SHOWN]
        assert len(orders) >= 7
        assert [(name, told) for name, told, _by_key in orders] == [(name, by_key) for name, _told, by_key in orders]
        assert {"perturbationBars", "measureChart"} <= described.keys()
        assert all(described.values())
    finally:
        monkeypatch.setattr(dialogs, "ask", lambda *_arguments: 1)
        studio.window.close()
        studio.window.deleteLater()


@pytest.mark.parametrize("name", ["mainWindow", "riskChart", "makeProtectedFile", "perturb", "findPlan"])
def test_what_is_told_comes_in_the_order_of_the_tab_key(open_window: Open, demo: Path, qtbot: QtBot, name: str) -> None:
    main = open_window(demo / "survey.pavo")
    window = main if name == "mainWindow" else main.windows.open_window(name)
    qtbot.waitUntil(lambda: has_settled(main, window), timeout=WAIT_MS)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    by_key = [stop.objectName() for stop in stops(window)]
    told = [stop.objectName() for stop in told_stops(window)]
    assert len(told) > 4
    begins = by_key.index(told[0])
    assert by_key[begins:] + by_key[:begins] == told


def test_a_figure_is_told_with_what_it_is_of(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    label.setText("<b>0.05</b>")
    assert spoken(label).text(Text.Name) == "0.05"
    label.setAccessibleName("Largest risk")
    assert spoken(label).text(Text.Name) == "Largest risk: 0.05"
    label.setText("0.1")
    assert spoken(label).text(Text.Name) == "Largest risk: 0.1"


def test_a_box_to_choose_from_is_told_with_its_label_and_opens(qtbot: QtBot) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItems(["3", "5"])
    box.setAccessibleName("Decimals shown")
    box.show()
    told = SpokenChoice(box)
    assert (told.text(Text.Name), told.text(Text.Value), told.childCount()) == ("Decimals shown: 3", "3", 1)
    told.doAction("ShowMenu")
    qtbot.waitUntil(lambda: bool(told.state().expanded))
    told.doAction("ShowMenu")
    qtbot.waitUntil(lambda: not told.state().expanded)


def test_headings_are_headings_and_sliders_of_a_table_stand_in_its_group(
    open_window: Open, demo: Path, qtbot: QtBot
) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("makeProtectedFile")
    wait_idle(qtbot, main.document)
    headings = [thing.text(Text.Name) for thing in tree(main) if thing.role() == Role.Heading]
    assert headings[0] == "Protect" and len(headings) > 2
    (group,) = (thing for thing in tree(window) if thing.object() is window.suppression.weights)
    sliders = [thing for thing in map(group.child, range(group.childCount())) if thing.role() == Role.Slider]
    assert sliders[0].text(Text.Name) == "Suppression weight of REGION"
    assert sliders[0].valueInterface().currentValue() == 70
    assert group.indexOfChild(sliders[0]) == group.childCount() - len(sliders)


def test_what_is_pressed_says_its_state(qtbot: QtBot) -> None:
    views = Segments("views", "Views", [("one", "One"), ("two", "T&wo")])
    content = QLabel("held")
    fold = FoldLine("More", "more", content)
    for widget in (views, content, fold):
        qtbot.addWidget(widget)
    second = spoken(views.buttons["two"])
    assert (second.role(), second.text(Text.Name), second.state().checked) == (Role.RadioButton, "Two", 0)
    second.actionInterface().doAction("Press")
    qtbot.waitUntil(lambda: views.current == "two")
    assert second.state().checked == 1
    told = spoken(fold)
    assert (told.role(), told.state().expanded, told.state().collapsed) == (Role.Button, 0, 1)
    told.actionInterface().doAction("Press")
    qtbot.waitUntil(fold.isChecked)
    assert told.state().expanded == 1


def test_a_chart_opens_its_figures_by_its_action(open_window: Open, demo: Path, qtbot: QtBot) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("riskChart")
    wait_idle(qtbot, main.document)
    chart = spoken(window.findChild(QWidget, "riskHistogram"))
    said = chart.text(Text.Description)
    assert said == (
        "Risks from 1 in 6,475 to 1 in 10 of 5,002 records; at the threshold 0.05 (1 in 20), unsafe: 329 records."
    )
    chart.actionInterface().doAction("Figures as a table")
    qtbot.waitUntil(lambda: window.findChild(QDialog, "riskHistogramFigures") is not None)
    dialog = window.findChild(QDialog, "riskHistogramFigures")
    assert faults(dialog) == []
    dialog.close()


def test_the_figures_of_a_chart_in_a_sentence() -> None:
    columns = [Column("Code", ["a", "b", "c"]), Column("Records", [7, None, 12], str, True)]
    assert told_of(columns) == "3 rows of figures. Records: from 7 (a) to 12 (c)."
    assert told_of([]) == told_of([Column("Code", [])]) == "There are no figures to show."


def test_a_number_written_by_a_tool_is_taken_without_the_focus(qtbot: QtBot) -> None:
    box = NumberBox("box")
    qtbot.addWidget(box)
    taken: list[float] = []
    box.entered.connect(taken.append)
    told = spoken(box).editableTextInterface()
    told.insertText(0, "0.25")
    qtbot.waitUntil(lambda: taken == [0.25])
    told.replaceText(0, len(box.text()), "much")
    qtbot.waitUntil(lambda: box.is_refused)
    told.replaceText(0, len(box.text()), "0.5")
    qtbot.waitUntil(lambda: taken == [0.25, 0.5])


def test_what_is_wrong_is_found(qtbot: QtBot) -> None:
    """The walk itself: a button without words, a box without a name, a widget that takes the focus and says nothing."""
    window, bare = QWidget(), QWidget()
    bare.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for part in (QPushButton(), QLineEdit(), bare):
        part.setParent(window)
    qtbot.addWidget(window)
    window.show()
    assert [found.rsplit(": ")[-1] for found in faults(window)] == ["no name", "no name", "no role"]


def test_a_sentence_is_announced_only_where_somebody_listens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    announce(label, "Written and verified.")
    announce(label, "")
    QAccessible.setActive(False)
    announce(label, "Nobody hears.")
    assert said == ["Written and verified."]
