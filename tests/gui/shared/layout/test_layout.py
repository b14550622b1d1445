"""What arranges itself by the room there is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.shared.layout.beside_or_below import BesideOrBelow
from gui.shared.layout.by_room import ByRoom
from gui.shared.layout.scrolled import ScrolledDown
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import scaled


@pytest.fixture
def place(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(600, 400)
    return made


def test_a_rule_is_told_first_and_then_what_changes(place: QWidget) -> None:
    told: list[tuple[str, bool]] = []
    room = ByRoom(place)
    wide = room.width(500, lambda has_room: told.append(("wide", has_room)))
    room.height(300, lambda has_room: told.append(("high", has_room)))
    place.show()
    assert sorted(told) == [("high", True), ("wide", True)]
    for width, has_room in ((scaled(500), True), (scaled(500) - 1, False), (400, False)):
        told.clear()
        place.resize(width, 400)
        assert wide.has_room is has_room
        assert told == ([("wide", False)] if width == scaled(500) - 1 else [])


def test_least_room_is_asked_for_whenever_a_part_needs_other_room(qtbot: QtBot, place: QWidget) -> None:
    told: list[bool] = []
    part = QWidget()
    column = QVBoxLayout(place)
    column.addWidget(part)
    room = ByRoom(place)
    room.width(lambda: part.minimumWidth() + 200, told.append)
    room.watch(place)
    place.show()
    assert told == [True]
    part.setMinimumWidth(500)
    qtbot.waitUntil(lambda: told == [True, False])


def test_rules_may_be_about_other_room_and_wait_for_the_layout(qtbot: QtBot, place: QWidget) -> None:
    told: list[bool] = []
    ByRoom(place, lambda: QSize(10, 10), is_late=True).width(20, told.append)
    place.show()
    assert told == []
    qtbot.waitUntil(lambda: told == [False])


def test_little_width_has_a_pane_below_the_other(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    panes = BesideOrBelow(outer, "panes")
    for width in (200, 250):
        QWidget(panes).setMinimumSize(width, 90)
    assert panes.minimumSizeHint().width() == 250
    outer.show()
    for width, way in ((600, Qt.Orientation.Horizontal), (400, Qt.Orientation.Vertical)):
        panes.resize(width, 300)
        assert panes.orientation() == way


def test_panes_that_are_out_of_sight_need_no_room(place: QWidget) -> None:
    panes = BesideOrBelow(place, "panes")
    for width in (200, 250):
        QWidget(panes).setMinimumSize(width, 90)
    last = panes.widget(1)
    assert last is not None
    last.hide()
    assert panes.minimumSizeHint() == QSize(200, 90)


def test_panes_in_panes_keep_what_they_need_beside_each_other(place: QWidget) -> None:
    room = ByRoom(place)
    outer = BesideOrBelow(place, "outer", 500, room=room)
    left, inner = QWidget(outer), BesideOrBelow(outer, "inner", 550, room=room)
    for pane in (left, *(QWidget(inner) for _ in range(2))):
        pane.setMinimumSize(150, 50)
    place.show()
    assert inner.minimumSizeHint().width() > 300 and outer.minimumSizeHint().width() == 150
    place.resize(520, 300)
    assert (outer.orientation(), inner.orientation()) == (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)


def test_panes_get_the_sizes_that_are_asked_for_where_they_stand(place: QWidget) -> None:
    panes = BesideOrBelow(place, "panes", 500, lambda beside: (100, 500) if beside else ())
    for _ in range(2):
        QWidget(panes).setMinimumSize(50, 50)
    panes.setHandleWidth(0)
    place.show()
    panes.resize(600, 300)
    assert panes.sizes() == [100, 500]
    panes.resize(400, 300)
    assert panes.orientation() == Qt.Orientation.Vertical


def test_what_is_whole_is_never_narrower_than_what_it_holds(qtbot: QtBot) -> None:
    held = QWidget()
    column, wide = QVBoxLayout(held), QWidget()
    column.addWidget(wide)
    wide.setMinimumWidth(300)
    area = ScrolledDown(held, is_whole=True, least=60)
    qtbot.addWidget(area)
    assert area.minimumSizeHint().width() > 300 and area.minimumSizeHint().height() == scaled(60)
    area.set_whole(False)
    assert area.minimumSizeHint().width() < 300


def test_rows_are_scrolled_from_a_height_on(qtbot: QtBot) -> None:
    held = QWidget()
    column = QVBoxLayout(held)
    area = ScrolledDown(held, least=40, tallest=80)
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    column.addWidget(WrappedLabel("one line"))
    held.updateGeometry()
    qtbot.waitUntil(lambda: 0 < area.sizeHint().height() < scaled(80))
    column.addWidget(WrappedLabel("many words " * 60))
    qtbot.waitUntil(lambda: area.sizeHint().height() == scaled(80))
    assert area.minimumSizeHint().height() == scaled(40)
    assert held.height() > 80, "nothing of a sentence is cut off"
