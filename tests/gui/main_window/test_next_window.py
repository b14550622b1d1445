"""Which page follows *Calculate tables*."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing
from tests.gui.waiting import wait_idle


def test_calculate_tables_leads_to_the_next_step_past_open_pages(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    document = main.document
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    for name in ("householdRiskChart", "globalRecode"):
        main.windows.open_window(name)
    assert next_thing(document).offers[0][1] == "householdRiskChart"
    assert main.workspace.current == "globalRecode"
    main.windows.went_on.emit("selectCombinations")
    qtbot.waitUntil(lambda: main.workspace.current == "householdRiskChart")
