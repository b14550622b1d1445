"""The picture of a measure: bars, a histogram or a curve, with its figures as a table and a file of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from core.report.measure_svg import measure_svg
from core.report.numbers import column
from core.risk.measures.shown import BarPicture, CurvePicture, HistogramPicture, Picture
from gui.numbers import format_exact
from gui.risk_laboratory.bars_view import BarsView
from gui.risk_laboratory.plot_view import PlotView
from gui.shared.charts.chart_menu import ChartMenu
from gui.shared.empty_state import EmptyState
from gui.shared.labels import ElidedLabel
from gui.shared.table.model import Column
from gui.theme import muted, theme, write_as


class MeasureChart(QWidget):
    """`measureChart`. F4 shows its figures as a table."""

    def __init__(self, refuse: Callable[[PavoError], None]) -> None:
        super().__init__(objectName="measureChart")
        self.setAccessibleName(translate("Picture of the measure"))
        self._picture: Picture | None = None
        self._title = ""
        self.up = ElidedLabel(objectName="measureChartUnit")
        self.across = ElidedLabel(objectName="measureChartAcross")
        self.across.setAlignment(Qt.AlignmentFlag.AlignRight)
        for label in (self.up, self.across):
            write_as(label, "small")
            muted(label)
        self.bars, self.plot = BarsView(), PlotView()
        scroll = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName="measureBarsScroll")
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.bars)
        for ground in (scroll.viewport(), self.bars):
            ground.setAutoFillBackground(False)
        self.empty = EmptyState("measureChart")
        self._pages = QStackedLayout()
        for page in (scroll, self.plot, self.empty):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.addWidget(self.up)
        layout.addLayout(self._pages, 1)
        layout.addWidget(self.across)
        self.setMinimumHeight(120)
        ChartMenu(self, "measureChart", self._svg, self._columns, refuse)
        self.show_picture("", None)

    def show_picture(self, title: str, picture: Picture | None) -> None:
        """Draw a picture; None: there is none."""
        self._picture, self._title = picture, title
        self.setAccessibleName(translate("Picture: {title}").format(title=title) if title else translate("Picture"))
        self.up.setText("" if picture is None else _upward(picture))
        self.across.setText(_across(picture))
        self.across.setVisible(bool(self.across.text()))
        if picture is None:
            self.empty.say(translate("This measure has no picture here.") if title else "")
            self._pages.setCurrentIndex(2)
        elif isinstance(picture, BarPicture):
            told = column(picture.values.tolist(), picture.format)
            self.bars.show_bars([translate(name) for name in picture.names], picture.values.tolist(), told)
            self._pages.setCurrentIndex(0)
        else:
            self.plot.show_picture(picture)
            self._pages.setCurrentIndex(1)
        self.setAccessibleDescription("; ".join(" ".join(row) for row in _rows(picture)[:20]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(theme.scheme.surface))
        painter.setPen(QColor(theme.scheme.accent if self.hasFocus() else theme.scheme.line))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 8, 8)
        if self.hasFocus():
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), 7, 7)

    def _svg(self) -> str:
        return "" if self._picture is None else measure_svg(self._title, self._picture)

    def _columns(self) -> Sequence[Column]:
        picture = self._picture
        if picture is None:
            return []
        heads = [translate(picture.across), translate(picture.up)]
        if isinstance(picture, CurvePicture) and picture.low is not None:
            heads += [translate("from"), translate("to")]
        rows = _rows(picture)
        return [Column(head, [row[place] for row in rows], number=place > 0) for place, head in enumerate(heads)]


def _upward(picture: Picture) -> str:
    """What is counted; of bars also by what."""
    up = translate(picture.up)
    if not isinstance(picture, BarPicture):
        return up
    return translate("{up}, by {across}").format(up=up, across=translate(picture.across))


def _across(picture: Picture | None) -> str:
    """What stands below a plot."""
    if picture is None or isinstance(picture, BarPicture):
        return ""
    is_log = isinstance(picture, HistogramPicture) and picture.logarithmic
    return (translate("{axis}, logarithmic") if is_log else "{axis}").format(axis=translate(picture.across))


def _rows(picture: Picture | None) -> list[tuple[str, ...]]:
    """The figures of a picture, as they are written."""
    if isinstance(picture, BarPicture):
        told = column(picture.values.tolist(), picture.format)
        return list(zip(map(translate, picture.names), told, strict=True))
    if isinstance(picture, HistogramPicture):
        ends = [_number(edge) for edge in picture.edges.tolist()]
        classes = map(" – ".join, pairwise(ends))
        return list(zip(classes, map(_number, picture.counts.tolist()), strict=True))
    if isinstance(picture, CurvePicture):
        parts = [picture.x, picture.y, *(each for each in (picture.low, picture.high) if each is not None)]
        return list(zip(*(map(_number, part.tolist()) for part in parts), strict=True))
    return []


def _number(value: float) -> str:
    return format_exact(float(f"{value:.6g}"))
