"""Panes of a page, and what stands below each other in one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QSplitter, QVBoxLayout, QWidget

BESIDE, BELOW = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def pane(place: QWidget | None, *parts: QWidget | QLayout) -> QWidget:
    """A pane on `place`: parts below each other, of which the first takes what room there is."""
    made = QWidget(place)
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    for number, part in enumerate(parts):
        if isinstance(part, QWidget):
            column.addWidget(part, 0 if number else 1)
        else:
            column.addLayout(part)
    return made


def panes(
    direction: Qt.Orientation, parts: Sequence[QWidget], sizes: Sequence[int] = (), handle: int = 0, name: str = ""
) -> QSplitter:
    """Panes beside or below each other, none of which can be pushed out of sight; `handle` 0: as the style has it."""
    made = QSplitter(direction, objectName=name)
    made.setChildrenCollapsible(False)
    if handle:
        made.setHandleWidth(handle)
    for part in parts:
        made.addWidget(part)
    if sizes:
        made.setSizes(list(sizes))
    return made
