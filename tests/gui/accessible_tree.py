"""The tree that assistive tools see of a window, walked, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QTabWidget, QWidget

Role, Text = QAccessible.Role, QAccessible.Text
PLACES = {Role.NoRole, Role.Client, Role.Border, Role.LayeredPane, Role.Whitespace, Role.Splitter, Role.UserRole}
"""What nobody can do anything with: no role for what takes the focus."""
CELLS = {Role.Cell, Role.TreeItem, Role.ListItem, Role.RowHeader}
"""Their names are what stands in them, which may be nothing."""
VIEWS = {Role.Table, Role.Tree, Role.List}
PRESSED = {Role.Button, Role.CheckBox, Role.RadioButton, Role.ButtonMenu, Role.ButtonDropDown, Role.PageTab, Role.Link}
NAMED = PRESSED | VIEWS | {
    Role.ComboBox, Role.EditableText, Role.Slider, Role.SpinBox, Role.ProgressBar, Role.Chart, Role.Graphic,
    Role.Canvas, Role.MenuItem, Role.Dialog, Role.ColumnHeader,
}  # fmt: skip
VALUED = {Role.Slider, Role.SpinBox, Role.ProgressBar}
MOST_CELLS = 40
"""Children of a view that are looked at."""


def walk(thing: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """A thing and all that is in it and can be seen, in the order in which they are told."""
    if thing.state().invisible:
        return
    yield thing
    count = min(thing.childCount(), MOST_CELLS) if thing.role() in VIEWS else thing.childCount()
    for place in range(count):
        child = thing.child(place)
        if child is not None:
            yield from walk(child)


def tree(window: QWidget) -> list[QAccessibleInterface]:
    """What can be seen of a window."""
    root = QAccessible.queryAccessibleInterface(window)
    assert root is not None
    return list(walk(root))


def called(thing: QAccessibleInterface) -> str:
    """For messages: role, name and object name."""
    made_of = thing.object()
    name = f"{type(made_of).__name__} {made_of.objectName()}" if made_of is not None else ""
    return f"{thing.role().name} {thing.text(Text.Name)!r} {name}".strip()


def _takes_focus(thing: QAccessibleInterface) -> bool:
    """Whether the focus can be on this thing itself: what hands it on to another is none."""
    made_of = thing.object()
    hands_on = isinstance(made_of, QTabWidget)
    return bool(thing.state().focusable) and not hands_on


def fault(thing: QAccessibleInterface) -> str:
    """What is wrong with one thing; empty where nothing is."""
    role, name = thing.role(), thing.text(Text.Name).strip()
    if _takes_focus(thing) and role in PLACES:
        return "no role"
    if not name and role not in CELLS and (role in NAMED or _takes_focus(thing)):
        return "no name"
    if role in VALUED and thing.valueInterface() is None:
        return "no value"
    actions = thing.actionInterface()
    offered = set(actions.actionNames()) if actions is not None else set()
    if role in PRESSED and not thing.state().disabled and offered <= {"SetFocus"}:
        return "cannot be pressed"
    if "\u200b" in name:
        return "a name with marks for line breaks"
    return ""


def faults(window: QWidget) -> list[str]:
    """What is wrong with a window's parts, and with the columns of its tables."""
    found = [f"{called(thing)}: {said}" for thing in tree(window) if (said := fault(thing))]
    views = [view for view in window.findChildren(QAbstractItemView) if view.isVisible()]
    return found + [said for view in views for said in _unheaded(view)]


def _unheaded(view: QAbstractItemView) -> list[str]:
    """Columns of a table that nobody could call by any name."""
    told, model = QAccessible.queryAccessibleInterface(view), view.model()
    if model is None or told.role() != Role.Table or model.columnCount() < 2:
        return []
    heads = (str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in range(model.columnCount()))
    return [f"{view.objectName()}: column {n} has no heading" for n, head in enumerate(heads) if not head.strip()]


def told_stops(window: QWidget) -> list[QWidget]:
    """Widgets that take the focus by Tab, in the order in which the tree tells them."""
    found = []
    for thing in tree(window):
        made_of = thing.object()
        if isinstance(made_of, QWidget) and _is_stop(made_of) and made_of not in found:
            found.append(made_of)
    return found


def _is_stop(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not isinstance(widget, QTabWidget)
    return by_tab and widget.isVisible() and widget.isEnabled()
