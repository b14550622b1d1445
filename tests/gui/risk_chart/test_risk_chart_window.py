"""The Risk Chart by mouse and keys: choosing by goal, forecasts, pictures, and the window as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QTableView,
    QWidget,
)

from core.recipe.model import Suppression
from gui import dialogs
from gui.document import engine
from gui.document.document import PROTECT
from gui.risk_chart.choose_threshold_dialog import ChooseThreshold
from gui.risk_chart.view import STEPS
from gui.theme import theme
from tests.gui.risk_chart.hand import LEFT, MIXED, RISK, Charts, Hand, one_table, risks_of_records

# Choose for me -------------------------------------------------------------------------------------------------------


def test_choose_for_me_by_each_goal(chart: Hand) -> None:
    risks = risks_of_records(chart)
    for goal, number, meets in (
        ("goalExpected", "3", lambda t: np.minimum(risks, t).sum() == pytest.approx(3)),
        ("goalOneIn", "40", lambda t: t == 1 / 40),
        ("goalRecords", "30", lambda t: np.count_nonzero(risks >= t) <= 30),
    ):
        chart.qtbot.mouseClick(chart.find(QPushButton, "chooseForMe"), LEFT)
        dialog = chart.find(ChooseThreshold, "chooseThreshold")
        box = dialog.findChild(QLineEdit, f"{goal}Number")
        box.setFocus()
        box.selectAll()
        chart.qtbot.keyClicks(box, number)
        assert dialog.findChild(QRadioButton, goal).isChecked(), "typing chooses the goal"
        told = dialog.findChild(QLabel, f"{goal}Forecast").text()
        chart.qtbot.keyClick(box, Qt.Key.Key_Return)
        chart.settle()
        assert meets(chart.threshold), goal
        point = chart.window._forecast.at(chart.threshold)
        assert f"{point.total:,} suppressions in {point.records_touched:,} records" in told
        dialog.deleteLater()
        chart.qtbot.wait(1)


def test_choose_for_me_proposes_a_risk_that_this_file_has_and_says_why(chart: Hand) -> None:
    risks = risks_of_records(chart)
    chart.qtbot.mouseClick(chart.find(QPushButton, "chooseForMe"), LEFT)
    dialog = chart.find(ChooseThreshold, "chooseThreshold")
    proposed = dialog.findChild(QLineEdit, "goalOneInNumber").text()
    assert proposed in ("1", "2", "5", "10", "20", "50", "100", "200", "500", "1000")
    assert risks.min() < 1 / int(proposed) < risks.max()
    middle = 1 / np.sqrt(risks.min() * risks.max())
    assert 0.5 < int(proposed) / middle < 2
    assert dialog.findChild(QLabel, "proposedOneIn").text().startswith(f"1 in {proposed} lies midway")


def test_choose_for_me_refuses_what_it_cannot_take(chart: Hand) -> None:
    chart.qtbot.mouseClick(chart.find(QPushButton, "chooseForMe"), LEFT)
    dialog = chart.find(ChooseThreshold, "chooseThreshold")
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    for goal, wrong in (("goalExpected", "0"), ("goalOneIn", "0.5"), ("goalRecords", "1.5"), ("goalRecords", "-1")):
        box = dialog.findChild(QLineEdit, f"{goal}Number")
        kept = box.text()
        box.setFocus()
        box.selectAll()
        chart.qtbot.keyClicks(box, wrong)
        assert dialog.findChild(QLabel, f"{goal}Forecast").text().startswith("Type a"), (goal, wrong)
        assert not ok.isEnabled()
        box.setText(kept)
        assert ok.isEnabled()
    box.setText(str(chart.document.derived.records))
    assert "unsafe records" in dialog.findChild(QLabel, "goalRecordsForecast").text()
    chart.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert chart.threshold == 0.05


# Forecast, riskiest combinations, pictures ---------------------------------------------------------------------------


def test_the_forecast_is_the_plan(chart: Hand) -> None:
    plans: list[object] = []
    chart.document.ask(PROTECT, engine.protect, chart.document.recipe, done=plans.append)
    chart.qtbot.waitUntil(lambda: bool(plans), timeout=20_000)
    plan = plans[0].plan
    assert chart.text("forecastSuppressions") == str(plan.total)
    assert chart.text("forecastRecords") == str(plan.records_touched)
    shown = chart.text("forecastByVariable")
    assert shown == ", ".join(f"{name}\u00a0{count}" for name, count in plan.by_variable.items())
    assert chart.text("forecastMode") == "Mode: risk on original frequencies"


def test_the_forecast_moves_with_the_threshold_and_is_not_asked_for_again(chart: Hand) -> None:
    forecast = chart.window._forecast
    seen = {chart.text("forecastSuppressions")}
    chart.drag_slider(0.4)
    seen.add(chart.text("forecastSuppressions"))
    chart.key(chart.window.page.view.slider, Qt.Key.Key_Left)
    assert len(seen) == 2
    assert chart.window._forecast is forecast
    assert chart.text("forecastSuppressions") == f"{forecast.at(chart.threshold).total:,}"


def test_no_forecast_where_nothing_is_to_be_suppressed(chart: Hand) -> None:
    chart.document.commit("None", chart.document.recipe.with_(suppression=Suppression(criterion="none")))
    chart.settle()
    assert "“none”" in chart.text("forecastNote")
    assert chart.text("forecastSuppressions") == "–"


def test_riskiest_combinations_and_the_recode_that_helps_most(chart: Hand) -> None:
    chart.qtbot.mouseClick(chart.find(QRadioButton, "riskiestView"), LEFT)
    view = chart.find(QTableView, "riskiestCombinations")
    chart.qtbot.waitUntil(lambda: view.model() is not None and view.model().rowCount() > 0)
    model = view.model()
    headers = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    assert headers[-4:] == ["f", "F", "risk", "records"]
    assert headers[1:-4] == list(chart.document.derived.tables[0].combination.variables)
    risks = [float(model.index(row, len(headers) - 2).data()) for row in range(model.rowCount())]
    assert risks == sorted(risks, reverse=True)
    assert min(risks) >= 0.05
    records = sum(int(model.index(row, len(headers) - 1).data()) for row in range(model.rowCount()))
    assert records == int(chart.text("unsafeRecords"))
    asked: list[tuple[str, dict[str, str]]] = []
    chart.window.window_requested.connect(lambda name, arguments: asked.append((name, arguments)))
    place = view.visualRect(model.index(0, 1)).center()
    chart.qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    chart.qtbot.mouseDClick(view.viewport(), LEFT, pos=place)
    chart.qtbot.waitUntil(lambda: bool(asked))
    assert asked[0][0] == "globalRecode"
    assert asked[0][1]["variable"] in headers


def test_folded_parts_are_remembered(chart: Hand) -> None:
    chart.qtbot.mouseClick(chart.window.page.curve_fold.toggle, LEFT)
    chart.window.close()
    again = Hand(chart.qtbot, chart.main)
    assert not again.window.page.forecast_chart.isVisible()


def test_the_figures_of_a_chart_are_one_key_away(chart: Hand) -> None:
    histogram = chart.window.page.view.histogram
    histogram.setFocus()
    chart.qtbot.keyClick(histogram, Qt.Key.Key_F4)
    table = chart.find(QTableView, "riskHistogramTable")
    model = table.model()
    assert (
        sum(int(model.index(row, 2).data().replace(",", "")) for row in range(model.rowCount()))
        == chart.document.derived.records
    )
    curve = chart.window.page.forecast_chart
    curve.setFocus()
    chart.qtbot.keyClick(curve, Qt.Key.Key_F4)
    model = chart.find(QTableView, "riskUtilityCurveTable").model()
    row = model.rowCount() // 2
    threshold, total = float(model.index(row, 0).data()), int(model.index(row, 2).data().replace(",", ""))
    near = chart.window._forecast.at(threshold)
    assert abs(near.total - total) <= 0.02 * total + 2, "the table's thresholds are rounded"


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_pictures_are_saved(chart: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, suffix: str) -> None:
    for picture, name in (
        (chart.window.page.view.histogram, "histogram"),
        (chart.window.page.forecast_chart, "curve"),
    ):
        path = tmp_path / f"{name}.{suffix}"
        monkeypatch.setattr(dialogs, "save_file", lambda *_args, path=path: path)
        next(action for action in picture.actions() if "Save picture" in action.text()).trigger()
        content = path.read_bytes()
        assert content.startswith(b"\x89PNG" if suffix == "png" else b"<svg")
        if suffix == "svg":
            assert "REGION × SEX × AGE" in content.decode("utf-8")


def test_a_picture_that_cannot_be_written_is_said(chart: Hand, monkeypatch: pytest.MonkeyPatch, demo: Path) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: demo / "survey.asc" / "picture.svg")
    histogram = chart.window.page.view.histogram
    next(action for action in histogram.actions() if "Save picture" in action.text()).trigger()
    assert "cannot be written" in chart.window.messages.text


def test_hovering_tells_bounds_records_and_cells(chart: Hand) -> None:
    histogram = chart.window.page.view.histogram
    bar = int(np.argmax(histogram._bars.heights))
    middle = float(histogram._bars.edges[bar : bar + 2].mean())
    place = QPointF(chart.pixel_of_line(middle))
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(histogram.viewport(), move)
    assert f": {int(histogram._bars.heights[bar])} records, " in histogram.toolTip()
    chart.window.page.cumulative.setChecked(True)
    assert histogram._bars.heights[-1] == chart.document.derived.records
    assert histogram._told_at(histogram._high - 1e-9).startswith("up to 1 in ")


# The window ----------------------------------------------------------------------------------------------------------

NAMES = (
    "riskTables riskHistogram cumulative riskSlider riskThreshold reidentificationRate unsafeRecords"
    " sameRecordsInterval maxRisk fileRate expectedReidentifications decimals forecastChart riskiestCombinations"
    " chooseForMe"
)


def test_controls_carry_their_names_and_can_be_read_aloud(chart: Hand) -> None:
    for name in NAMES.split():
        found = chart.window.findChildren(QWidget, name)
        assert len(found) == 1, name
        spoken = found[0].accessibleName() or getattr(found[0], "text", str)()
        assert spoken, name


def test_everything_of_use_fits_a_small_screen(chart: Hand) -> None:
    page = chart.window.page
    page.curve_fold.toggle.setChecked(True)
    chart.type("unsafeRecords", "33")
    chart.window.resize(1000, 560)
    chart.qtbot.wait(30)
    assert (chart.window.width(), chart.window.height()) == (1000, 560)
    room = chart.window.rect()
    for widget in (page.view.histogram, page.view.slider, *page.threshold.boxes, page.choose, page.file.decimals):
        place = widget.rect().translated(widget.mapTo(chart.window, QPoint()))
        assert room.contains(place), widget.objectName()
        assert widget.isVisible()
    assert page.view.histogram.height() >= 90


def places(chart: Hand) -> list[QPoint]:
    """Where the boxes, the button under them and the slider are."""
    page = chart.window.page
    widgets = (*page.threshold.boxes, page.choose, page.view.slider, page.file.decimals)
    return [widget.mapTo(chart.window, QPoint()) for widget in widgets]


def test_nothing_moves_when_a_message_comes_or_goes(chart: Hand) -> None:
    for size in ((1080, 720), (1000, 560)):
        chart.window.resize(*size)
        outlined(chart)
        chart.qtbot.wait(30)
        before = places(chart)
        for box, nonsense in (("riskThreshold", "0..05"), ("reidentificationRate", "200"), ("unsafeRecords", "1.5")):
            chart.type(box, nonsense)
            chart.qtbot.wait(30)
            assert chart.message(box)
            assert places(chart) == before, (size, box)
            chart.qtbot.keyClick(chart.find(QLineEdit, box), Qt.Key.Key_Escape)
            chart.qtbot.wait(30)
            assert not chart.message(box)
            assert places(chart) == before, (size, box)


def outlined(hand: Hand) -> None:
    """Wait until the second opinion is there and painted: its outline may need a wider axis."""
    hand.qtbot.waitUntil(lambda: hand.document.tasks.rests, timeout=20_000)
    view = hand.window.page.view
    hand.qtbot.waitUntil(view.histogram.updatesEnabled)
    hand.qtbot.wait(30)
    hand.qtbot.waitUntil(lambda: view.slider.x() + view.slider.handle_width() // 2 == view.histogram.axis_span()[0])


def test_nothing_moves_once_a_threshold_is_chosen(small_chart: Charts) -> None:
    hand = small_chart(MIXED, f'[[combinations]]\nvariables = ["A", "B"]\n{RISK}')
    view = hand.window.page.view
    handle = view.slider.handle_width() // 2
    outlined(hand)
    hand.qtbot.waitUntil(lambda: view.slider.x() + handle == view.histogram.axis_span()[0])
    before = places(hand)
    assert hand.find(QLabel, "notChosenYet").isVisible()
    hand.type("riskThreshold", "0.02")
    hand.qtbot.wait(30)
    assert not hand.find(QLabel, "notChosenYet").isVisible()
    assert places(hand) == before


def test_risks_that_are_all_one_end_at_one_and_the_words_hide_no_bar(small_chart: Charts) -> None:
    rows = [(1, a, b) for a in range(3) for b in range(4)]
    body = f'[[combinations]]\nvariables = ["A", "B"]\n{RISK}[threshold]\nindividual_risk = 1.0\n'
    hand = small_chart(rows, body)
    histogram = hand.window.page.view.histogram
    assert histogram.axis_range()[1] == 0.0
    for height in (560, 480):
        hand.window.resize(1000, height)
        hand.qtbot.wait(30)
        shown = [word for word in histogram._words.items if word.isVisible()]
        words = [word.mapRectToScene(word.boundingRect()) for word in shown]
        top = histogram.getPlotItem().vb.mapViewToScene(QPointF(0.0, 12.0)).y()
        assert max(word.bottom() for word in words) <= top, height


def test_the_keyboard_goes_from_chart_to_numbers(chart: Hand) -> None:
    chart.window.page.cumulative.setFocus()
    order = []
    for _ in range(8):
        QTest.keyClick(chart.window.focusWidget(), Qt.Key.Key_Tab)
        order.append(chart.window.focusWidget().objectName())
    assert [name for name in order if name != "beforeLastRecode"][:2] == ["riskHistogram", "riskSlider"]
    start = order.index("riskSlider")
    assert order[start : start + 6] == [
        "riskSlider",
        "chooseForMe",
        "sortedRisks",
        "riskThreshold",
        "reidentificationRate",
        "unsafeRecords",
    ]


def test_light_and_dark(chart: Hand) -> None:
    chart.window.page.view.histogram.grab()
    backgrounds = []
    for choice in ("light", "dark"):
        theme.use(choice)
        backgrounds.append(chart.window.page.view.histogram.grab().toImage().pixelColor(2, 2).lightness())
    theme.use("auto")
    assert backgrounds[0] > 200 > 60 > backgrounds[1]


def test_figures_are_greyed_while_they_are_not_true(chart: Hand) -> None:
    histogram = chart.window.page.view.histogram
    chart.document.commit("Recode", chart.document.recipe.with_(recodes=()))
    assert histogram.property("greyed")
    assert histogram._bars.effectiveOpacity() < 1
    chart.settle()
    assert not histogram.property("greyed")
    assert histogram._bars.effectiveOpacity() == 1
    chart.window.page.view.slider.setValue(STEPS // 3)
    chart.window.draft.commit()
    assert not histogram.property("greyed"), "a threshold changes no risk"
    chart.settle()


@pytest.mark.xvfb
def test_a_threshold_is_chosen_by_mouse_and_keys(chart: Hand) -> None:
    """The whole way on a real window system."""
    assert chart.text("riskThreshold") == "0.05000"
    seen = chart.drag_slider(0.35, 0.45, 0.55)
    assert len(set(seen)) == 3
    chart.qtbot.keyClick(chart.window.focusWidget(), Qt.Key.Key_Right)
    chart.settle()
    stepped = chart.threshold
    chart.type("riskThreshold", "nonsense")
    assert "is not a number" in chart.message("riskThreshold")
    assert chart.threshold == stepped
    chart.qtbot.keyClick(chart.find(QLineEdit, "riskThreshold"), Qt.Key.Key_Escape)
    chart.type("reidentificationRate", "0.4", Qt.Key.Key_Tab)
    assert chart.window.focusWidget().objectName() == "unsafeRecords"
    chart.type("unsafeRecords", "250")
    assert int(chart.text("unsafeRecords")) <= 250
    chart.type("riskThreshold", "0.04")
    assert chart.threshold == 0.04
    unsafe = int(chart.text("unsafeRecords"))
    assert unsafe == np.count_nonzero(risks_of_records(chart) >= 0.04)
    QTest.keyClick(chart.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    chart.settle()
    assert chart.text("riskThreshold") == "0.05000", "Ctrl+Z in the chart takes all of it back"
    chart.qtbot.keyClick(chart.window.page.view.slider, Qt.Key.Key_Escape)
    assert chart.window.isVisible()


def test_a_rate_that_makes_nothing_unsafe_shows_the_same_threshold_every_time(chart: Hand) -> None:
    for rate in ("50", "99"):
        chart.type("reidentificationRate", rate)
        assert chart.text("riskThreshold") == "none"
        assert chart.text("unsafeRecords") == "0"
        assert "no record is unsafe" in chart.message("reidentificationRate")


def test_under_wildcard_the_rate_under_observed_stands_beside(small_chart: Charts) -> None:
    rows = [(10, 1, 1), (12, 1, 2), (40, 1, 2), (20, 9, 2), (25, 2, 2), (200, 3, 1)]
    window = small_chart(rows, '[variables.A]\nmissing = ["9"]\n' + one_table() + 'missing_rule = "wildcard"\n')
    (table,) = window.document.derived.risk_tables
    assert table.rate_observed > table.staircase.rate
    assert window.find(QLabel, "rateObserved").isVisible()
    assert window.text("rateObserved") == f"{100 * table.rate_observed:.3f} %"
    (combination,) = window.document.recipe.combinations
    observed = replace(combination, missing_rule="observed")
    window.document.commit("Rule", window.document.recipe.with_(combinations=(observed,)))
    window.settle()
    assert not window.find(QLabel, "rateObserved").isVisible()


def test_a_largest_risk_near_one_is_not_told_as_certainty(small_chart: Charts) -> None:
    body = one_table()
    assert small_chart([(1.01, 1, 1), (200, 3, 1)], body).window.page.file.in_words.text() == ""
    assert small_chart([(2, 1, 1), (200, 3, 1)], body).window.page.file.in_words.text() == "1 in 1.4"
    assert small_chart([(4, 1, 1), (200, 3, 1)], body).window.page.file.in_words.text() == "1 in 2.1"


def test_the_riskiest_combinations_are_there_once_the_program_is_idle(chart: Hand) -> None:
    chart.qtbot.mouseClick(chart.find(QRadioButton, "riskiestView"), LEFT)
    chart.settle()
    table = chart.find(QTableView, "riskiestCombinations").model()
    assert table.rowCount() > 0
    chart.type("riskThreshold", "0.5")
    assert table.rowCount() == 0


def test_the_histogram_is_painted_with_the_slider_under_it(chart: Hand) -> None:
    page = chart.window.page
    outlined(chart)
    page.cumulative.setChecked(True)
    assert page.view.histogram.updatesEnabled(), "the slider is aligned with bars that are there"
    chart.qtbot.waitUntil(page.forecast_chart.updatesEnabled, timeout=1000)
