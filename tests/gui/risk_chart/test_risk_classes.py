"""Bars and the outline of an earlier state have the same classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.risk.distribution import RiskDistribution
from core.risk.linked_numbers import by_risk
from gui.numbers import format_small
from gui.risk_chart.histogram import bars_of, in_classes_of, running
from gui.risk_chart.view import BARS, RiskView
from gui.settings import DECIMALS, settings
from gui.texts import HOUSEHOLDS, RECORDS

risks = st.lists(st.floats(1e-7, 1.0), min_size=1, max_size=30)


def staircase_of(values: list[float]) -> RiskDistribution:
    return RiskDistribution.from_cells(np.array(values), np.arange(1, len(values) + 1))


@given(risks, risks, st.sampled_from([20, 100]))
def test_an_outline_counts_in_the_classes_of_the_bars(now: list[float], earlier: list[float], bars: int) -> None:
    present, before = staircase_of(now), staircase_of(earlier)
    drawn = bars_of(present, [before], bars)
    outlined = in_classes_of(drawn.edges, before)
    assert drawn.records.sum() == present.n
    assert outlined.records.sum() == before.n
    assert outlined.cells.sum() == len(earlier)
    assert set(drawn.edges) <= set(outlined.edges)
    assert len(outlined.records) <= 12 * bars
    widths = np.diff(np.log(outlined.edges))
    assert widths[:-1] == pytest.approx(widths[0], rel=1e-6)  # the last may end at 1
    assert outlined.edges[-1] == 1.0 or widths[-1] == pytest.approx(widths[0], rel=1e-6)
    assert outlined.edges[0] <= before.min_risk * (1 + 1e-9)
    assert outlined.edges[-1] >= before.max_risk * (1 - 1e-9)


@given(risks, st.sampled_from([20, 100]))
def test_the_outline_of_the_same_risks_is_that_of_the_bars(now: list[float], bars: int) -> None:
    staircase = staircase_of(now)
    drawn = bars_of(staircase, [staircase], bars)
    outlined = in_classes_of(drawn.edges, staircase)
    assert outlined.edges.tolist() == drawn.edges.tolist()
    assert outlined.records.tolist() == drawn.records.tolist()
    assert outlined.cells.tolist() == drawn.cells.tolist()


def test_earlier_risks_beyond_the_bars_have_classes_of_the_same_width() -> None:
    present, before = staircase_of([0.01, 0.1]), staircase_of([0.001, 0.01, 0.1, 0.11, 1.0])
    drawn = bars_of(present, [before], BARS)
    outlined = in_classes_of(drawn.edges, before)
    assert len(drawn.records) == BARS
    assert len(outlined.records) == 3 * BARS
    assert {place: count for place, count in enumerate(outlined.records.tolist()) if count} == {
        0: 1,
        BARS: 2,
        2 * BARS - 1: 3,  # as the last bar, it holds its upper edge
        2 * BARS: 4,
        3 * BARS - 1: 5,
    }
    assert running(outlined).records[[2 * BARS - 1, -1]].tolist() == [6, 15]


def test_bars_are_fewer_where_all_of_them_are_a_small_part_of_the_axis() -> None:
    present, before = staircase_of([0.01, 0.0101]), staircase_of([1e-5, 1.0])
    drawn = bars_of(present, [before], BARS)
    assert drawn.records.tolist() == [3]
    assert len(bars_of(present, [], BARS).records) == BARS
    assert len(in_classes_of(drawn.edges, before).records) <= 10 * BARS + 2


@pytest.mark.parametrize("cumulative", [False, True])
def test_the_chart_outlines_these_classes_and_tells_them(qtbot: QtBot, cumulative: bool) -> None:
    view = RiskView(RECORDS, lambda: "")
    qtbot.addWidget(view)
    view.set_cumulative(cumulative)
    view.set_staircase(staircase_of([0.01, 0.1]))
    view.set_before(staircase_of([0.001, 0.01, 0.1, 1.0]))
    chart = view.histogram
    places, heights = chart._before.getData()
    assert set(chart._bars.edges) <= set(places)
    assert bool(np.isnan(heights).any()) != cumulative, "nothing is outlined where there is nothing"
    assert heights[:2].tolist() == [0.0, 1.0]
    assert heights[-2:].tolist() == ([10.0, 0.0] if cumulative else [4.0, 0.0])
    assert chart.axis_range() == pytest.approx((-3.0, 0.0))
    first = chart._told_at(-3.0 + 1e-9)
    words = "up to 1 in " if cumulative else "1 in 1,000 to 1 in "
    assert first.startswith(f"before the last recode, {words}")
    assert first.endswith(": 1 record")
    bar, outline = chart._told_at(-1.0 - 1e-9).splitlines()
    before = outline.removeprefix("before the last recode, ")
    assert before.split(":")[0] == bar.split(":")[0], "the same class"
    assert before.endswith(": 6 records" if cumulative else ": 3 records")
    view.set_before(None)
    assert chart._told_at(-3.0 + 1e-9) == ""


def test_the_slider_reaches_as_far_as_the_axis_and_the_bars_keep_their_range(qtbot: QtBot) -> None:
    view = RiskView(RECORDS, lambda: "")
    window = QWidget()
    qtbot.addWidget(window)
    view.setParent(window)
    view.set_staircase(staircase_of([0.01, 0.1]))
    view.set_before(staircase_of([0.001, 1.0]))
    assert view.slider.risk_at(0) == pytest.approx(0.001)
    assert view.slider.risk_at(view.slider.maximum()) == pytest.approx(1.0)
    assert (view.histogram._low, view.histogram._high) == pytest.approx((-2.0, -1.0))


@pytest.mark.parametrize("cumulative", [False, True])
def test_the_figures_and_the_picture_hold_what_is_outlined(qtbot: QtBot, cumulative: bool) -> None:
    view = RiskView(RECORDS, lambda: "")
    qtbot.addWidget(view)
    view.set_cumulative(cumulative)
    view.set_staircase(staircase_of([0.01, 0.1]))
    alone = len(view._figures()[0].values)
    view.set_before(staircase_of([0.001, 0.01, 0.1, 1.0]))
    low, high, records, cells, before = view._figures()
    assert low.text(0.00119422833) == format_small(0.00119422833, settings.get(DECIMALS))
    assert (before.title, before.tooltip) == ("records before", "Before the last recode")
    assert (low.values[0], high.values[-1]) == pytest.approx((0.001, 1.0))
    assert len(before.values) == 3 * alone
    if cumulative:
        assert list(before.values[[0, -1]]) == [1, 10]
        assert list(records.values[[0, alone - 1, alone, -1]]) == [0, 0, 1, 3]
        assert list(cells.values[[0, alone, -1]]) == [0, 1, 2]
    else:
        assert (sum(before.values), sum(records.values), sum(cells.values)) == (10, 3, 2)
        assert list(records.values[[alone, 2 * alone - 1]]) == [1, 2]
    assert "before the last recode" in view._picture()
    view.set_before(None)
    assert [len(column.values) for column in view._figures()] == 4 * [alone]
    assert "before the last recode" not in view._picture()


def test_one_record_is_no_records(qtbot: QtBot) -> None:
    view = RiskView(RECORDS, lambda: "")
    qtbot.addWidget(view)
    view.set_staircase(staircase_of([0.01, 0.1]))
    assert view.histogram._told_at(-2.0 + 1e-9).endswith(": 1 record, 1 combination")
    assert view.histogram._told_at(-1.0 - 1e-9).endswith(": 2 records, 1 combination")
    view.show_linked(by_risk(staircase_of([0.01, 0.1]), 0.01001))
    assert view.slider.accessibleDescription().endswith("unsafe: 2 records")
    view.count(HOUSEHOLDS, RECORDS)
    assert view.histogram._told_at(-2.0 + 1e-9).endswith(": 1 household, 1 record")
    assert [column.title for column in view._figures()[2:]] == ["households", "records"]
