"""The picture of a measure as SVG, in the report and saved from the Risk Laboratory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.texts import translate as _
from ..base.texts import with_marks
from ..risk.measures.shown import BarPicture, CurvePicture, HistogramPicture, Picture
from .numbers import column, exact
from .svg import (
    GRID,
    INK,
    LEFT,
    MUTED,
    RIGHT,
    SAFE,
    WIDTH,
    LinearAxis,
    document,
    line,
    log_axis,
    nice_step,
    number,
    rect,
    risk_axis,
    text,
    value_axis,
)

MOST_BARS = 40
"""Bars that are drawn; the others are counted."""
_HEIGHT, _TOP, _BELOW = 270.0, 24.0, 62.0
_ROW = 22.0
_LETTER = 7.4
"""Width of a letter at size 12, roughly; of capitals, as names of variables often have."""
_LONGEST_NAME = 34
_BAND = "#cfe3f0"


def measure_svg(title: str, picture: Picture) -> str:
    """The picture with its axes; `title` is what it is of. Values that are not finite are left out."""
    if isinstance(picture, BarPicture):
        return _bars(title, picture)
    if isinstance(picture, HistogramPicture):
        return _histogram(title, picture)
    return _curve(title, picture)


def _bars(title: str, picture: BarPicture) -> str:
    """A bar below the other, its name at the left and its value behind it."""
    written = column(picture.values.tolist(), picture.format)
    drawn = [(_(name), value, told) for name, value, told in zip(picture.names, picture.values, written, strict=True)]
    shown = drawn[:MOST_BARS]
    longest = max((len(_shortened(name)) for name, _value, _told in shown), default=0)
    left = 24 + _LETTER * longest
    room = RIGHT - left - _LETTER * max((len(told) for _name, _value, told in shown), default=0) - 12
    most = max((value for _name, value, _told in shown if math.isfinite(value)), default=0.0) or 1.0
    parts = [text(left, 18, _(picture.up), "start", 12, MUTED)]
    for row, (name, value, told) in enumerate(shown):
        y = 30 + row * _ROW
        width = max(room * value / most, 0.0) if math.isfinite(value) else 0.0
        parts += [
            text(left - 10, y + 12, _shortened(name), "end", 12),
            rect(left, y, max(width, 1.0), _ROW - 7, SAFE),
            text(left + width + 8, y + 12, told, "start", 12),
        ]
    height = 30 + _ROW * len(shown) + 10
    if len(drawn) > len(shown):
        parts.append(
            text(left, height + 6, _("and {n} more").format(n=exact(len(drawn) - len(shown))), "start", 12, MUTED)
        )
        height += 18
    told_all = "; ".join(f"{name}: {told}" for name, _value, told in drawn)
    return document(WIDTH, height, title, f"{_(picture.up)} – {told_all}", parts)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"


def _histogram(title: str, picture: HistogramPicture) -> str:
    edges = picture.edges
    upward = _upward(picture.counts)
    parts = value_axis(upward, LEFT, RIGHT, _(picture.up))
    across, axis = _across(edges, _(picture.across), picture.logarithmic)
    for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), picture.counts.tolist(), strict=True):
        if count > 0:
            x, top = across(low), min(upward(count), upward.bottom - 1.5)
            parts.append(rect(x, top, max(across(high) - x - 1, 0.5), upward.bottom - top, SAFE))
    told = "; ".join(
        with_marks(f"{low:.4g}–{high:.4g}: {count:.12g}")
        for low, high, count in zip(edges[:-1], edges[1:], picture.counts, strict=True)
        if count
    )
    return document(WIDTH, _HEIGHT, title, f"{_(picture.up)} – {told}", [*parts, *axis])


def _curve(title: str, picture: CurvePicture) -> str:
    ends = picture.y if picture.high is None else np.concatenate([picture.y, picture.high])
    upward = _upward(ends)
    parts = value_axis(upward, LEFT, RIGHT, _(picture.up), whole=False)
    across, axis = _across(picture.x, _(picture.across), logarithmic=False)
    if picture.low is not None and picture.high is not None:
        there = np.isfinite(picture.low) & np.isfinite(picture.high)
        xs = [across(x) for x in picture.x[there].tolist()]
        points = [*zip(xs, map(upward, picture.high[there].tolist()), strict=True)]
        points += reversed([*zip(xs, map(upward, picture.low[there].tolist()), strict=True)])
        if points:
            parts.append(f'<path d="M{_path(points)}Z" fill="{_BAND}" stroke="none"/>')
    there = np.isfinite(picture.y)
    points = [(across(x), upward(y)) for x, y in zip(picture.x[there].tolist(), picture.y[there].tolist(), strict=True)]
    if points:
        parts.append(f'<path d="M{_path(points)}" stroke="{SAFE}" stroke-width="2" fill="none"/>')
    told = "; ".join(with_marks(f"{x:.4g}: {y:.4g}") for x, y in zip(picture.x, picture.y, strict=True))
    return document(WIDTH, _HEIGHT, title, f"{_(picture.up)} – {told}", [*parts, *axis])


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{number(x)} {number(y)}" for x, y in points)


def _upward(values: NDArray[np.float64]) -> LinearAxis:
    known = values[np.isfinite(values)]
    highest = float(known.max()) if len(known) else 0.0
    return LinearAxis(nice_step(highest / 4) * 4 if highest > 0 else 1.0, _HEIGHT - _BELOW, _TOP)


def _across(places: NDArray[np.float64], title: str, logarithmic: bool) -> tuple[Callable[[float], float], list[str]]:
    """Where a value lies on the axis below, and that axis with its name."""
    low, high, y = float(places[0]), float(places[-1]), _HEIGHT - _BELOW
    if logarithmic and low > 0:
        scale = log_axis(low, high, LEFT, RIGHT)
        if high <= 1:
            return scale, risk_axis(scale, y, title)
        ticks = [10.0**d for d in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]
        return scale, _axis(scale, ticks, y, title)

    def place(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - low) / ((high - low) or 1.0)

    step = nice_step((high - low) / 6) if high > low else 1.0
    first = math.ceil(low / step - 1e-9)
    ticks = [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]
    return place, _axis(place, ticks, y, title)


def _axis(place: Callable[[float], float], ticks: Sequence[float], y: float, title: str) -> list[str]:
    parts = [line(LEFT, y, RIGHT, y, MUTED)]
    for value in ticks:
        x = place(value)
        parts += [line(x, y, x, y + 5, GRID), text(x, y + 18, exact(float(f"{value:.6g}")), "middle", 12)]
    return [*parts, text((LEFT + RIGHT) / 2, y + 40, title, "middle", 12, INK)]
