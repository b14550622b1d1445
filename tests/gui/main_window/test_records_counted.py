"""Unsafe records of a variable are counted wherever a model that judges can count them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from tests.gui.risk_chart.hand import MIXED, delimited, one_table
from tests.gui.waiting import wait_idle

RULE = '[[combinations]]\nvariables = ["A", "B"]\nmodel = "frequency"\ncount_threshold = 1\n'
ANONYMITY = '[[combinations]]\nvariables = ["A", "B"]\nmodel = "k-anonymity"\nk = 3\nmissing_rule = "category"\n'
HOMES = '[variables.H]\nrole = "household-id"\n'
ROWS = [(weight, a, b, number % 3, number // 2) for number, (weight, a, b) in enumerate(MIXED)]


def records(main: MainWindow) -> dict[str, str]:
    """What stands in the column *records*, by variable."""
    model = main.findChild(QTableView, "overviewVariables").model()
    heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]
    column = heads.index("records")
    return {model.index(row, 0).data(): model.index(row, column).data() for row in range(model.rowCount())}


@pytest.fixture
def opened(open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> Callable[[str], MainWindow]:
    """Opens a session of this body, one after the other in the same window."""
    main = open_window()

    def opened(body: str) -> MainWindow:
        main.document.open_session(delimited(tmp_path, "W,A,B,C,H", ROWS, body))
        wait_idle(qtbot, main.document)
        return main

    return opened


COUNTED = {
    "rule": (RULE, {"A": "2", "B": "2"}),
    "anonymity": (ANONYMITY, {"A": "2", "B": "2"}),
    "beside an unjudged table": (RULE + one_table('"C"'), {"A": "2", "B": "2", "C": "–"}),
    "both": (
        RULE + one_table('"C"') + "[threshold]\nindividual_risk = 0.05\n",
        {"A": "2", "B": "2", "C": "0"},
    ),
    "households": (one_table() + "[threshold]\nhousehold_risk = 0.05\n" + HOMES, {"A": "1", "B": "1"}),
    "no threshold": (one_table() + HOMES, {"A": "–", "B": "–"}),
}


def test_a_dash_stands_only_where_nothing_judges(
    opened: Callable[[str], MainWindow], subtests: pytest.Subtests
) -> None:
    for name, (body, counted) in COUNTED.items():
        with subtests.test(name):
            assert records(opened(body)) == counted


FIGURES = [
    ("individual_risk = 0.03", "r* 0.03", "unsafe 1 (5.6 %)", "rate 2.102 %"),
    (
        "household_risk = 0.05",
        "household r* 0.05",
        "unsafe records: 1 (5.6 %), households: 1",
        "household rate 4.165 %",
    ),
    (
        "individual_risk = 0.03\nhousehold_risk = 0.05",
        "r* 0.03, household r* 0.05",
        "unsafe records: 1 (5.6 %), households: 1",
        "rate 2.102 %, household rate 4.165 %",
    ),
    ("individual_risk = 1.0", "r* none", "unsafe 0 (0.0 %)", "rate 2.102 %"),
    (
        "household_risk = 1.0",
        "household r* none",
        "unsafe records: 0 (0.0 %), households: 0",
        "household rate 4.165 %",
    ),
]
"""Thresholds asked for, and of the status bar thresholds, unsafe records and rate."""


def test_the_status_bar_says_of_whom_each_figure_is(
    opened: Callable[[str], MainWindow], subtests: pytest.Subtests
) -> None:
    for asked, thresholds, unsafe, rate in FIGURES:
        with subtests.test(asked):
            told = dict(status_parts(opened(one_table() + f"[threshold]\n{asked}\n" + HOMES).document))
            assert (told["Thresholds"], told["Unsafe"], told["Rate"]) == (thresholds, unsafe, rate)
            assert told["Records"] == "18 records" and told["File"] == "small.csv"
