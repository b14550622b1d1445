"""Bars beside a number: how much of a file is unsafe, and how large one of several counts is. Decoration only."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import GREYED, SAFE, UNSAFE, is_greyed, theme
from gui.theme.tokens import HATCH, RADIUS_BAR


def paint_unsafe(painter: QPainter, place: QRectF) -> None:
    """An unsafe area: its colour, hatched white at 45 degrees."""
    painter.fillRect(place, UNSAFE)
    painter.fillRect(place, QBrush(QColor.fromRgbF(1, 1, 1, HATCH), Qt.BrushStyle.BDiagPattern))


class UnsafeBar(QWidget):
    """Safe to the left, unsafe and hatched to the right, 120 × 10; `share` of it is unsafe (0 to 1)."""

    def __init__(self, share: float = 0.0) -> None:
        super().__init__()
        self._share = share
        self.setFixedSize(120, 10)

    def set_share(self, share: float) -> None:
        """So much is unsafe."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(GREYED if is_greyed(self) else 1.0)
        safe = self.width() * (1 - self._share)
        painter.fillRect(QRectF(0, 0, safe, self.height()), SAFE)
        paint_unsafe(painter, QRectF(safe, 0, self.width() - safe, self.height()))


class EffectBar(QWidget):
    """A bar of `share` of the room (0 to 1), 8 high, in the accent; pale while its number is not true."""

    def __init__(self, share: float = 0.0) -> None:
        super().__init__()
        self._share = share
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(24)

    def set_share(self, share: float) -> None:
        """Another length."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(0, (self.height() - 8) / 2, self.width() * self._share, 8)
        paint_effect(painter, place, is_greyed(self))


def paint_effect(painter: QPainter, place: QRectF, is_stale: bool = False) -> None:
    """A bar of one colour with rounded ends; nothing where it has no width."""
    if place.width() <= 0:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.scheme.rule if is_stale else theme.scheme.accent))
    painter.drawRoundedRect(place, RADIUS_BAR, RADIUS_BAR)
