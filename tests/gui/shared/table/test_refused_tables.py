"""Tables in states that come seldom: emptied under a filter, and exported to where nothing can be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from core.base.errors import PavoError
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column, ColumnsModel


def columns(*names: str) -> list[Column]:
    return [Column("Name", names), Column("n", list(range(len(names))), number=True)]


def test_a_filter_stands_while_the_table_is_emptied(qtbot: QtBot) -> None:
    table = DataTable("names")
    qtbot.addWidget(table)
    table.set_columns(columns("abc", "def"))
    table.filter.setText("abc")
    for none in ([], columns()):
        table.set_columns(none)
        assert table.model.rowCount() == 0
    table.set_columns(columns("def", "abcd"))
    assert table.model.texts(0, 9) == ["abcd"]
    table.model.sort(0)
    table.set_columns(columns())
    assert table.model.rowCount() == 0


def test_a_reset_ends_whatever_goes_wrong_in_it() -> None:
    model = ColumnsModel()
    ended: list[bool] = []
    model.modelReset.connect(lambda: ended.append(True))

    def no_text(_value: Any) -> str:
        raise ZeroDivisionError

    model.set_columns([Column("Name", ["abc"], no_text)])
    with pytest.raises(ZeroDivisionError):
        model.set_filter("a")
    assert ended == [True, True]
    with pytest.raises(ZeroDivisionError):
        model.set_columns([Column("Name", ["abc"], no_text)])
    assert ended == [True, True, True]


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file that is chosen and cannot be written."""
    target = tmp_path / "no folder" / "table.csv"
    monkeypatch.setattr(dialogs, "save_file", lambda *_: target)
    return target


def test_a_table_that_cannot_be_exported_says_so_in_its_window(
    open_window: Callable[..., MainWindow], demo: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    table = next(iter(main.findChildren(DataTable)))
    table.view.export_csv()
    assert "table.csv cannot be written" in main.messages.text
    data = main.document.recipe.input.data
    assert data is not None
    before = data.read_bytes()
    monkeypatch.setattr(dialogs, "save_file", lambda *_: data)
    table.view.export_csv()
    assert "is an input of this session" in main.messages.text
    assert data.read_bytes() == before


def test_a_table_in_a_dialog_says_so_in_the_window_behind(qtbot: QtBot, nowhere: Path) -> None:
    class Window(QDialog):
        said: PavoError | None = None

        def show_error(self, error: PavoError) -> None:
            self.said = error

    window = Window()
    qtbot.addWidget(window)
    table = DataTable("names", parent=QDialog(window))
    table.set_columns(columns("abc"))
    table.export_csv()
    assert window.said is not None
    assert window.said.id == "cannot-write"


def test_a_table_without_such_a_window_asks(qtbot: QtBot, nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(dialogs, "ask", lambda *args: asked.append(args) or 0)
    table = DataTable("names")
    qtbot.addWidget(table)
    table.set_columns(columns("abc"))
    table.export_csv()
    assert "cannot be written" in asked[0][1]
    assert "Choose another folder" in asked[0][2]
