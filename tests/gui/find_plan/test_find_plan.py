"""Find a Plan: the levels of the keys, the front that grows, and a plan in Compare and in the session."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.recipe.model import ProfileFile, Threshold
from gui.compare.window import Compare
from gui.find_plan.window import FindPlan
from gui.main_window.window import MainWindow
from tests.gui.buttons import press
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

OFF = Qt.CheckState.Unchecked


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    window = open_window(copy_survey(demo, tmp_path))
    wait_idle(qtbot, window.document)
    return window


@pytest.fixture
def page(qtbot: QtBot, main: MainWindow) -> FindPlan:
    main.menu_actions["actionFindAPlan"].trigger()
    found = main.window_named("findPlan")
    assert isinstance(found, FindPlan)
    wait_idle(qtbot, main.document)
    return found


def test_a_plan_is_found_compared_and_used(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    keys = main.document.recipe.combinations[0].variables
    assert [branch.text(0) for branch in page.levels.branches()] == list(keys)
    page.aims.aim.setCurrentIndex(page.aims.aim.findData("least-records"))
    assert page.aims.limit.value == 5
    page.aims.limited.setChecked(True)
    page.aims.seconds.set_value(4)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    front = page._front
    assert front is not None and front.best is not None
    assert front.best.unsafe == 0
    assert front.is_best_proven
    assert "none that does what was asked loses less" in page.summary.text()
    assert page.table.model.rowCount() == len(page._listed(front)) == len(page.map._points) - 1, (
        "the session's own plan is on the map alone"
    )
    page.map.chosen.emit(1)
    assert page.table.current_key == 1
    assert page.table.select(page._number_of(front.best))
    press(qtbot, page, "planCompare")
    wait_idle(qtbot, main.document)
    compare = main.window_named("compare")
    assert isinstance(compare, Compare)
    name = f"Plan {page._number_of(front.best)}"
    assert compare._found[name].suppressions == 0
    assert compare.table.select(name)
    press(qtbot, compare, "removeAlternative")
    assert name not in compare._order()
    press(qtbot, page, "planUse")
    wait_idle(qtbot, main.document)
    assert main.document.session.history.undo_label == f"Use plan {page._number_of(front.best)}"
    assert main.document.recipe.combinations[0].k == 5
    assert not page.use.isEnabled(), "the plans are of the session before"


def test_levels_that_are_clicked_away_are_in_no_plan(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    for branch in page.levels.branches():
        last = branch.child(branch.childCount() - 1)
        assert last is not None
        last.setCheckState(0, OFF)
    assert not any(each.levels[-1].is_left_out for each in page.levels.chosen)
    plans = math.prod(len(each.levels) for each in page.levels.chosen)
    assert page.number.text().startswith(f"{plans} plans")
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    assert page._front is not None
    assert page._front.total == plans
    assert all(0 not in plan.codes for plan in page._front.plans)


def test_stop_keeps_what_was_found(
    qtbot: QtBot, main: MainWindow, page: FindPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.base.progress.Enough.__call__", lambda _enough: True)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    assert page._front is not None
    assert page._front.counted == 1
    assert "Those not counted lose at least" in page.summary.text()


def test_a_number_that_is_none_is_refused(page: FindPlan) -> None:
    page.aims.aim.setCurrentIndex(page.aims.aim.findData("least-records"))
    for text in ("1", "2.5"):
        page.aims.limit.setText(text)
        page.aims.limit.returnPressed.emit()
        page.aims.limit.entered.emit(float(text))
        assert page.aims.limit.is_refused
    assert page.aims.goal is not None
    assert page.aims.goal.limit == 5


def test_the_goals_of_the_session_s_profile_are_offered(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    path = main.document.recipe.input.data.parent / "office.toml"  # type: ignore[union-attr]
    path.write_text(
        'profile = 1\nname = "Office"\n[[checks]]\ncheck = "least-records"\nk = 4\nkeys = "combinations"\n',
        encoding="utf-8",
    )
    main.document.commit("Profile", main.document.recipe.with_(profile=ProfileFile(path)))
    wait_idle(qtbot, main.document)
    page.aims.aim.setCurrentIndex(page.aims.aim.findText("Profile: 4 records of a key"))
    assert page.aims.goal is not None
    assert (page.aims.goal.kind, page.aims.goal.limit) == ("least-records", 4)
    page.aims.seconds.set_value(0.5)
    press(qtbot, page, "planSearch")
    page._heard.front = None
    wait_idle(qtbot, main.document)
    assert page._aimed is not None
    assert page._aimed.combinations[0].k == 4


def test_the_front_is_shown_while_it_grows(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    page.aims.seconds.set_value(0.5)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    front = page._front
    assert front is not None
    page._heard(replace(front, plans=front.plans[:2], best=None, bound=front.detail / 4))
    page._grow()
    assert page.table.model.rowCount() == 2
    assert "No plan so far" in page.summary.text()


def test_without_a_threshold_no_plan_is_said_to_do_what_was_asked(
    qtbot: QtBot, main: MainWindow, page: FindPlan
) -> None:
    combinations = tuple(replace(each, threshold=Threshold()) for each in main.document.recipe.combinations)
    main.document.commit("No threshold", main.document.recipe.with_(threshold=Threshold(), combinations=combinations))
    wait_idle(qtbot, main.document)
    page.aims.aim.setCurrentIndex(0)
    page.aims.seconds.set_value(0.5)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    assert "No threshold is chosen yet" in page.summary.text()
    assert "what was asked" not in page.summary.text()


def test_figures_that_are_estimated_are_told_from_those_that_were_counted(
    qtbot: QtBot, main: MainWindow, page: FindPlan
) -> None:
    page.aims.aim.setCurrentIndex(page.aims.aim.findData("least-records"))
    page.aims.seconds.set_value(0.5)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    front = page._front
    assert front is not None and front.best is not None and front.best.exact
    assert front.finals and not front.is_counted
    assert f"{front.finals} counted in full" in page.summary.text()
    lost, suppressions = (page.table.model.columns[i] for i in (1, 2))
    plans = page._listed(front)
    for column in (lost, suppressions):
        for row, plan in enumerate(plans):
            assert column.text(column.values[row]).startswith("≈") == (not plan.exact) == bool(column.tips[row])
    assert [point.estimated for point in page.map._points if point.number] == [not plan.exact for plan in plans]
    assert "dotted" in page.legend.text()
    page._show(replace(front, best=next(plan for plan in plans if not plan.exact), finals=0))
    assert "by the estimate" in page.summary.text()


def test_all_combinations_are_coded_together(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    recipe = main.document.recipe
    first = replace(recipe.combinations[0], variables=("REGION", "SEX"))
    both = (first, replace(first, variables=("AGE", "MARSTAT")))
    main.document.commit("Two tables", recipe.with_(combinations=both))
    wait_idle(qtbot, main.document)
    assert page.combination.count() == 3
    page.combination.setCurrentIndex(0)
    page.combination.activated.emit(0)
    wait_idle(qtbot, main.document)
    assert [branch.text(0) for branch in page.levels.branches()] == ["REGION", "SEX", "AGE", "MARSTAT"]
    page.aims.seconds.set_value(1)
    press(qtbot, page, "planSearch")
    wait_idle(qtbot, main.document)
    front = page._front
    assert front is not None and front.is_counted
    opinions = [page._opinions[plan.levels] for plan in page._listed(front)]
    assert any(opinions)
    column = next(each for each in page.table.model.columns if each.title == "Second opinion")
    assert [bool(tip) for tip in column.tips] == [True] * len(opinions)
    assert page.table.select(page._number_of(front.best))
    press(qtbot, page, "planUse")
    wait_idle(qtbot, main.document)
    assert main.document.derived is not None


def test_why_no_plan_can_be_searched_for_is_said_before(qtbot: QtBot, main: MainWindow, page: FindPlan) -> None:
    rare = replace(main.document.recipe.combinations[0], model="frequency")
    main.document.commit("Rare", main.document.recipe.with_(combinations=(rare,), threshold=Threshold()))
    wait_idle(qtbot, main.document)
    assert not page.search.isEnabled()
    assert "threshold rule" in page.summary.text()
    assert "threshold rule" in page.search.toolTip()
    page.aims.aim.setCurrentIndex(page.aims.aim.findData("least-records"))
    assert page.search.isEnabled()
    assert page.summary.text() == ""
