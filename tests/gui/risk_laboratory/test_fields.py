"""Fields of the form for sets, scenarios and weights, and the questions beside it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.recipe.declared import check_entry
from core.recipe.model import Measure, Scenario
from core.risk.measures import key_sets, subsample
from gui.risk_laboratory.measure_form import MeasureForm
from gui.risk_laboratory.questions import QUESTIONS
from gui.shared.form.matrix_field import MatrixField
from gui.shared.form.set_fields import ScenariosField, SetsField, read_sets
from gui.shared.form.variables_table import Offered

KNOWN = ("REGION", "SEX", "AGE", "DATE OF BIRTH")


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("", ()),
        ("REGION × SEX\n\nAGE", (("REGION", "SEX"), ("AGE",))),
        ("REGION, SEX; AGE", (("REGION", "SEX", "AGE"),)),
        ("REGION SEX", (("REGION", "SEX"),)),
        ("DATE OF BIRTH\nDATE OF BIRTH, SEX", (("DATE OF BIRTH",), ("DATE OF BIRTH", "SEX"))),
    ],
)
def test_sets_are_read_one_a_line(text: str, sets: tuple[tuple[str, ...], ...]) -> None:
    assert read_sets(text, KNOWN) == sets


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SEX\nREGION × INCOME", "Line 2: there is no variable INCOME."),
        ("SEX × SEX", "Line 1: SEX stands there twice."),
        ("SEX × AGE\nAGE × SEX", "Line 2: this set stands there twice."),
    ],
)
def test_what_is_no_set_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace(".", r"\.")):
        read_sets(text, KNOWN)


def form_for(qtbot: QtBot, declaration: object) -> MeasureForm:
    form = MeasureForm()
    qtbot.addWidget(form)
    form.show_for(declaration)  # type: ignore[arg-type]
    form.offer([Offered(name, "") for name in KNOWN], ("REGION", "AGE"), (Scenario("neighbour", ("SEX",)),))
    return form


def test_sets_and_scenarios_take_turns(qtbot: QtBot) -> None:
    form = form_for(qtbot, key_sets.DECLARATION)
    sets, scenarios = form._fields["sets"], form._fields["scenarios"]
    assert isinstance(sets, SetsField)
    assert isinstance(scenarios, ScenariosField)
    form._fields["max_size"].set_value(2)
    sets.add.click()
    sets.add.click()
    assert form.values == (("sets", (("REGION", "AGE"),)),), "once, and in place of a size"
    sets.box.appendPlainText("NOTHING")
    assert form.refused is sets
    assert "no variable NOTHING" in sets.message.text()
    sets.set_value(None)
    scenarios.set_value(("neighbour",))
    scenarios.changed.emit()
    assert form.values == (("scenarios", ("neighbour",)),)


def test_weights_are_typed_and_the_condition_that_they_break_is_named(qtbot: QtBot) -> None:
    form = form_for(qtbot, subsample.DECLARATION)
    form._fields["fraction"].set_value(0.1)
    weights = form._fields["weights"]
    assert isinstance(weights, MatrixField)
    for _ in range(2):
        weights.larger.click()
    assert weights.value == ((1.0, 1.0), (0.0, 1.0))
    assert form.refused is None
    check_entry("measures", 1, Measure("subsample", ("SEX",), form.values))
    model = weights.model
    assert model.setData(model.index(0, 1), "2")
    assert form.refused is weights
    assert "Weights breaks the condition w(i,j) >= w(i,j+1): w(1,2) is 2" in weights.message.text()
    assert not model.setData(model.index(0, 1), "half")
    assert "half" in weights.message.text()
    assert model.setData(model.index(0, 1), "0.5")
    assert form.refused is None
    weights.smaller.click()
    weights.smaller.click()
    assert weights.value is None


def test_each_question_can_be_asked() -> None:
    for question in QUESTIONS:
        check_entry("measures", 1, Measure(question.kind, ("SEX",), question.parameters))
