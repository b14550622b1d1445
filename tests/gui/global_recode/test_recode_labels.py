"""New codes have labels in Global Recode and in the session, though no codelist is named."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gui.global_recode.window import GlobalRecode
from tests.gui.global_recode.hand import press, settle, shown, write


def test_new_codes_are_labelled_by_the_scheme(qtbot: QtBot, recode_window: GlobalRecode) -> None:
    window = recode_window
    write(qtbot, window, "1: 0-4\n2: 5-")
    settle(qtbot, window)
    made = {"1": "0–4", "2": "5 and over"}
    assert set(shown(window, "New label").values()) - {""} == set(made.values())
    press(qtbot, window, "apply")
    settle(qtbot, window)
    derived = window.document.derived
    assert derived is not None
    assert derived.labels["AGE"].items() >= made.items()
