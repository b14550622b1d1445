"""Tool tips show names from data letter by letter: Qt takes what looks like HTML for HTML, and reads its pictures."""

from __future__ import annotations

import ast
import csv
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QImage
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.gui.test_odd_files import every_window, items
from tests.odd_files import recipe

SETTERS = {"setToolTip", "setWhatsThis"}
KEYWORDS = {"toolTip", "whatsThis"}
ROLES = {"ToolTipRole", "WhatsThisRole", "_TIP", "tip"}
"""Attributes of Qt's roles, and the names that modules give them."""


def _is_fixed(node: ast.expr) -> bool:
    """Whether a text is one of the program's own: a literal, or a constant."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").isupper()
        case ast.Subscript(value=value):
            return _is_fixed(value)
        case ast.Call(func=ast.Name(id="mark"), args=[inner]):
            return _is_fixed(inner)
        case ast.IfExp(body=one, orelse=other):
            return _is_fixed(one) and _is_fixed(other)
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether a text is a fixed one, translated, or has gone through `as_tip`."""
    match node:
        case ast.Call(func=ast.Name(id="as_tip")):
            return True
        case ast.Call(func=ast.Attribute(attr="toolTip" | "itemData")):  # which was made plain where it was set
            return True
        case ast.JoinedStr(values=parts):
            filled = (part.value for part in parts if isinstance(part, ast.FormattedValue))
            return all(isinstance(each, ast.Call) and ast.unparse(each.func) == "escape" for each in filled)
        case ast.Call(func=ast.Name(id="translate"), args=[inner]):
            return _is_fixed(inner)
        case ast.IfExp(body=one, orelse=other):
            return _is_plain(one) and _is_plain(other)
        case ast.BoolOp(values=values):
            return all(map(_is_plain, values))
    return _is_fixed(node)


def _is_role(node: ast.expr | None) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ROLES
    return False


def _tips(tree: ast.Module) -> Iterator[ast.expr]:
    """The texts of tool tips that are set, or given by a model, in a module."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[*_, text]) if name in SETTERS:
                yield text
            case ast.Call(func=ast.Attribute(value=ast.Name(id="QToolTip"), attr="showText"), args=[_, text, *_]):
                yield text
            case ast.Call(func=ast.Attribute(attr="setItemData"), args=[_, text, role]) if _is_role(role):
                yield text
            case ast.Call(func=ast.Attribute(attr="setData"), args=[*_, role, text]) if _is_role(role):
                yield text
            case ast.Dict(keys=keys, values=values):
                yield from (value for key, value in zip(keys, values, strict=True) if _is_role(key))
            case ast.If(test=test, body=body) if _asks_for_tip(test):
                returned = (each for statement in body for each in ast.walk(statement) if isinstance(each, ast.Return))
                yield from (each.value for each in returned if each.value is not None)
        if isinstance(node, ast.Call):
            yield from (keyword.value for keyword in node.keywords if keyword.arg in KEYWORDS)


def _asks_for_tip(test: ast.expr) -> bool:
    compared = (node for node in ast.walk(test) if isinstance(node, ast.Compare))
    return any(map(_is_role, (side for each in compared for side in (each.left, *each.comparators))))


def test_no_tool_tip_takes_a_text_as_it_is(repo: Path) -> None:
    found, tips = [], 0
    for path in sorted((repo / "gui").rglob("*.py")):
        for text in _tips(ast.parse(path.read_text("utf-8"))):
            tips += 1
            if not _is_plain(text):
                found.append(f"{path.relative_to(repo)}:{text.lineno}: {ast.unparse(text)}")

    assert tips > 140
    assert found == [], "\n".join(found)


Watched = Callable[[], bool]


@pytest.fixture
def picture(tmp_path: Path) -> tuple[Path, Watched]:
    """A picture on the disk, and whether it was read since."""
    path = tmp_path / "p.png"
    image = QImage(3, 3, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(path))

    def forget() -> None:
        os.utime(path, (0, path.stat().st_mtime))

    forget()
    path.read_bytes()
    if path.stat().st_atime == 0:
        pytest.skip("this file system does not note when a file is read")
    forget()
    return path, lambda: path.stat().st_atime > 0


def _point_at(widget: QWidget) -> None:
    """Let the mouse rest over several places of a widget."""
    for across, down in ((0.05, 0.1), (0.3, 0.5), (0.5, 0.5), (0.7, 0.9)):
        place = QPoint(int(widget.width() * across), int(widget.height() * down))
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))


def _show_tips(window: QWidget) -> None:
    window.show()
    window.grab()
    for widget in window.findChildren(QWidget):
        QToolTip.showText(QPoint(0, 0), widget.toolTip())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in items(widget.model(), QModelIndex()):
                QToolTip.showText(QPoint(0, 0), index.data(Qt.ItemDataRole.ToolTipRole) or "")
        if widget.isVisible():
            _point_at(widget)
    for action in window.findChildren(QAction):
        QToolTip.showText(QPoint(0, 0), action.toolTip())
    QToolTip.hideText()


def test_picture_named_in_data_is_read_by_a_label_that_takes_it(qtbot: QtBot, picture: tuple[Path, Watched]) -> None:
    """What the next test looks for is seen."""
    path, was_read = picture
    label = QLabel(f'<img src="{path}">')
    qtbot.addWidget(label)
    label.grab()

    assert was_read()


def test_no_page_reads_a_picture_named_in_data(
    open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, picture: tuple[Path, Watched]
) -> None:
    path, was_read = picture
    name = f'<img src="{path}">'
    chance = random.Random(1)
    values = [f"{name}{letter}" for letter in "abc"]
    rows = [[chance.choice(values), chance.choice("xy"), chance.randint(1, 900), 20] for _ in range(300)]
    file = tmp_path / "<img src=p.png>.csv"
    with file.open("w", encoding="utf-8", newline="") as written:
        csv.writer(written).writerows([[name, f"{name}2", f"{name}n", "w"], *rows])
    (tmp_path / "codes.cdl").write_text(f"x,{name}\ny,{name}{name}\n", encoding="utf-8")
    more = f'[variables.{json.dumps(name + "2")}]\ncodelist = "codes.cdl"\nlabel = {json.dumps(name)}\n'
    main = open_window(recipe(tmp_path, file.name, [name, f"{name}2"], more=more))

    for window in every_window(main, qtbot):
        _show_tips(window)
        assert not was_read(), window.objectName()
