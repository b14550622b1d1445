"""“Give me income so that means by region stay within 1 %”: asked of Perturb, found, applied, said in the summary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from core.recipe.model import Analysis, Perturbation
from core.release.run import carry_out
from core.session import Session
from core.whatif import perturbation_preview
from gui.main_window.window import MainWindow
from gui.perturb.window import Perturb, goal_of_session
from tests.gui.buttons import press
from tests.gui.perturb.test_perturb import enter, main, settle, tick, titles, told, window
from tests.gui.waiting import wait_idle

__all__ = ["main", "window"]


def choose_groups(qtbot: QtBot, page: Perturb, name: str) -> None:
    box = page.findChild(QComboBox, "previewBy")
    assert box is not None
    box.setCurrentIndex(box.findData(name))
    settle(qtbot, page)


def test_income_whose_means_by_region_stay_within_one_per_cent(
    qtbot: QtBot, main: MainWindow, window: Perturb, tmp_path: Path
) -> None:
    window.show_for("microaggregation")
    tick(window, "INCOME")
    assert "REGION" not in window.keys.names, "codes are not offered where numbers are changed"
    choose_groups(qtbot, window, "REGION")
    assert titles(window)[0] == "Means by REGION"
    assert "Of the weighted means of INCOME that of REGION" in told(window, "goalTold")
    enter(qtbot, window, "goalPercent", "1")
    settle(qtbot, window)
    assert "✓ Goal kept: no mean of INCOME changes by more than 1 %." in told(window, "goalTold")
    entry = window.entry
    k = int(dict(entry.parameters)["k"])
    assert k > 3 and f"= {k} is the strongest of" in told(window, "strongestTold")
    press(qtbot, window, "keepGoal")
    settle(qtbot, window)
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    recipe = main.document.recipe
    assert recipe.utility == (Analysis(mean="INCOME", by=("REGION",), goal=0.01),)
    assert recipe.perturbations == (entry,)
    output = replace(recipe.output, data=tmp_path / "safe.asc", metadata=None, report=tmp_path / "report.html")
    done = carry_out(Session(), recipe.with_(output=output, suppression=replace(recipe.suppression, criterion="none")))
    assert done.summary["verified"]
    said = done.summary["utility"][0]
    assert said["goal"] == {"at_most": 0.01, "kept": True, "failing": 0}
    assert 0 < said["max_change"] <= 0.01
    assert "The goal is kept: no mean changes by more than 1" in (tmp_path / "report.html").read_text("utf-8")


def test_a_goal_that_is_not_kept_names_the_groups_and_what_comes_nearest(qtbot: QtBot, window: Perturb) -> None:
    window.show_for("pram")
    tick(window, "ILLNESS")
    choose_groups(qtbot, window, "REGION")
    window.goal.goal.setText("-3")
    assert "A goal is a number above 0" in told(window, "goalPercentMessage") and not window.goal.search.isEnabled()
    enter(qtbot, window, "goalPercent", "0.1")
    settle(qtbot, window)
    assert told(window, "strongestTold").startswith("None of ")
    window.show_for("noise")
    tick(window, "INCOME")
    choose_groups(qtbot, window, "SEX")
    enter(qtbot, window, "goalPercent", "2")
    settle(qtbot, window)
    assert "is the strongest of" in told(window, "strongestTold"), "a share need not be typed before"
    enter(qtbot, window, "parameter_share", "1")
    settle(qtbot, window)
    assert "✗ Goal not kept: of 2 groups" in told(window, "goalTold")
    assert not window.goal.strongest.isVisibleTo(window)


def test_groups_and_goal_belong_to_an_entry(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    said = Analysis(mean="INCOME", by=("SEX",), goal=0.025)
    main.document.amend(main.document.recipe.with_(utility=(said,)))
    assert goal_of_session(main.document.recipe, ("INCOME",)) == ("SEX", "2.5")
    assert goal_of_session(main.document.recipe, ("ILLNESS",)) is None
    entries = (Perturbation("noise", ("INCOME",), (("share", 0.01),)),)
    main.document.amend(main.document.recipe.with_(perturbations=entries))
    wait_idle(qtbot, main.document)
    window.entries.opened.emit(0)
    settle(qtbot, window)
    assert (window.goal.group, window.goal.wanted) == ("SEX", 0.025)


def test_strata_with_weights_are_said_to_keep_their_means(qtbot: QtBot, window: Perturb) -> None:
    window.show_for("microaggregation")
    window.draft.take(Perturbation("microaggregation", ("INCOME",), (("weighted", True), ("within", ("REGION",)))))
    window.show_draft()
    assert "Within REGION: the weighted mean of INCOME stays in each group" in told(window, "methodKeeps")
    choose_groups(qtbot, window, "REGION")
    found = window.view.found
    assert found is not None and found.groups[0].largest() < 1e-4
    assert found.done.invariants["largest_change_of_stratum_mean"] < 1


def test_of_a_sample_and_of_several_variables_it_is_said(
    qtbot: QtBot, window: Perturb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perturbation_preview, "SAMPLE", 500)
    window.show_for("rank-swapping")
    tick(window, "INCOME", "AGE")
    choose_groups(qtbot, window, "SEX")
    window.goal.goal.setText("0.001")
    said = told(window, "goalTold")
    assert "This is of the sample" in said and "Of INCOME it is not kept either." in said
