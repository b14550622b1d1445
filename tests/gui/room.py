"""What has less room in a window than its text needs, stands outside its parent, or never comes to rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from gui.shared.labels import ElidedLabel

ROUNDING = 2
"""Points by which a text may be wider than it is measured."""


def cramped(window: QWidget) -> Iterator[str]:
    """Visible texts that cannot be read whole, with what they have and need; what is cut by intent has a tool tip."""
    window.grab()  # what is cut has its tool tip once it is drawn
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not window.window() or widget.visibleRegion().isEmpty():
            continue
        found = ""
        if isinstance(widget, ElidedLabel) and not widget.wordWrap():
            if _wider(widget, _widest(widget, widget.text())) and not widget.toolTip():
                found = "is elided and has no tool tip"
        elif isinstance(widget, QLabel):
            found = _label(widget)
        elif isinstance(widget, QAbstractButton):
            found = _button(widget)
        elif isinstance(widget, QComboBox):
            found = _choice(widget)
        elif isinstance(widget, QTabBar):
            found = "; ".join(_tabs(widget))
        elif isinstance(widget, QHeaderView) and widget.orientation() is Qt.Orientation.Horizontal:
            found = "; ".join(_headings(widget))
        if found:
            yield f"{_named(widget)} {found}"
        if outside := _outside(widget):
            yield f"{_named(widget)} {outside}"


def _label(label: QLabel) -> str:
    text = label.text()
    if not text or label.toolTip():
        return ""
    room = label.contentsRect()
    if label.wordWrap():
        need = label.heightForWidth(label.width())
        if label.height() + ROUNDING < need and not isinstance(label.parentWidget(), QScrollArea):
            return f"is {label.height()} high and needs {need}: {text!r}"
        return ""
    need = _widest(label, text)
    return f"has {room.width()} of {need}: {text!r}" if _wider(label, need) else ""


def _widest(label: QLabel, text: str) -> int:
    if re.search("<[/a-z]", text) and label.textFormat() is not Qt.TextFormat.PlainText:
        document = QTextDocument()
        document.setDefaultFont(label.font())
        document.setHtml(text)
        return round(document.idealWidth()) - 2 * round(document.documentMargin())
    lines = text.replace("&&", "\0").replace("&", "").splitlines()
    return max(map(label.fontMetrics().horizontalAdvance, lines), default=0)


def _wider(label: QLabel, need: int) -> bool:
    return label.contentsRect().width() + ROUNDING < need


def _button(button: QAbstractButton) -> str:
    if not button.text() or (isinstance(button, QToolButton) and button.toolButtonStyle().name == "ToolButtonIconOnly"):
        return ""
    need = button.sizeHint()
    is_wide_enough = button.width() + ROUNDING >= need.width()
    if not is_wide_enough and not isinstance(button, (QCheckBox, QRadioButton)):
        text = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic.value, button.text()).width()
        is_wide_enough = button.width() >= text + 4  # a smaller margin
    if not is_wide_enough and not button.toolTip():
        return f"has {button.width()} of {need.width()}: {button.text()!r}"
    return f"is {button.height()} high and needs {need.height()}" if button.height() + ROUNDING < need.height() else ""


def _choice(box: QComboBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    need = box.fontMetrics().horizontalAdvance(box.currentText())
    if part.width() + ROUNDING < need and not box.toolTip():
        return f"has {part.width()} of {need}: {box.currentText()!r}"
    return ""


def _tabs(bar: QTabBar) -> Iterator[str]:
    for place in range(bar.count()):
        need, room = bar.fontMetrics().horizontalAdvance(bar.tabText(place).replace("&", "")), bar.tabRect(place)
        if room.width() < need and not bar.tabToolTip(place):
            yield f"has {room.width()} of {need}: {bar.tabText(place)!r}"


def _headings(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    for column in range(header.count()):
        text = str(model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) or "")
        tip = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        need = max(map(header.fontMetrics().horizontalAdvance, text.splitlines()), default=0)
        if not header.isSectionHidden(column) and header.sectionSize(column) < need and not tip:
            yield f"has {header.sectionSize(column)} of {need}: {text!r}"


def _outside(widget: QWidget) -> str:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or isinstance(parent.parentWidget(), QAbstractScrollArea):
        return ""
    if isinstance(parent, QAbstractScrollArea) or widget.objectName().startswith("qt_"):
        return ""
    place = widget.geometry()
    if place.right() <= parent.width() + ROUNDING and place.bottom() <= parent.height() + ROUNDING:
        return "" if min(place.left(), place.top()) >= -ROUNDING else f"begins outside its parent, at {place.topLeft()}"
    return f"ends at {place.right()}, {place.bottom()} in {_named(parent)} of {parent.width()} x {parent.height()}"


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"


class Layouts(QObject):
    """Counts the layouts that are asked for while it is installed."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, _thing: QObject, event: QEvent) -> bool:
        self.count += event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize)
        return False


def comes_to_rest(looks: int = 12) -> bool:
    """Whether layouts are asked for no more, after a few turns of the event loop for what was just shown."""
    app, counter = QApplication.instance(), Layouts()
    assert app is not None
    app.installEventFilter(counter)
    for _ in range(looks):
        counter.count = 0
        for _ in range(6):
            QApplication.processEvents()
        if not counter.count:
            break
    app.removeEventFilter(counter)
    return not counter.count
