"""The rail says of unsafe records that they are being counted while its figure is of the recipe before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.theme import is_greyed
from tests.gui.held import Held
from tests.gui.waiting import wait_idle


def test_unsafe_records_in_the_rail_are_dimmed_meanwhile(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window(demo / "survey.pavo")
    document, button = main.document, main.steps.button("Risk")
    label = next(each for each in button.findChildren(QLabel) if each.text().endswith("unsafe"))
    held = Held(monkeypatch, document._engine, "derive_shown")
    (first,) = document.recipe.combinations
    document.commit("Fewer", document.recipe.with_(combinations=(replace(first, variables=first.variables[:-1]),)))
    qtbot.waitUntil(held.begun.is_set)
    assert label.text() == "329 unsafe"
    assert is_greyed(label)
    assert button.accessibleDescription().startswith("being counted… 329 unsafe")
    held.go.set()
    wait_idle(qtbot, document)
    assert not is_greyed(label)
    assert "being counted" not in button.accessibleDescription()
