"""Columns are as wide as their titles and as what can stand in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.base.errors import Notice
from core.base.texts import mark
from core.data.variable_uses import USE_NAMES
from core.data.variables import Variable
from core.metadata.check_file import Finding
from core.metadata.suggest import UseSuggestion
from gui.numbers import format_count
from gui.settings import settings
from gui.shared.table.column_widths import NAMED, floors, shared
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.specify_metadata.proposals import Proposals
from gui.specify_metadata.variable_model import TYPE, TYPE_NAMES, USE
from gui.specify_metadata.variable_table import VariableTable


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


def test_long_names_that_differ_in_the_middle_are_told_apart_where_there_is_no_room_for_all(qtbot: QtBot) -> None:
    names = ["Secondaire inférieur", "Secondaire supérieur", "Primaire"]
    table = DataTable("alike")
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    table.set_columns([Column("Code", names), Column("New label", ["a long label of the category"] * 3)])
    metrics, room = table.view.fontMetrics(), table.view.columnWidth(0) - 25
    assert metrics.horizontalAdvance(names[0]) > 130 - 25
    assert len({metrics.elidedText(name, table.view.textElideMode(), room) for name in names}) == 3


def test_a_hidden_column_takes_no_room_from_names(qtbot: QtBot) -> None:
    name = "A name that is quite long"
    table = DataTable("hiding")
    qtbot.addWidget(table)
    needed = table.view.fontMetrics().horizontalAdvance(name) + 12
    table.resize(needed + 130, 200)
    table.show()
    table.set_columns([Column("Code", [name]), Column("New label", ["as long as this"]), Column("n", [1], number=True)])
    assert table.view.columnWidth(0) < needed
    table.hide_column(1, True)
    assert table.view.columnWidth(0) >= needed
    table.hide_column(1, False)
    assert 0 < table.view.columnWidth(0) < needed and table.view.columnWidth(1) > 0


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
    dialog = Proposals()
    qtbot.addWidget(dialog)
    dialog.show_findings([], [Variable("A")])
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


LONG = "HIGHEST_COMPLETED_EDUCATION_OF_THE_REFERENCE_PERSON_"
needs = st.lists(st.tuples(st.integers(30, 480), st.integers(0, 20), st.booleans()), min_size=1, max_size=12)


@given(needs, st.integers(-1, 11), st.integers(50, 2500))
def test_no_figure_is_cut_as_long_as_all_columns_can_be_seen(
    columns: list[tuple[int, int, bool]], stretched: int, room: int
) -> None:
    least = [width for width, _spare, _number in columns]
    wanted = [width + spare for width, spare, _number in columns]
    kept = floors(least, [number for _width, _spare, number in columns], stretched)
    found = shared(wanted, least, kept, stretched, room)
    assert (found is None) == (sum(kept) > room)
    if found is None:
        return
    assert sum(found) <= room
    for place, (width, _spare, number) in enumerate(columns):
        assert found[place] >= kept[place]
        if number and place != stretched:
            assert found[place] >= width


def seen_at_once(table: DataTable) -> bool:
    header = table.view.horizontalHeader()
    return sum(header.sectionSize(i) for i in range(header.count())) <= table.view.viewport().width()


def test_long_names_give_way_before_figures_are_scrolled(qtbot: QtBot) -> None:
    table = DataTable("crowded")
    qtbot.addWidget(table)
    table.stretch(3)
    table.resize(1400, 200)
    table.show()
    names, figure = [f"{LONG}{i}" for i in range(3)], ["12345678.123"] * 3
    columns = [Column("Name", names), Column("a", figure, number=True), Column("b", figure, number=True)]
    table.set_columns([*columns, Column("Why", ["So."] * 3)])
    advance = table.view.fontMetrics().horizontalAdvance
    for width in (1400, 800, 480, 800, 1400):
        table.resize(width, 200)
        assert seen_at_once(table), width
        assert all(table.view.columnWidth(i) >= advance(figure[0]) + 12 for i in (1, 2)), width
        assert table.view.columnWidth(3) >= 80, width
        assert (table.view.columnWidth(0) > advance(names[0])) == (width >= 800), width


def test_labels_that_come_later_leave_the_names_whole(qtbot: QtBot) -> None:
    table = DataTable("laterLabelled")
    qtbot.addWidget(table)
    table.stretch(0)
    table.wrap(0)
    table.resize(300, 200)
    table.show()
    columns = [Column("Variable", ["Gemeindegroesse"]), Column("codes", [7], number=True)]
    table.set_columns(columns)
    table.stretch(2)
    table.set_columns([*columns, Column("Label", ["members of the household in the file"])])
    name = table.view.fontMetrics().horizontalAdvance("Gemeindegroesse")
    assert table.view.columnWidth(0) > name
    assert table.view.columnWidth(2) >= 80


def test_a_label_gives_way_before_a_name(qtbot: QtBot) -> None:
    table = DataTable("labelled")
    qtbot.addWidget(table)
    table.stretch(2)
    table.resize(360, 200)
    table.show()
    label = "The amount of what was received, in the smallest unit of the currency"
    table.set_columns([Column("Variable", [LONG]), Column("Changes", ["T B"]), Column("Label", [label])])
    assert seen_at_once(table)
    assert table.view.columnWidth(0) > 2 * table.view.columnWidth(2) - 5 >= 155


def test_the_name_of_a_row_leaves_room_for_the_figures_that_are_scrolled(qtbot: QtBot) -> None:
    table = DataTable("scrolled")
    qtbot.addWidget(table)
    table.resize(500, 200)
    table.show()
    figures = [Column(f"a long title {i}", [1], number=True) for i in range(12)]
    table.set_columns([Column("Name", [LONG]), *figures])
    advance = table.view.fontMetrics().horizontalAdvance
    assert not seen_at_once(table)
    assert table.view.columnWidth(0) == NAMED
    assert all(table.view.columnWidth(i) >= advance("a long title 11") + 12 for i in range(1, 13))


@pytest.mark.parametrize("size", [(1366, 768), (1000, 560)])
def test_suggestions_for_long_names_are_seen_at_once(qtbot: QtBot, size: tuple[int, int]) -> None:
    names = [f"{LONG}{i}" for i in range(9)]
    proposal = Notice.of("use", mark("Sensitive"))
    reason = Notice.of("name", mark("It is called {name}, and 900 records have 900 different values."), name=LONG)
    said = [UseSuggestion(name, None, proposal, reason, (("identification_level", 2),)) for name in names]
    found = [Finding((each.variable,), "role", reason, (each,)) for each in said]
    dialog = Proposals()
    qtbot.addWidget(dialog)
    dialog.resize(*size)
    dialog.show()
    dialog.show_findings(found, [Variable(name) for name in names])
    view = dialog.table.view
    assert seen_at_once(dialog.table)
    assert view.textElideMode() == Qt.TextElideMode.ElideMiddle
    advance = view.fontMetrics().horizontalAdvance
    assert view.columnWidth(1) >= advance("Sensitive") + 12
    assert min(view.columnWidth(0), view.columnWidth(3)) >= 240


def test_a_number_is_not_cut_by_a_remembered_width(qtbot: QtBot) -> None:
    settings.set_widths("counted", [60, 40])
    table = DataTable("counted", "Counted")
    qtbot.addWidget(table)
    table.resize(200, 200)
    table.show()
    for largest in (1_004, 1_234_567):
        table.set_columns([Column("Name", ["a"]), Column("n", [largest], format_count, True)])
        need = table.view.fontMetrics().horizontalAdvance(f"{largest:,}")
        assert table.view.columnWidth(1) >= need + 20
