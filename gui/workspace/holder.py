"""Holder of one page: its header, and below that the page, which scrolls where there is less room than it needs.

A page gets its holder once. What moves between the workspace and a window of its own is the holder.
"""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QStyle, QVBoxLayout, QWidget
from shiboken6 import isValid

from gui.shared.tool_window import MARGIN, ToolWindow
from gui.workspace.header import PageHeader, Place

_EDGE = 4
"""Pixels around what is scrolled to: the focus is drawn there."""
_BESIDE = {"alone": 12, "pair": 4, "out": 4}
"""Room left and right of a page beside its own margins; none where the window is low."""


class Sheet(QWidget):
    """Gives a page all the room there is, but never less than the page's minimum.

    It is no layout: under one, a page with wrapped text would ask for the height it likes and scroll at once.
    `least_changed`: the page needs another width than before.
    """

    least_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._page = QWidget(self)
        self._least = 0

    def hold(self, page: QWidget) -> None:
        """Let `page` stand here."""
        self._page.deleteLater()
        self._page = page
        if page.parentWidget() is not self:
            page.setParent(self)
        page.move(0, 0)

    def minimumSizeHint(self) -> QSize:
        return self._page.minimumSizeHint().expandedTo(self._page.minimumSize())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint().expandedTo(self._page.sizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if isValid(self._page):
            QWidget.resize(self._page, self.size())

    def event(self, event: QEvent) -> bool:
        """The page asks for room: its minimum may be another."""
        if event.type() == QEvent.Type.LayoutRequest and isValid(self._page):
            self.updateGeometry()
            least = self.minimumSizeHint()
            QWidget.resize(self._page, self.size().expandedTo(least))
            if least.width() != self._least:
                self._least = least.width()
                self.least_changed.emit()
        return super().event(event)


class Holder(QFrame):
    """`header`, and below it the `page` that is made on its `sheet`; keeps the place of the focus out of sight."""

    def __init__(self, name: str, header: PageHeader | None, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName=f"holder_{name}")
        self.header = header
        self.sheet = Sheet()
        self.page: QWidget = self.sheet
        self._focus: QWidget | None = None
        area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        area.setObjectName("pageScroll")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.sheet)
        self.said: QWidget | None = None
        """What is said on top of the page, between header and page."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        if header is not None:
            column.addWidget(header)
        self._over = QHBoxLayout()
        column.addLayout(self._over)
        self._body = QHBoxLayout()
        self._body.addWidget(area)
        column.addLayout(self._body, 1)
        self.arrange("alone", low=False)

    def hold(self, page: QWidget) -> None:
        """Let `page` stand here for good."""
        self.page = page
        self.sheet.hold(page)

    def arrange(self, place: Place, low: bool) -> None:
        """Where the page stands, and whether there is little height."""
        if self.header is not None:
            self.header.arrange(place, low)
        beside = 0 if low else _BESIDE[place]
        self._body.setContentsMargins(beside, 0, beside, 0)
        self._give_said_room()

    def say(self, widget: QWidget | None) -> None:
        """Say something on top of the page, or nothing more; the page has the room below it."""
        before, self.said = self.said, widget
        if before is not None:
            focus = QApplication.focusWidget()
            had_focus = focus is not None and before.isAncestorOf(focus)
            before.hide()
            before.deleteLater()
            if had_focus:
                self.take_focus()
        if widget is not None:
            self._over.addWidget(widget)
            widget.show()
            if self.header is not None:
                self.setTabOrder(self.header.go_on, widget)
        self._give_said_room()

    def _give_said_room(self) -> None:
        beside, down = (self._body.contentsMargins().left() + MARGIN, 4) if self.said is not None else (0, 0)
        self._over.setContentsMargins(beside, down, beside, down)

    @property
    def least_width(self) -> int:
        """Below this the page would have to be moved to the side."""
        margins = self._body.contentsMargins()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return self.sheet.minimumSizeHint().width() + margins.left() + margins.right() + bar

    def minimumSizeHint(self) -> QSize:
        header = self.header.minimumSizeHint() if self.header is not None else QSize()
        return QSize(max(header.width(), 240), header.height() + 120)

    def keep_focus(self) -> None:
        """Remember which control has the focus, before the page goes out of sight or moves."""
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self._focus = focus

    def take_focus(self) -> None:
        """Let work go on where it was, else where it begins."""
        kept = self._focus
        if kept is None or not isValid(kept) or not self.isAncestorOf(kept) or not kept.isVisible():
            kept = self.page.focusWidget()
        if kept is not None and kept.isEnabled():
            kept.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._begin()

    def scroll_to(self, control: QWidget) -> None:
        """Scroll to a control that is out of sight, in all that is scrolled around it; by keyboard, to the whole of it.

        A control that is pressed stays where it is, and so does one for which there is no room.
        """
        place, by_keys = control.parentWidget(), QApplication.mouseButtons() == Qt.MouseButton.NoButton
        while place is not None and place is not self:
            seen = control.visibleRegion().boundingRect()
            if isinstance(place, QScrollArea) and (
                seen.isEmpty() or (by_keys and seen != control.rect() and control.height() < place.viewport().height())
            ):
                place.ensureWidgetVisible(control)
                # of a chart Qt shows the place of a text cursor, in its corner
                inside = cast(QWidget, place.widget())
                below, above = (control.mapTo(inside, end) for end in (QPoint(0, control.height()), QPoint()))
                place.ensureVisible(below.x(), below.y(), 0, _EDGE)
                place.ensureVisible(above.x(), above.y(), 0, _EDGE)
            place = place.parentWidget()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab leaves the page at its end; a control that can no longer be used leaves the focus on the page.

        Where nothing else on it can be used either, it gets the focus back as soon as it can be used again.
        """
        focus = self.window().focusWidget()
        if focus is None or focus.isEnabled() or not self.page.isAncestorOf(focus):
            return super().focusNextPrevChild(forward)
        if not self._moves_on(forward):
            self._wait_for(focus)
        return True

    def _begin(self) -> None:
        """Let the first control of the page have the focus; the page itself where none can be used yet."""
        self.page.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._moves_on(True):
            first = self.page.first if isinstance(self.page, ToolWindow) else ""
            control = self.page.findChild(QWidget, first) if first else None
            if control is not None:
                self._wait_for(control)

    def _moves_on(self, forward: bool) -> bool:
        """Let the next control of the page have the focus; False where it is the page, there being none.

        Qt finds it: asked for widgets of the focus chain one by one, the binding takes each for the child of the one
        before, and what those own is lost with them.
        """
        super().focusNextPrevChild(forward)
        now = self.window().focusWidget()
        if now is not None and self.page.isAncestorOf(now):
            return True
        self.page.setFocus(Qt.FocusReason.OtherFocusReason)
        return False

    def _wait_for(self, control: QWidget) -> None:
        """Let a control have the focus as soon as it can be used, where the page still has it then."""
        control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.EnabledChange and isinstance(watched, QWidget) and watched.isEnabled():
            watched.removeEventFilter(self)
            if self.page.hasFocus():
                watched.setFocus(Qt.FocusReason.OtherFocusReason)
        return super().eventFilter(watched, event)
