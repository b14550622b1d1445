"""Numbers that differ say why: records touched, rates, the state before a recode, recodes that are not in the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Output, VariableEdit
from gui.main_window.window import MainWindow
from gui.main_window.workflow import steps
from tests.gui.make_protected_file.hand import Hands, open_protecting
from tests.gui.risk_chart.hand import Hand
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def homes(open_window: Open, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Fifty households of four, the first in a region of its own; one member of each is 2 in AGE."""
    rows = [f"{h},{h % 10 + 1 if h else 99},{1 if m else 2},{m % 2 + 1}" for h in range(50) for m in range(4)]
    (tmp_path / "homes.csv").write_text("HH,REGION,AGE,SEX\n" + "\n".join(rows) + "\n", encoding="utf-8")
    main = open_window(tmp_path / "homes.csv")
    document = main.document
    edits = (
        VariableEdit("HH", role="household-id"),
        VariableEdit("REGION", household=True),
        VariableEdit("AGE", suppressible=False),
    )
    keys = (Combination(("REGION", "AGE"), "frequency", count_threshold=1),)
    recipe = document.recipe.with_(variables=edits, combinations=keys)
    document.commit("all", recipe)
    wait_idle(qtbot, document)
    assert document.session.error is None
    return main


def test_the_preview_says_why_more_records_are_touched_than_are_unsafe(homes: MainWindow, qtbot: QtBot) -> None:
    hands = Hands(open_protecting(homes, qtbot), qtbot)
    document = homes.document
    hands.click("preview")
    assert not hands.window.messages.text
    assert max(document.session.unsafe_records.values()) == 1
    assert hands.text("previewHeadline") == (
        "4 values suppressed, in 4 of 200 records (2.0 %). 3 records more than are unsafe (1): REGION goes from all"
        " members of a household together."
    )


def test_without_household_variables_nothing_is_explained(homes: MainWindow, qtbot: QtBot) -> None:
    document = homes.document
    document.commit(
        "age only",
        document.recipe.with_(
            combinations=(Combination(("REGION", "SEX"), "frequency", count_threshold=20),), variables=()
        ),
    )
    wait_idle(qtbot, document)
    hands = Hands(open_protecting(homes, qtbot), qtbot)
    hands.click("preview")
    assert "suppressed" in hands.text("previewHeadline") and "more than" not in hands.text("previewHeadline")


def test_both_rates_of_the_chart_say_which_they_are(chart: Hand) -> None:
    page = chart.window.page
    in_file, at_threshold = page.file, page.threshold
    assert "as the file is now" in in_file.rate.toolTip() and "Threshold" in in_file.rate.toolTip()
    assert "once every unsafe record is brought below" in at_threshold.rate.toolTip()
    texts = [
        [label.text().replace("&", "") for label in group.findChildren(QLabel)] for group in (in_file, at_threshold)
    ]
    assert "Re-identification rate" in texts[0] and "Rate after, at most" in texts[1]
    assert at_threshold.rate.accessibleName() == "Rate after, at most"


def test_records_touched_are_explained_in_the_forecast(chart: Hand) -> None:
    group = chart.window.page.forecast_panel
    told = [w for w in group.findChildren(QWidget) if isinstance(w, QLabel) and "household variable" in w.toolTip()]
    assert {label.text() for label in told} >= {"Records touched"} and len(told) == 2


def test_the_state_before_the_last_recode_is_one_that_has_other_risks(chart: Hand) -> None:
    """The demonstration recodes REGION, AGE and then OCCUP, which is no key."""
    document = chart.document
    recipe = document.recipe
    assert [recode.variable for recode in recipe.recodes] == ["REGION", "AGE", "OCCUP"]
    before = chart.window.before
    assert [recode.variable for recode in before._recipe.recodes] == ["REGION", "OCCUP"]
    levels = before.table.staircase.levels, document.derived.risk_tables[0].staircase.levels
    assert not np.array_equal(*levels)
    document.commit("no recode of a key", recipe.with_(recodes=recipe.recodes[2:]))
    chart.settle()
    assert [recode.variable for recode in before._recipe.recodes] == ["REGION", "AGE", "OCCUP"], "the step before"
    document.start("only OCCUP", recipe.with_(recodes=recipe.recodes[2:]))
    chart.settle()
    assert not before.exists and not chart.window.page.show_before.isVisible()


def test_recodes_of_variables_in_no_combination_are_told_apart(open_window: Open, demo: Path, qtbot: QtBot) -> None:
    document = open_window(demo / "survey.pavo").document
    step = next(step for step in steps(document) if step.name == "Recode")
    assert step.detail == "3 recoded,\n1 no key"
    assert step.reason == "Recoded: REGION, AGE, OCCUP. In no combination, and so not in the table: OCCUP."
    keys = tuple(recode for recode in document.recipe.recodes if recode.variable != "OCCUP")
    document.commit("keys only", document.recipe.with_(recodes=keys, output=Output()))
    wait_idle(qtbot, document)
    step = next(step for step in steps(document) if step.name == "Recode")
    assert (step.detail, step.reason) == ("2 recoded", "Recoded: REGION, AGE.")
