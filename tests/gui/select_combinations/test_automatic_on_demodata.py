"""All combinations up to dimension 3 of a survey's 29 identifying variables: said first, then made and counted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from tests.gui.buttons import press
from tests.gui.select_combinations.hand import open_on, put_away, type_into
from tests.gui.waiting import wait_idle

TABLES = comb(29, 1) + comb(29, 2) + comb(29, 3)


def rare(columns: list[NDArray[np.int64]], cards: list[int]) -> int:
    """Combinations that occur in one record, of values that are not missing."""
    valid = np.logical_and.reduce([c < card for c, card in zip(columns, cards, strict=True)])
    key = np.zeros(len(valid), np.int64)
    for column, card in zip(columns, cards, strict=True):
        key = key * card + column
    return int(np.count_nonzero(np.unique(key[valid], return_counts=True)[1] == 1))


def test_demodata_up_to_dimension_three(
    qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path, tmp_path: Path
) -> None:
    for source in (shared / "data" / "demodata").iterdir():
        shutil.copyfile(source, tmp_path / source.name)
    main = open_window(tmp_path / "Demodata.asc")
    document = main.document
    window = open_on(qtbot, main)
    press(qtbot, window, "automaticSpecification")
    dialog = window.findChild(AutomaticSpecification)
    assert isinstance(dialog, AutomaticSpecification)
    type_into(qtbot, dialog.dimension, "3", enter=False)
    said = dialog.findChild(QLabel, "numberOfTables")
    assert isinstance(said, QLabel) and said.isVisible()
    assert (TABLES, said.text()) == (4089, "This gives 4,089 tables of 29 identifying variables.")
    assert window.draft.value == document.recipe.combinations == (), "nothing is made before it was said"

    dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert len(window.draft.value) == window.combinations.model.rowCount() == TABLES
    press(qtbot, window, "calculateTables")
    wait_idle(qtbot, document)
    put_away(main)
    made = document.recipe.combinations
    names = sorted({name for combination in made for name in combination.variables})
    wanted = {frozenset(some) for size in (1, 2, 3) for some in combinations(names, size)}
    assert (len(names), {frozenset(combination.variables) for combination in made}) == (29, wanted)
    assert {(combination.model, combination.count_threshold) for combination in made} == {("frequency", 1)}

    derived = document.derived
    assert derived is not None and not document.stale
    columns = {name: derived.columns[name].values.astype(np.int64) for name in names}
    cards = {name: derived.columns[name].n_valid for name in names}
    expected = {
        size: sum(rare([columns[n] for n in some], [cards[n] for n in some]) for some in combinations(names, size))
        for size in (1, 2)
    }
    found = derived.overview.unsafe_by_dimension
    assert {size: found[size] for size in (1, 2)} == expected
    assert len(derived.overview.tables) == TABLES
