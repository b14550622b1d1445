"""What assistive tools are told of parts that Qt does not know by itself: role, name, description, what can be done.

A class names its interface as `spoken_as`, a single widget by `speak_as`; labels, boxes to choose from and scroll areas
have theirs anyway. Qt asks only while an assistive tool listens.

An interface that Qt made itself is deleted with its widget, and the binding does not notice: ask for one where it is
needed, keep none.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface, QAction, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAccessibleWidget,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from shiboken6 import createdByPython, isValid

from core.base.texts import translate

Role, Text = QAccessible.Role, QAccessible.Text
_INSTALLED, _HEADING = "spokenHere", "spokenAsHeading"


def install() -> None:
    """Let Qt ask here first, once there is an application."""
    app = QApplication.instance()
    if app is not None and not app.property(_INSTALLED):
        app.setProperty(_INSTALLED, True)
        QAccessible.installFactory(_interface_of)


def speak_as(widget: QWidget, made: Callable[[QWidget], QAccessibleInterface]) -> None:
    """Give a widget this interface, whatever its class has.

    A class whose constructor takes a text calls it, too: while that runs, Qt may ask already.
    """
    widget.spoken_as = made  # type: ignore[attr-defined]
    if QAccessible.isActive():  # Qt keeps what it got
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(widget)))


def _interface_of(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    """The interface of a widget; None: Qt's own. Qt keeps it as long as the widget lives."""
    if not isinstance(thing, QWidget) or not createdByPython(thing):  # Qt's own, or still being made
        return _interface_of_qt(thing)
    made: Callable[[QWidget], QAccessibleInterface] | None = getattr(thing, "spoken_as", None)
    if made is not None:
        return made(thing)
    if isinstance(thing, QLabel):
        return SpokenLabel(thing)
    if isinstance(thing, QComboBox) and sys.platform != "win32":
        return SpokenChoice(thing)
    return PANE(thing) if isinstance(thing, QScrollArea) else None


def _interface_of_qt(thing: QObject) -> QAccessibleInterface | None:
    """The button that empties a line of text is made by Qt, and has no name."""
    if isinstance(thing, QAbstractButton) and isinstance(thing.parent(), QLineEdit):
        return ClearPart(thing)
    return None


def _as(role: QAccessible.Role) -> Any:
    return staticmethod(lambda widget: QAccessibleWidget(widget, role))


GRAPHIC = _as(Role.Graphic)
"""A sign or picture, told by its name."""
GROUPING = _as(Role.Grouping)
"""Things that belong together under the widget's name."""
PAGE_TABS = _as(Role.PageTabList)
"""Things that lead to pages."""
PANE = _as(Role.Pane)
"""What is scrolled."""
CANVAS = _as(Role.Canvas)
"""What is drawn on."""


W = TypeVar("W", bound=QWidget)


class Spoken(QAccessibleWidget, Generic[W]):
    """Base of interfaces with a mind of their own.

    The binding keeps what a factory made to the end of the program: so it holds its widget weakly, and says nothing of
    one that Qt has deleted, or is deleting.
    """

    def __init__(self, widget: W, role: QAccessible.Role) -> None:
        super().__init__(widget, role)
        self._held = weakref.ref(widget)

    @property
    def alive(self) -> W | None:
        """The widget, while there is one."""
        widget = self._held()
        return widget if widget is not None and isValid(widget) else None


class SpokenLabel(Spoken[QLabel]):
    """A label: its text, and where its accessible name says what that is of, both."""

    def __init__(self, label: QLabel) -> None:
        super().__init__(label, Role.StaticText)

    def role(self) -> QAccessible.Role:
        """A picture with a name is one, and a heading is a heading."""
        label = self.alive
        if label is not None and label.property(_HEADING):
            return Role.Heading
        is_picture = label is not None and bool(label.accessibleName()) and not label.pixmap().isNull()
        return Role.Graphic if is_picture else Role.StaticText

    def text(self, kind: QAccessible.Text) -> str:
        """Name and text, as one name."""
        label = self.alive
        if kind != Text.Name or label is None:
            return super().text(kind) if label is not None else ""
        shown = label.text()
        if label.textFormat() != Qt.TextFormat.PlainText and "</" in shown:
            shown = QTextDocumentFragment.fromHtml(shown).toPlainText()
        elif label.textFormat() != Qt.TextFormat.PlainText:  # asked for its buddy, the binding takes that for its child
            shown = shown.replace("&", "")
        return _named(label.accessibleName(), shown.replace("\u200b", "").strip())


