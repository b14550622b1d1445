"""Perturb by mouse and keys: each method is seen before and after, applied as one step, moved, changed and undone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.perturbation.registry import REGISTRY
from core.recipe.declared import Declaration, Parameter
from core.recipe.edits_perturbations import with_perturbation
from core.recipe.model import ByCode, Perturbation
from core.whatif import perturbation_preview
from gui.document import engine
from gui.document.drafts import understood
from gui.main_window.window import MainWindow
from gui.perturb.entry_list import perturbation_name
from gui.perturb.window import CUTS, Perturb
from gui.shared.form.by_code_field import NumberByCodeField
from gui.shared.parts.fold_line import FoldLine
from tests.gui.buttons import press
from tests.gui.held import Held
from tests.gui.waiting import WAIT_MS, wait_idle

NOISE = Perturbation("noise", ("INCOME",), (("share", 0.1),))
PRAM = Perturbation("pram", ("ILLNESS",), (("keep", 0.8),))
CHANGED = {"pram": ("ILLNESS",), "record-swapping": (), "weight-noise": ()}
"""Variables that are ticked; INCOME with all other methods."""
SAID: dict[str, dict[str, Any]] = {
    "pram": {"keep": 0.8},
    "noise": {"share": 0.1},
    "shuffling": {"predictors": ("AGE",)},
    "record-swapping": {"geography": ("REGION",), "similar": (("HHPOS",),)},
    "weight-noise": {"share": 0.05},
}
"""What has to be said."""


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    """The survey without combinations, which would refuse the perturbation of a key."""
    window = open_window(demo / "survey-households.pavo")
    recipe = window.document.recipe
    window.document.amend(recipe.with_(combinations=(), recodes=(), measures=()))
    return window


@pytest.fixture
def window(qtbot: QtBot, main: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Perturb:
    monkeypatch.setattr("gui.perturb.window._WAIT_MS", 10)
    wait_idle(qtbot, main.document)
    made = main.windows.open_window("perturb")
    assert isinstance(made, Perturb)
    settle(qtbot, made)
    return made


def settle(qtbot: QtBot, window: Perturb) -> None:
    """Until the preview of the draft is there."""
    qtbot.waitUntil(lambda: not window._wait.isActive(), timeout=WAIT_MS)
    wait_idle(qtbot, window.document)
    qtbot.waitUntil(lambda: not window._wait.isActive(), timeout=WAIT_MS)
    wait_idle(qtbot, window.document)


def told(window: QWidget, name: str) -> str:
    label = window.findChild(QLabel, name)
    assert label is not None, name
    return label.text()


def tick(window: Perturb, *names: str) -> None:
    """Tick these variables by the space bar, and no others."""
    rows = window.keys.rows
    for row, name in enumerate(window.keys.names):
        is_on = rows.index(row, 0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        if is_on != (name in names):
            window.keys.view.setCurrentIndex(rows.index(row, 0))
            QTest.keyClick(window.keys.view, Qt.Key.Key_Space)


def say(window: Perturb, **values: Any) -> None:
    for name, value in values.items():
        window.form._fields[name].set_value(value)
        window.form._fields[name].changed.emit()


def enter(qtbot: QtBot, window: Perturb, name: str, text: str) -> None:
    box = window.findChild(QLineEdit, name)
    assert box is not None, name
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


def titles(window: Perturb) -> list[str]:
    return [window.view.which.itemText(place) for place in range(window.view.which.count())]


def applied(qtbot: QtBot, window: Perturb, method: str, by_keys: bool) -> int:
    """Choose a method, say what it needs and apply it; how many values change by what is seen before."""
    view = window.list
    if by_keys:
        view.choose(method)
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Return)
    else:
        index = view.declared.index(view.declared.place_of(method), 0)
        view.scrollTo(index)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    tick(window, *CHANGED.get(method, ("INCOME",)))
    say(window, **SAID.get(method, {}))
    settle(qtbot, window)
    assert window.view.found is not None, told(window, "perturbPreviewEmptyText")
    changed = sum(each.changed for each in window.view.found.variables)
    if by_keys:
        QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    else:
        press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    return changed


def test_whole_households_are_seen_and_applied(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    drawn = ("REGION", "SEX", "MARSTAT")
    window.list.choose("synthetic")
    tick(window, *drawn)
    say(window, kind="margins", margins=(("SEX", "MARSTAT"),))
    settle(qtbot, window)
    assert window.view.found is not None, told(window, "perturbPreviewEmptyText")
    assert [each.name for each in window.view.found.variables] == ["REGION", "SEX", "MARSTAT"]
    changed = sum(each.changed for each in window.view.found.variables)
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    (done,) = main.document.derived.perturbed.done
    assert done.changed == changed
    assert done.variables == (*drawn, "HHID")
    assert done.invariants["synthetic_households"] == len(main.document.derived.households)


def test_each_method_is_seen_applied_as_one_step_and_undone(
    qtbot: QtBot, main: MainWindow, window: Perturb, subtests: pytest.Subtests
) -> None:
    document, before = main.document, main.document.recipe
    for method, by_keys in product([each.name for each in REGISTRY.declarations], (False, True)):
        with subtests.test(method, by_keys=by_keys):
            changed = applied(qtbot, window, method, by_keys)
            assert changed > 0 and not window.messages.text
            (entry,) = document.recipe.perturbations
            assert (entry.method, dict(entry.parameters)) == (method, SAID.get(method, {}))
            assert document.session.history.undo_label.startswith(f"Perturb: {REGISTRY[method].DECLARATION.title}")
            assert document.session.error is None and not window.touched and not window.apply.isEnabled()
            if not REGISTRY[method].DECLARATION.at_writing:
                assert document.derived.perturbed.done[0].changed == changed, "what was seen is what is done"
            main.menu_actions["actionUndo"].trigger()
            settle(qtbot, window)
            assert document.recipe == before
            assert not window.entries.isVisible() and not window.touched


def test_menu_items_open_the_page_at_their_methods(qtbot: QtBot, main: MainWindow) -> None:
    items = {
        "actionPRAM": "pram", "actionMicroaggregation": "microaggregation", "actionRankSwapping": "rank-swapping",
        "actionNoise": "noise", "actionShuffling": "shuffling", "actionRecordSwapping": "record-swapping",
        "actionSyntheticData": "synthetic",
    }  # fmt: skip
    wait_idle(qtbot, main.document)
    for name, method in items.items():
        action = main.findChild(QAction, name)
        assert action is not None and action.isEnabled(), name
        action.trigger()
        shown = main.windows.window_named("perturb")
        assert isinstance(shown, Perturb)
        assert (shown.list.current, told(shown, "methodTitle")) == (method, REGISTRY[method].DECLARATION.title)
        assert told(shown, "methodKeeps").startswith("It keeps") and told(shown, "methodEffect")
    settle(qtbot, shown)


def test_menu_items_wait_for_a_file(open_window: Callable[..., MainWindow]) -> None:
    action = open_window().findChild(QAction, "actionPRAM")
    assert action is not None and not action.isEnabled()
    assert action.toolTip() == "Open a microdata file first."


def test_what_cannot_be_taken_is_told_in_sentences(qtbot: QtBot, window: Perturb) -> None:
    window.list.choose("noise")
    assert refusal(window).startswith("Tick at least one variable")
    tick(window, "INCOME")
    assert refusal(window).startswith("“Share” has to be said: The variance of the noise")
    enter(qtbot, window, "parameter_share", "-1")
    assert told(window, "parameter_shareMessage") == "A number above 0, up to 100."
    assert refusal(window) == "“Share” cannot be taken as it is typed."
    enter(qtbot, window, "parameter_share", "0.1")
    assert window.apply.isEnabled()
    tick(window, "INCOME", "HHPOS", "AGE")
    settle(qtbot, window)
    assert "would be" in told(window, "perturbPreviewEmptyText"), "AGE does not fit its field any more"
    assert "does not fit its field of 2 bytes" in refusal(window)
    tick(window, "INCOME")
    assert window.apply.isEnabled()
    assert not window.document.recipe.perturbations


def refusal(window: Perturb) -> str:
    """Why *Apply* is disabled."""
    assert not window.apply.isEnabled()
    return window.apply.toolTip()


def test_apply_takes_what_is_still_being_typed(qtbot: QtBot, window: Perturb) -> None:
    window.list.choose("noise")
    tick(window, "INCOME")
    box = window.findChild(QLineEdit, "parameter_share")
    assert box is not None
    box.setFocus()
    qtbot.keyClicks(box, "0.1")
    assert window.apply.isEnabled(), "a click takes what is typed"
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    assert window.document.recipe.perturbations == (NOISE,)


def test_what_is_typed_last_and_refused_is_said_beside_its_box(qtbot: QtBot, window: Perturb) -> None:
    window.list.choose("noise")
    tick(window, "INCOME")
    box = window.findChild(QLineEdit, "parameter_share")
    assert box is not None
    box.setFocus()
    qtbot.keyClicks(box, "-1")
    press(qtbot, window, "applyPerturbation")
    assert told(window, "parameter_shareMessage") == "A number above 0, up to 100."
    assert refusal(window) == "“Share” cannot be taken as it is typed."


def test_a_key_of_a_risk_table_is_refused_before_it_is_applied(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("perturb", method="pram")
    assert isinstance(window, Perturb)
    tick(window, "EDUC")
    say(window, keep=0.8)
    settle(qtbot, window)
    text = told(window, "perturbPreviewEmptyText")
    assert text.startswith("Combination REGION × SEX × AGE × MARSTAT × EDUC: EDUC is perturbed by PRAM in this")
    assert "no risk can be counted" in text
    window.list.choose("rank-swapping")
    tick(window, "AGE")
    settle(qtbot, window)
    assert "what is counted are the perturbed values, taken as if they were true" in told(window, "previewNotices")
    window.draft.forget()


def test_parameters_that_contradict_each_other_are_told_in_the_words_of_the_form(qtbot: QtBot, window: Perturb) -> None:
    document = window.document
    document.commit("One", with_perturbation(document.recipe, NOISE))
    window.list.choose("pram")
    tick(window, "ILLNESS")
    say(window, keep=0.8, protect=0.5)
    settle(qtbot, window)
    assert told(window, "perturbPreviewEmptyText").startswith("this perturbation: keep = 0.8 is above protect = 0.5")
    window.draft.forget()


def test_what_can_be_said_once_is_changed_where_it_stands(qtbot: QtBot, window: Perturb) -> None:
    document = window.document
    once = Perturbation("weight-noise", (), (("share", 0.1),))
    document.commit("One", with_perturbation(document.recipe, once))
    settle(qtbot, window)
    window.list.choose("weight-noise")
    assert window.entry == once and not window.apply.isEnabled() and not window.new.isVisible()
    settle(qtbot, window)


def test_pram_tells_its_matrix_and_what_a_released_code_means(qtbot: QtBot, window: Perturb) -> None:
    tick(window, "ILLNESS")
    say(window, keep=0.8)
    settle(qtbot, window)
    assert told(window, "previewHeadline").startswith("ILLNESS: ")
    assert titles(window)[0] == "Codes" and "What it promises" in titles(window)
    window.view.which.setCurrentIndex(window.view.which.findText("What a released code of ILLNESS tells"))
    model = window.view.figures.model
    assert model.headerData(1, Qt.Orientation.Horizontal) == "P(true | released)"
    assert model.index(1, 1).data() == "0.800000"


def test_probabilities_can_be_typed_by_code(qtbot: QtBot, window: Perturb) -> None:
    tick(window, "ILLNESS")
    enter(qtbot, window, "parameter_keep", "0.8")
    box = window.findChild(QCheckBox, "parameter_keepByCode")
    assert box is not None
    box.click()
    settle(qtbot, window)
    field = window.form._fields["keep"]
    assert isinstance(field, NumberByCodeField)
    assert field.model.codes[1] == ("1", "Heart or vessels")
    assert set(field.value.values()) == {0.8}, "each begins with the number for all"
    field.model.setData(field.model.index(1, 2), "0.5")
    field.model.setData(field.model.index(2, 2), "")
    field.model.setData(field.model.index(3, 2), "1.5")
    assert field.is_refused and field.message.text() == "A number from 0 to 1."
    field.model.setData(field.model.index(3, 2), "many")
    assert "many" in field.message.text()
    field.model.setData(field.model.index(3, 2), "0.9")
    settle(qtbot, window)
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    (entry,) = window.document.recipe.perturbations
    keep = dict(entry.parameters)["keep"]
    assert isinstance(keep, ByCode)
    assert (keep["1"], keep["3"], keep["0"]) == (0.5, 0.9, 0.8)
    assert "2" not in keep, "kept for certain"
    window.list.choose("noise")
    window._open_entry(0)
    assert window.entry == entry, "it is shown as it stands"


def test_a_table_by_code_is_for_one_variable(qtbot: QtBot, window: Perturb) -> None:
    tick(window, "ILLNESS", "HHPOS")
    say(window, keep=0.8)
    window.form._fields["keep"].by_code.click()
    assert window.messages.text == "A table by code is for one variable: tick one."
    window.draft.forget()


def test_a_number_by_variable_has_the_ticked_ones() -> None:
    from gui.perturb.method_form import MethodForm
    from gui.shared.form.variables_table import Offered

    form = MethodForm()
    alpha = Parameter("alpha", "number-by-code", "How much is kept.", 0.0, low=0.0, high=0.999)
    form.show_for(Declaration("drawn", "Drawn", "Group", "Sentence.", (alpha,)))
    offered = [Offered(name, "") for name in ("INCOME", "RENT", "AGE")]
    form.offer(offered, ("INCOME", "RENT"), ())
    field = form._fields["alpha"]
    assert isinstance(field, NumberByCodeField)
    field.by_code.click()
    assert field.value == ByCode({"INCOME": 0.0, "RENT": 0.0})
    form.offer(offered, ("RENT", "AGE"), ())
    field.model.setData(field.model.index(1, 2), "0.5")
    assert field.value == ByCode({"RENT": 0.0, "AGE": 0.5})


def test_the_order_of_the_list_is_the_order_of_application(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    document = main.document
    rank = Perturbation("rank-swapping", ("INCOME",))
    recipe = document.recipe
    for entry in (NOISE, rank, PRAM):
        recipe = with_perturbation(recipe, entry)
    document.commit("Three", recipe)
    settle(qtbot, window)
    listed = [window.entries.list.item(row).text() for row in range(3)]
    assert listed == ["1. Noise: INCOME", "2. Rank swapping: INCOME", "3. PRAM: ILLNESS"]
    assert told(window, "perturbationListHeading") == "Done in this order (3)"
    window.entries.list.setCurrentRow(0)
    assert not window.entries.up.isEnabled()
    press(qtbot, window, "movePerturbationDown")
    settle(qtbot, window)
    assert document.recipe.perturbations == (rank, NOISE, PRAM)
    assert document.derived.perturbed.done[0].entry == rank
    assert window.entries.list.currentRow() == 1
    press(qtbot, window, "movePerturbationUp")
    assert document.recipe.perturbations == (NOISE, rank, PRAM)
    window.entries.list.setCurrentRow(2)
    window.entries.list.setFocus()
    QTest.keyClick(window.entries.list, Qt.Key.Key_Delete)
    assert document.recipe.perturbations == (NOISE, rank)
    assert document.session.history.undo_label == "Perturbation removed: PRAM: ILLNESS"
    document.undo()
    assert document.recipe.perturbations == (NOISE, rank, PRAM)
    settle(qtbot, window)


def test_one_that_stands_there_is_changed_where_it_stands(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    document = main.document
    document.commit("Two", with_perturbation(with_perturbation(document.recipe, NOISE), PRAM))
    settle(qtbot, window)
    window.entries.list.setCurrentRow(0)
    QTest.keyClick(window.entries.list, Qt.Key.Key_Return)
    assert window.entry == NOISE and not window.apply.isEnabled()
    enter(qtbot, window, "parameter_share", "0.2")
    assert window.touched and window.apply.text().replace("&", "") == "Apply the change"
    settle(qtbot, window)
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    changed = Perturbation("noise", ("INCOME",), (("share", 0.2),))
    assert document.recipe.perturbations == (changed, PRAM)
    assert document.session.history.undo_label == "Perturbation changed: Noise: INCOME"
    press(qtbot, window, "newPerturbation")
    assert window.entry == Perturbation("noise") and window.apply.text().replace("&", "") == "Apply"
    assert window.entries.list.currentRow() == -1
    settle(qtbot, window)


def test_what_is_typed_for_a_method_is_there_again_and_dropped_by_consent(
    qtbot: QtBot, window: Perturb, answers: list[int]
) -> None:
    tick(window, "ILLNESS")
    say(window, keep=0.7)
    assert window.touched
    kept = window.document.session.drafts
    assert understood(kept) == kept and kept["perturb"]["variables"] == ["ILLNESS"]
    window.list.choose("noise")
    assert "perturb" not in window.document.session.drafts
    window.list.choose("pram")
    assert window.entry == Perturbation("pram", ("ILLNESS",), (("keep", 0.7),))
    settle(qtbot, window)
    answers[:] = [1]
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.touched, "Keep editing"
    answers[:] = [0]
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.entry == Perturbation("pram", (), (("keep", 0.8),)) and not window.touched
    settle(qtbot, window)


def test_an_unfinished_one_is_there_after_a_crash(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    keep = ByCode({"1": 0.5})
    window.list.choose("pram")
    tick(window, "ILLNESS")
    say(window, keep=keep, within=("SEX",))
    draft = dict(main.document.session.drafts)
    window.draft.forget()
    window.close()
    main.document.session.drafts.update(draft)
    again = main.windows.open_window("perturb")
    assert isinstance(again, Perturb)
    assert again.touched
    assert again.entry == Perturbation("pram", ("ILLNESS",), (("keep", keep), ("within", ("SEX",))))
    settle(qtbot, again)
    again.draft.forget()


def test_strata_are_made_of_categorical_variables(window: Perturb) -> None:
    window.list.choose("noise")
    assert "INCOME" not in window.form._fields["within"].table.names
    assert {"SEX", "REGION"} <= set(window.form._fields["within"].table.names)
    tick(window, "AGE")
    assert "AGE" not in window.form._fields["within"].table.names, "what is changed makes no stratum"
    window.draft.forget()


def test_a_sample_is_seen_at_once_and_all_records_when_asked(
    qtbot: QtBot, window: Perturb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perturbation_preview, "SAMPLE", 500)
    window.list.choose("rank-swapping")
    tick(window, "INCOME")
    settle(qtbot, window)
    assert told(window, "previewAbout").startswith("Seen on a sample: 500 of 5,002 records")
    button = window.findChild(QPushButton, "previewAll")
    assert button is not None and button.isVisible()
    button.click()
    settle(qtbot, window)
    assert told(window, "previewAbout") == "Seen on all 5,002 records, as they will be."
    assert not button.isVisible()
    window.draft.forget()


def test_what_takes_long_is_stopped_and_looked_at_again(
    qtbot: QtBot, window: Perturb, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.list.choose("rank-swapping")
    held = Held(monkeypatch, window.document._engine, "ask", engine.preview_perturbation)
    tick(window, "INCOME")
    qtbot.waitUntil(held.begun.is_set, timeout=WAIT_MS)
    press(qtbot, window, "stop")
    settle(qtbot, window)
    assert told(window, "perturbPreviewEmptyText") == "Looking at before and after was stopped."
    held.begun.clear()
    press(qtbot, window, "applyPerturbation")
    qtbot.waitUntil(held.begun.is_set, timeout=WAIT_MS)
    press(qtbot, window, "stop")
    settle(qtbot, window)
    assert window.messages.text.startswith("Nothing is applied") and not window.document.recipe.perturbations
    held.go.set()
    press(qtbot, window, "perturbPreviewEmptyButton")
    settle(qtbot, window)
    assert window.view.found is not None
    window.draft.forget()


def test_a_touched_change_of_one_that_is_gone_is_asked_about(qtbot: QtBot, window: Perturb) -> None:
    document = window.document
    document.commit("One", with_perturbation(document.recipe, NOISE))
    settle(qtbot, window)
    window._open_entry(0)
    enter(qtbot, window, "parameter_share", "0.2")
    document.undo()
    assert window.asks_which
    press(qtbot, window, "messageOffer2")  # Keep mine
    settle(qtbot, window)
    press(qtbot, window, "applyPerturbation")
    settle(qtbot, window)
    assert document.recipe.perturbations == (Perturbation("noise", ("INCOME",), (("share", 0.2),)),)


def test_top_coding_and_rounding_lead_to_their_own_page(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    window.list.choose(CUTS.name)
    assert told(window, "methodTitle") == "Top coding, rounding"
    assert not window.apply.isVisible() and "Above the cut" in told(window, "methodEffect")
    press(qtbot, window, "openNumericalVariables")
    assert main.windows.window_named("numericalVariables") is not None
    window.list.choose("pram")
    assert window.apply.isVisibleTo(window) and not window.cuts.isVisibleTo(window)
    settle(qtbot, window)


def test_the_guide_opens_at_the_method(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    window.list.choose("shuffling")
    press(qtbot, window, "methodGuide")
    assert main.windows.window_named("help") is not None
    settle(qtbot, window)


def test_every_method_says_what_it_keeps_and_does_to_analyses() -> None:
    from core.report.analysis_effects import EFFECTS
    from gui.perturb.method_texts import KEEPS

    names = {each.name for each in REGISTRY.declarations}
    assert names <= KEEPS.keys() and names <= EFFECTS.keys()


def test_bars_tell_their_figures(qtbot: QtBot, window: Perturb) -> None:
    tick(window, "ILLNESS")
    say(window, keep=0.8)
    settle(qtbot, window)
    bars = window.view.bars
    assert bars.accessibleDescription().startswith("0: 3765 before, ")
    assert [column.title for column in bars._columns()] == ["Value", "before", "after"]
    assert bars._svg().count("<rect") >= 16
    window.list.selectionModel().setCurrentIndex(
        window.list.declared.index(window.list.declared.place_of("noise"), 0),
        QItemSelectionModel.SelectionFlag.ClearAndSelect,
    )
    QApplication.processEvents()
    settle(qtbot, window)
    assert told(window, "perturbPreviewEmptyText").startswith("Tick at least one variable")
    window.draft.forget()


def test_strata_are_part_of_what_an_entry_is_called() -> None:
    strata = (("within", ("REGION", "SEX")),)
    assert perturbation_name(Perturbation("noise", ("INCOME",), strata)) == "Noise: INCOME within REGION, SEX"
    assert perturbation_name(Perturbation("noise", ("INCOME",))) == "Noise: INCOME"


def test_what_an_entry_says_is_not_folded_away(qtbot: QtBot, main: MainWindow, window: Perturb) -> None:
    strata = Perturbation("noise", ("INCOME",), (("share", 0.1), ("within", ("REGION",))))
    recipe = with_perturbation(with_perturbation(main.document.recipe, strata), PRAM)
    main.document.commit("Two", recipe)
    settle(qtbot, window)
    for row, opened in ((1, False), (0, True)):
        window.entries.list.setCurrentRow(row)
        QTest.keyClick(window.entries.list, Qt.Key.Key_Return)
        settle(qtbot, window)
        assert window.findChild(FoldLine, "moreParameters").isChecked() is opened


def test_what_noise_keeps_is_true_of_skewed_variables() -> None:
    from core.report.analysis_effects import EFFECTS
    from gui.perturb.method_texts import KEEPS

    assert "its mean rises" in KEEPS["noise"], "negative values become 0 where the file has none"
    assert "means are higher" in EFFECTS["noise"]
    assert "without weights" in KEEPS["microaggregation"] and "without weights" in EFFECTS["microaggregation"]


def test_pram_begins_with_a_probability_to_keep(window: Perturb) -> None:
    window.show_for(method="pram")
    assert dict(window.entry.parameters) == {"keep": 0.8}
    assert window.form.lacking is None
