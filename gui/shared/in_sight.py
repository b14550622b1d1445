"""How much of a page can be seen without scrolling."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QWidget


def size_in_sight(part: QWidget) -> QSize:
    """The height of the place that a page scrolls in, and of its width what `part` has of the page's."""
    area: QWidget | None = part
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    page = area.widget() if isinstance(area, QScrollArea) else None
    if not isinstance(area, QScrollArea) or page is None:
        return part.size()
    beside = page.width() - part.width()
    return QSize(area.viewport().width() - beside, area.viewport().height())
