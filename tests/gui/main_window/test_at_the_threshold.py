"""What comes next is said of the records that are counted: those at the threshold too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui.document.document import Document
from gui.document.session_state import SessionState
from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing
from tests.gui.waiting import wait_idle


def said(qtbot: QtBot, document: Document, risk: float) -> str:
    recipe = document.recipe
    (combination,) = recipe.combinations
    chosen = (replace(combination, threshold=Threshold()),)
    document.commit("t", recipe.with_(threshold=Threshold(individual_risk=risk), combinations=chosen))
    wait_idle(qtbot, document)
    return next_thing(document).sentence


def test_records_just_at_the_threshold_are_named_as_such(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = open_window(demo / "survey.pavo").document
    assert document.derived is not None
    (table,) = document.derived.risk_tables
    highest = float(table.risk.max())
    records = table.risk[table.cell_index.of_record]
    at = int((records == highest).sum())
    assert at > 0
    verb = "record is" if at == 1 else "records are"
    assert said(qtbot, document, highest).startswith(f"{at} {verb} at or above the threshold: recode")
    assert said(qtbot, document, min(1.0, highest * 1.01)) == (
        "No record is at or above the threshold. Make the protected file."
    )
    monkeypatch.setattr(SessionState, "unsafe_in", lambda *_: 1)
    assert next_thing(document).sentence.startswith("1 record is at or above the threshold: recode")
