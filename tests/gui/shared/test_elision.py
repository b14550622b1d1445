"""Names of forty characters can be read: in lines, or cut in their middle and whole as a tool tip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QStyleOptionViewItem, QToolTip
from pytestqt.qtbot import QtBot

from gui.shared.elision import ElidedTexts, lines_of
from gui.shared.parts.guidance import GuidanceCandidate, GuidanceCard
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column

NAME = "AGE_OF_THE_RESPONDENT_IN_COMPLETED_YEARS"
TWELVE = " × ".join(f"{NAME[:-2]}{i:02}" for i in range(12))


def _shown(qtbot: QtBot, texts: list[str], width: int) -> DataTable:
    table = DataTable("names", "Names")
    table.wrap(0)
    table.stretch(0)
    qtbot.addWidget(table)
    table.resize(width, 400)
    table.show()
    table.set_columns([Column("Variables", texts)])
    return table


def test_a_combination_of_twelve_is_set_in_lines_with_every_name(qtbot: QtBot) -> None:
    table = _shown(qtbot, [TWELVE, NAME], 420)
    view = table.view
    qtbot.waitUntil(lambda: view.rowHeight(0) > 11 * view.fontMetrics().height())
    lines = lines_of(TWELVE, view.font(), view.columnWidth(0) - 20)
    assert view.rowHeight(0) >= len(lines) * view.fontMetrics().lineSpacing()
    assert "".join(lines).replace(" ", "") == TWELVE.replace(" ", "")
    assert all(line.count("×") <= 1 for line in lines), "a name is broken only where it has no line of its own"
    assert view.rowHeight(1) == view.verticalHeader().defaultSectionSize()
    table.resize(800, 400)
    qtbot.waitUntil(lambda: view.rowHeight(0) < len(lines) * view.fontMetrics().lineSpacing())


def test_of_hundreds_of_combinations_each_is_one_line(qtbot: QtBot) -> None:
    table = _shown(qtbot, [TWELVE] * 101, 420)
    qtbot.waitUntil(lambda: not table._fit_soon.isActive())
    assert table.view.rowHeight(0) == table.view.verticalHeader().defaultSectionSize()


@pytest.mark.parametrize(("width", "told"), [(60, True), (400, False)])
def test_what_is_cut_is_told(qtbot: QtBot, width: int, told: bool) -> None:
    table = DataTable("names", "Names")
    qtbot.addWidget(table)
    table.show()
    table.set_columns([Column("V", ["A_NAME_THAT_IS_CUT"])])
    view, index = table.view, table.model.index(0, 0)
    view.setColumnWidth(0, width)
    place = view.visualRect(index).center()
    option = QStyleOptionViewItem()
    option.font = view.font()  # type: ignore[attr-defined]
    delegate = view.itemDelegate()
    assert isinstance(delegate, ElidedTexts)
    QToolTip.hideText()
    delegate.helpEvent(QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place)), view, option, index)
    assert (QToolTip.text() == "A_NAME_THAT_IS_CUT") is told


def test_long_names_do_not_widen_the_guidance(qtbot: QtBot) -> None:
    card = GuidanceCard()
    qtbot.addWidget(card)
    step = (f"Recode {NAME}", lambda: None)
    card.show_guidance("Almost all records are unsafe.", "", step)
    card.show_candidates([GuidanceCandidate(f"{NAME} in bands of 10", (60, 7), (2000, 900), 2000, step)])
    assert card.minimumSizeHint().width() < 900
    assert card.main.toolTip() == f"Recode {NAME}"
    assert card.main.accessibleName() == f"Recode {NAME}"
