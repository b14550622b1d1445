"""How many records are unsafe where records and households have a threshold each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Threshold
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing, steps
from tests.gui.waiting import wait_idle


def test_records_unsafe_by_either_threshold_are_counted_once_and_everywhere_alike(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    document = open_window(demo / "survey-households.pavo").document
    recipe = document.recipe
    (combination,) = recipe.combinations
    both = Threshold(individual_risk=0.03, household_risk=0.1)
    document.commit("Both", recipe.with_(threshold=both, combinations=(replace(combination, threshold=Threshold()),)))
    wait_idle(qtbot, document)
    (table,) = document.derived.risk_tables
    home = document.derived.households.household_of_record
    risk = table.risk[table.cell_index.of_record]
    safe = np.ones(home.max() + 1)
    np.multiply.at(safe, home, 1 - risk)
    size = np.bincount(home)
    by_home = (1 - safe[home] >= 0.1) & (risk >= 0.1 / size[home])
    either = int((by_home | (risk >= 0.03)).sum())
    assert max(int(by_home.sum()), int((risk >= 0.03).sum())) < either
    assert document.session.unsafe_in(table) == either == document.session.unsafe_records["REGION"]
    assert str(either) in dict(status_parts(document))["Unsafe"]
    assert str(either) in next_thing(document).sentence
    assert any(str(either) in step.detail for step in steps(document))


def test_a_file_with_households_leads_to_their_chart_first(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey-households.pavo")
    document = main.document
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    assert next_thing(document).offers[0][1] == "householdRiskChart"
    main.windows.went_on.emit("selectCombinations")
    qtbot.waitUntil(lambda: main.windows.window_named("householdRiskChart") is not None)
    assert main.windows.window_named("riskChart") is None
    document.commit("Individual", document.recipe.with_(threshold=Threshold(individual_risk=0.03)))
    wait_idle(qtbot, document)
    assert next(step for step in steps(document) if step.name == "Risk").window == "riskChart"


def test_advice_on_one_of_several_combinations_names_it(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    document, card = main.document, main.overview.guidance
    wait_idle(qtbot, document)
    assert " by " not in card.headline.text()
    rare = Combination(("REGION", "OCCUP", "HHPOS"), model="frequency")
    document.commit("Two", document.recipe.with_(combinations=(*document.recipe.combinations, rare)))
    wait_idle(qtbot, document)
    named = [" × ".join(each.variables) for each in document.recipe.combinations]
    assert any(f"unsafe by {name}" in card.headline.text() for name in named), "not all that are unsafe by either"
