"""Menus are those of the field's program, with standard keys and a letter for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from gui.main_window.window import MainWindow

TITLES = ["File", "Edit", "Specify", "Modify", "Output", "View", "Window", "Help"]


@pytest.fixture
def window(open_window: Callable[..., MainWindow]) -> MainWindow:
    return open_window()


def letters(texts: list[str]) -> Counter[str]:
    """Letters that Alt and a key press reach, of texts that have one."""
    return Counter(text[text.index("&") + 1].lower() for text in texts if "&" in text.replace("&&", ""))


def test_titles_in_their_order(window: MainWindow) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    assert [title.replace("&", "") for title in titles] == TITLES
    assert set(letters(titles).values()) == {1}


def test_every_item_is_reached_by_a_letter_of_its_own(window: MainWindow) -> None:
    for action in window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        texts = [item.text() for item in menu.actions() if not item.isSeparator()]
        assert texts and len(letters(texts)) == len(texts), (action.text(), texts)


STANDARD = {
    "actionOpenMicrodata": "Ctrl+O",
    "actionSave": "Ctrl+S",
    "actionUndo": "Ctrl+Z",
    "actionRedo": "Ctrl+Y",
    "actionCopy": "Ctrl+C",
    "actionHelpContents": "F1",
}


def test_standard_keys(window: MainWindow, subtests: pytest.Subtests) -> None:
    for action, keys in STANDARD.items():
        with subtests.test(action):
            assert QKeySequence(keys) in window.menu_actions[action].shortcuts()
