"""The axis of the cumulative chart ends at what there is, and the figures have the decimals that are shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QRadioButton, QTableView

from gui.numbers import format_small
from gui.risk_chart.view import BARS
from tests.gui.risk_chart.hand import MIXED, Charts, Hand, one_table

LIMIT = "[threshold]\nindividual_risk = 0.02\n"


def ticks(chart: Hand) -> list[float]:
    """Numbers that stand at the vertical axis."""
    histogram = chart.window.page.view.histogram
    axis = histogram.getAxis("left")
    low, high = histogram.getPlotItem().vb.viewRange()[1]
    return [tick for _step, level in axis.tickValues(low, high, axis.height()) for tick in level]


def test_the_cumulative_axis_ends_at_the_number_of_records(small_chart: Charts) -> None:
    chart = small_chart(MIXED, one_table() + LIMIT)
    chart.find(QRadioButton, "cumulative").setChecked(True)
    assert max(ticks(chart)) == len(MIXED) == 18
    counts = chart.window.page.view.histogram._bars.top
    assert counts == len(MIXED), "the last bar holds every record"


@pytest.mark.parametrize("decimals", [3, 7])
def test_the_figures_of_the_chart_have_the_decimals_that_are_shown(small_chart: Charts, decimals: int) -> None:
    chart = small_chart(MIXED, one_table() + LIMIT)
    chart.window.page.file.decimals.setCurrentText(str(decimals))
    largest = chart.window._staircase.max_risk
    assert chart.text("maxRisk") == format_small(largest, decimals)
    for picture, table in (
        (chart.window.page.view.histogram, "riskHistogramTable"),
        (chart.window.page.forecast_chart, "riskUtilityCurveTable"),
    ):
        picture.setFocus()
        chart.qtbot.keyClick(picture, Qt.Key.Key_F4)
        model = chart.find(QTableView, table).model()
        shown = [model.index(row, column).data() for row in range(model.rowCount()) for column in (0, 1)]
        risks = shown if table == "riskHistogramTable" else shown[::2]
        assert {len(text.partition(".")[2]) for text in risks} == {decimals}, table
        assert len(risks) > 1
    assert BARS > 1
