"""Compare: alternatives beside the session, their figures, the risk-utility map."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.derive.recode_effect import comparable_loss
from core.recipe.edits import with_individual_threshold
from core.session import Session
from gui import dialogs
from gui.windows.compare import Compare
from gui.windows.main_window import MainWindow
from tests.gui.conftest import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main_window(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    for source in demo.iterdir():
        if source.is_file() and source.suffix not in (".py", ".pavo"):
            shutil.copy(source, tmp_path)
    shutil.copy(demo / "survey.pavo", tmp_path)
    return open_window(tmp_path / "survey.pavo")


@pytest.fixture
def window(qtbot: QtBot, main_window: MainWindow) -> Compare:
    made = main_window.windows.open_window("compare")
    assert isinstance(made, Compare)
    qtbot.waitUntil(lambda: made.table.model.rowCount() >= 1, timeout=30_000)
    wait_idle(qtbot, main_window.document)
    return made


def press(qtbot: QtBot, window: Compare, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None
    qtbot.mouseClick(button, LEFT)


def keep(qtbot: QtBot, window: Compare, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: path)
    press(qtbot, window, "keepAlternative")
    qtbot.waitUntil(lambda: path.stem in window._found, timeout=30_000)
    wait_idle(qtbot, window.document)


def test_figures_are_those_of_the_plan(window: Compare) -> None:
    session = Session()
    protection = session.protect(window.document.recipe)
    derived = protection.derived
    (found,) = window._found.values()
    assert found.suppressions == protection.plan.total
    assert found.unsafe == derived.tables[0].staircase.unsafe(derived.tables[0].threshold)  # type: ignore[union-attr]
    counted = {name: protection.plan.by_variable.get(name, 0) for name in ("REGION", "SEX", "AGE", "MARSTAT", "EDUC")}
    assert found.loss == pytest.approx(comparable_loss(derived, {**counted, "OCCUP": 0}), rel=1e-12)
    assert found.rate_after is not None
    assert found.rate is not None
    assert found.rate_after < found.rate


def test_an_alternative_is_kept_compared_and_taken_over(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = window.document
    before = document.recipe
    keep(qtbot, window, tmp_path / "survey-strict.pavo", monkeypatch)
    document.commit("Loose", with_individual_threshold(replace(before, recodes=before.recodes[:1]), 0, 0.09))
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: window._found[window.current_name].recipe == document.recipe, timeout=30_000)
    strict, loose = window._found["survey-strict"], window._found[window.current_name]
    assert strict.suppressions != loose.suppressions
    assert [each.name for each in window._drawn()] == [window.current_name, "survey-strict"]
    assert window.table.select("survey-strict")
    press(qtbot, window, "takeOver")
    wait_idle(qtbot, document)
    assert document.recipe.recodes == before.recodes
    assert document.undo_label == "Take over survey-strict"


def test_alternatives_beside_the_session_are_found_and_others_explained(
    qtbot: QtBot, main_window: MainWindow, tmp_path: Path
) -> None:
    shutil.copy(tmp_path / "survey.pavo", tmp_path / "survey-two.pavo")
    (tmp_path / "survey-broken.pavo").write_text("recipe = 1\nnonsense = 2\n", encoding="utf-8")
    shutil.copy(tmp_path / "survey.csv", tmp_path / "other.csv")
    (tmp_path / "survey-other.pavo").write_text('recipe = 1\n[input]\ndata = "other.csv"\n', encoding="utf-8")
    window = main_window.windows.open_window("compare")
    assert isinstance(window, Compare)
    qtbot.waitUntil(lambda: "survey-two" in window._found, timeout=30_000)
    wait_idle(qtbot, main_window.document)
    assert "nonsense" in window._problems["survey-broken"]
    assert "another data file" in window._problems["survey-other"]
    assert window.table.select("survey-other")
    press(qtbot, window, "removeAlternative")
    assert "survey-other" not in window._order()
    assert (tmp_path / "survey-other.pavo").exists()


def test_a_session_without_threshold_has_a_remark_instead_of_a_point(qtbot: QtBot, window: Compare) -> None:
    document = window.document
    none = replace(document.recipe.threshold, individual_risk=None)
    output = replace(document.recipe.output, data=None)
    document.commit("No threshold", replace(document.recipe, threshold=none, output=output))
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: window._found[window.current_name].recipe == document.recipe, timeout=30_000)
    assert window._drawn() == []
    assert "threshold" in window._problems[window.current_name]
