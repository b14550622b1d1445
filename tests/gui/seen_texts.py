"""Every text of a window that somebody can see or have read out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGraphicsSimpleTextItem,
    QGraphicsTextItem,
    QGraphicsView,
    QLineEdit,
    QTabBar,
    QTextEdit,
    QTreeView,
    QWidget,
)

_SAID = ("text", "title", "windowTitle", "toolTip", "statusTip", "accessibleName", "accessibleDescription",
         "placeholderText", "prefix", "suffix", "format", "specialValueText")  # fmt: skip
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
          Qt.ItemDataRole.AccessibleDescriptionRole)  # fmt: skip
_MOST_ROWS = 60

Seen = tuple[str, str]
"""What says it, and the text."""


def seen_texts(window: QWidget) -> Iterator[Seen]:
    """Texts of a window and all in it, shown now or later; what the user typed is none of them."""
    for widget in [window, *window.findChildren(QWidget)]:
        where = f"{type(widget).__name__} {widget.objectName()}"
        yield from _said(widget, where)
        if isinstance(widget, QComboBox):
            yield from ((where, widget.itemText(place)) for place in range(widget.count()))
        elif isinstance(widget, QTabBar):
            yield from ((where, widget.tabText(place)) for place in range(widget.count()))
        elif isinstance(widget, QTextEdit):
            yield where, widget.toPlainText()
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _shown(widget, where)
        elif isinstance(widget, QGraphicsView) and widget.scene() is not None:
            yield from _drawn(widget, where)
    for action in window.findChildren(QAction):
        yield from _said(action, f"action {action.objectName()}")


def _said(thing: QObject, where: str) -> Iterator[Seen]:
    for name in _SAID:
        if name == "text" and isinstance(thing, QLineEdit):
            continue
        ask: Any = getattr(thing, name, None)
        try:
            text = ask() if callable(ask) else ""
        except TypeError:  # it asks for something, and is another function
            continue
        if isinstance(text, str) and text:
            yield f"{where}.{name}", text


def _shown(view: QAbstractItemView, where: str) -> Iterator[Seen]:
    model = view.model()
    for column in range(_columns(model)):
        for role in _ROLES:
            yield f"{where} header", str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    yield from _rows(model, QModelIndex(), where, isinstance(view, QTreeView))


def _rows(model: QAbstractItemModel, parent: QModelIndex, where: str, is_tree: bool) -> Iterator[Seen]:
    columns = _columns(model)
    for row in range(min(model.rowCount(parent), _MOST_ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in _ROLES:
                yield f"{where} [{row}, {column}]", str(index.data(role) or "")
        if is_tree:
            yield from _rows(model, model.index(row, 0, parent), where, is_tree)


def _columns(model: QAbstractItemModel) -> int:
    return 1 if isinstance(model, QAbstractListModel) else min(model.columnCount(QModelIndex()), _MOST_ROWS)


def _drawn(view: QGraphicsView, where: str) -> Iterator[Seen]:
    for item in view.scene().items():
        if isinstance(item, QGraphicsTextItem):
            yield f"{where} drawn", item.toPlainText()
        elif isinstance(item, QGraphicsSimpleTextItem):
            yield f"{where} drawn", item.text()
