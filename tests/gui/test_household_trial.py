"""From a household survey to its safe file and report by the population model, with work superseded at every step."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from gui.document.document import PROTECT
from gui.global_recode.window import GlobalRecode
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.open_microdata.window import OpenMicrodata
from gui.report.details_window import ReportDetails
from gui.report.window import ViewReport
from gui.risk_chart.window import RiskChart
from tests.gui.global_recode import hand as recoding
from tests.gui.make_protected_file.hand import Hands
from tests.gui.select_combinations import hand as combining
from tests.gui.specify_metadata import hand as describing
from tests.gui.waiting import wait_idle
from tests.household_survey import KEYS, PERSONS, write_survey

LEFT = Qt.MouseButton.LeftButton
USES = {
    "weight": ["WEIGHT"],
    "household-id": ["HID"],
    "direct-identifier": ["PID", "NAME", "PHONE", "LAT", "LON", "REMARK"],
    "key": [*KEYS, "NACE", "EDUC"],
}
COMBINED = tuple(name for name in KEYS if name != "MARSTAT")
"""A key variable less halves the tables of the population model."""
AGES = "1: 0 - 24\n2: 25 - 44\n3: 45 - 64\n4: 65 - 99"
ISCO = "A: 0110, 1112, 2221, 2341, 2512\nB: 3122, 4110, 5120, 5223\nC: 6111, 7115, 8332, 9112"


class Walk:
    """One user, who never waits where nobody has to."""

    def __init__(self, qtbot: QtBot, main: MainWindow) -> None:
        self.qtbot, self.main, self.document = qtbot, main, main.document

    def page(self, name: str, kind: type, **arguments: Any) -> Any:
        found = self.main.windows.open_window(name, **arguments)
        assert isinstance(found, kind)
        self.qtbot.waitExposed(found)
        return found

    def begun(self, slot: str) -> None:
        """Until work of a slot is under way, or has just ended: what follows supersedes it."""
        tasks = self.document.tasks
        self.qtbot.waitUntil(lambda: any(t.slot == slot for t in tasks._pending) or tasks.rests, timeout=20_000)

    def press(self, page: QWidget, name: str) -> None:
        button = page.findChild(QPushButton, name)
        self.qtbot.waitUntil(button.isEnabled, timeout=60_000)
        self.qtbot.mouseClick(button, LEFT)

    def type(self, page: QWidget, name: str, text: str) -> None:
        box = page.findChild(QLineEdit, name)
        self.qtbot.waitUntil(box.isEnabled, timeout=60_000)
        self.qtbot.mouseClick(box, LEFT)
        box.selectAll()
        self.qtbot.keyClicks(box, text)
        self.qtbot.keyClick(box, Qt.Key.Key_Return)

    def known(self) -> None:
        """Until the figures of the recipe are there, or their work was stopped; forecasts go on behind them."""
        tasks = self.document.tasks
        self.qtbot.waitUntil(lambda: not any(t.slot == "derive" for t in tasks._pending), timeout=60_000)

    def settle(self) -> None:
        wait_idle(self.qtbot, self.document)
        self.qtbot.wait(1)
        wait_idle(self.qtbot, self.document)


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    return write_survey(tmp_path)


@pytest.fixture
def walk(qtbot: QtBot, open_window: Callable[..., MainWindow]) -> Walk:
    return Walk(qtbot, open_window())


def test_a_survey_is_released_while_every_step_is_superseded(walk: Walk, survey: Path) -> None:
    open_file(walk, survey)
    describe(walk)
    choose_keys(walk)
    choose_threshold(walk)
    recode(walk, "AGE", AGES)
    recode(walk, "ISCO", ISCO)
    keep_the_model(walk)
    walk.known()
    assert walk.document.session.error is None
    assert walk.document.derived is not None
    assert walk.document.derived.columns["AGE"].n_valid == 4
    target = survey.parent / "released" / "households_safe.csv"
    page = decide(walk)
    protect(walk, page, target)
    report(walk, page, target)
    reopen(walk, survey.parent / "walk.pavo", target)


def open_file(walk: Walk, survey: Path) -> None:
    """The first file that is typed is another one: looking at it is superseded, and so is opening it."""
    other = survey.parent / "other.csv"
    other.write_text("A,B\n" + "1,2\n" * 200_000, encoding="utf-8")
    walk.main.menu_actions["actionOpenMicrodata"].trigger()
    page = walk.main.window_named("openMicrodata")
    assert isinstance(page, OpenMicrodata)
    walk.qtbot.waitExposed(page)
    box = page.findChild(QLineEdit, "dataPath")
    box.setFocus()
    walk.qtbot.keyClicks(box, str(other))
    box.selectAll()
    walk.qtbot.keyClicks(box, str(survey))
    walk.document.open_data(other)
    walk.qtbot.waitUntil(lambda: page._look is not None and page._look.input == page.asked(), timeout=20_000)
    walk.press(page, "accept")
    walk.qtbot.waitUntil(lambda: walk.document.recipe.input.data == survey, timeout=20_000)
    walk.settle()
    assert walk.document.derived is not None
    assert walk.document.derived.records == PERSONS


def describe(walk: Walk) -> None:
    """A label is typed and uses are chosen while the file is examined, which begins again each time."""
    page = describing.opened(walk.qtbot, walk.main)
    describing.select(page, "COUNTRY")
    describing.type_box(walk.qtbot, page, "variableLabel", "Country of birth")
    for use, names in USES.items():
        for name in names:
            describing.select(page, name)
            if use != "key":
                describing.click_role(walk.qtbot, page, use)
            elif not (box := page.findChild(QCheckBox, "keyVariable")).isChecked():
                walk.qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    walk.press(page, "accept")
    walk.settle()
    metadata = walk.document.derived.metadata
    assert metadata["COUNTRY"].label == "Country of birth"
    assert metadata.weight.name == "WEIGHT"
    assert metadata.household_id.name == "HID"


def choose_keys(walk: Walk) -> None:
    """The model of the whole table is asked for while tables by the other one are calculated."""
    page = combining.open_on(walk.qtbot, walk.main)
    combining.choose(walk.qtbot, page, *COMBINED)
    walk.press(page, "setRiskModel")
    walk.press(page, "calculateTables")
    again = combining.open_on(walk.qtbot, walk.main)
    box = again.findChild(QComboBox, "estimator")
    box.setCurrentIndex(box.findData("calibrated"))
    walk.press(again, "calculateTables")
    (combination,) = walk.document.recipe.combinations
    assert (combination.variables, combination.estimator) == (COMBINED, "calibrated")


def choose_threshold(walk: Walk) -> None:
    """A threshold is typed while the figures of the one before are computed."""
    page = walk.page("riskChart", RiskChart)
    walk.qtbot.waitUntil(lambda: walk.document.derived is not None and bool(walk.document.derived.risk_tables))
    walk.type(page, "riskThreshold", "0.02")  # there are no risks of these tables yet
    walk.qtbot.waitUntil(lambda: walk.document.recipe.threshold.individual_risk == 0.02, timeout=20_000)
    walk.begun("derive")
    walk.type(page, "riskThreshold", "0.04")
    walk.qtbot.waitUntil(lambda: walk.document.recipe.threshold.individual_risk == 0.04, timeout=20_000)


def recode(walk: Walk, name: str, text: str) -> None:
    """Typed while figures are computed, superseded by the threshold, stopped, and applied while it is previewed."""
    page = walk.page("globalRecode", GlobalRecode, variable=name)
    walk.qtbot.waitUntil(lambda: page._prepared is not None and page.subject() == name, timeout=20_000)
    recoding.write(walk.qtbot, page, text)
    walk.begun("recode draft")
    threshold = walk.document.recipe.threshold
    other = walk.document.recipe.with_(threshold=type(threshold)(individual_risk=0.05))
    walk.document.commit("Threshold 0.05", other)
    walk.begun("derive")
    assert recoding.text(page) == text
    walk.press(page, "apply")
    walk.begun("derive")
    walk.document.cancel()
    walk.known()
    assert recoding.text(page) == text
    if page.touched:  # the figures were stopped before they were there
        walk.press(page, "apply")
    walk.known()
    recodes = {each.variable: each for each in walk.document.recipe.recodes}
    assert name in recodes
    assert recoding.text(page) == text
    assert not page.touched
    assert walk.document.session.error is None


def keep_the_model(walk: Walk) -> None:
    """To the individual risk while what follows from the model is being shown, and back before it is there."""
    document, (first,) = walk.document, walk.document.recipe.combinations
    document.commit("Exact", document.recipe.with_(combinations=(replace(first, estimator="exact"),)))
    walk.begun("derive")
    document.undo()
    walk.begun("derive")
    assert document.recipe.combinations == (first,)
    assert first.estimator == "calibrated"


def decide(walk: Walk) -> MakeProtectedFile:
    """Columns that no model judges are kept, signed, while figures of the file are computed."""
    page = walk.page("makeProtectedFile", MakeProtectedFile)
    walk.settle()
    hands = Hands(page, walk.qtbot)
    assert "nobody has judged" in hands.text("guidanceHeadline")
    walk.type(page, "decidedBy", "M. Gruber")
    walk.press(page, "keepOthers")
    walk.settle()
    for column in page.checklist.undecided:
        box = page.findChild(QComboBox, f"{column}Decision")
        box.setFocus()
        box.setCurrentIndex(box.findData("keep"))
        box.activated.emit(box.currentIndex())
    walk.settle()
    assert not page.checklist.undecided
    return page


def protect(walk: Walk, page: MakeProtectedFile, target: Path) -> None:
    """A forecast gives way to the preview, the preview to a change; the file is stopped once, named, and then made."""
    hands, document = Hands(page, walk.qtbot), walk.document
    target.parent.mkdir()
    hands.type_path(str(target))
    hands.choose("mode", "original-counts")
    hands.choose("mode", "released-keys")
    walk.begun("protection forecast released-keys 0")
    walk.press(page, "preview")
    assert document.recipe.suppression.mode == "released-keys"
    walk.begun(PROTECT)
    threshold = document.recipe.threshold
    document.commit("Threshold 0.06", document.recipe.with_(threshold=replace(threshold, individual_risk=0.06)))
    walk.begun("derive")
    document.undo()
    walk.qtbot.waitUntil(lambda: not page.work.running, timeout=60_000)
    walk.press(page, "makeFile")
    walk.begun(PROTECT)
    walk.qtbot.mouseClick(page.work.stop, LEFT)
    walk.qtbot.waitUntil(lambda: not page.work.running, timeout=60_000)
    assert page.findChild(QLineEdit, "outputPath").text() == str(target)
    if document.session.released is None:
        assert not target.exists()
    details = walk.page("reportDetails", ReportDetails)
    walk.qtbot.keyClicks(details.findChild(QLineEdit, "reportTitle"), "Households 2024")
    walk.press(details, "accept")
    walk.press(walk.page("makeProtectedFile", MakeProtectedFile), "makeFile")


def report(walk: Walk, page: MakeProtectedFile, target: Path) -> None:
    """The report is opened while the file is made."""
    walk.begun(PROTECT)
    walk.page("report", ViewReport)
    walk.qtbot.waitUntil(lambda: not page.work.running, timeout=120_000)
    walk.settle()
    assert walk.document.session.released is not None
    summary = json.loads(target.with_suffix(".json").read_text("utf-8"))
    assert summary["verified"] is True
    view = walk.page("report", ViewReport).findChild(QTextBrowser, "reportView")
    text = view.toPlainText()
    assert "Households 2024" in text
    assert "Checked: by the population model" in text


def reopen(walk: Walk, session: Path, target: Path) -> None:
    """All that was typed stands in the saved session."""
    document = walk.document
    document.save(session)
    before = document.recipe
    document.close()
    document.open_session(session)
    walk.qtbot.waitUntil(lambda: document.derived is not None and not document.stale, timeout=60_000)
    recipe = document.recipe
    assert (recipe.combinations, recipe.threshold) == (before.combinations, before.threshold)
    assert recipe.threshold.individual_risk == 0.04
    assert {each.variable for each in recipe.recodes} == {"AGE", "ISCO"}
    assert recipe.recodes == before.recodes
    assert recipe.report.title == "Households 2024"
    assert recipe.output.data == target
    assert any(edit.decided_by == "M. Gruber" for edit in recipe.variables)
    assert document.derived is not None
    assert document.derived.metadata["COUNTRY"].label == "Country of birth"
