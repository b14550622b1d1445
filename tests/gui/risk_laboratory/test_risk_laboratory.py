"""The Risk Laboratory by mouse and keys: measures tried on any variables, before and after protection, and reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.declared import Declaration, Parameter
from core.recipe.edits import with_individual_threshold
from core.recipe.model import Measure, VariableEdit
from core.risk.measures.registry import REGISTRY
from gui.browse.data_window import BrowseData
from gui.help.window import Help
from gui.main_window.window import MainWindow
from gui.risk_laboratory.measure_form import MeasureForm
from gui.risk_laboratory.window import RiskLaboratory
from gui.shared.form.parameter_fields import range_in_words
from tests.gui.buttons import press
from tests.gui.waiting import WAIT_MS, wait_idle

KEYS = ("REGION", "SEX", "AGE", "MARSTAT", "EDUC")


@pytest.fixture
def main(open_window: Callable[..., MainWindow], demo: Path) -> MainWindow:
    return open_window(demo / "survey.pavo")


@pytest.fixture
def laboratory(qtbot: QtBot, main: MainWindow) -> RiskLaboratory:
    main.menu_actions["actionRiskLaboratory"].trigger()
    window = main.windows.window_named("riskLaboratory")
    assert isinstance(window, RiskLaboratory)
    wait_idle(qtbot, main.document)
    return window


def run(qtbot: QtBot, window: RiskLaboratory, button: str = "runMeasure") -> None:
    press(qtbot, window, button)
    wait_idle(qtbot, window.document)


def told(window: QWidget, name: str) -> str:
    label = window.findChild(QLabel, name)
    assert isinstance(label, QLabel), name
    return label.text()


def figures(window: RiskLaboratory) -> dict[str, tuple[str, ...]]:
    model = window.result.model
    rows = ([model.index(row, c).data() for c in range(model.columnCount())] for row in range(model.rowCount()))
    return {row[0]: tuple(row[1:]) for row in rows}


def asked_names(declaration: Declaration) -> set[str]:
    return {parameter.name for parameter in declaration.parameters}


def _of_file(window: RiskLaboratory) -> tuple[tuple[str, Any], ...]:
    """The sampling fraction of the demonstration by its weights, and the variable that it declares sensitive."""
    weights = window.document.derived.microdata.weights.as_floats()
    return (("dis_fraction", float(f"{len(weights) / sum(weights):.3g}")), ("sensitive", ("ILLNESS",)))


def test_declared_sensitive_variables_are_ticked(qtbot: QtBot, main: MainWindow) -> None:
    document = main.document
    document.commit("Sensitive", document.recipe.with_(variables=(VariableEdit("OCCUP", sensitive=True),)))
    wait_idle(qtbot, document)
    main.menu_actions["actionRiskLaboratory"].trigger()
    window = main.windows.window_named("riskLaboratory")
    assert isinstance(window, RiskLaboratory)
    wait_idle(qtbot, document)
    for measure in ("l-diversity", "t-closeness"):
        window.list.choose(measure)
        assert dict(window.entry.parameters)["sensitive"] == ("OCCUP",)
    window.list.choose("frequencies")
    assert not window.entry.parameters


def test_every_measure_stands_in_its_group_with_its_sentence(laboratory: RiskLaboratory) -> None:
    model = laboratory.list.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    named = {index.data(Qt.ItemDataRole.UserRole): index for index in rows if index.data(Qt.ItemDataRole.UserRole)}
    assert set(named) == {each.name for each in REGISTRY.declarations}
    for each in REGISTRY.declarations:
        assert each.sentence in named[each.name].data(Qt.ItemDataRole.AccessibleTextRole)
        laboratory.list.choose(each.name)
        asked = {f"parameter_{parameter.name}" for parameter in each.parameters}
        found = {child.objectName() for child in laboratory.form.findChildren(QWidget)}
        assert asked <= found
        proposed = tuple(pair for pair in _of_file(laboratory) if pair[0] in asked_names(each))
        assert laboratory.entry == Measure(each.name, KEYS, proposed), "the keys of the combination, and the defaults"


def test_a_measure_is_run_and_says_what_it_found(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    laboratory.list.choose("suda")
    run(qtbot, laboratory)
    assert told(laboratory, "measureHeadline").startswith("46 of 5,002 records are alone in the file")
    assert told(laboratory, "measureAbout") == "SUDA · " + " × ".join(KEYS) + " · dis fraction 0.0123"
    assert figures(laboratory)["records with a score"] == ("46",)
    tip = laboratory.result.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "records with a score above 0" in tip
    assert laboratory.result.chart.bars._names[0] == "AGE"
    run(qtbot, laboratory, "measurePreview")
    after = figures(laboratory)["records with a score"]
    assert (len(after), after[0]) == (2, "46")
    assert int(after[1]) < 46
    assert told(laboratory, "measureHeadlineAfter").startswith(f"After protection: {after[1]} of")
    laboratory.list.choose("frequencies")
    run(qtbot, laboratory)
    assert {len(row) for row in figures(laboratory).values()} == {2}, "the protection is known by now"
    laboratory.list.choose("suda")
    assert figures(laboratory)["records with a score"] == after, "what was found is still there"


def test_a_number_alone_can_be_tried_and_its_records_are_opened(
    qtbot: QtBot, main: MainWindow, laboratory: RiskLaboratory
) -> None:
    for row, name in enumerate(laboratory.keys._names):
        index = laboratory.keys.rows.index(row, 0)
        state = Qt.CheckState.Checked if name == "INCOME" else Qt.CheckState.Unchecked
        laboratory.keys.rows.setData(index, state, Qt.ItemDataRole.CheckStateRole)
    assert laboratory.keys.title.text() == "Key variables (1)"
    run(qtbot, laboratory)
    assert told(laboratory, "measureHeadline").startswith("128 of 5,002 records are alone")
    result = laboratory.result
    result.views.setCurrentIndex(result.views.count() - 1)
    result.behind.view.selectRow(0)
    income = result.behind.model.index(0, 1).data()
    press(qtbot, laboratory, "openRecord")
    browse = main.windows.window_named("browseData")
    assert isinstance(browse, BrowseData)
    qtbot.waitUntil(lambda: browse.view.currentIndex().isValid(), timeout=WAIT_MS)
    records = browse.view.records
    column = [field.name for field in records.fields].index("INCOME")
    assert records.code(browse.view.currentIndex().row(), column).strip() == income
    press(qtbot, laboratory, "addToReport")
    assert "INCOME: not categorical" in laboratory.messages.text
    assert not laboratory.document.recipe.measures


def test_a_measure_goes_into_the_report_and_out_again(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    document = laboratory.document
    laboratory.list.choose("l-diversity")
    field = laboratory.form._fields["sensitive"]
    field.set_value(())
    press(qtbot, laboratory, "addToReport")
    assert "Sensitive" in laboratory.messages.text, "has to be chosen first"
    field.set_value(("ILLNESS",))
    press(qtbot, laboratory, "addToReport")
    entry = Measure("l-diversity", KEYS, (("sensitive", ("ILLNESS",)),))
    assert document.recipe.measures == (entry,)
    assert not laboratory.add.isEnabled()
    assert document.session.history.undo_label == "Measure in the report: l-diversity: " + " × ".join(KEYS)
    wait_idle(qtbot, document)
    assert document.session.error is None
    assert told(laboratory, "reportMeasuresHeading") == "In the report (1)"
    laboratory.list.choose("suda")
    laboratory._tick(("SEX",))
    laboratory.in_report.list.activated.emit(laboratory.in_report.list.model().index(0, 0))
    assert laboratory.entry == entry
    press(qtbot, laboratory, "removeMeasure")
    assert document.recipe.measures == ()
    assert laboratory.add.isEnabled()
    assert not laboratory.in_report.isVisibleTo(laboratory)
    document.undo()
    assert document.recipe.measures == (entry,)


def test_figures_of_another_session_are_grey_and_said_to_be(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    run(qtbot, laboratory)
    document = laboratory.document
    document.commit("Threshold", with_individual_threshold(document.recipe, 0, 0.1))
    assert laboratory.result.figures.property("greyed")
    assert "has changed" in laboratory.messages.text
    wait_idle(qtbot, document)
    run(qtbot, laboratory)
    assert not laboratory.result.figures.property("greyed")
    assert not laboratory.messages.text


def test_without_a_key_nothing_is_run(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    laboratory._tick(())
    press(qtbot, laboratory, "runMeasure")
    assert "Tick at least one key variable" in laboratory.messages.text
    assert not laboratory.document.busy


def test_all_or_none_of_the_variables_that_are_shown_are_ticked(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    press(qtbot, laboratory, "measureVariablesAll")
    assert laboratory.entry.variables == laboratory.keys.names
    laboratory.keys.filter.setText("AGE")
    press(qtbot, laboratory, "measureVariablesNone")
    assert laboratory.entry.variables == tuple(name for name in laboratory.keys.names if name != "AGE")
    laboratory.keys.filter.clear()
    press(qtbot, laboratory, "measureVariablesNone")
    assert laboratory.entry.variables == ()


def test_long_titles_of_lists_leave_room_for_the_other_tabs(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    laboratory.list.choose("subsample")
    laboratory.form._fields["fraction"].set_value(0.5)
    run(qtbot, laboratory)
    views = laboratory.result.views
    tips = [views.tabToolTip(place) for place in range(views.count())]
    assert [bool(tip) for tip in tips] == [False, True, True, False]
    assert tips[1] == "Records by the size of their cell in the sample (row) and in the file (column)"
    assert views.tabText(1).endswith("…") and tips[1].startswith(views.tabText(1)[:-1])


def test_ctrl_enter_runs_with_what_is_being_typed(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    laboratory.list.choose("frequencies")
    box = laboratory.form._fields["k"].box  # type: ignore[attr-defined]
    laboratory.activateWindow()
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "5")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_idle(qtbot, laboratory.document)
    assert laboratory._shown_entry.parameters == (("k", 5),)


def test_who_stands_out_by_income_is_answered_from_a_question(qtbot: QtBot, laboratory: RiskLaboratory) -> None:
    run(qtbot, laboratory, "question3")
    assert laboratory._shown_entry.parameters == (("max_size", 1),)
    result = laboratory.result
    result.views.setCurrentIndex(result.views.count() - 1)
    names = [result.behind.model.index(row, 1).data() for row in range(result.behind.model.total)]
    assert {"INCOME", "SEX"} < set(names)
    assert result.behind.select(names.index("INCOME") + 1)
    run(qtbot, laboratory, "openRecord")
    assert laboratory._shown_entry == Measure("frequencies", ("INCOME",))
    assert told(laboratory, "measureHeadline").startswith("128 of 5,002 records are alone")


def test_the_guide_opens_at_the_measure(qtbot: QtBot, main: MainWindow, laboratory: RiskLaboratory) -> None:
    laboratory.list.choose("population")
    press(qtbot, laboratory, "measureGuide")
    guide = main.windows.window_named("help")
    assert isinstance(guide, Help)
    assert guide.page == "measures"
    assert guide.view.textCursor().block().text().startswith("Population models")


# The form, of any declaration --------------------------------------------------------------------------------------

PARAMETERS = (
    Parameter("least", "integer", "The least.", default=2, low=1, high=9),
    Parameter("share", "number", "A share.", low=0.0, low_included=False),
    Parameter("other", "number", "Another.", low=0.0),
    Parameter("way", "choice", "Which way.", default="a", choices=("a", "b")),
    Parameter("alpha", "number", "Of way b.", default=1.0, only_with=("way", "b")),
    Parameter("on", "boolean", "On or off.", default=False),
    Parameter("note", "text", "Some text.", required=True),
    Parameter("file", "file", "A file."),
)


@pytest.fixture
def form(qtbot: QtBot) -> MeasureForm:
    made = MeasureForm()
    qtbot.addWidget(made)
    made.show_for(Declaration("m", "M", "G", "S", PARAMETERS, at_most_one=("share", "other")))
    made.show()
    QApplication.processEvents()
    return made


def enter(form: MeasureForm, name: str, text: str) -> Any:
    box = form._fields[name].box  # type: ignore[attr-defined]
    box.setText(text)
    box.textEdited.emit(text)
    (box.returnPressed if hasattr(box, "entered") else box.editingFinished).emit()
    return box


def test_the_form_says_only_what_is_no_default(form: MeasureForm) -> None:
    assert form.values == ()
    assert form.lacking is form._fields["note"]
    enter(form, "note", "so")
    enter(form, "least", "3")
    form._fields["on"].set_value(True)
    assert form.lacking is None
    assert form.values == (("least", 3), ("note", "so"), ("on", True))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("least", "10", "A whole number from 1 to 9."),
        ("least", "1.5", "“1.5” is not a whole number."),
        ("share", "0", "A number above 0."),
        ("other", "-1", "A number of at least 0."),
        ("other", "much", "“much” is not a number."),
    ],
)
def test_what_is_out_of_range_is_refused_beside_its_box(form: MeasureForm, name: str, text: str, reason: str) -> None:
    box = enter(form, name, text)
    assert box.message.text() == reason
    assert form.refused is form._fields[name]
    assert form.values == ()


def test_of_parameters_that_exclude_each_other_the_last_counts(form: MeasureForm) -> None:
    enter(form, "share", "0.5")
    enter(form, "other", "2")
    assert form.values == (("other", 2.0),)
    enter(form, "other", "")
    assert form.values == ()


def test_a_parameter_of_another_choice_is_grey(form: MeasureForm) -> None:
    alpha, way = form._fields["alpha"], form._fields["way"]
    assert not alpha.isEnabled()
    assert alpha.toolTip() == "Only with way: b."
    way.set_value("b")
    assert alpha.isEnabled()
    enter(form, "alpha", "0.5")
    assert form.values == (("alpha", 0.5), ("way", "b"))
    way.set_value("a")
    assert form.values == ()


@pytest.mark.parametrize("declaration", REGISTRY.declarations, ids=lambda each: each.name)
def test_every_range_can_be_said_in_words(declaration: Declaration) -> None:
    for parameter in declaration.parameters:
        if parameter.low is not None or parameter.high is not None:
            assert range_in_words(parameter)
