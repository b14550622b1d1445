"""Boxes, sliders and tabs that the wheel changes only while they have the focus; else it scrolls what they stand in.

Every such widget of the windows is one of these: a page is scrolled past widgets that must stay as they are.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QTabBar, QTabWidget


class _ByFocus:
    """Before a widget's class: by itself the wheel gives no focus, and without it nothing is changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        widget: Any = self
        if widget.focusPolicy() == Qt.FocusPolicy.WheelFocus:
            widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        widget: Any = self
        if widget.hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


class ComboBox(_ByFocus, QComboBox):
    """A combo box in a page."""


class Slider(_ByFocus, QSlider):
    """A slider in a page."""


class TabBar(_ByFocus, QTabBar):
    """A row of tabs in a page."""


class TabWidget(QTabWidget):
    """Parts of a page, of which a row of tabs shows one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.setTabBar(TabBar(self))
