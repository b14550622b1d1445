"""From almost everybody unsafe to one in ten, by nothing but the buttons of the guidance on the main page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from tests.communes import write_communes
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

MOST_CLICKS = 4


def test_the_buttons_of_the_guidance_lead_to_a_file_worth_protecting(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    main = open_window(write_communes(tmp_path))
    main.resize(1366, 768)
    document, card = main.document, main.overview.guidance
    wait_idle(qtbot, document)
    assert card.headline.text().startswith("Almost all records are unsafe, mainly through COMMUNE (295 codes)")
    first, promised = document.recipe, 0
    (table,) = document.derived.risk_tables
    for _click in range(MOST_CLICKS):
        best = main.overview.advice.advice.candidates[0]
        press(qtbot, card, "guidanceCandidate1")
        wait_idle(qtbot, document)
        (table,) = document.derived.risk_tables
        promised = document.session.unsafe_in(table)
        assert promised == best.unsafe[1]
        if promised <= 0.1 * document.derived.records:
            break
    assert promised <= 0.1 * document.derived.records
    assert card.findChild(QPushButton, "guidanceOther").text() == "Fewer ways"
    while document.undo():
        pass
    assert document.recipe == first
