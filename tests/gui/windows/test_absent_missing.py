"""Specify Metadata keeps an absent value missing where a file with types has one by nature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.models.variables import MISSING
from gui.windows.main_window import MainWindow
from tests.gui.windows.metadata_steps import cell, examined, opened, select, type_box, type_cell, variable
from tests.typed_files import sav


@pytest.mark.parametrize("by_form", [False, True])
def test_a_typed_code_comes_before_it(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, by_form: bool
) -> None:
    metadata = opened(qtbot, open_window(sav(tmp_path / "a.sav")))
    select(metadata, "constant")
    if by_form:
        type_box(qtbot, metadata, "missing1", "99")
    else:
        type_cell(qtbot, metadata, "constant", MISSING, "99")
    assert variable(metadata, "constant").missing == ("99", "")
    assert cell(metadata, "constant", MISSING) == "99  (empty)"
    examined(qtbot, metadata)
