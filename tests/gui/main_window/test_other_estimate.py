"""Rail and status line say what Protect says of the other estimate of the risk of a safe file's records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.recipe.model import Recipe, Threshold
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.main_window.workflow import OtherEstimate, steps
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


def as_it_is(recipe: Recipe) -> Recipe:
    return recipe


def nobody_unsafe(recipe: Recipe) -> Recipe:
    """The largest individual risk of the survey is 0.094."""
    return recipe.with_(threshold=Threshold(individual_risk=0.1))


def by_model(recipe: Recipe) -> Recipe:
    """Judged by the population model, whose risks are below the individual ones for many records."""
    (first,) = recipe.combinations
    judged = replace(first, estimator="calibrated")
    return recipe.with_(combinations=(judged,), threshold=Threshold(individual_risk=0.05))


@pytest.mark.parametrize(
    ("change", "rail", "status", "model"),
    [
        (as_it_is, "329 unsafe,\nsafe file: {n} by model", "unsafe 329 (6.6 %), in", "population model"),
        (nobody_unsafe, "none unsafe,\nsafe file: {n} by model", "unsafe 0 (0.0 %), in", "population model"),
        (by_model, "{before} unsafe,\nsafe file: {n}\nby individual risk", "unsafe {before} (", "individual risk"),
    ],
)
def test_rail_and_status_name_the_other_estimate(
    qtbot: QtBot, open_window: Open, demo: Path, tmp_path: Path, change: Callable[[Recipe], Recipe], rail: str,
    status: str, model: str,
) -> None:  # fmt: skip
    main = open_window(copy_survey(demo, tmp_path))
    document = main.document
    recipe = change(document.recipe)
    document.commit("Where", recipe.with_(output=replace(recipe.output, data=tmp_path / "safe.csv")))
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    released = document.session.released
    assert released is not None and released.protection is not None
    assert released.protection.unsafe_left == 0
    (opinion,) = released.protection.opinions.values()
    values = {"n": opinion.unsafe, "before": max(map(document.session.unsafe_in, document.derived.risk_tables))}
    step = next(step for step in steps(document) if step.name == "Risk")
    assert (step.state, step.detail) == ("but", rail.format(**values))
    assert f"By the {model}, {opinion.unsafe} record" in step.reason, "as Protect warns"
    assert "there is none" not in step.reason
    said = dict(status_parts(document))["Unsafe"]
    assert said.startswith(status.format(**values))
    assert said.endswith(f"in the safe file {opinion.unsafe} by the {model}")


def test_the_rail_has_room_for_the_other_estimate(qtbot: QtBot, open_window: Open, demo: Path) -> None:
    main = open_window(demo / "survey.pavo")
    button = main.steps.button("Risk")
    label = next(each for each in button.findChildren(QLabel) if each.text().endswith("unsafe"))
    for by_model in (True, False):
        for line in OtherEstimate(12_345, by_model).in_rail.splitlines():
            assert label.fontMetrics().horizontalAdvance(line) <= label.contentsRect().width()
