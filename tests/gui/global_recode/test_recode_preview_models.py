"""What a recode changes where households have the only threshold, and under the threshold rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Threshold
from core.session import Session
from core.whatif.recode_effect import comparable_loss
from gui.main_window.overview_model import variable_columns
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.numbers import format_count, format_number, format_percent
from tests.gui.global_recode.hand import KEYS, label, opened, settle, write
from tests.gui.waiting import wait_idle

SCHEME = "1: 0-24\n2: 25-64\n3: 65-"


@pytest.mark.parametrize("by", ["household", "rare"])
def test_suppressions_and_loss_are_those_of_the_plan(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, by: str
) -> None:
    main_window = open_window(demo / "survey.pavo")
    document = main_window.document
    table = Combination(KEYS[:3], "individual-risk" if by == "household" else "frequency")
    threshold = Threshold(household_risk=0.1) if by == "household" else Threshold()
    suppression = replace(document.recipe.suppression, mode="original-counts", criterion="entropy")
    recipe = document.recipe.with_(combinations=(table,), threshold=threshold, recodes=(), suppression=suppression)
    document.commit("judged", recipe)
    wait_idle(qtbot, document)
    window = opened(qtbot, main_window, "AGE")
    write(qtbot, window, SCHEME)
    settle(qtbot, window)
    for row, of in (("Now", recipe), ("After", window.preview._draft)):
        plan = Session().protect(of).plan
        lost = format_number(comparable_loss(Session().derive(of), plan.by_variable), 0)
        assert label(window, f"preview{row}Suppressions").removeprefix("≤ ") == format_count(plan.total)
        assert label(window, f"preview{row}Loss").removeprefix("≤ ") == f"{lost} bits"
    window.drafts.forget()
    heads = {head.text() for head in window.preview.findChildren(QLabel)}
    if by == "rare":
        assert "unsafe records" in heads and label(window, "previewNowRate") == "–"
        columns = {c.title: c.values for c in variable_columns(document.derived, document.session.unsafe_records, {})}
        assert columns["records, dim 3"] == [v.records_by_dimension[3] for v in document.derived.overview.variables]
        assert max(columns["records, dim 3"]) <= max(columns["records"]) and min(columns["records, dim 3"]) > 0
        return
    (derived,) = document.derived.risk_tables
    records = document.session.unsafe_records["AGE"]
    assert window.effect.headline.text().startswith(f"{records} → ")
    homes = derived.household.staircase
    assert {"unsafe households", "household rate"} < heads and "unsafe records" not in heads
    unsafe = homes.unsafe_households(0.1)
    assert label(window, "previewNowUnsafe") == f"{unsafe} ({format_percent(unsafe / homes.households, 1)})"
    assert label(window, "previewNowRate") == format_percent(homes.rate)
    assert dict(status_parts(document))["Rate"] == f"household rate {format_percent(homes.rate)}"
