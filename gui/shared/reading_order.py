"""Tab key and screen readers go through a window as one reads it: as its layouts have it, whenever each part was made.

Layouts are asked where a widget stands, never for their items: the binding keeps those when Qt has long deleted them,
and takes for them what comes to lie at the same address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QGridLayout,
    QLayout,
    QMainWindow,
    QSplitter,
    QTabBar,
    QTabWidget,
    QWidget,
)

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_BACKWARDS = QBoxLayout.Direction.RightToLeft, QBoxLayout.Direction.BottomToTop
Place = tuple[tuple[int, ...], ...]
"""Where a widget stands in a layout: for each layout within another row and column, or the number."""


def put_in_order(window: QWidget) -> None:
    """Order the children of all that is in sight, and by them the Tab key; nothing moves that stands right already."""
    for before, after in pairwise(_put_in_order(window)):
        QWidget.setTabOrder(before, after)


def _put_in_order(place: QWidget) -> Iterator[QWidget]:
    """Order what is in a widget; gives what takes the focus, in that order: from what was clicked Tab goes on, too."""
    if place.focusPolicy() != Qt.FocusPolicy.NoFocus and not isinstance(place, QTabWidget):
        yield place
    if isinstance(place, QAbstractItemView):  # which orders its own parts; what stands in its cells follows it
        inside = [part for part in place.viewport().findChildren(QWidget, options=_DIRECT) if not part.isHidden()]
        for part in sorted(inside, key=lambda part: (part.y(), part.x())):
            yield from _put_in_order(part)
        return
    now = [each for each in place.findChildren(QWidget, options=_DIRECT) if not each.isWindow()]
    wanted = _in_order(place, now)
    if [id(each) for each in now] != [id(each) for each in wanted]:
        for each in wanted:  # children are told in the order in which they lie above each other, the lowest first
            each.raise_()
    for part in wanted:
        if not part.isHidden():
            yield from _put_in_order(part)


def _in_order(place: QWidget, parts: list[QWidget]) -> list[QWidget]:
    """The children of a widget as they are read; last those that no layout holds."""
    if isinstance(place, QSplitter):
        return sorted(parts, key=lambda part: place.indexOf(part) if place.indexOf(part) >= 0 else len(parts))
    if isinstance(place, QTabWidget):
        return sorted(parts, key=lambda part: not isinstance(part, QTabBar))
    layout = place.layout()
    if layout is None or isinstance(place, QMainWindow):  # whose menus and status line no layout tells of
        return parts
    found = dict(_places(layout, parts, ()))
    return sorted(parts, key=lambda part: (id(part) not in found, found.get(id(part), ())))


def _places(layout: QLayout, parts: Sequence[QWidget], outer: Place) -> Iterator[tuple[int, Place]]:
    """Where each of these stands that the layout holds, or one within it."""
    for part in parts:
        number = layout.indexOf(part)
        if number >= 0:
            yield id(part), (*outer, _place(layout, number))
    for inner in layout.findChildren(QLayout, options=_DIRECT):
        number = layout.indexOf(inner)
        if number >= 0:
            yield from _places(inner, parts, (*outer, _place(layout, number)))


def _place(layout: QLayout, number: int) -> tuple[int, ...]:
    if isinstance(layout, QGridLayout):
        return tuple(cast("tuple[int, ...]", layout.getItemPosition(number))[:2])  # row and column
    is_backwards = isinstance(layout, QBoxLayout) and layout.direction() in _BACKWARDS
    return (-number if is_backwards else number,)
