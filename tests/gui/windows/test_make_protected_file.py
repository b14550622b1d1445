"""Make Protected File: choices as a draft, a preview that writes nothing, and files that are what was previewed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSlider, QTableView
from pytestqt.qtbot import QtBot

from core.errors import RecipeError
from core.recipe.model import Combination, Output, Suppression, Threshold
from gui import dialogs
from gui.windows import make_protected_file
from gui.windows.main_window import MainWindow
from gui.windows.make_protected_file import MakeProtectedFile
from gui.windows.registry import exists
from tests.gui.conftest import wait_idle

Open = Callable[..., MainWindow]


@pytest.fixture
def main(
    open_window: Open, demo: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:  # fmt: skip
    """The demonstration survey open, without outputs named."""
    monkeypatch.setattr(make_protected_file, "documents", lambda: home / "Documents")
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    opened = open_window(tmp_path / "survey.pavo")
    opened.document.commit("No outputs", opened.document.recipe.with_(output=Output()))
    return opened


@pytest.fixture
def window(main: MainWindow, qtbot: QtBot) -> Iterator[MakeProtectedFile]:
    """Opened by the menu command."""
    wait_idle(qtbot, main.document)
    main.menu_actions["actionMakeProtectedFile"].trigger()
    found = main.window_named("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    qtbot.waitExposed(found)
    yield found
    if main.window_named("makeProtectedFile") is found:
        found._load()
        found.close()


class Hands:
    """What a user does in the window."""

    def __init__(self, window: MakeProtectedFile, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot

    def find(self, kind: type, name: str) -> Any:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(self.find(QPushButton, name), Qt.MouseButton.LeftButton)
        wait_idle(self.qtbot, self.window.document)

    def check(self, name: str) -> None:
        box = self.find(QCheckBox, name)
        self.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))

    def choose(self, name: str, value: str) -> None:
        box = self.find(QComboBox, name)
        box.setFocus()
        while box.currentData() != value:
            before = box.currentIndex()
            self.qtbot.keyClick(box, Qt.Key.Key_Down if box.findData(value) > before else Qt.Key.Key_Up)
            assert box.currentIndex() != before

    def type_path(self, text: str) -> None:
        box = self.find(QLineEdit, "outputPath")
        box.setFocus()
        box.selectAll()
        self.qtbot.keyClicks(box, text)

    def text(self, name: str) -> str:
        return str(self.find(QLabel, name).text())

    def table(self, name: str) -> dict[str, list[str]]:
        model = self.find(QTableView, name).model()
        columns = range(1, model.columnCount())
        return {
            model.index(row, 0).data(): [model.index(row, column).data() for column in columns]
            for row in range(model.rowCount())
        }


@pytest.fixture
def hands(window: MakeProtectedFile, qtbot: QtBot) -> Hands:
    return Hands(window, qtbot)


def test_output_is_proposed_beside_the_session_with_metadata_report_and_summary(hands: Hands, tmp_path: Path) -> None:
    assert hands.find(QLineEdit, "outputPath").text() == str(tmp_path / "survey_safe.asc")
    assert hands.find(QCheckBox, "write_metadata").isChecked()
    assert not hands.find(QCheckBox, "write_records").isChecked()
    assert not hands.window.touched


def test_output_of_an_unsaved_session_is_proposed_in_the_documents(
    qtbot: QtBot, open_window: Open, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_protected_file, "documents", lambda: home / "Documents")
    data = tmp_path / "s.csv"
    data.write_text("A,B\n" + "1,2\n" * 20, encoding="utf-8")
    opened = open_window(data)
    opened.document.commit("c", opened.document.recipe.with_(combinations=(Combination(("A", "B")),)))
    wait_idle(qtbot, opened.document)
    found = opened.windows.open_window("makeProtectedFile")
    assert found.findChild(QLineEdit, "outputPath").text() == str(home / "Documents" / "s_safe.csv")


def test_preview_shows_the_plan_and_writes_nothing(hands: Hands, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    hands.click("preview")
    assert "332 values suppressed, in 329 of 5002 records" in hands.text("previewHeadline")
    assert "nothing is written" in hands.text("previewState")
    by_variable = hands.table("previewVariables")
    assert by_variable["MARSTAT"][0] == "34"
    assert by_variable["EDUC"][0] == "298"
    assert hands.table("previewRisk")["Records at or above 0.05"] == ["329", "0"]
    assert sorted(tmp_path.rglob("*")) == before


def test_the_file_is_what_was_previewed_and_is_verified(hands: Hands, main: MainWindow, tmp_path: Path) -> None:
    hands.click("preview")
    hands.click("makeFile")
    assert "written and verified" in hands.window.messages.text
    assert "verified" in hands.text("previewState")
    summary = json.loads((tmp_path / "survey_safe.json").read_text("utf-8"))
    assert summary["suppression"]["by_variable"]["EDUC"] == 298
    assert summary["verified"] is True
    assert {"survey_safe.asc", "survey_safe.rds", "survey_safe.html"} <= {p.name for p in tmp_path.iterdir()}
    assert "done" in main.steps.button("Protect").accessibleName()
    hands.click("messageOffer1")
    assert main.window_named("report") is not None


def test_choices_are_one_undo_step(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    steps = len(main.document.history)
    hands.choose("criterion", "entropy")
    hands.check("shuffle")
    hands.check("addRisk")
    assert len(main.document.history) == steps
    hands.click("preview")
    recipe = main.document.recipe
    assert len(main.document.history) == steps + 1
    assert (recipe.suppression.criterion, recipe.output.shuffle, recipe.output.add_risk) == ("entropy", True, True)
    assert hands.table("previewVariables")["SEX"][0] == "189"
    main.document.undo()
    wait_idle(qtbot, main.document)
    assert hands.find(QComboBox, "criterion").currentData() == "weights"
    assert "preview again" in hands.text("previewState")
    main.document.redo()
    wait_idle(qtbot, main.document)
    assert "nothing is written" in hands.text("previewState")


def test_weights_are_moved_by_slider_and_typed_and_become_edits_of_the_variables(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    slider = hands.find(QSlider, "suppressionWeight_EDUC")
    assert slider.value() == 20
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    table = hands.find(QTableView, "suppressionWeights")
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 1))
    qtbot.keyClicks(table.viewport(), "7")
    editor = table.findChild(QLineEdit)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: hands.find(QSlider, "suppressionWeight_SEX").value() == 7)
    hands.click("preview")
    weights = {edit.name: edit.suppression_weight for edit in main.document.recipe.variables if edit.suppression_weight}
    assert weights == {"EDUC": 100, "SEX": 7}
    by_variable = hands.table("previewVariables")
    assert int(by_variable["SEX"][0]) > 100
    assert main.document.undo()


def test_a_weight_out_of_range_is_refused_in_words(hands: Hands) -> None:
    model = hands.find(QTableView, "suppressionWeights").model()
    assert not model.setData(model.index(0, 1), "101")
    assert "from 0 to 100" in hands.text("suppressionWeightsMessage")
    assert model.index(0, 1).data() == "70"
    assert not hands.window.touched


def test_the_wheel_over_a_slider_without_focus_changes_no_weight(hands: Hands) -> None:
    slider = hands.find(QSlider, "suppressionWeight_EDUC")
    hands.find(QLineEdit, "outputPath").setFocus()
    centre = QPointF(slider.rect().center())
    event = QWheelEvent(
        centre, slider.mapToGlobal(centre), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(slider, event)
    assert slider.value() == 20


def test_the_forecast_of_the_draft_is_the_plan_of_the_preview(hands: Hands, qtbot: QtBot) -> None:
    hands.choose("criterion", "entropy")
    qtbot.waitUntil(lambda: "345" in hands.text("suppressionForecast"))
    hands.click("preview")
    assert "345 values suppressed" in hands.text("previewHeadline")


def test_escape_drops_the_choices_only_with_consent(
    hands: Hands, main: MainWindow, qtbot: QtBot, answers: list[int]
) -> None:
    recipe = main.document.recipe
    hands.check("shuffle")
    answers[:] = [1]
    qtbot.keyClick(hands.window, Qt.Key.Key_Escape)
    assert hands.window.isVisible()
    answers[:] = [0]
    qtbot.keyClick(hands.window, Qt.Key.Key_Escape)
    assert main.window_named("makeProtectedFile") is None
    assert main.document.recipe is recipe


def test_ok_keeps_the_choices_and_writes_nothing(hands: Hands, main: MainWindow, tmp_path: Path) -> None:
    hands.choose("criterion", "none")
    hands.click("accept")
    assert main.document.recipe.suppression.criterion == "none"
    assert main.window_named("makeProtectedFile") is None
    assert not (tmp_path / "survey_safe.asc").exists()


def test_a_random_order_gets_a_seed_that_nobody_guesses(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    hands.check("shuffle")
    first = int(hands.find(QLineEdit, "seed").text())
    assert first > 1
    hands.click("preview")
    assert main.document.recipe.output.seed == first
    box = hands.find(QLineEdit, "seed")
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "nonsense")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert "not a number" in hands.text("seedMessage")
    assert not hands.window.touched


def test_without_a_threshold_making_is_disabled_with_the_reason(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    document = main.document
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    assert not hands.find(QPushButton, "makeFile").isEnabled()
    assert not hands.find(QPushButton, "preview").isEnabled()
    assert "Choose a threshold for REGION × SEX" in hands.text("makeFileReason")
    hands.choose("criterion", "none")
    assert hands.find(QPushButton, "makeFile").isEnabled()
    assert hands.text("makeFileReason") == ""
    hands.choose("criterion", "weights")
    hands.click("openRiskChart")
    assert main.window_named("riskChart") is not None


def test_a_session_whose_outputs_cannot_be_protected_yet_is_measured_all_the_same(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    hands.click("preview")
    document = main.document
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    assert document.error is None
    assert not document.stale


@pytest.mark.parametrize("name", ["survey.asc", "survey.rda", "Region.grc", "survey.pavo"])
def test_inputs_can_never_be_chosen(hands: Hands, tmp_path: Path, name: str) -> None:
    before = (tmp_path / name).read_bytes()
    hands.type_path(str(tmp_path / "." / "safe" / ".." / name))
    assert "inputs are never overwritten" in hands.text("outputPathMessage")
    assert not hands.find(QPushButton, "makeFile").isEnabled()
    assert (tmp_path / name).read_bytes() == before


def test_a_file_of_a_format_that_is_not_written_is_refused_beside_the_box(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_recipe: object, format: str) -> None:
        raise RecipeError("not-available", "Not from {format}.", "", format=format)

    monkeypatch.setattr("core.recipe.available.check_output_format", refuse)
    hands.type_path(str(tmp_path / "safe.sav"))
    assert hands.text("outputPathMessage") == "Not from fixed."
    assert not hands.find(QPushButton, "makeFile").isEnabled()


def test_a_folder_is_refused_and_a_name_alone_is_beside_the_session(hands: Hands, tmp_path: Path) -> None:
    hands.type_path(str(tmp_path))
    assert "is a folder" in hands.text("outputPathMessage")
    hands.type_path("safe.dat")
    assert hands.text("outputPathMessage") == ""
    assert hands.window.draft_recipe.output.data == tmp_path / "safe.dat"
    assert hands.window.draft_recipe.output.report == tmp_path / "safe.html"
    hands.type_path(" ")
    assert not hands.find(QPushButton, "makeFile").isEnabled()


def test_a_path_is_chosen_by_dialog_and_the_files_beside_it_follow(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: tmp_path / "new" / "other.saf")
    hands.click("outputPathBrowse")
    hands.check("write_summary")
    hands.check("write_records")
    hands.click("makeFile")
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["other.html", "other.rds", "other.saf", "other_records.csv"]


def test_existing_files_are_asked_about(
    hands: Hands, main: MainWindow, tmp_path: Path, answers: list[int]
) -> None:  # fmt: skip
    target = tmp_path / "survey_safe.rds"
    target.write_text("mine", encoding="utf-8")
    hands.click("makeFile")
    assert target.read_text("utf-8") == "mine"
    assert main.document.released is None
    answers[:] = [0]
    hands.click("makeFile")
    assert target.read_text("utf-8") != "mine"


def test_what_cannot_be_written_is_said_and_nothing_appears(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    hands.type_path(str(tmp_path / "file" / "safe.asc"))
    hands.click("makeFile")
    assert "cannot be written" in hands.window.messages.text
    assert hands.find(QPushButton, "makeFile").isEnabled()


def test_stop_leaves_everything_as_it_was(
    hands: Hands, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = hands.window.document
    held: list[bool] = []

    def waits(_recipe: object, *_rest: object, progress: Any) -> None:
        while True:
            progress.report(1, 3, "Suppressing")
            held.append(True)
            progress.check()

    monkeypatch.setattr(document._engine, "protect", waits)
    stop = hands.find(QPushButton, "stop")
    assert not stop.isVisible()
    qtbot.mouseClick(hands.find(QPushButton, "preview"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(held) and "Suppressing" in hands.text("protectWorkText"))
    assert not hands.find(QPushButton, "makeFile").isEnabled()
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    assert "Nothing was written" in hands.window.messages.text
    assert hands.find(QPushButton, "makeFile").isEnabled()
    assert not (tmp_path / "survey_safe.asc").exists()


def test_an_order_that_gives_values_away_offers_the_random_one(
    qtbot: QtBot, open_window: Open, tmp_path: Path
) -> None:  # fmt: skip
    rows = [f"{region},{sex},{10}\n" for region in range(40) for sex in ("1",) * 30 + ("2",) + ("1",) * 30]
    (tmp_path / "s.csv").write_text("REGION,SEX,W\n" + "".join(rows), encoding="utf-8")
    (tmp_path / "s.pavo").write_text(
        'recipe = 1\n[input]\ndata = "s.csv"\n[variables.W]\nrole = "weight"\n[variables.SEX]\nsuppressible = false\n'
        '[[combinations]]\nvariables = ["REGION", "SEX"]\n[threshold]\nindividual_risk = 0.05\n',
        encoding="utf-8",
    )
    opened = open_window(tmp_path / "s.pavo")
    found = opened.windows.open_window("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    hands = Hands(found, qtbot)
    hands.click("preview")
    assert "the order of the records gives them away" in hands.text("previewWarningText")
    hands.click("useRandomOrder")
    assert hands.find(QCheckBox, "shuffle").isChecked()
    hands.click("preview")
    warnings = found.findChild(QLabel, "previewWarningText")
    assert warnings is None or "order" not in warnings.text()


def test_what_this_version_does_not_carry_out_is_not_shown(
    hands: Hands, main: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    mode = hands.find(QComboBox, "mode")
    monkeypatch.setattr("core.recipe.protecting.offered_modes", lambda _recipe: ("original-counts",))
    monkeypatch.setattr("core.recipe.protecting.offered_household_ids", lambda: ("keep", "remove"))
    hands.choose("criterion", "entropy")
    assert not mode.isVisible()
    assert hands.find(QComboBox, "householdId").findData("sequence") < 0
    monkeypatch.setattr("core.recipe.protecting.offered_modes", lambda _recipe: ("original-counts", "released-counts"))
    monkeypatch.setattr("core.recipe.protecting.offered_household_ids", lambda: ("keep", "sequence", "remove"))
    hands.choose("criterion", "weights")
    assert mode.isVisible()
    hands.choose("householdId", "sequence")
    assert hands.window.draft_recipe.output.household_id == "sequence"


def test_a_touched_draft_stays_when_the_session_changes_until_the_user_says(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    document = main.document
    hands.check("shuffle")
    document.commit("x", document.recipe.with_(suppression=replace(Suppression(), criterion="entropy")))
    wait_idle(qtbot, document)
    assert hands.find(QComboBox, "criterion").currentData() == "weights"
    assert "session changed" in hands.window.messages.text
    hands.click("messageOffer1")
    assert hands.find(QComboBox, "criterion").currentData() == "entropy"
    assert not hands.find(QCheckBox, "shuffle").isChecked()


def test_the_window_is_there() -> None:
    assert exists("makeProtectedFile")
