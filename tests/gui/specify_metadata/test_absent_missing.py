"""Specify Metadata keeps an absent value missing where a file with types has one by nature."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.data.variables import Variable
from gui.main_window.window import MainWindow
from gui.specify_metadata.variable_model import MISSING, missing_besides
from tests.gui.specify_metadata.hand import cell, examined, opened, place, select, type_box, type_cell, variable
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


def files(folder: Path) -> dict[str, Path]:
    """A range that SPSS declares, and letters that Stata calls missing."""
    sav, dta = folder / "r.sav", folder / "l.dta"
    frame = pd.DataFrame({"EDUC": [1.0, 2.0, 8.0, 9.0, 99.0], "AGE": [30.0, 40.0, 50.0, 60.0, 70.0]})
    declared = {"EDUC": [{"lo": 8, "hi": 9}, 99]}
    pyreadstat.write_sav(frame, sav, missing_ranges=declared)
    letters = frame.astype({"EDUC": object})
    letters["EDUC"] = [1.0, 2.0, "a", "z", 3.0]
    pyreadstat.write_dta(letters, dta, version=15, missing_user_values={"EDUC": ["a", "z"]})
    return {"sav": sav, "dta": dta}


@pytest.mark.parametrize(
    ("kind", "shown", "typed"),
    [
        ("sav", "(empty)  99, and by the file 8 to 9", "99  (empty)"),
        ("dta", "(empty), and by the file .a, .z", "99  (empty)"),
    ],
)
def test_what_is_missing_by_the_file_is_shown(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, kind: str, shown: str, typed: str
) -> None:
    metadata = opened(qtbot, open_window(files(tmp_path)[kind]))
    besides = shown.split(" by the file ")[1]
    select(metadata, "EDUC")
    assert cell(metadata, "EDUC", MISSING) == shown
    assert cell(metadata, "AGE", MISSING) == "(empty)"
    assert metadata.form.missing_note.text().endswith(f"\nMissing too, as the file itself says: {besides}.")
    assert "what suppression writes" in metadata.form.missing_note.text()
    type_cell(qtbot, metadata, "EDUC", MISSING, "99")
    assert variable(metadata, "EDUC").missing == ("99", "")
    examined(qtbot, metadata)
    assert cell(metadata, "EDUC", MISSING) == f"{typed}, and by the file {besides}"
    select(metadata, "AGE")
    assert "as the file itself says" not in metadata.form.missing_note.text()


def test_what_is_missing_by_the_file_is_not_what_is_edited(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    metadata = opened(qtbot, open_window(files(tmp_path)["sav"]))
    model = metadata.table.model
    index = model.index(model.row_of(place(metadata, "EDUC")), MISSING)
    assert index.data(Qt.ItemDataRole.EditRole) == "(empty)  99"


def test_ranges_without_an_end() -> None:
    ranges = ((-math.inf, -1.0), (9999997.0, 9999999.0), (1e9, math.inf))
    assert missing_besides(Variable("A", missing_ranges=ranges), None) == (
        "-1 and less, 9999997 to 9999999, 1000000000 and more"
    )
