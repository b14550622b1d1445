"""An assistive tool walks through the windows while a file is made and pages come and go: nothing told is a ruin."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import createdByPython, isValid

from gui import dialogs
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.shared.parts.card import Card
from gui.shared.parts.fold_line import FoldLine
from tests.gui.accessible_tree import Text, tree
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


pytestmark = pytest.mark.usefixtures("listening")


def look(window: QWidget) -> int:
    """Ask all that a tool asks of all that is there; how many things there are."""
    things = tree(window)
    for thing in things:
        assert thing.isValid()
        thing.text(Text.Name), thing.text(Text.Description), thing.relations(), thing.state()
        above = thing.parent()
        assert above is None or above.isValid()
    return len(things)


def test_a_file_is_made_and_pages_come_and_go(
    open_window: Open, demo: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "ask", lambda *_arguments: 0)
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    main = open_window(tmp_path / "survey.pavo")
    seen: list[int] = []
    meanwhile = QTimer(main, interval=1)
    meanwhile.timeout.connect(lambda: seen.append(look(main)))
    meanwhile.start()
    for other in ("report", "riskChart", "browseSafeFile"):
        page = main.windows.open_window("makeProtectedFile")
        assert isinstance(page, MakeProtectedFile)
        wait_idle(qtbot, main.document)
        page.make.click()
        wait_idle(qtbot, main.document)
        main.windows.open_window(other).close()
        page.close()
        gc.collect()
        QApplication.processEvents()
    meanwhile.stop()
    assert len(seen) > 3 and min(seen) > 20


def test_what_is_gone_is_told_of_no_more(qtbot: QtBot) -> None:
    """What was told of a widget ends with it, and one at the same place in memory is told of anew."""
    kept: list[tuple[QAccessibleInterface, QWidget]] = []
    for number in range(60):
        window, inner = QScrollArea(widgetResizable=True), QWidget()
        column, box, label = QVBoxLayout(inner), QComboBox(), QLabel()
        label.setText(f"<b>{number}</b>")
        parts: list[QWidget] = [label, box, FoldLine("More", "more", QLabel("held")), Card("A card")]
        for part in parts:
            column.addWidget(part)
        window.setWidget(inner)
        window.show()
        assert look(window) >= len(parts)
        for part in parts:
            told = QAccessible.queryAccessibleInterface(part)
            assert told.object() is part
            assert createdByPython(told), "Qt would keep silent of its end"
            kept.append((told, part))
        if number % 2:
            window.deleteLater()
        del window, inner, column, box, label, parts, part, told
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if number % 7 == 0:
            gc.collect()
        assert [isValid(told) for told, _part in kept] == [isValid(part) for _told, part in kept]
        kept = [(told, part) for told, part in kept if isValid(part)]
    assert not kept
