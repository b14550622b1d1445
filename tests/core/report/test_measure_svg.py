"""Pictures of measures: well-formed, with every name and number, whatever the numbers are."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from core.report.measure_svg import MOST_BARS, measure_svg
from core.report.svg import SAFE
from core.risk.measures.shown import BarPicture, CurvePicture, HistogramPicture, Picture
from tests.core.report.test_charts import bars, labels

NAN = np.nan


def test_bars_have_names_values_and_lengths() -> None:
    svg = measure_svg("M", BarPicture("variable", "share", ("A & B", "C"), np.array([0.5, 0.25]), "share"))
    assert {"share", "A & B", "C", "50.0\u00a0%", "25.0\u00a0%"} <= set(labels(svg))
    drawn = [each for each in ET.fromstring(svg).iter() if each.get("fill") == SAFE]
    first, second = (float(each.get("width") or 0) for each in drawn)
    assert first == pytest.approx(2 * second)


def test_more_bars_than_can_be_read_are_counted() -> None:
    names = tuple(f"V{i}" for i in range(MOST_BARS + 7))
    svg = measure_svg("M", BarPicture("v", "n", names, np.ones(len(names))))
    assert bars(svg, SAFE) == MOST_BARS
    assert "and 7 more" in labels(svg)


@pytest.mark.parametrize(
    ("edges", "logarithmic", "ticks"),
    [((0.001, 0.01, 0.1), True, {"0.01"}), ((1.0, 10.0, 1000.0), True, {"10", "100"}), ((0, 5, 10), False, {"2", "8"})],
)
def test_a_histogram_has_a_bar_for_each_class_with_records(
    edges: tuple[float, ...], logarithmic: bool, ticks: set[str]
) -> None:
    svg = measure_svg("M", HistogramPicture("risk", "records", np.array(edges), np.array([3.0, 0.0]), logarithmic))
    assert bars(svg, SAFE) == 1
    assert ticks | {"records"} <= set(labels(svg))


@pytest.mark.parametrize(
    "picture",
    [
        BarPicture("v", "n", (), np.array([])),
        BarPicture("v", "n", ("A", "B"), np.array([NAN, 0.0])),
        HistogramPicture("x", "y", np.array([1.0, 2.0]), np.array([0.0])),
        CurvePicture("x", "y", np.array([1.0]), np.array([NAN])),
        CurvePicture("x", "y", np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([0.0, NAN]), np.array([2.0, 4.0])),
    ],
)
def test_nothing_to_draw_is_still_a_picture(picture: Picture) -> None:
    assert "nan" not in measure_svg("M", picture).split("<desc>")[0] + measure_svg("M", picture).split("</desc>")[1]
