"""A recode is always of the original codes: another one of the same variable takes its place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.global_recode.window import GlobalRecode
from tests.gui.global_recode.hand import press, settle, shown, write

COARSE, FINE = "1: 0-49\n2: 50-", "1: 0-24\n2: 25-49\n3: 50-"


def test_a_second_recode_begins_at_the_original_codes(qtbot: QtBot, recode_window: GlobalRecode) -> None:
    document = recode_window.document
    original = list(shown(recode_window, "Code"))
    for scheme, categories in ((COARSE, 2), (FINE, 3)):
        write(qtbot, recode_window, scheme)
        settle(qtbot, recode_window)
        press(qtbot, recode_window, "apply")
        settle(qtbot, recode_window)
        assert list(shown(recode_window, "Code")) == original
        assert [spec.variable for spec in document.recipe.recodes].count("AGE") == 1
        assert document.derived.columns["AGE"].n_valid == categories
    main = recode_window.window()
    qtbot.keyClick(main, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, recode_window)
    assert document.derived.columns["AGE"].n_valid == 2
