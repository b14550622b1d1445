"""A button that takes a page's work over is disabled where that would be refused, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Suppression
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from tests.gui.global_recode.hand import settle, write
from tests.gui.held import Held
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]

TAKES = {
    "openMicrodata": ("accept",),
    "specifyMetadata": ("accept",),
    "selectCombinations": ("calculateTables",),
    "globalRecode": ("apply",),
    "numericalVariables": ("apply",),
    "perturb": ("applyPerturbation",),
    "findPlan": ("planSearch", "planUse", "planCompare"),
    "compare": ("takeOver",),
    "makeProtectedFile": ("accept", "preview", "makeFile"),
    "profileCheck": ("profileCheckNow",),
}
"""By page its buttons that put something into the session, or compute what is put there."""


def unexplained(page: QWidget, names: tuple[str, ...]) -> list[str]:
    """Disabled buttons whose tool tip is what it is where they are enabled, or empty."""
    found = []
    for name in names:
        button = page.findChild(QPushButton, name)
        assert button is not None, name
        if not button.isEnabled() and not button.toolTip().endswith((".", "…")):
            found.append(name)
    return found


@pytest.mark.parametrize("session", ["survey.pavo", "survey-households.pavo"])
def test_disabled_buttons_say_why(
    qtbot: QtBot,
    open_window: Open,
    demo: Path,
    monkeypatch: pytest.MonkeyPatch,
    session: str,
    subtests: pytest.Subtests,
) -> None:
    main = open_window(demo / session)
    document = main.document
    for name, buttons in TAKES.items():
        with subtests.test(name):
            page = main.windows.open_window(name)
            assert unexplained(page, buttons) == []
            wait_idle(qtbot, document)
            assert unexplained(page, buttons) == []
            with monkeypatch.context() as context:
                held = Held(context, document._engine, "derive_shown")
                other = replace(Suppression(), criterion="entropy")
                document.commit("Other", document.recipe.with_(suppression=other))
                qtbot.waitUntil(held.begun.is_set)
                assert unexplained(page, buttons) == []
                held.go.set()
                wait_idle(qtbot, document)
            assert unexplained(page, buttons) == []
            document.undo()
            wait_idle(qtbot, document)
            assert page.close()


def test_apply_of_a_recode_says_what_is_wrong(qtbot: QtBot, recode_window: GlobalRecode) -> None:
    window = recode_window
    assert not window.apply.isEnabled()
    assert window.apply.toolTip() == "Nothing is changed."
    write(qtbot, window, "nonsense")
    settle(qtbot, window)
    assert not window.apply.isEnabled()
    assert window.draft.error is not None
    assert window.apply.toolTip() == str(window.draft.error)
    write(qtbot, window, "1: 0-49\n2: 50-98")
    settle(qtbot, window)
    assert window.apply.isEnabled()
    assert window.apply.toolTip() == "Make this recode one step of the session"
