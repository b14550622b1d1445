"""Protecting in plain words: unprotected copies, households, folders to be made, steps that can be told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QRadioButton, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Output, Recipe, Suppression, Threshold
from gui import dialogs
from gui.main_window.status_texts import status_parts
from gui.main_window.window import MainWindow
from gui.main_window.workflow import next_thing, steps
from gui.make_protected_file import draft as protect_draft
from gui.report.window import ViewReport
from gui.risk_chart.choose_threshold_dialog import ChooseThreshold
from tests.gui.make_protected_file.hand import Hands, copy_survey, open_protecting
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]


@pytest.fixture
def documents(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents that are not there yet."""
    folder = home / "My documents" / "Pavo"
    monkeypatch.setattr(protect_draft, "folder_for_safe_files", lambda _, path: path.parent if path else folder)
    return folder


@pytest.fixture
def people(qtbot: QtBot, open_window: Open, tmp_path: Path) -> MainWindow:
    """A file with names, opened and nothing chosen."""
    rows = [f"Anna Person{i},{i % 2 + 1},{20 + i * 7 % 60}" for i in range(200)]
    (tmp_path / "people.csv").write_text("NAME,SEX,AGE\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return open_window(tmp_path / "people.csv")


@pytest.fixture
def copying(people: MainWindow, documents: Path, qtbot: QtBot) -> Hands:
    """Make Protected File of that file."""
    people.menu_actions["actionMakeProtectedFile"].trigger()
    window = people.window_named("makeProtectedFile")
    qtbot.waitExposed(window)
    return Hands(window, qtbot)


@pytest.fixture
def survey(open_window: Open, demo: Path, tmp_path: Path, documents: Path) -> MainWindow:
    return open_window(copy_survey(demo, tmp_path))


@pytest.fixture
def protecting(survey: MainWindow, qtbot: QtBot) -> Hands:
    return Hands(open_protecting(survey, qtbot), qtbot)


# Without key variables -----------------------------------------------------------------------------------------------


def test_without_key_variables_protect_waits_and_combinations_come_next(people: MainWindow) -> None:
    found = {step.name: step for step in steps(people.document)}
    assert (found["Protect"].state, found["Report"].state) == ("later", "later")
    assert "key variables" in found["Protect"].reason
    assert "not yet" in people.steps.button("Protect").accessibleName()
    assert [window for _text, window in next_thing(people.document).offers] == ["specifyMetadata", "selectCombinations"]


def test_an_unprotected_copy_is_asked_about_first(copying: Hands, people: MainWindow, documents: Path) -> None:
    copying.click("makeFile")  # the answer is Cancel
    assert not documents.exists()
    assert people.document.session.released is None


def test_instead_of_an_unprotected_copy_key_variables_can_be_chosen(
    copying: Hands, people: MainWindow, answers: list[int], documents: Path
) -> None:
    answers[:] = [1]
    copying.click("makeFile")
    assert people.window_named("selectCombinations") is not None
    assert not documents.exists()


def test_an_unprotected_copy_never_looks_protected(
    copying: Hands, people: MainWindow, answers: list[int], documents: Path, qtbot: QtBot
) -> None:
    answers[:] = [0]
    copying.click("makeFile")
    assert "unprotected copy" in copying.window.messages.text
    assert "verified" not in copying.window.messages.text
    assert "unprotected copy" in copying.text("previewState")
    warnings = json.loads((documents / "people_safe.json").read_text("utf-8"))["warnings"]
    said = {warning["id"]: warning["text"] for warning in warnings}
    assert "not protected" in said["no-combinations"]
    assert said["released-identifier"].startswith("NAME ")
    found = {step.name: step for step in steps(people.document)}
    assert (found["Protect"].state, found["Report"].state) == ("attention", "attention")
    assert found["Protect"].detail == "not protected"
    assert [window for _text, window in next_thing(people.document).offers] == ["specifyMetadata", "selectCombinations"]
    report = people.windows.open_window("report")
    shown = report.findChild(QTextBrowser, "reportView").toPlainText()
    assert "no risk of re-identification was measured" in shown
    assert "No warnings" not in shown


# Folders, buttons, steps ---------------------------------------------------------------------------------------------


def test_a_folder_that_will_be_made_is_said(copying: Hands, documents: Path, tmp_path: Path) -> None:
    assert copying.text("outputPathMessage") == f"The folder {documents} is not there yet: it will be made."
    assert copying.find(QPushButton, "makeFile").isEnabled()
    copying.type_path(str(tmp_path / "safe.csv"))
    assert copying.text("outputPathMessage") == ""
    copying.type_path(str(tmp_path / "people.csv" / "below" / "safe.csv"))
    assert "will be made" not in copying.text("outputPathMessage")


def test_close_leaves_and_keep_choices_is_offered_where_there_are_some(
    protecting: Hands, survey: MainWindow, qtbot: QtBot
) -> None:
    protecting.click("preview")
    assert not protecting.find(QPushButton, "accept").isEnabled()
    protecting.check("addRisk")
    assert protecting.find(QPushButton, "accept").isEnabled()
    protecting.check("addRisk")
    qtbot.mouseClick(protecting.find(QPushButton, "closeWindow"), Qt.MouseButton.LeftButton)
    assert survey.window_named("makeProtectedFile") is None


def test_making_the_proposed_file_is_no_step_that_undo_would_take_back(
    protecting: Hands, survey: MainWindow, qtbot: QtBot
) -> None:
    document = survey.document
    before = [step.label for step in document.session.history.steps]
    protecting.click("makeFile")
    assert [step.label for step in document.session.history.steps] == before
    assert document.session.released_is_current
    assert document.recipe.output.data is not None


def test_another_file_name_is_one_step_however_often_it_is_another(
    protecting: Hands, survey: MainWindow, tmp_path: Path
) -> None:
    document = survey.document
    protecting.click("preview")
    before = len(document.session.history.steps)
    for name in ("a.asc", "b.asc"):
        protecting.type_path(str(tmp_path / name))
        protecting.click("preview")
    assert [step.label for step in document.session.history.steps[before:]] == ["Protection: files written: b.asc"]


def test_steps_are_called_what_was_chosen() -> None:
    old = Recipe(output=Output(data=Path("/a/x_safe.csv")))
    shuffled = old.with_(output=Output(data=Path("/a/x_safe.csv"), shuffle=True, seed=7, household_id="sequence"))
    weighed = old.with_(suppression=Suppression("weights"))
    assert protect_draft.label(old, shuffled) == "Protection: household identifier as 1, 2, 3 …; random order"
    assert protect_draft.label(old, weighed) == "Protection: suppression by weights"
    assert protect_draft.label(shuffled, old) == "Protection: household identifier kept; order of the original"


# Households ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def homes(survey: MainWindow, qtbot: QtBot) -> MainWindow:
    document = survey.document
    document.commit("households", document.recipe.with_(threshold=Threshold(household_risk=0.08), output=Output()))
    wait_idle(qtbot, document)
    return survey


def test_the_status_bar_and_the_steps_know_household_thresholds(homes: MainWindow) -> None:
    document = homes.document
    (table,) = document.derived.risk_tables
    household = table.household
    unsafe = household.staircase.unsafe(0.08)
    told = dict(status_parts(document))
    assert told["Thresholds"] == "household r* 0.08"
    assert told["Unsafe"].replace(",", "").startswith(f"unsafe records: {unsafe} (")
    assert told["Unsafe"].endswith(f"), households: {household.staircase.unsafe_households(0.08)}")
    risk = next(step for step in steps(document) if step.name == "Risk")
    assert (risk.state, risk.window, risk.detail) == ("attention", "householdRiskChart", f"{unsafe} unsafe")
    assert "householdRiskChart" in [window for _text, window in next_thing(document).offers]


def test_preview_and_report_give_both_kinds_of_risk_in_the_same_numbers(
    homes: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    hands = Hands(open_protecting(homes, qtbot), qtbot)
    hands.click("preview")
    header = hands.find(QWidget, "previewRisk").model()
    titles = [header.headerData(i, Qt.Orientation.Horizontal) for i in range(1, header.columnCount())]
    assert titles == ["after recoding", "safe file"]
    shown = hands.table("previewRisk")
    hands.click("makeFile")
    summary = json.loads((tmp_path / "survey_safe.json").read_text("utf-8"))["combinations"][0]
    judged = summary["after"]["by_mode"]
    for title, part in (
        ("Expected re-identifications", "individual_risk"),
        ("Expected records of re-identified households", "household_risk"),
    ):
        expected = [block[part]["expected_reidentifications"] for block in (summary, judged)]
        assert shown[title] == [f"{figure:.1f}" for figure in expected]


# Report, dialogs, Choose for me --------------------------------------------------------------------------------------


def test_the_report_opens_at_its_top(protecting: Hands, survey: MainWindow, qtbot: QtBot) -> None:
    protecting.click("makeFile")
    for _ in range(2):
        report = survey.windows.open_window("report")
        assert isinstance(report, ViewReport)
        qtbot.waitExposed(report)
        qtbot.wait(20)
        bar = report.view.verticalScrollBar()
        assert bar.maximum() > 1000
        assert bar.value() == 0
        report.close()


def test_dialogs_for_inputs_start_beside_the_data_file(
    survey: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(_parent: object, _title: str, start: str, _filters: str) -> tuple[str, str]:
        asked.append(start)
        return "", ""

    monkeypatch.setattr(dialogs.QFileDialog, "getOpenFileName", answer)
    dialogs.open_file(None, "Read a recode scheme", "Recode schemes (*.grc)")
    dialogs.open_file(None, "Codelist", "Codelists (*.cdl)", tmp_path / "lists")
    assert asked == [str(tmp_path), str(tmp_path / "lists")]


@pytest.mark.parametrize("by_households", [False, True])
def test_a_limit_of_the_work_stands_apart_from_what_is_guaranteed(
    survey: MainWindow, qtbot: QtBot, by_households: bool
) -> None:
    (table,) = survey.document.derived.risk_tables
    dialog = ChooseThreshold(table.household.staircase if by_households else table.staircase, None)
    qtbot.addWidget(dialog)
    dialog.show()
    places = [
        dialog.findChild(kind, name).mapTo(dialog, dialog.rect().topLeft()).y()
        for kind, name in (
            (QLabel, "guarantees"), (QRadioButton, "goalExpected"), (QRadioButton, "goalOneIn"),
            (QLabel, "limits"), (QRadioButton, "goalRecords"), (QLabel, "limitsMeaning"),
        )
    ]  # fmt: skip
    assert places == sorted(places)
    assert "no protection goal" in dialog.findChild(QLabel, "limitsMeaning").text()
    wanted = "expected records of re-identified households" if by_households else "expected re-identifications"
    assert dialog.findChild(QRadioButton, "goalExpected").text().startswith(wanted)
    box = dialog.findChild(QLineEdit, "goalRecordsNumber")
    box.setText("10")
    assert "unsafe records" in dialog.findChild(QLabel, "goalRecordsForecast").text()


def test_a_combination_makes_protecting_the_step_it_is(people: MainWindow, qtbot: QtBot) -> None:
    document = people.document
    document.commit("c", document.recipe.with_(combinations=(Combination(("SEX", "AGE")),)))
    wait_idle(qtbot, document)
    assert next(step for step in steps(document) if step.name == "Protect").state == "open"


@pytest.mark.parametrize(
    "model",
    [
        Combination(("SEX", "AGE"), "frequency", count_threshold=3),
        Combination(("SEX", "AGE"), "k-anonymity", k=4, missing_rule="category"),
    ],
)
def test_without_a_risk_table_unsafe_records_are_said_as_well(
    people: MainWindow, qtbot: QtBot, model: Combination
) -> None:
    document = people.document
    document.commit("combinations", document.recipe.with_(combinations=(model,)))
    wait_idle(qtbot, document)
    unsafe = max(document.session.unsafe_records.values())
    assert 0 < unsafe < 200
    risk = next(step for step in steps(document) if step.name == "Risk")
    assert (risk.state, risk.reason) == ("attention", f"{unsafe} records are unsafe.")
    assert dict(status_parts(document))["Unsafe"].startswith(f"unsafe {unsafe} (")
    then = next_thing(document)
    assert then.sentence.startswith(f"{unsafe} records are unsafe: recode, let values be suppressed")
    assert [window for _text, window in then.offers] == ["globalRecode", "makeProtectedFile", "selectCombinations"]
    document.commit("combinations", document.recipe.with_(combinations=(Combination(("SEX",), "frequency"),)))
    wait_idle(qtbot, document)
    assert next(step for step in steps(document) if step.name == "Risk").state == "done"
    assert next_thing(document).offers[0][1] == "makeProtectedFile"
