"""One key of several columns, made in Select Combinations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import MultiResponseKey
from gui.main_window.window import MainWindow
from gui.select_combinations.set_key_dialog import SetKeyDialog
from gui.select_combinations.window import SelectCombinations
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import choose, open_on, put_away, type_into
from tests.gui.waiting import wait_idle

RECIPE = """recipe = 1
[input]
data = "a.csv"
[variables.L1]
missing = ["9"]
identification_level = 2
[variables.L2]
missing = ["9"]
identification_level = 3
[variables.REG]
identification_level = 1
[[combinations]]
variables = ["REG", "L1"]
model = "frequency"
"""
ROWS = ["1,DE,FR,a;b", "1,FR,DE,b", "2,DE,9,a", "2,9,9,b; a", "2,DE,DE,", "3,IT,9,c"]


@pytest.fixture
def main_window(open_window: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    (tmp_path / "a.csv").write_text("\n".join(["REG,L1,L2,ASKED", *ROWS]) + "\n", "ascii")
    (tmp_path / "r.pavo").write_text(RECIPE, "ascii")
    return open_window(tmp_path / "r.pavo")


def dialog_of(qtbot: QtBot, window: SelectCombinations) -> SetKeyDialog:
    press(qtbot, window, "makeSetKey")
    dialog = window.findChildren(SetKeyDialog)[-1]
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def counted(qtbot: QtBot, dialog: SetKeyDialog) -> list[tuple[str, int]]:
    qtbot.waitUntil(lambda: bool(dialog.counts.text()))
    sets, records = dialog.preview.model.columns
    return list(zip(sets.values, records.values, strict=True))


def finish(qtbot: QtBot, window: SelectCombinations, dialog: SetKeyDialog) -> None:
    qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)


def names_in(window: SelectCombinations) -> list[str]:
    return list(window.variables.model.columns[0].values)


def test_proposed_looked_at_made_and_used(qtbot: QtBot, main_window: MainWindow) -> None:
    window = open_on(qtbot, main_window)
    choose(qtbot, window, "REG", "L2")
    press(qtbot, window, "addCombination")  # an edited list stays
    dialog = dialog_of(qtbot, window)
    proposals = dialog.findChild(QComboBox, "setKeyProposals")
    assert [proposals.itemText(i) for i in range(proposals.count())] == ["L1, L2"]
    assert counted(qtbot, dialog) == [("DE", 2), ("DE + FR", 2), ("IT", 1)]
    assert dialog.findChild(QLabel, "setKeyCounts").text() == "3 different sets · 1 record has no value"
    name = dialog.findChild(QLineEdit, "setKeyName")
    assert name.text() == "L"
    type_into(qtbot, name, "reg", enter=False)
    assert "already a variable reg" in dialog.findChild(QLabel, "setKeyMessage").text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    type_into(qtbot, name, "LANGS", enter=False)
    finish(qtbot, window, dialog)
    recipe = window.document.recipe
    assert recipe.derived == (MultiResponseKey("LANGS", ("L1", "L2")),)
    assert [c.variables for c in recipe.combinations] == [("REG", "LANGS")]
    assert [c.variables for c in window.draft.value] == [("REG", "LANGS")], "both tables are the same one now"
    qtbot.waitUntil(lambda: names_in(window) == ["REG", "LANGS", "ASKED"])
    assert window.variables.model.columns[1].values[1] == 3
    assert window.variables.model.columns[2].values[1] == 3, "the largest level of the columns"
    assert window.document.session.history.steps[-1].label == "Key LANGS: set of L1, L2"
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, window.document)
    derived = main_window.document.derived
    assert derived is not None
    assert derived.columns["LANGS"].n_valid == 3


def test_one_column_of_several_values_and_back_again(qtbot: QtBot, main_window: MainWindow) -> None:
    window = open_on(qtbot, main_window)
    dialog = dialog_of(qtbot, window)
    assert not dialog.separator.isVisible()
    dialog.columns.rows.tick([3])
    dialog.columns.rows.ticked.emit()
    assert dialog.separator.isVisible()
    assert dialog.name.text() == "ASKED_SET"
    assert counted(qtbot, dialog) == [("a + b", 2), ("a", 1), ("b", 1), ("c", 1)]
    dialog.separator.clear()
    assert "what stands between" in dialog.message.text()
    type_into(qtbot, dialog.separator, ";", enter=False)
    finish(qtbot, window, dialog)
    assert window.document.recipe.derived == (MultiResponseKey("ASKED_SET", ("ASKED",), ";"),)
    qtbot.waitUntil(lambda: names_in(window) == ["REG", "L1", "L2", "ASKED_SET"])
    assert window.variables.current_key == "ASKED_SET"
    again = dialog_of(qtbot, window)
    assert (again.name.text(), again.separator.text()) == ("ASKED_SET", ";")
    assert again.name.isReadOnly()
    remove = again.findChild(QPushButton, "removeSetKey")
    qtbot.mouseClick(remove, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)
    assert window.document.recipe.derived == ()
    put_away(main_window)
