"""A chart painted by one piece of code, on the screen and into the picture that is saved."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.charts.plot_style import small_font
from gui.shared.table.model import Column
from gui.texts import as_tip
from gui.theme import GREYED, is_greyed, theme
from gui.theme.tokens import LIGHT, Colours

_MARGIN = 8
_PICTURE = QSize(720, 480)


class PaintedChart(QWidget):
    """F4 shows its figures, its menu saves and copies it; a tooltip tells what is under the mouse.

    `least`: below this size in pixels nothing in it can be told apart.

    Signals
    -------
    refused(PavoError)
        A picture could not be written.
    """

    refused = Signal(object)

    def __init__(self, name: str, title: str, least: tuple[int, int]) -> None:
        super().__init__(objectName=name, accessibleName=title)
        self.setMinimumSize(*least)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._menu = ChartMenu(self, name, self.picture, self.figures, self.refused.emit)
        theme.changed.connect(self.update)

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether nothing is drawn."""

    @abstractmethod
    def figures(self) -> Sequence[Column]:
        """What is drawn, as a table; none where nothing is."""

    @abstractmethod
    def draw(self, painter: QPainter, area: QRectF, colours: Colours) -> None:
        """Paint it."""

    @abstractmethod
    def told_at(self, place: QPointF, area: QRectF) -> str:
        """What stands at a place of `area`; empty where nothing does."""

    def picture_size(self) -> QSize:
        """Size of the picture that is saved, in pixels."""
        return _PICTURE

    def picture(self) -> str:
        """It as SVG, in the light theme; empty where there is nothing to draw."""
        if self.is_empty:
            return ""
        size, data = self.picture_size(), QBuffer()
        generator = QSvgGenerator()
        generator.setResolution(self.logicalDpiX())
        generator.setOutputDevice(data)
        generator.setSize(size)
        generator.setViewBox(QRect(0, 0, size.width(), size.height()))
        generator.setTitle(self.accessibleName())
        painter = QPainter(generator)
        painter.fillRect(QRect(0, 0, size.width(), size.height()), QColor("white"))
        painter.setFont(small_font())
        area = _inside(QRectF(0, 0, size.width(), size.height()))
        painter.setPen(QColor(LIGHT.text))
        line = painter.fontMetrics().height()
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft, self.accessibleName())
        self.draw(painter, area.adjusted(0, 1.6 * line, 0, 0), LIGHT)
        painter.end()
        return bytes(data.data().data()).decode("utf-8")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.scheme.surface))
        painter.setFont(small_font())
        if not self.is_empty:
            painter.setOpacity(GREYED if is_greyed(self) else 1.0)
            self.draw(painter, _inside(QRectF(self.rect())), theme.scheme)
            painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(theme.scheme.accent if self.hasFocus() else theme.scheme.line))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            told = self.told_at(QPointF(event.pos()), _inside(QRectF(self.rect()))) if not self.is_empty else ""
            QToolTip.showText(event.globalPos(), as_tip(told), self)
            return True
        return super().event(event)


def _inside(area: QRectF) -> QRectF:
    return area.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)


def blend(ground: str, colour: str, share: float) -> QColor:
    """`share` (0–1) of a colour over the ground: solid, as every reader of pictures shows it."""
    below, above = QColor(ground), QColor(colour)
    pairs = zip(below.getRgb()[:3], above.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(b + (a - b) * share) for b, a in pairs))
