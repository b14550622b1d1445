"""Every control that tests and assistive tools know by name is there, once on its page, and of its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QSlider, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window.window import MainWindow
from gui.shared.number_box import NumberBox
from main import build_application
from tests.gui.waiting import wait_idle

NAMES = {
    "openMicrodata": "dataPath metadataPath preview openProblems accept",
    "specifyMetadata": "variableList metadataProblems suggest accept",
    "selectCombinations": "categoricalVariables currentCombination combinationList addVariable removeVariable"
    " clearCombination addCombination removeCombination automaticSpecification setRiskModel kAnonymity countThreshold"
    " missingRule calculateTables",
    "riskChart": "riskTables riskHistogram cumulative riskSlider riskThreshold reidentificationRate unsafeRecords"
    " sameRecordsInterval maxRisk fileRate expectedReidentifications decimals forecastChart riskiestCombinations"
    " chooseForMe secondOpinion secondOpinionExpected secondOpinionRatio judgeByThisModel guidance guidanceButton",
    "householdRiskChart": "householdThreshold householdRate unsafeHouseholds unsafeRecords maxHouseholdRisk"
    " countRecords riskHistogram riskSlider forecastChart chooseForMe decimals cumulative secondOpinion",
    "globalRecode": "recodeVariables codeTable recodeText apply undoRecode",
    "perturb": "methodList perturbVariables methodParameters perturbPreview applyPerturbation",
    "makeProtectedFile": "criterion mode suppressionWeights outputPath preview stop makeFile closeGaps releaseChecklist"
    " certainBlanks",
}
"""By page, as the specification of the windows has them."""


def test_names_of_every_page(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path) -> None:
    main = open_window(demo / "survey-households.pavo")
    for name in ("overviewVariables", "overviewCodes", "warningList"):
        assert len(main.findChildren(QWidget, name)) == 1, name
    for page, wanted in NAMES.items():
        assert main.window_named(page) is None, "before it is first opened"
        main.windows.open_window(page)
        wait_idle(qtbot, main.document)
        shown = main.window_named(page)
        assert shown is not None and shown.objectName() == page
        found = {each: len(shown.findChildren(QWidget, each)) for each in wanted.split()}
        assert found == dict.fromkeys(found, 1), page
        for box in shown.findChildren(NumberBox):
            assert isinstance(box, QLineEdit) and box.objectName()
            assert len(shown.findChildren(QLabel, f"{box.objectName()}Message")) == 1, (page, box.objectName())
        assert all("Slider" in each.objectName() or "Weight" in each.objectName()
                   for each in shown.findChildren(QSlider)), page  # fmt: skip


def test_an_application_that_is_there_is_used_again(qapp: QApplication, demo: Path) -> None:
    application, window = build_application(["pavo"])
    assert application is qapp is QApplication.instance()
    assert not window.document.busy and window.window_named("riskChart") is None
    window.close()
    window.deleteLater()
