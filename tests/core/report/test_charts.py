"""Charts: well-formed, deterministic, and what is unsafe is told by more than colour."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report.blocks import Curve, Outline, Panel, RiskHistograms
from core.report.charts import curve_svg, histogram_svg, panels_svg
from core.report.svg import LEFT, RIGHT, SAFE, UNSAFE, LogScale, hatch, nice_step

SVG = "{http://www.w3.org/2000/svg}"
EDGES = (0.001, 0.002, 0.004, 0.008)


def labels(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


def bars(svg: str, fill: str) -> int:
    return sum(node.get("fill") == fill for node in ET.fromstring(svg).iter(f"{SVG}rect"))


def test_records_stand_on_the_bars_and_the_threshold_is_named() -> None:
    svg = histogram_svg(EDGES, (5, 0, 17), 0.004)
    assert {"5", "17", "threshold 0.004 (1 in 250)", "unsafe →", "records"} <= set(labels(svg))


def test_safe_and_unsafe_bars_differ_in_colour_and_hatching() -> None:
    svg = histogram_svg(EDGES, (5, 6, 17), 0.004)
    assert bars(svg, SAFE) == 2
    root = ET.fromstring(svg)
    assert [p.get("stroke") for p in root.iter(f"{SVG}path")] == [UNSAFE]


@pytest.mark.parametrize(
    ("threshold", "safe", "hatched"), [(None, 3, 0), (0.5, 3, 0), (0.0005, 0, 3), (EDGES[1], 1, 2)]
)
def test_bars_on_each_side_of_the_threshold(threshold: float | None, safe: int, hatched: int) -> None:
    svg = histogram_svg(EDGES, (5, 6, 17), threshold)
    assert (bars(svg, SAFE), svg.count("<path")) == (safe, hatched)


def test_a_class_that_the_threshold_divides_stacks_its_unsafe_records_on_the_safe_ones() -> None:
    root = ET.fromstring(histogram_svg(EDGES, (5, 6, 10), 0.03, unsafe=(0, 0, 4)))
    found = [node for node in root.iter(f"{SVG}rect") if node.get("fill") in (SAFE, "#f3b183")]
    places = [tuple(float(node.get(name, "nan")) for name in ("x", "y", "width", "height")) for node in found]
    assert [node.get("fill") for node in found] == [SAFE, SAFE, SAFE, "#f3b183"]
    (x, y, width, height), (x_unsafe, y_unsafe, width_unsafe, height_unsafe) = places[2:]
    assert (x_unsafe, width_unsafe) == (x, width)
    assert y_unsafe + height_unsafe == pytest.approx(y, abs=0.02)
    assert height / height_unsafe == pytest.approx(6 / 4, rel=0.01)


def test_the_state_before_is_outlined_and_both_fit_the_axes() -> None:
    outline = Outline((0.0005, *EDGES, 0.016), (90, 0, 3, 400, 7))
    svg = histogram_svg(EDGES, (5, 6, 17), 0.004, outline=outline)
    assert "before the last recode" in labels(svg)
    (drawn,) = (path for path in ET.fromstring(svg).iter(f"{SVG}path") if path.get("stroke-dasharray"))
    ups = [float(y) for y in re.findall(r"V([\d.]+)H", drawn.get("d", ""))]
    ends = [float(x) for x in re.findall(r"[MH]([\d.]+)", drawn.get("d", ""))]
    assert ends == sorted(ends)
    assert LEFT <= ends[0] and ends[-1] <= RIGHT
    bottom = max(ups)  # of the class without records
    heights = [bottom - y for y in ups]
    assert [height / heights[0] for height in heights] == pytest.approx([1, 0, 3 / 90, 400 / 90, 7 / 90], abs=0.01)
    assert ": 400;" in svg, "told in words, too"
    assert labels(histogram_svg(EDGES, (5, 6, 17), 0.004)).count("before the last recode") == 0


def test_ticks_read_as_numbers_and_as_one_in_n() -> None:
    found = labels(histogram_svg((0.0005, 0.5), (3,)))
    assert {"0.001", "0.01", "0.1", "1 in 1,000", "1 in 100", "1 in 10"} <= set(found)


def test_panels_share_axes_and_threshold() -> None:
    panels = (Panel("Before", EDGES, (1, 2, 300)), Panel("After", EDGES, (303, 0, 0)))
    svg = panels_svg(RiskHistograms("Risk <1>", panels, 0.004))
    found = labels(svg)
    assert found.count("300") == 1 + 2  # one bar, and the same tick on both upward axes
    assert sum(t.startswith("threshold") for t in found) == 1
    assert "Risk &lt;1&gt;" in svg


@pytest.mark.parametrize(
    "svg", [panels_svg(RiskHistograms("t", (), 0.1)), histogram_svg((), ()), curve_svg(Curve("t", (), None, "y"))]
)
def test_nothing_to_draw_is_said(svg: str) -> None:
    assert labels(svg)[0].startswith("No ")


def test_a_curve_is_a_step_function_with_its_point() -> None:
    curve = Curve("Curve", ((0.001, 30.0), (0.01, 10.0), (0.1, 5.0)), (0.002, 10.0), "loss (bits)")
    svg = curve_svg(curve)
    assert "chosen: 0.002, costs 10.00" in labels(svg)
    (path,) = [p.get("d", "") for p in ET.fromstring(svg).iter(f"{SVG}path")]
    (point,) = ET.fromstring(svg).iter(f"{SVG}circle")
    assert re.findall("[A-Z]", path) == list("MVHVHV"), "each cost holds from the threshold below up to its own"
    levels = [float(y) for y in re.findall("V([0-9.]+)", path)]
    assert float(point.get("cy", "nan")) == levels[0]


def test_one_point_and_no_loss() -> None:
    assert "0" in labels(curve_svg(Curve("c", ((0.01, 0.0),), (0.01, 0.0), "loss")))


risks = st.floats(1e-9, 1.0)


@given(
    st.lists(st.tuples(risks, st.integers(0, 10**9)), min_size=2, max_size=30, unique_by=lambda pair: pair[0]),
    st.one_of(st.none(), risks),
)
def test_any_histogram_is_well_formed_within_its_frame_and_deterministic(
    classes: list[tuple[float, int]], threshold: float | None
) -> None:
    classes = sorted(classes)
    edges, records = [e for e, _n in classes], [n for _e, n in classes[1:]]
    svg = histogram_svg(edges, records, threshold)
    assert svg == histogram_svg(edges, records, threshold)
    assert "nan" not in svg
    for node in ET.fromstring(svg).iter(f"{SVG}rect"):
        x, width, height = (float(node.get(name, "nan")) for name in ("x", "width", "height"))
        assert width >= 0
        assert height >= 0
        assert x + width <= max(RIGHT, 720) + 0.02


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0, 80), st.floats(0, 80))
def test_hatching_stays_inside(x: float, y: float, width: float, height: float) -> None:
    path = hatch(x, y, width, height, "#000")
    for piece in path.partition('d="')[2].partition('"')[0].replace("M", " ").replace("L", " ").split("  "):
        numbers = [float(n) for n in piece.split()]
        for px, py in zip(numbers[::2], numbers[1::2], strict=True):
            assert x - 0.02 <= px <= x + width + 0.02
            assert y - 0.02 <= py <= y + height + 0.02


@given(st.floats(1e-9, 0.9), st.floats(1.001, 1e6))
def test_ticks_lie_on_the_axis(low: float, ratio: float) -> None:
    ticks = LogScale(low, low * ratio, 0, 100).ticks()
    assert ticks == sorted(ticks)
    assert len(ticks) <= 10
    assert all(low * (1 - 1e-6) <= tick <= low * ratio * (1 + 1e-6) for tick in ticks)


@given(st.floats(1e-6, 1e9))
def test_steps_are_round(wanted: float) -> None:
    assert wanted * (1 - 1e-8) <= nice_step(wanted) <= wanted * 2.6
