"""What scrolls down by itself where a page is too low for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


def scrolled(column: QVBoxLayout, name: str) -> QScrollArea:
    """A column that is as wide as its place and scrolls by itself."""
    place = QWidget()
    column.addStretch(1)
    place.setLayout(column)
    area = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName=name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(place)
    for ground in (place, area.viewport()):
        ground.setAutoFillBackground(False)
    return area
