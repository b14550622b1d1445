"""Global Recode: what its window says and keeps while one works in it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.windows.global_recode import GlobalRecode
from tests.gui.windows.recode_hands import text
from tests.gui.windows.test_recode_groups import group, use


@pytest.fixture
def window(recode_window: GlobalRecode) -> GlobalRecode:
    """AGE of the demonstration."""
    return recode_window


# Grouping ------------------------------------------------------------------------------------------------------------


def test_the_level_of_a_tree_is_the_one_that_other_codelists_know(qtbot: QtBot, window: GlobalRecode) -> None:
    window.show_for(variable="REGION")
    dialog = group(qtbot, window, "tree")
    offered = [dialog.level_box.itemText(place) for place in range(dialog.level_box.count())]
    assert offered == ["2 characters: 8 categories", "1 character: 1 category"]
    use(qtbot, dialog)
    assert [line.split(":")[0] for line in text(window).splitlines()] == [f"0{number}" for number in range(1, 9)]


def test_one_category_is_named_in_the_singular(qtbot: QtBot, window: GlobalRecode) -> None:
    dialog = group(qtbot, window, "quantiles", quantileGroups="1")
    records = window.codes.table.codes.model.columns[4].values.sum()
    assert dialog.result_text.text() == f"1 category of {records} records"


def test_top_and_bottom_refuse_what_is_no_code(qtbot: QtBot, window: GlobalRecode) -> None:
    dialog = group(qtbot, window, "ends", bottomCode="x")
    assert "x is no code of AGE" in dialog.result_text.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    dialog.bottom_box.setText("200")
    assert "would take all codes" in dialog.result_text.text()
    assert not dialog.buttons.buttons()[0].isEnabled()
    dialog.bottom_box.setText("17")
    use(qtbot, dialog)
    assert text(window) == "17: -17"
