"""What stands beside the linked numbers of a threshold."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.risk.linked_numbers import LinkedNumbers
from gui.risk_chart.linked_numbers import LinkedThreshold


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.00119, 0.00141, "0.00119–0.00141: the same unsafe records"),
        (0.029998, 0.030001, "0.029998–0.030001: the same unsafe records"),
        (0.0300001, 0.0300002, "0.0300001–0.0300002: the same unsafe records"),
        (0.000001, 0.000002, "0.000001–0.000002: the same unsafe records"),
    ],
)
def test_the_ends_of_the_interval_are_told_apart(qtbot: QtBot, low: float, high: float, said: str) -> None:
    box = LinkedThreshold()
    qtbot.addWidget(box)
    box.show_linked(LinkedNumbers(high, 0.01, 3, low, high))
    found = box.findChild(QLabel, "sameRecordsInterval")
    assert found is not None
    assert found.text() == said
