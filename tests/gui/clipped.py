"""What has less room in a window than its text needs."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QToolButton, QWidget

from gui.shared.labels import ElidedLabel

_ROUNDING = 1


def clipped(window: QWidget) -> Iterator[str]:
    """Visible labels and buttons of which a part cannot be read, with what they have and need.

    Labels that elide by intent have the whole text as their tool tip.
    """
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window.window():
            continue
        if isinstance(widget, ElidedLabel):
            if widget.text() and not widget.toolTip() and _needed(widget) > widget.contentsRect().width() + _ROUNDING:
                yield f"{_named(widget)} is elided and has no tool tip: {widget.text()!r}"
        elif isinstance(widget, QLabel) and widget.text():
            yield from _label(widget)
        elif isinstance(widget, QAbstractButton) and widget.text() and not _shows_icon_only(widget):
            need = widget.minimumSizeHint().width()
            if widget.width() + _ROUNDING < need:
                yield f"{_named(widget)} has {widget.width()} of {need}: {widget.text()!r}"


def _label(label: QLabel) -> Iterator[str]:
    room = label.contentsRect()
    if label.wordWrap():
        need = label.heightForWidth(label.width())
        if label.height() + _ROUNDING < need and not _is_scrolled(label):
            yield f"{_named(label)} is {label.height()} high, needs {need}: {label.text()!r}"
    elif room.width() + _ROUNDING < _needed(label) and not label.toolTip():
        yield f"{_named(label)} has {room.width()} of {_needed(label)}: {label.text()!r}"


def _needed(label: QLabel) -> int:
    lines = label.text().replace("&", "").splitlines()
    return max(map(label.fontMetrics().horizontalAdvance, lines), default=0)


def _shows_icon_only(widget: QAbstractButton) -> bool:
    return isinstance(widget, QToolButton) and "⟦" not in widget.text()


def _is_scrolled(widget: QWidget) -> bool:
    return isinstance(widget.parentWidget(), QScrollArea)


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"
