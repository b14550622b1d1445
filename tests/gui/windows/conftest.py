"""Windows to test on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.windows.global_recode import GlobalRecode
from gui.windows.main_window import MainWindow
from gui.windows.specify_metadata import SpecifyMetadata
from tests.gui.windows.hands import Hands, copy_survey, open_protecting
from tests.gui.windows.metadata_steps import opened
from tests.gui.windows.recode_hands import keys_chosen
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


@pytest.fixture
def survey_window(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    """The main window with the demonstration survey as a fixed file."""
    return open_window(demo / "survey.asc")


@pytest.fixture
def metadata(qtbot: QtBot, survey_window: MainWindow, answers: list[int]) -> Iterator[SpecifyMetadata]:
    """Specify Metadata of the demonstration survey, examined; closed at the end without taking anything over."""
    made = opened(qtbot, survey_window)
    yield made
    if survey_window.window_named("specifyMetadata") is not None:
        answers[:] = [0]
        made.close()


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    """The demonstration in a folder of its own."""
    folder = tmp_path / "demo"
    shutil.copytree(demo, folder)
    return folder


@pytest.fixture
def recode_window(qtbot: QtBot, open_window: Callable[..., MainWindow], survey: Path) -> Iterator[GlobalRecode]:
    """Global Recode of the demonstration's AGE, with three keys chosen; its draft is dropped at the end."""
    made = keys_chosen(qtbot, open_window(survey / "survey.asc"))
    yield made
    made.drafts.forget()


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    """The main window with the demonstration survey in the test's own folder."""
    return open_window(copy_survey(demo, tmp_path))


@pytest.fixture
def hands(main: MainWindow, qtbot: QtBot) -> Iterator[Hands]:
    """Make Protected File of that survey; what was not taken over is dropped at the end."""
    window = open_protecting(main, qtbot)
    yield Hands(window, qtbot)
    if main.window_named("makeProtectedFile") is window:
        window._load()
        window.close()
