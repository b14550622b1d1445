"""The name of what is outlined in a risk chart, beside a piece of its line."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from core.base.texts import translate
from gui.risk_chart.histogram import OPINION_WIDTH
from gui.theme import theme


class _Swatch(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(18, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(theme.scheme.text), OPINION_WIDTH))
        middle = self.height() / 2
        painter.drawLine(QLineF(0, middle, self.width(), middle))


class OpinionLegend(QWidget):
    """Label `opinionLegend` with a swatch: which opinion the solid outline is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = QLabel(objectName="opinionLegend")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(_Swatch())
        row.addWidget(self.name)
        self.hide()

    def show_for(self, by_model: bool | None) -> None:
        """Name the outline: of the model of the whole table, of the individual risk, or (None) nothing."""
        self.setVisible(by_model is not None)
        self.name.setText(translate("by the model of the whole table") if by_model else translate("individual risk"))
