"""The legend of a chart that is painted: signs with a text each, in a row, in the room that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

_BESIDE, _BETWEEN = 6.0, 16.0
"""Pixels between a sign and its text, and between two entries."""


def legend_places(texts: Sequence[float], sign: float, room: float) -> list[tuple[float, float]]:
    """Where each entry begins, and the width of its text: what it needs, or less where all do not fit into `room`.

    `texts` : widths of the texts; `sign` : width of a sign; all in pixels
    """
    left = room - len(texts) * (sign + _BESIDE) - _BETWEEN * (len(texts) - 1)
    widths = [0.0] * len(texts)
    for done, i in enumerate(sorted(range(len(texts)), key=texts.__getitem__)):  # short ones leave theirs to the others
        widths[i] = max(min(texts[i], left / (len(texts) - done)), 0.0)
        left -= widths[i]
    places, x = [], 0.0
    for width in widths:
        places.append((x, width))
        x += sign + _BESIDE + width + _BETWEEN
    return places


def paint_legend(
    painter: QPainter,
    place: QRectF,
    texts: Sequence[str],
    sign: float,
    paint_sign: Callable[[int, QPointF], None],
    colour: str,
) -> None:
    """Paint entries from the left of `place`; `paint_sign(number, left end of the sign at half height)` paints one."""
    metrics = QFontMetricsF(painter.font())
    places = legend_places([metrics.horizontalAdvance(text) + 1 for text in texts], sign, place.width())
    for number, (text, (x, width)) in enumerate(zip(texts, places, strict=True)):
        paint_sign(number, QPointF(place.left() + x, place.center().y()))
        painter.setPen(QColor(colour))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        left = place.left() + x + sign + _BESIDE
        painter.drawText(QRectF(left, place.top(), width + 1, place.height()), Qt.AlignmentFlag.AlignVCenter, shown)