def as_heading(label: QLabel) -> None:
    """Let a label be a heading, among which screen readers can move."""
    label.setProperty(_HEADING, True)


class HasParts(Protocol):
    """A widget some of whose parts Qt does not tell of."""

    def spoken_parts(self) -> Sequence[QWidget]:
        """They, in the order in which they are told."""
        ...


class WithParts(Spoken[QWidget]):
    """A group that has `spoken_parts` behind what Qt tells of it: widgets in the cells of a table are in no tree."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, Role.Grouping)

    def _parts(self) -> Sequence[QWidget]:
        widget = self.alive
        return () if widget is None else cast(HasParts, widget).spoken_parts()

    def childCount(self) -> int:
        """Those that Qt tells of, and the parts."""
        return super().childCount() + len(self._parts())

    def child(self, place: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """One of them."""
        own, parts = super().childCount(), self._parts()
        if place < own:
            return super().child(place)
        return QAccessible.queryAccessibleInterface(parts[place - own]) if place - own < len(parts) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Its place among them; -1: it is none."""
        made_of, own = child.object(), super().childCount()
        found = (own + place for place, part in enumerate(self._parts()) if part is made_of)
        return next(found, super().indexOfChild(child))


class SpokenChoice(Spoken[QComboBox]):
    """A box to choose from: Qt's own has no name but what is chosen, except on Windows."""

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box, Role.ComboBox)

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, or that of its label, and what is chosen."""
        box = self.alive
        if box is None:
            return ""
        found, chosen = super().text(kind), box.currentText()
        return chosen if kind == Text.Value else _named(found, chosen) if kind == Text.Name else found

    def state(self) -> QAccessible.State:
        """Whether its list is open, and whether something can be typed."""
        found, box = super().state(), self.alive
        if box is not None:
            found.expandable = 1
            found.hasPopup = 1
            found.expanded = int(box.view().isVisible())
            found.editable = int(box.isEditable())
        return found

    def _parts(self) -> list[QWidget]:
        """The list of what can be chosen, and the line to type into where there is one."""
        box = self.alive
        if box is None:
            return []
        line = box.lineEdit() if box.isEditable() else None
        return [box.view()] if line is None else [box.view(), line]

    def childCount(self) -> int:
        """One, or two where something can be typed."""
        return len(self._parts())

    def child(self, place: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """The list of what can be chosen, or the line."""
        parts = self._parts()
        return QAccessible.queryAccessibleInterface(parts[place]) if 0 <= place < len(parts) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Its place among the parts; -1: it is none."""
        return next((place for place, part in enumerate(self._parts()) if part is child.object()), -1)

    def actionNames(self) -> list[str]:
        """To open the list or to close it, and to have the focus."""
        return [QAccessibleActionInterface.showMenuAction(), *super().actionNames()]

    def doAction(self, name: str) -> None:
        """Open the list, or close it."""
        box = self.alive
        if box is not None and name == QAccessibleActionInterface.showMenuAction():
            QTimer.singleShot(0, box, box.hidePopup if box.view().isVisible() else box.showPopup)
        else:
            super().doAction(name)


