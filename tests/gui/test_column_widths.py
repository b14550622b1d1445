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
