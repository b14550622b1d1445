"""Places of the names of points, so that they hide neither each other nor a point; for the map and its picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF

HALF = 7.0
"""Half of a point, in pixels."""
LINE = 18.0
"""Height of a line of names."""
_ANCHORS = ((0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.5, 1.4), (0.5, -0.4))
_FAR = 0.75
"""So many lines farther up or down, where nothing nearer is free."""
_APART = 3.0
"""Pixels between names, where there is room for them."""
_POINT = 4.0
"""Hiding a point is so many times worse than hiding a name."""


class Name(NamedTuple):
    """The names of all points at one place, below each other: the points, their room, and which point of it lies there.

    The anchor is given in fractions of width and height.
    """

    points: tuple[int, ...]
    anchor: tuple[float, float]
    room: QRectF


def name_places(points: Sequence[QPointF], widths: Sequence[float], inside: QRectF) -> list[Name]:
    """For each place with points the side where their names hide least and are not cut off; all in pixels.

    Where there is room for a name at no side, its room ends at the edge: so much of it can be shown.
    """
    marks = [QRectF(point.x() - HALF, point.y() - HALF, 2 * HALF, 2 * HALF) for point in points]
    taken: list[QRectF] = []
    places = []
    for members in _together(points):
        point = points[members[0]]
        width, height = max(widths[i] for i in members) + 2 * HALF, LINE * len(members)
        farther = _FAR * LINE / height
        far = [(across, upwards) for upwards in (-farther, 1.0 + farther) for across in (0.0, 1.0)]
        rooms = [
            Name(members, anchor, QRectF(point.x() - anchor[0] * width, point.y() - anchor[1] * height, width, height))
            for anchor in (*_ANCHORS, *far)
        ]
        others = [mark for i, mark in enumerate(marks) if i not in members]
        best = _narrowed(min(rooms, key=lambda place: _hidden(place.room, taken, others, inside)), point, inside)
        taken.append(best.room.adjusted(-_APART, -_APART, _APART, _APART))
        places.append(best)
    return places


def _narrowed(name: Name, point: QPointF, inside: QRectF) -> Name:
    """With the room that there is up to the edges, at the same side of the point."""
    across = name.anchor[0]
    left = (point.x() - inside.left()) / across if across > 0 else math.inf
    right = (inside.right() - point.x()) / (1 - across) if across < 1 else math.inf
    width = min(name.room.width(), left, right)
    return name._replace(room=QRectF(point.x() - across * width, name.room.top(), width, name.room.height()))


def _together(points: Sequence[QPointF]) -> list[tuple[int, ...]]:
    """Points that lie on one another, by the first of them."""
    groups: list[list[int]] = []
    for i, point in enumerate(points):
        near = (g for g in groups if (points[g[0]] - point).manhattanLength() < HALF)
        group = next(near, None)
        if group is None:
            groups.append([i])
        else:
            group.append(i)
    return [tuple(group) for group in groups]


def _hidden(room: QRectF, taken: Sequence[QRectF], marks: Sequence[QRectF], inside: QRectF) -> float:
    """How many pixels of other things a name would hide, or lose at the edge."""
    lost = _area(room) - _area(room.intersected(inside))
    names = sum(_area(room.intersected(other)) for other in taken)
    return lost + names + _POINT * sum(_area(room.intersected(mark)) for mark in marks)


def _area(room: QRectF) -> float:
    return room.width() * room.height()
