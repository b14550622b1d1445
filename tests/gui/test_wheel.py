"""The wheel over a page scrolls it: no box, slider or row of tabs below the pointer changes unless it has the focus."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

import gui
from gui.main_window.window import MainWindow
from gui.shared.wheel import ComboBox, Slider, TabBar
from tests.gui.test_odd_files import every_window
from tests.gui.waiting import wait_idle

TURNED = {"QComboBox", "QSlider", "QDial", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QTimeEdit", "QDateTimeEdit",
          "QTabBar", "QTabWidget", "QFontComboBox"}  # fmt: skip
"""Widgets of Qt that the wheel changes as soon as it passes over them."""


def turned(place: QWidget) -> Iterator[Any]:
    """What the wheel may change in a page."""
    for widget in place.findChildren(QWidget):
        if isinstance(widget, (QComboBox, QAbstractSpinBox, QTabBar, QAbstractSlider)) and not isinstance(
            widget, QScrollBar
        ):
            yield widget


def value(widget: Any) -> Any:
    if isinstance(widget, (QComboBox, QTabBar)):
        return widget.currentIndex()
    return widget.value() if isinstance(widget, QAbstractSlider) else widget.text()


def scroll(widget: QWidget, delta: int) -> None:
    """Turn the wheel over a widget as a hand does: Qt then gives the focus to what takes it by the wheel."""
    if widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
        widget.setFocus()
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre, widget.mapToGlobal(centre), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def scroll_over_all(place: QWidget) -> list[str]:
    """Names of the widgets that the wheel changes there."""
    changed = []
    for widget in turned(place):
        if widget.hasFocus():
            widget.clearFocus()
        before = value(widget)
        for delta in (-120, 120, -120):
            scroll(widget, delta)
        if value(widget) != before or widget.hasFocus():
            changed.append(widget.objectName() or type(widget).__name__)
    return changed


@pytest.mark.parametrize("session", ["survey.pavo", "survey-households.pavo"])
def test_the_wheel_over_every_page_changes_nothing(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, session: str
) -> None:
    main = open_window(demo / session)
    document = main.document
    recipe, seen = document.recipe, 0
    for page in every_window(main, qtbot):
        assert scroll_over_all(page) == [], page.objectName()
        seen += len(list(turned(page)))
    wait_idle(qtbot, document)
    assert document.recipe == recipe
    assert not document.session.modified
    assert seen > 30


def test_the_wheel_turns_what_has_the_focus(qtbot: QtBot) -> None:
    box = ComboBox()
    box.addItems(["a", "b"])
    slider, tabs = Slider(), TabBar()
    tabs.addTab("a")
    tabs.addTab("b")
    slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for widget in (box, slider, tabs):
        qtbot.addWidget(widget)
        widget.show()
        widget.activateWindow()
        qtbot.waitExposed(widget)
        before = value(widget)
        scroll(widget, -120)
        assert value(widget) == before
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        scroll(widget, 120 if isinstance(widget, QAbstractSlider) else -120)
        assert value(widget) != before, type(widget).__name__


def test_no_window_has_a_widget_that_turns_by_itself() -> None:
    """Dialogs, too: what the wheel may turn is one of those in `gui.shared.wheel`."""
    folder = Path(gui.__file__).parent
    found = []
    for file in folder.rglob("*.py"):
        if file.relative_to(folder).as_posix() == "shared/wheel.py":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            made = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
            found += [f"{file.name}:{node.lineno}" for each in made if ast.unparse(each).split(".")[-1] in TURNED]
    assert found == []
