"""Make Protected File: choices as a draft, and a preview that writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.perturbation.weight_noise import NumericWithNoise, with_changes
from core.recipe.model import Combination, Suppression, Threshold, TopBottomCode
from core.report.build_changes import modifications
from gui import dialogs
from gui.document import engine
from gui.main_window.window import MainWindow
from gui.make_protected_file.window import MakeProtectedFile
from gui.settings import settings
from gui.shared.windows import exists
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]


def test_preview_shows_the_plan_and_writes_nothing(hands: Hands, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    hands.click("preview")
    assert "332 values suppressed, in 329 of 5,002 records" in hands.text("previewHeadline")
    assert "nothing is written" in hands.text("previewState")
    by_variable = hands.table("previewVariables")
    assert by_variable["MARSTAT"][0] == "34"
    assert by_variable["EDUC"][0] == "298"
    assert hands.table("previewRisk")["Records at or above 0.05"] == ["329", "0"]
    assert sorted(tmp_path.rglob("*")) == before


def test_preview_tells_the_changes_of_numbers_in_the_words_of_the_report(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    hands.click("preview")
    assert not hands.find(QTableView, "previewNumbers").isVisible()
    changes = NumericWithNoise("INCOME", top=TopBottomCode(5000.0, "5000+")), NumericWithNoise("WEIGHT", noise=0.05)
    main.document.commit("numbers", with_changes(main.document.recipe, changes))
    wait_idle(qtbot, main.document)
    assert "preview again" in hands.text("previewState")
    hands.click("preview")
    assert hands.find(QTableView, "previewNumbers").isVisible()
    for name in ("previewNumbers", "previewRisk", "previewVariables"):
        hands.find(QTableView, name).resize(700, 90)
        assert not settings.widths(name), "nobody chose a width"
    assert hands.table("previewNumbers") == {
        "INCOME": ["Top coding", "values of 5000 or more become 5000+"],
        "WEIGHT": ["Weight noise", "each weight changed at random by at most 5.00\N{NO-BREAK SPACE}%"],
    }
    assert [change.remarks for change in modifications(main.document.recipe)] == [
        row[1] for row in hands.table("previewNumbers").values()
    ]


def test_choices_are_one_undo_step(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    steps = len(main.document.session.history.steps)
    hands.choose("criterion", "entropy")
    hands.check("shuffle")
    hands.check("addRisk")
    assert len(main.document.session.history.steps) == steps
    hands.click("preview")
    recipe = main.document.recipe
    assert len(main.document.session.history.steps) == steps + 1
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
    assert main.window_named("makeProtectedFile") is hands.window
    assert not hands.window.touched
    assert main.document.recipe is recipe


def test_ok_keeps_the_choices_and_writes_nothing(hands: Hands, main: MainWindow, tmp_path: Path) -> None:
    hands.choose("criterion", "none")
    hands.click("accept")
    assert main.document.recipe.suppression.criterion == "none"
    assert main.window_named("makeProtectedFile") is None
    assert not (tmp_path / "survey_safe.asc").exists()


def test_enter_keeps_choices_that_are_about_to_be_dropped(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "ask", lambda _parent, _text, _detail, _choices, default=0: default)
    hands.choose("criterion", "none")
    assert not hands.window.close()
    assert hands.window.touched
    hands.click("accept")


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
    assert "Choose a threshold for REGION × SEX" in hands.text("guidanceHeadline")
    hands.choose("criterion", "none")
    assert hands.find(QPushButton, "makeFile").isEnabled()
    assert hands.text("guidanceHeadline") == ""
    hands.choose("criterion", "weights")
    hands.click("guidanceButton")
    assert main.window_named("riskChart") is not None


def test_a_session_whose_outputs_cannot_be_protected_yet_is_measured_all_the_same(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    hands.click("preview")
    document = main.document
    document.commit("No threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    assert document.session.error is None
    assert not document.stale


def test_stop_leaves_everything_as_it_was(
    hands: Hands, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = hands.window.document
    held: list[bool] = []
    ask = document._engine.ask

    def waits(question: object, *rest: object, progress: Any) -> object:
        while question is engine.protect:
            progress.report(1, 3, "Suppressing")
            held.append(True)
            progress.check()
        return ask(question, *rest, progress=progress)

    monkeypatch.setattr(document._engine, "ask", waits)
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


def test_an_identifier_whose_order_gives_values_away_offers_new_numbers(
    qtbot: QtBot, open_window: Open, tmp_path: Path
) -> None:
    people = [(region, sex) for region in range(40) for sex in ("1",) * 30 + ("2",) + ("1",) * 30]
    rows = [f"{100 + i},{region},{sex},10\n" for i, (region, sex) in enumerate(people)]
    (tmp_path / "s.csv").write_text("HH,REGION,SEX,W\n" + "".join(rows), encoding="utf-8")
    (tmp_path / "s.pavo").write_text(
        'recipe = 1\n[input]\ndata = "s.csv"\n[variables.W]\nrole = "weight"\n[variables.SEX]\nsuppressible = false\n'
        '[variables.HH]\nrole = "household-id"\n[output]\nshuffle = true\n'
        '[[combinations]]\nvariables = ["REGION", "SEX"]\n[threshold]\nindividual_risk = 0.05\n',
        encoding="utf-8",
    )
    found = open_window(tmp_path / "s.pavo").windows.open_window("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    hands = Hands(found, qtbot)
    hands.click("preview")
    said = [label.text() for label in found.findChildren(QLabel, "previewWarningText")]
    assert any("sorted by HH" in text for text in said)
    hands.click("numberHouseholds")
    assert hands.find(QCheckBox, "shuffle").isChecked()
    hands.click("preview")

    def numbers_are_settled() -> bool:
        return not any("sorted by HH" in label.text() for label in found.findChildren(QLabel, "previewWarningText"))

    qtbot.waitUntil(numbers_are_settled, timeout=10_000)


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

    def order_is_settled() -> bool:
        warnings = found.findChild(QLabel, "previewWarningText")
        return warnings is None or "order" not in warnings.text()

    qtbot.waitUntil(order_is_settled, timeout=10_000)


def test_the_mode_is_a_choice_where_something_is_suppressed(hands: Hands) -> None:
    hands.choose("criterion", "none")
    assert not hands.find(QWidget, "modeCards").isVisible()
    hands.choose("criterion", "entropy")
    assert hands.find(QWidget, "modeCards").isVisible()
    hands.qtbot.mouseClick(hands.find(QRadioButton, "modeReleasedKeys").parentWidget(), Qt.MouseButton.LeftButton)
    assert hands.window.draft_recipe.suppression.mode == "released-keys"
    hands.qtbot.keyClick(hands.find(QRadioButton, "modeReleasedKeys"), Qt.Key.Key_Up)
    assert hands.window.draft_recipe.suppression.mode == "original-counts"
    hands.choose("mode", "released-keys")
    assert hands.window.draft_recipe.suppression.mode == "released-keys"
    hands.choose("mode", "original-counts")
    assert hands.window.draft_recipe.suppression.mode == "original-counts"
    hands.choose("householdId", "sequence")
    assert hands.window.draft_recipe.output.household_id == "sequence"


def test_gaps_are_closed_where_the_original_file_judges(hands: Hands, qtbot: QtBot) -> None:
    box = hands.find(QCheckBox, "closeGaps")
    assert box.isVisible() and not box.isChecked()
    box.click()
    assert hands.window.draft_recipe.suppression.close_gaps
    hands.click("preview")
    assert hands.text("certainBlanks").startswith("None of the blanks can be filled in")
    qtbot.waitUntil(lambda: hands.text("previewLoss") != "", timeout=10_000)
    assert "Without closing the gaps" in hands.text("previewLoss")
    hands.choose("mode", "released-keys")
    assert not box.isVisible() and not hands.window.draft_recipe.suppression.close_gaps


def test_a_household_threshold_brings_its_figures(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    document = main.document
    document.commit("households", document.recipe.with_(threshold=Threshold(household_risk=0.08)))
    wait_idle(qtbot, document)
    hands.click("preview")
    before, after = hands.table("previewRisk")["Households at or above 0.08"]
    assert int(before) > 0
    assert after == "0"


def test_the_threshold_rule_can_be_protected_by_too(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    document = main.document
    rare = Combination(("SEX", "MARSTAT", "EDUC"), model="frequency", count_threshold=20)
    document.commit("rule", document.recipe.with_(combinations=(rare,), threshold=Threshold()))
    wait_idle(qtbot, document)
    hands.click("preview")
    before, after = hands.table("previewRisk")["Unsafe records in all"]
    assert int(before) > 0
    assert after == "0"


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


def test_unfinished_choices_come_back_with_the_session(hands: Hands, main: MainWindow, qtbot: QtBot) -> None:
    hands.choose("criterion", "entropy")
    hands.check("shuffle")
    qtbot.keyClick(hands.find(QSlider, "suppressionWeight_SEX"), Qt.Key.Key_Home)
    draft = hands.window.draft.value
    again = MakeProtectedFile(main.document)
    assert again.draft.value == draft
    assert again.touched
    again.reload()
    again.close()
    assert main.document.session.drafts == {}


def test_another_session_has_choices_of_its_own(
    hands: Hands, main: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:  # fmt: skip
    hands.check("shuffle")
    (tmp_path / "other.csv").write_text("A,B\n" + "1,2\n" * 30, encoding="utf-8")
    main.document.open_data(tmp_path / "other.csv")
    wait_idle(qtbot, main.document)
    assert not hands.window.touched
    assert hands.find(QLineEdit, "outputPath").text().endswith("other_safe.csv")
    assert not hands.find(QCheckBox, "shuffle").isChecked()


def test_without_combinations_the_file_can_be_written_and_the_window_says_what_that_means(
    hands: Hands, main: MainWindow, qtbot: QtBot
) -> None:
    main.document.commit("none", main.document.recipe.with_(combinations=()))
    wait_idle(qtbot, main.document)
    assert "without suppression" in hands.text("suppressionNote")
    hands.click("preview")
    assert hands.text("previewHeadline").startswith("Not protected: no key variables are chosen")
    assert "not protected" in hands.text("previewWarningText")
    assert not hands.find(QTableView, "previewRisk").isVisible()
