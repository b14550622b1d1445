"""The guide in another language: pages, their list, the search, and headings that windows lead to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.risk.measures.registry import REGISTRY
from gui.help.window import Help
from gui.main_window.window import MainWindow
from tests.pseudo import pseudo, pseudo_language


def test_the_guide_is_read_searched_and_led_to_in_the_language(
    open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = open_window()
    with pseudo_language(tmp_path / "locale", monkeypatch):
        main.windows.open_window("help", page="measures")
        guide = main.window_named("help")
        assert isinstance(guide, Help)
        assert guide.view.document().firstBlock().text() == pseudo("Measures of risk")
        title = REGISTRY.declarations[-1].title
        guide.show_for("measures", title)
        assert guide.view.textCursor().block().text().startswith(pseudo(title))
        guide.search.setText(pseudo("Four ways to say the same"))
        assert any(guide.list.item(row).text() == pseudo("Risk Chart") for row in range(guide.list.count()))