class PressedPart(Spoken[QWidget]):
    """Something to press: what it holds is told by its own name, or by its text."""

    def __init__(self, widget: QWidget, role: QAccessible.Role = Role.Button) -> None:
        super().__init__(widget, role)

    @property
    def checked(self) -> int:
        """1 while it is checked."""
        part = self.alive
        return int(isinstance(part, QAbstractButton) and part.isChecked())

    def text(self, kind: QAccessible.Text) -> str:
        """Its accessible name, else its text."""
        part = self.alive
        found = super().text(kind) if part is not None else ""
        if kind == Text.Name and not found and isinstance(part, (QLabel, QAbstractButton)):
            return part.text().replace("&", "")
        return found

    def childCount(self) -> int:
        """None: what is written on it is its name."""
        return 0

    def actionNames(self) -> list[str]:
        """To press it, and to have the focus."""
        return [QAccessibleActionInterface.pressAction(), *super().actionNames()]

    def doAction(self, name: str) -> None:
        """As a click does; soon, since what it opens may last longer than whoever asked wants to wait."""
        part = self.alive
        if part is not None and name == QAccessibleActionInterface.pressAction():
            click: Callable[[], None] = part.click  # type: ignore[attr-defined]
            QTimer.singleShot(0, part, click)
        else:
            super().doAction(name)


class ClearPart(PressedPart):
    """The button in a line of text that empties it."""

    def text(self, kind: QAccessible.Text) -> str:
        """What it does."""
        return translate("Clear") if kind == Text.Name else super().text(kind)


class PageStep(PressedPart):
    """Something that leads to a page, and is checked while that is in sight."""

    def __init__(self, button: QWidget) -> None:
        super().__init__(button, Role.PageTab)

    def state(self) -> QAccessible.State:
        """Whether its page is in sight."""
        found = super().state()
        found.selectable = 1
        found.selected = self.checked
        return found


class OneOfPart(PressedPart):
    """A radio button whose group is not Qt's."""

    def __init__(self, button: QWidget) -> None:
        super().__init__(button, Role.RadioButton)

    def state(self) -> QAccessible.State:
        """Whether it is the chosen one."""
        found = super().state()
        found.checkable = 1
        found.checked = self.checked
        return found


class FoldPart(PressedPart):
    """A line that folds something away."""

    def state(self) -> QAccessible.State:
        """Whether what it folds is in sight."""
        found = super().state()
        found.expandable = 1
        found.expanded = self.checked
        found.collapsed = 1 - self.checked
        return found


class Menu(Protocol):
    """What a chart's menu tells of it."""

    actions: list[QAction]
    told: Callable[[], str]
    """What the chart shows, in a sentence."""


class ChartPart(Spoken[QWidget]):
    """A chart: its name, what it shows in a sentence, and as actions what its menu has, first its figures as a table.

    `menu` is a weak reference to that.
    """

    def __init__(self, chart: QWidget, menu: Callable[[], Menu | None]) -> None:
        super().__init__(chart, Role.Chart)
        self._menu = menu

    @property
    def _actions(self) -> Sequence[QAction]:
        menu = self._menu()
        return menu.actions if menu is not None and self.alive is not None else ()

    def text(self, kind: QAccessible.Text) -> str:
        """As description its own sentence, and then what its figures say."""
        chart, menu = self.alive, self._menu()
        if chart is None or menu is None:
            return ""
        if kind == Text.Description:
            return " ".join(filter(None, (chart.accessibleDescription(), menu.told())))
        return super().text(kind)

    def childCount(self) -> int:
        """None: what a chart is drawn with tells nothing."""
        return 0

    def actionNames(self) -> list[str]:
        """Those of its menu, and to have the focus."""
        return [*map(_plain, self._actions), *super().actionNames()]

    def localizedActionName(self, name: str) -> str:
        """They are translated already."""
        return name if name in map(_plain, self._actions) else super().localizedActionName(name)

    def doAction(self, name: str) -> None:
        """Do one of them, soon: a dialog may last."""
        for action in self._actions:
            if _plain(action) == name:
                QTimer.singleShot(0, action, action.trigger)
                return
        super().doAction(name)


def _plain(action: QAction) -> str:
    return action.text().replace("&", "").rstrip("…")


def _named(name: str, value: str) -> str:
    if not name or not value or value == name:
        return name or value
    return translate("{name}: {value}").format(name=name, value=value)


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say a sentence that appears without the focus going to it; nothing where none listens."""
    if text and QAccessible.isActive() and QApplication.instance() is not None:
        from PySide6.QtGui import QAccessibleAnnouncementEvent

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
