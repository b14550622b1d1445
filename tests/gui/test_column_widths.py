"""Columns are as wide as their titles and as what can stand in them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from core.microdata.uses import USE_NAMES
from core.microdata.variables import Variable
from gui.models.columns import Column
from gui.models.variables import TYPE, TYPE_NAMES, USE
from gui.settings import settings
from gui.widgets.data_table import DataTable
from gui.widgets.variable_table import VariableTable
from gui.windows.suggestions import Suggestions


def test_a_remembered_width_never_cuts_off_another_title(qtbot: QtBot) -> None:
    settings.set_widths("titled", [60, 60])
    table = DataTable("titled")
    qtbot.addWidget(table)
    table.set_columns([Column("Unsafe after Apply", [1], number=True), Column("n", ["x"])])
    title = table.view.fontMetrics().horizontalAdvance("Unsafe after Apply")
    assert table.view.columnWidth(0) > title
    assert table.view.columnWidth(1) == 60


def test_a_column_that_is_hidden_is_no_choice_of_widths(qtbot: QtBot) -> None:
    table = DataTable("partly")
    qtbot.addWidget(table)
    table.set_columns([Column("A", ["1"]), Column("B", ["2"])])
    table.show()
    for hidden in (True, False):
        table.view.setColumnHidden(1, hidden)
    assert not settings.widths("partly")
    table.view.horizontalHeader().resizeSection(0, 77)
    assert settings.widths("partly")[0] == 77


def test_every_use_and_type_fits_its_column(qtbot: QtBot) -> None:
    table = VariableTable()
    qtbot.addWidget(table)
    table.resize(560, 300)
    table.show()
    table.show_variables((Variable("AGE"),), {}, frozenset(), False)
    advance = table.view.fontMetrics().horizontalAdvance
    for column, names in ((USE, USE_NAMES), (TYPE, TYPE_NAMES)):
        assert table.view.columnWidth(column) >= max(map(advance, names.values())) + 12


def test_heads_of_suggestions_are_read_in_full(qtbot: QtBot) -> None:
    variable = Variable("A")
    dialog = Suggestions([], [variable])
    qtbot.addWidget(dialog)
    advance = dialog.table.view.fontMetrics().horizontalAdvance
    titles = [column.title for column in dialog.table.model.columns]
    assert all(dialog.table.view.columnWidth(i) > advance(title) + 8 for i, title in enumerate(titles))


def test_a_column_grows_with_what_comes_into_it(qtbot: QtBot) -> None:
    table = DataTable("growing")
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    for share in ("0.1", "100.0", "0.1"):
        table.set_columns([Column("Code", ["1"]), Column("%", [share], number=True)])
    assert table.view.columnWidth(1) >= table.view.fontMetrics().horizontalAdvance("100.0") + 8


def test_a_width_chosen_by_the_user_stays_whatever_comes(qtbot: QtBot) -> None:
    table = DataTable("chosen")
    qtbot.addWidget(table)
    table.show()
    table.set_columns([Column("Code", ["1"]), Column("Label", ["a"])])
    table.view.horizontalHeader().resizeSection(1, 90)
    table.set_columns([Column("Code", ["1"]), Column("Label", ["a very long label that does not fit"])])
    assert table.view.columnWidth(1) == 90


def overview(dimensions: int) -> list[Column]:
    dims = [Column(f"dim {i}", [12345], number=True) for i in range(1, dimensions + 1)]
    return [Column("Variable", ["BIRTHCOUNTRY"]), *dims, Column("records", [5029], number=True)]


def test_names_and_records_are_in_sight_with_many_keys(qtbot: QtBot) -> None:
    table = DataTable("manyKeys")
    qtbot.addWidget(table)
    table.stretch(0)
    table.keep_in_sight("records")
    table.resize(440, 200)
    table.show()
    for dimensions in (11, 3, 11):
        columns = overview(dimensions)
        table.set_columns(columns)
        view, last = table.view, len(columns) - 1
        assert view.columnWidth(0) >= view.fontMetrics().horizontalAdvance("BIRTHCOUNTRY") + 8
        assert view.columnViewportPosition(last) + view.columnWidth(last) <= view.viewport().width()
        assert view.horizontalHeader().visualIndex(last) == (1 if dimensions == 11 else last)
