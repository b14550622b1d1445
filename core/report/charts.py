"""The charts of the report as SVG text; the windows export theirs with the same functions.

Safe and unsafe are told apart by colour, by hatching and by words. The same numbers give the same text.

Classes of the report's histograms: equal widths in log risk, the threshold one of their limits.

So no class lies on both sides of the threshold, and the same classes serve before and after.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.texts import translate as _
from ..risk.individual import TOLERANCE
from ..tables.grouping import blocks
from . import numbers
from .blocks import Curve, Outline, Panel, RiskHistograms
from .numbers import count, one_in, significant
from .svg import (
    INK,
    LEFT,
    MUTED,
    RIGHT,
    SAFE,
    TINT,
    UNSAFE,
    WIDTH,
    LinearAxis,
    LogScale,
    document,
    hatch,
    line,
    log_axis,
    nice_step,
    number,
    rect,
    risk_axis,
    text,
    value_axis,
)

_PANEL = 150.0
_HEAD = 26.0
_DASHED = "4 3"
_SLACK = 1e-9
"""A class limit that is the threshold but for rounding is the threshold."""


def histogram_svg(
    edges: Sequence[float],
    records: Sequence[int],
    threshold: float | None = None,
    *,
    unsafe: Sequence[int] = (),
    title: str = "",
    unit: str = "",
    outline: Outline | None = None,
    height: float = 320.0,
) -> str:
    """One histogram of risks on a logarithmic axis.

    Parameters
    ----------
    edges : sequence of m + 1 risks, ascending, > 0
    records : sequence of m counts
    threshold : individual or household risk, drawn and named; the side above it is shaded
    unsafe : m counts, how many of each class are unsafe: the upper part of its bar, hatched. Without them, where the
        threshold is a class limit, the bars on its upper side
    title : what the picture is of
    unit : what is counted; default "records"
    outline : the state before the last recode, dashed
    height : pixels
    """
    panel = Panel("", tuple(edges), tuple(records), tuple(unsafe), outline)
    plot = height - _HEAD - 80
    return panels_svg(RiskHistograms(title, (panel,), threshold, unit=unit), plot)


def panels_svg(chart: RiskHistograms, plot_height: float = _PANEL) -> str:
    """Histograms under each other, with the same risk axis, the same upward axis and one threshold through all."""
    drawn = [p for p in chart.panels if p.edges]
    unit = chart.unit or _("records")
    if not drawn:
        return document(WIDTH, 60, chart.title, "", [text(WIDTH / 2, 34, _("No risk to show."), "middle", 13, MUTED)])
    outlines = [p.outline for p in drawn if p.outline is not None]
    states: list[Panel | Outline] = [*drawn, *outlines]
    marks = [e for state in states for e in (state.edges[0], state.edges[-1])]
    axis = log_axis(*_span(marks, chart.threshold), LEFT, RIGHT)
    highest = _room_above(max(max(state.records, default=0) for state in states))
    parts: list[str] = []
    top = 14.0 + (_HEAD if chart.threshold is not None else 0)
    first = top
    for panel in drawn:
        top += 20 if panel.title else 0
        upward = LinearAxis(highest, top + plot_height, top)
        parts += _panel(panel, axis, upward, chart.threshold, unit)
        bottom = top + plot_height
        top = bottom + 16
    parts += _threshold_line(axis, chart.threshold, first, bottom)
    parts += risk_axis(axis, bottom, _("risk (logarithmic scale)"))
    if outlines:
        parts.append(line(axis.left, bottom + 47, axis.left + 24, bottom + 47, INK, 1.2, _DASHED))
        parts.append(text(axis.left + 30, bottom + 51, _("before the last recode")))
    return document(WIDTH, bottom + 62, chart.title, _description(chart, drawn, unit), parts)


def _span(marks: Sequence[float], threshold: float | None) -> tuple[float, float]:
    """Ends of the risk axis: all classes and the threshold, with room for its name on the unsafe side."""
    low, high = min(marks), max(marks)
    if threshold is None:
        return low, high
    low = min(low, threshold / 1.15)
    return low, max(high, threshold * max(1.15, (threshold / low) ** 0.13))


def _room_above(highest: int) -> float:
    """End of the upward axis: a round number that leaves room for the figure on the tallest bar."""
    wanted = max(highest, 1) * 1.12
    step = nice_step(wanted / 4) / 2
    steps = int(wanted / step) + 1
    return max(step * steps, 2.0)


def _panel(panel: Panel, axis: LogScale, upward: LinearAxis, threshold: float | None, unit: str) -> list[str]:
    parts = []
    if threshold is not None:
        x = axis(threshold)
        parts.append(rect(x, upward.top, axis.right - x, upward.bottom - upward.top, TINT))
    parts += value_axis(upward, axis.left, axis.right, unit)
    unsafe = panel.unsafe or _above(panel, threshold)
    for low, high, records, part in zip(panel.edges[:-1], panel.edges[1:], panel.records, unsafe, strict=True):
        if records:
            parts += _bar(axis, upward, low, high, records, part)
    if panel.outline is not None:
        parts.append(_outline(panel.outline, axis, upward))
    parts.append(line(axis.left, upward.bottom, axis.right, upward.bottom, MUTED))
    if panel.title:
        parts += _panel_title(panel.title, axis, upward.top - 7, threshold)
    return parts


def _outline(outline: Outline, axis: LogScale, upward: LinearAxis) -> str:
    """The classes of an earlier state, dashed, over the bars."""
    path = [f"M{number(axis(outline.edges[0]))} {number(upward.bottom)}"]
    for end, records in zip(outline.edges[1:], outline.records, strict=True):
        path.append(f"V{number(upward(records))}H{number(axis(end))}")
    path.append(f"V{number(upward.bottom)}")
    return f'<path d="{"".join(path)}" stroke="{INK}" stroke-width="1.2" stroke-dasharray="{_DASHED}" fill="none"/>'


def _panel_title(title: str, axis: LogScale, y: float, threshold: float | None) -> list[str]:
    """The name of a panel, on the side of the threshold line that has more room."""
    to_right = threshold is not None and axis(threshold) < (axis.left + axis.right) / 2
    x, anchor = (axis.right, "end") if to_right else (axis.left, "start")
    return [text(x, y, title, anchor, 12.5, INK, bold=True)]


def _above(panel: Panel, threshold: float | None) -> tuple[int, ...]:
    """The classes from the threshold on, all of whose records are unsafe."""
    if threshold is None:
        return (0,) * len(panel.records)
    lows = panel.edges[:-1]
    return tuple(n if low >= threshold * (1 - _SLACK) else 0 for low, n in zip(lows, panel.records, strict=True))


def _bar(axis: LogScale, upward: LinearAxis, low: float, high: float, records: int, unsafe: int) -> list[str]:
    """Safe records, plain, and on top of them the unsafe ones; as few as they are, each part can be seen."""
    gap = min(0.75, (axis(high) - axis(low)) / 4)
    x, right, top = axis(low) + gap, axis(high) - gap, min(upward(records), upward.bottom - 1.5)
    border = upward.bottom if unsafe == records else max(upward(records - unsafe), top)
    if unsafe:
        border = max(border, top + 1.5)
    parts = []
    if unsafe < records:
        parts.append(rect(x, border, right - x, upward.bottom - border, SAFE))
    if unsafe:
        parts.append(rect(x, top, right - x, border - top, "#f3b183", UNSAFE))
        parts.append(hatch(x, top, right - x, border - top, UNSAFE))
    if right - x >= 5.9 * len(count(records)):
        parts.append(text((x + right) / 2, top - 4, count(records), "middle", 10.5, INK))
    return parts


def _threshold_line(axis: LogScale, threshold: float | None, top: float, bottom: float) -> list[str]:
    """The threshold through all panels, its name and which side is unsafe above them."""
    if threshold is None:
        return []
    x, y = axis(threshold), top - 12
    ratio = one_in(threshold)
    name = _("threshold {risk}").format(risk=numbers.threshold(threshold)) + (f" ({ratio})" if ratio else "")
    parts = [
        line(x, top - 22, x, bottom + 5, INK, 1.6, "6 3"),
        text(x + 6, y, _("unsafe →"), "start", 12, "#a84a00", bold=True),
    ]
    if x - axis.left > 6.6 * len(name):
        return [*parts, text(x - 6, y, name, "end", 12, INK, bold=True)]
    return [*parts, text(x + 72, y, name, "start", 12, INK, bold=True)]


def _description(chart: RiskHistograms, panels: Sequence[Panel], unit: str) -> str:
    """The figures in words, for those who hear the picture."""
    told = []
    for panel in panels:
        told.append(f"{panel.title} {unit} – {_classes(panel)}".strip())
        if panel.outline is not None:
            told.append(f"{_('before the last recode')} – {_classes(panel.outline)}")
    if chart.threshold is not None:
        told.append(_("threshold {risk}").format(risk=numbers.threshold(chart.threshold)))
    return ". ".join(told)


def _classes(state: Panel | Outline) -> str:
    return "; ".join(
        f"{significant(low, 3)}–{significant(high, 3)}: {count(n)}"
        for low, high, n in zip(state.edges[:-1], state.edges[1:], state.records, strict=True)
        if n
    )


def curve_svg(chart: Curve, height: float = 270.0) -> str:
    """Cost against threshold, as the step function it is, with the current threshold as a marked point.

    Parameters
    ----------
    chart : Curve
        Points (threshold, cost) ascending in threshold; cost >= 0. At a threshold between two points the cost is
        that of the next point above; above all points it is what remains.
    height : float
        Pixels.
    """
    points = [(x, y) for x, y in chart.points if x > 0]
    if not points:
        return document(WIDTH, 60, chart.title, "", [text(WIDTH / 2, 34, _("No curve to show."), "middle", 13, MUTED)])
    marks = [x for x, _y in points] + ([chart.current[0]] if chart.current else [])
    axis = log_axis(min(marks), max(marks), LEFT, RIGHT)
    highest = max(y for _x, y in points)
    top, bottom = 24.0, height - 62
    upward = LinearAxis(nice_step(highest / 4) * 4 if highest > 0 else 1.0, bottom, top)
    parts = value_axis(upward, axis.left, axis.right, chart.y_title, whole=False)
    path = _steps(points, chart.remaining, axis, upward)
    parts.append(f'<path d="{path}" stroke="{SAFE}" stroke-width="2" fill="none"/>')
    parts += _current(chart, axis, upward)
    of_households = _("threshold of the household risk (logarithmic scale)")
    of_records = _("threshold of the individual risk (logarithmic scale)")
    parts += risk_axis(axis, bottom, of_households if chart.household else of_records)
    told = "; ".join(f"{significant(x, 3)}: {significant(y, 4)}" for x, y in points[:: max(1, len(points) // 12)])
    return document(WIDTH, height, chart.title, f"{chart.y_title} – {told}", parts)


def _steps(points: Sequence[tuple[float, float]], remaining: float, axis: LogScale, upward: LinearAxis) -> str:
    x, y = points[0]
    path = [f"M{number(axis(x))} {number(upward(y))}"]
    for x, y in points[1:]:
        path.append(f"V{number(upward(y))}H{number(axis(x))}")
    path.append(f"V{number(upward(remaining))}")
    return "".join(path)


def _current(chart: Curve, axis: LogScale, upward: LinearAxis) -> list[str]:
    if chart.current is None:
        return []
    threshold, cost = chart.current
    x, y = axis(threshold), upward(min(cost, upward.high))
    name = _("chosen: {risk}, costs {cost}").format(risk=numbers.threshold(threshold), cost=significant(cost, 4))
    to_right = x + 7.0 * len(name) < axis.right
    return [
        line(x, y, x, upward.bottom, INK, 1.2, "6 3"),
        f'<circle cx="{number(x)}" cy="{number(y)}" r="5" fill="{UNSAFE}" stroke="#ffffff" stroke-width="1.5"/>',
        text(x + 9 if to_right else x - 9, y - 8, name, "start" if to_right else "end", 12, INK, bold=True),
    ]


MOST = 22
_PER_DECADE = (20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)


def class_limits(lowest: float, highest: float, threshold: float | None = None) -> tuple[float, ...]:
    """Class limits that hold the risks from `lowest` to `highest` (both > 0).

    Parameters
    ----------
    lowest, highest : smallest and largest risk in any state of the file
    threshold : made a limit, if it lies between them

    Returns
    -------
    ascending limits of at most MOST + 1 classes; a risk at a limit belongs to the class above it
    """
    inside = threshold is not None and lowest < threshold <= highest
    anchor = threshold if inside and threshold is not None else lowest
    decades = math.log10(highest / lowest)
    per_decade = next((m for m in _PER_DECADE if decades * m <= MOST - 1), decades and (MOST - 1) / decades)
    first = math.floor(math.log10(lowest / anchor) * per_decade + 1e-9)
    last = math.floor(math.log10(highest / anchor) * per_decade + 1e-9) + 1
    return tuple(anchor * 10.0 ** (k / per_decade) for k in range(first, last + 1))


def records_in_classes(
    risk: NDArray[np.floating[Any]], count: NDArray[np.integer[Any]] | None, limits: Sequence[float]
) -> tuple[int, ...]:
    """Records in each class.

    Parameters
    ----------
    risk : (m,), nan where it is not defined
    count : (m,) records with each risk; None: one
    limits : of `class_limits`; what lies outside them is counted in the outermost class
    """
    begins, found = np.asarray(limits) * (1.0 - TOLERANCE), np.zeros(len(limits) - 1, np.int64)
    for part in blocks(len(risk)):  # there may be very many
        known = ~np.isnan(risk[part])
        place = np.clip(np.searchsorted(begins, risk[part][known], "right") - 1, 0, len(limits) - 2)
        np.add.at(found, place, 1 if count is None else count[part][known])
    return tuple(int(n) for n in found)
