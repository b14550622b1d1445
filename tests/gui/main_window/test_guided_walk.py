"""From almost everybody unsafe to one in ten, by nothing but the buttons of the guidance on the main page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.results.suppression_problem import unsafe_by_any
from gui.main_window.window import MainWindow
from tests.communes import write_communes
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

MOST_CLICKS = 4


@pytest.mark.parametrize(
    "judged",
    [{}, {"estimator": "calibrated"}, {"model": "frequency", "count_threshold": 2}],
    ids=["individual risk", "calibrated", "threshold rule"],
)
def test_the_buttons_of_the_guidance_lead_to_a_file_worth_protecting(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, judged: dict[str, Any]
) -> None:
    main = open_window(write_communes(tmp_path))
    main.resize(1366, 768)
    document, card = main.document, main.overview.guidance
    first = document.recipe
    if judged:
        (combination,) = document.recipe.combinations
        document.commit("Model", document.recipe.with_(combinations=(replace(combination, **judged),)))
    wait_idle(qtbot, document)
    assert card.headline.text().startswith("Almost all records are unsafe, mainly through ")
    assert judged or "COMMUNE (295 codes)" in card.headline.text()
    assert main.overview.next.findChild(QLabel, "nextSentence").isHidden(), "the guidance says it"
    best = main.overview.advice.advice.candidates[0]
    for _click in range(MOST_CLICKS):
        assert best.price.values < main.overview.advice.advice.price.values
        press(qtbot, card, "guidanceCandidate1")
        wait_idle(qtbot, document)
        left = unsafe_by_any(document.derived)
        assert left == best.unsafe[1]
        if left <= 0.1 * document.derived.records:
            break
        best = main.overview.advice.advice.candidates[0]
    assert left <= 0.1 * document.derived.records
    assert left == 0 or card.findChild(QPushButton, "guidanceOther").text() == "Fewer ways"
    while document.undo():
        pass
    assert document.recipe == first
