"""Risk Charts to test on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.windows.main_window import MainWindow
from tests.gui.windows.risk_chart_hand import RISK, Charts, Hand, delimited, session


@pytest.fixture
def chart(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> Hand:
    """The demonstration survey: five keys after recoding, threshold 0.05, criterion weights."""
    return Hand(qtbot, open_window(demo / "survey.pavo"))


@pytest.fixture
def demodata_chart(qtbot: QtBot, open_window: Callable[..., MainWindow], shared: Path, tmp_path: Path) -> Hand:
    """Demodata with its published threshold."""
    folder = shared / "data" / "demodata"
    body = f'[[combinations]]\nvariables = ["REGION", "SEX", "AGE", "MARSTAT"]\n{RISK}'
    body += "[threshold]\nindividual_risk = 0.00125\n"
    return Hand(qtbot, open_window(session(tmp_path, folder / "Demodata.asc", folder / "Demodata.rda", body)))


@pytest.fixture
def small_chart(qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path) -> Charts:
    """A small delimited file of the test's own with variables A and B (or others)."""

    def build(rows: list[tuple[int, ...]], body: str, header: str = "W,A,B") -> Hand:
        return Hand(qtbot, open_window(delimited(tmp_path, header, rows, body)))

    return build
