"""The release checklist of Make Protected File: nothing is released that nobody has judged or decided on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Output, Threshold
from gui.main_window.window import MainWindow
from gui.main_window.workflow import steps
from gui.make_protected_file.window import MakeProtectedFile
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

_RECIPE = """
recipe = 1
[input]
data = "survey.csv"
[variables.HHID]
role = "household-id"
[variables.WEIGHT]
role = "weight"
[[combinations]]
variables = ["SEX", "AGE"]
[threshold]
individual_risk = 0.9
"""


def _survey(folder: Path, text: str = _RECIPE) -> Path:
    draw = random.Random(1)
    rows = ["HHID,SEX,AGE,WEIGHT,Befrager,INCOME,OPINION,TRUST"]
    for i in range(90):
        income = 90_000_000 if i == 7 else 1000 + 37 * i
        answers = f"{draw.randint(1, 2)},{draw.choice((20, 30))},{10},{i % 6 + 11}"
        rows.append(f"{1000 + i // 3},{answers},{income},{i % 3 + 1},{i % 2 + 1}")
    (folder / "survey.csv").write_text("\n".join(rows) + "\n")
    session = folder / "survey.pavo"
    session.write_text(text)
    return session


@pytest.fixture
def page(open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot) -> Hands:
    return _opened(open_window(_survey(tmp_path)), qtbot)


def _opened(main: MainWindow, qtbot: QtBot) -> Hands:
    main.menu_actions["actionMakeProtectedFile"].trigger()
    found = main.window_named("makeProtectedFile")
    assert isinstance(found, MakeProtectedFile)
    qtbot.waitExposed(found)
    wait_idle(qtbot, main.document)
    return Hands(found, qtbot)


def _filled(hands: Hands) -> list[str]:
    buttons = hands.window.findChildren(QPushButton)
    return [b.objectName() for b in buttons if b.isVisible() and (b.isDefault() or b.property("role") == "filled")]


def test_one_button_is_filled_and_the_rail_counts_what_nobody_has_judged(page: Hands) -> None:
    main = page.window.document
    assert _filled(page) == ["guidanceButton"]
    step = next(each for each in steps(main) if each.name == "Protect")
    assert (step.state, step.detail) == ("attention", "5 columns to judge")
    assert "first" not in page.window.guidance.headline.text(), "it is no condition of a file"
    page.click("keepOthers")
    for column in page.window.checklist.undecided:
        _pick(page, column, "keep")
    assert _filled(page) == ["makeFile"]
    step = next(each for each in steps(main) if each.name == "Protect")
    assert (step.state, step.detail) == ("open", "")


def _decided(hands: Hands, column: str) -> object:
    box: QComboBox = hands.find(QComboBox, f"{column}Decision")
    return None if box.accessibleDescription() else box.currentData()


def _type(hands: Hands, name: str, text: str) -> None:
    box: QLineEdit = hands.find(QLineEdit, name)
    box.setFocus()
    hands.qtbot.keyClicks(box, text)
    hands.qtbot.keyClick(box, Qt.Key.Key_Return)
    wait_idle(hands.qtbot, hands.window.document)


def _pick(hands: Hands, column: str, value: str) -> None:
    """By the keyboard alone: open the box, go to the decision, take it."""
    box: QComboBox = hands.find(QComboBox, f"{column}Decision")
    box.setFocus()
    box.showPopup()
    view = box.view()
    view.setCurrentIndex(box.model().index(box.findData(value), 0))
    hands.qtbot.keyClick(view, Qt.Key.Key_Return)
    wait_idle(hands.qtbot, hands.window.document)


def test_the_page_asks_for_decisions_until_everything_is_decided(page: Hands, tmp_path: Path) -> None:
    make: QPushButton = page.find(QPushButton, "makeFile")
    assert make.isEnabled()
    assert "nobody has judged" in page.text("guidanceHeadline")
    assert page.find(QPushButton, "guidanceButton").text() == "Decide on HHID"
    assert page.text("checklistCounter") == "0 of 5 decided"
    assert page.find(QComboBox, "BefragerDecision").currentText() == "Leave out (proposed)"
    _type(page, "decidedBy", "M. K.")
    _pick(page, "HHID", "renumber")
    _pick(page, "Befrager", "leave-out")
    _pick(page, "INCOME", "top-code")
    assert "nobody has judged" in page.text("guidanceHeadline")
    page.click("keepOthers")
    assert page.text("checklistCounter") == "5 of 5 decided"
    assert page.text("guidanceHeadline") == ""
    assert page.find(QPushButton, "decideNext").isHidden()
    page.click("makeFile")
    written = next(tmp_path.glob("*_safe.csv")).read_text().splitlines()
    assert written[0] == "HHID,SEX,AGE,WEIGHT,INCOME,OPINION,TRUST"
    assert not any("90000000" in line for line in written)
    edits = {edit.name: edit for edit in page.window.document.recipe.variables}
    assert {edits[name].decided_by for name in ("HHID", "Befrager", "INCOME", "OPINION", "TRUST")} == {"M. K."}
    assert page.window.document.recipe.output.household_id == "sequence"


def test_a_decision_is_one_undo_step_and_comes_back(page: Hands, qtbot: QtBot) -> None:
    document = page.window.document
    _pick(page, "Befrager", "leave-out")
    assert _decided(page, "Befrager") == "leave-out"
    assert document.session.history.steps[-1].label == "Decide on Befrager: Leave out"
    order = list(page.window.checklist._rows)
    document.undo()
    wait_idle(qtbot, document)
    assert _decided(page, "Befrager") is None
    document.redo()
    wait_idle(qtbot, document)
    assert _decided(page, "Befrager") == "leave-out"
    assert list(page.window.checklist._rows) == order
    _pick(page, "Befrager", "renumber")
    [recode] = document.recipe.recodes
    assert recode.variable == "Befrager"
    assert sorted(line.split(": ")[1] for line in (recode.scheme or "").splitlines()) == [f"{n}" for n in range(11, 17)]
    _pick(page, "Befrager", "keep")
    assert not document.recipe.recodes


def test_choices_that_are_not_kept_yet_survive_a_decision(page: Hands) -> None:
    page.choose("criterion", "entropy" if page.find(QComboBox, "criterion").currentData() != "entropy" else "weights")
    chosen = page.find(QComboBox, "criterion").currentData()
    page.check("addRisk")
    _pick(page, "HHID", "leave-out")
    assert page.find(QComboBox, "criterion").currentData() == chosen
    assert page.window.draft.value.output.add_risk
    assert page.find(QComboBox, "householdId").currentData() == "remove"
    assert not page.window.asks_which
    assert _decided(page, "HHID") == "leave-out"
    mine, kept = page.window.draft.value.output, page.window.document.recipe.output
    assert mine.shuffle and not mine.keep_households_together, "neighbouring records would show the households"
    assert mine.seed == kept.seed != Output().seed


def test_the_button_leads_to_the_next_column_and_opens_its_box(page: Hands) -> None:
    _pick(page, "HHID", "keep")
    assert page.find(QPushButton, "decideNext").text() == "Decide on Befrager"
    page.find(QPushButton, "decideNext").click()
    box = page.find(QComboBox, "BefragerDecision")
    assert QApplication.focusWidget() in (box, box.view())
    box.hidePopup()


def test_a_reason_is_of_the_column_decided_on_last(page: Hands) -> None:
    assert not page.find(QLineEdit, "decisionReason").isEnabled()
    _pick(page, "INCOME", "keep")
    _type(page, "decisionReason", "wanted by the users")
    edits = {edit.name: edit for edit in page.window.document.recipe.variables}
    assert edits["INCOME"].reason == "wanted by the users"
    _pick(page, "Befrager", "keep")
    assert page.find(QLineEdit, "decisionReason").text() == ""


def test_a_new_session_numbers_its_households_unless_somebody_keeps_them(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    main = open_window(_survey(tmp_path, _RECIPE.split("[[combinations]]", maxsplit=1)[0]))
    page = _opened(main, qtbot)
    assert page.find(QComboBox, "householdId").currentData() == "sequence"
    assert _decided(page, "HHID") == "renumber"
    _pick(page, "HHID", "keep")
    assert page.find(QComboBox, "householdId").currentData() == "keep"
    assert _decided(page, "HHID") == "keep"


def test_others_have_their_rows_when_they_are_wanted(page: Hands) -> None:
    assert page.window.findChild(QComboBox, "TRUSTDecision") is None
    page.click("showOthers")
    assert page.find(QComboBox, "TRUSTDecision").currentText() == "Keep as it is (proposed)"
    assert "In 2 other columns nothing stands out." == page.find(QLabel, "checklistNote").text()


def test_the_rail_counts_no_household_identifier_that_the_page_renumbers(
    open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    main = open_window(_survey(tmp_path, _RECIPE[: _RECIPE.index("[[combinations]]")]))
    wait_idle(qtbot, main.document)
    recipe = main.document.recipe
    main.document.commit(
        "Keys", recipe.with_(combinations=(Combination(("SEX", "AGE")),), threshold=Threshold(individual_risk=0.9))
    )
    wait_idle(qtbot, main.document)
    page = _opened(main, qtbot)
    assert _decided(page, "HHID") == "renumber" and page.text("checklistCounter") == "1 of 5 decided"
    step = next(each for each in steps(main.document) if each.name == "Protect")
    assert step.detail == "4 columns to judge"
    assert "HHID" not in step.reason


def test_a_sensitive_column_is_decided_on_by_itself(
    open_window: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    said = _RECIPE.replace("[[combinations]]", "[variables.TRUST]\nsensitive = true\n[[combinations]]")
    page = _opened(open_window(_survey(tmp_path, said)), qtbot)
    rows = page.window.checklist._rows
    assert list(rows) == ["HHID", "Befrager", "INCOME", "TRUST"]
    page.click("keepOthers")
    assert page.text("checklistCounter") == "1 of 5 decided", "OPINION alone"
    assert [label.text() for label in rows["TRUST"].findChildren(QLabel)][-1].startswith("sensitive; 2 codes")
