"""The first thousand of the riskiest combinations, and more on demand; decimals that can be chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QRadioButton, QTableView

from tests.gui.risk_chart.hand import LEFT, Charts, one_table

UNIQUE = [(10 + number, number, number % 7) for number in range(1100)]
"""Records that are each alone in their cell."""


def test_more_than_a_thousand_come_on_demand(small_chart: Charts) -> None:
    chart = small_chart(UNIQUE, one_table() + "[threshold]\nindividual_risk = 0.000001\n")
    chart.qtbot.mouseClick(chart.find(QRadioButton, "riskiestView"), LEFT)
    view, more = chart.find(QTableView, "riskiestCombinations"), chart.find(QPushButton, "riskiestMore")
    chart.qtbot.waitUntil(lambda: view.model() is not None and view.model().rowCount() == 1000)
    assert "1,100 combinations" in chart.text("riskiestSummary") and "the first 1,000 shown" in chart.text(
        "riskiestSummary"
    )
    chart.qtbot.mouseClick(more, LEFT)
    chart.settle()
    assert view.model().rowCount() == len(UNIQUE)
    assert not more.isVisible() and "shown" not in chart.text("riskiestSummary")


def test_three_to_seven_decimals_can_be_chosen(small_chart: Charts) -> None:
    box = small_chart(UNIQUE[:9], one_table()).window.page.file.decimals
    assert [box.itemText(place) for place in range(box.count())] == ["3", "4", "5", "6", "7"]
