"""Compare's charts for saving, and their figures as columns; in the report's style, always on white."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF

from core.base.texts import translate
from core.report.svg import (
    GRID,
    INK,
    MUTED,
    SAFE,
    UNSAFE,
    LinearAxis,
    document,
    line,
    log_axis,
    nice_step,
    number,
    risk_axis,
    text,
    value_axis,
)
from gui import numbers
from gui.compare.utility_map_labels import HALF, LINE, name_places
from gui.shared.table.model import Column
from gui.theme.tokens import LIGHT, Colours

if TYPE_CHECKING:
    from core.risk.distribution import Histogram

_WIDTH, _LEFT, _RIGHT, _TOP, _TALL = 720.0, 92.0, 702.0, 40.0, 300.0
_LETTER = 6.6
"""Width of a letter, about."""
_DASHES = ("", "8 4", "2 3", "8 3 2 3")


class MapPoint(NamedTuple):
    """An alternative: its risk as a fraction, its loss in bits or per cent, and whether that is of a protected file."""

    name: str
    risk: float
    loss: float
    protected: bool = True


def loss_title() -> str:
    """What stands at the map's upward axis."""
    return translate("loss by recoding and suppression (bits)")


def line_style(place: int, scheme: Colours) -> tuple[str, int]:
    """The colour of the line at a place, and which of four dashes it has: neighbours differ in both, and 24 in one."""
    colours, dashes = len(scheme.lines), len(_DASHES)
    return scheme.lines[place % colours], (place + place // (2 * colours)) % dashes


def map_ends(points: Sequence[MapPoint]) -> tuple[float, float]:
    """Where the map's axes end: risk in per cent, loss in bits; with room for names."""
    risk = max((100 * point.risk for point in points), default=0.0)
    loss = max((point.loss for point in points), default=0.0)
    return (risk if risk > 0 else 1.0) * 1.35, max(loss, 1.0) * 1.15


def map_picture(points: Sequence[MapPoint], current: int, title: str, across: str, upwards: str = "") -> str:
    """The risk–utility map as SVG; empty without points. `upwards`: what its loss is; empty: that in bits."""
    if not points:
        return ""
    most, highest = map_ends(points)
    bottom = _TOP + _TALL
    upward = LinearAxis(highest, bottom, _TOP)
    parts = [text(_LEFT, 22, title, "start", 13, INK, bold=True)]
    parts += value_axis(upward, _LEFT, _RIGHT, upwards or loss_title(), whole=False)
    parts += _percent_axis(most, bottom, across)
    places = [QPointF(_LEFT + 100 * p.risk / most * (_RIGHT - _LEFT), upward(p.loss)) for p in points]
    last = sorted(range(len(points)), key=lambda place: place == current)
    parts += [_mark(places[i], points[i].protected, i == current) for i in last]
    widths = [len(point.name) * _LETTER for point in points]
    inside = QRectF(_LEFT, _TOP, _RIGHT - _LEFT, _TALL)
    for place in name_places(places, widths, inside):
        for row, i in enumerate(place.points):
            left = place.room.left() + HALF + 3
            name = _elided(points[i].name, int((place.room.width() - 2 * HALF) / _LETTER))
            parts.append(text(left, place.room.top() + LINE * (row + 1) - 5, name))
    parts.append(text(_LEFT, bottom + 72, _legend(points, current), "start", 11, MUTED))
    told = "; ".join(f"{p.name}: {numbers.format_percent(p.risk)}, {numbers.format_number(p.loss, 1)}" for p in points)
    return document(_WIDTH, bottom + 86, title, f"{across}, {upwards or loss_title()} – {told}", parts)


def _loss(loss: float, is_share: bool) -> str:
    return numbers.format_number(loss, 3 if is_share else 1)


def _elided(name: str, letters: int) -> str:
    """A name without its middle where there is no room for all of it."""
    if len(name) <= letters:
        return name
    kept = max(letters - 1, 2)
    return f"{name[: kept - kept // 2]}…{name[-(kept // 2) :]}"


def _legend(points: Sequence[MapPoint], current: int) -> str:
    said = [translate("Down and to the left is better.")]
    if current >= 0:
        said.append(translate("◆ the current session"))
    if any(not point.protected for point in points):
        said.append(translate("hollow: without suppression"))
    return " · ".join(said)


def _percent_axis(most: float, y: float, title: str) -> list[str]:
    parts = [line(_LEFT, y, _RIGHT, y, MUTED)]
    step = nice_step(most / 6)
    for i in range(int(most / step + 1e-9) + 1):
        x = _LEFT + step * i / most * (_RIGHT - _LEFT)
        label = numbers.format_exact(float(f"{step * i:.6g}"))
        parts += [line(x, y, x, _TOP, GRID), line(x, y, x, y + 5, MUTED), text(x, y + 18, label, "middle", 12)]
    return [*parts, text((_LEFT + _RIGHT) / 2, y + 44, title, "middle", 12)]


def _mark(place: QPointF, protected: bool, current: bool) -> str:
    colour, x, y = UNSAFE if current else SAFE, place.x(), place.y()
    dress = f'fill="{colour if protected else "#ffffff"}" stroke="{"#ffffff" if protected else colour}"'
    if not current:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="7" {dress} stroke-width="1.5"/>'
    corners = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in ((0, -6), (5, 0), (0, 6), (-5, 0)))
    return f'<polygon points="{corners}" {dress} stroke-width="1.5"/>'


def map_columns(points: Sequence[MapPoint], across: str, upwards: str = "") -> Sequence[Column]:
    """Name, risk and loss of each point, and whether it is protected."""
    protected = [translate("yes") if point.protected else translate("no") for point in points]
    return (
        Column(translate("Alternative"), [point.name for point in points]),
        Column(across, [point.risk for point in points], numbers.format_percent, True),
        Column(upwards or loss_title(), [p.loss for p in points], lambda loss: _loss(loss, bool(upwards)), True),
        Column(translate("with suppression"), protected),
    )


def lines_picture(lines: Sequence[tuple[str, Histogram]], title: str, across: str) -> str:
    """Overlaid histograms as SVG; empty without any."""
    if not lines:
        return ""
    low, high = min(float(b.edges[0]) for _, b in lines), max(float(b.edges[-1]) for _, b in lines)
    top, bottom = _TOP + 18 * len(lines), _TOP + 18 * len(lines) + _TALL
    axis = log_axis(low, high, _LEFT, _RIGHT)
    highest = max(1, *(int(bars.records.max(initial=0)) for _name, bars in lines))
    upward = LinearAxis(nice_step(highest / 4) * 4, bottom, top)
    parts = [text(_LEFT, 22, title, "start", 13, INK, bold=True)]
    parts += value_axis(upward, _LEFT, _RIGHT, translate("records"))
    parts += risk_axis(axis, bottom, across)
    told = []
    for place, (name, bars) in enumerate(lines):
        colour, style = line_style(place, LIGHT)
        y = _TOP + 18 * place
        parts.append(line(_LEFT, y, _LEFT + 28, y, colour, 2, _DASHES[style]))
        parts.append(text(_LEFT + 36, y + 4, name))
        path = [f"M{number(axis(float(bars.edges[0])))} {number(bottom)}"]
        for end, records in zip(bars.edges[1:].tolist(), bars.records.tolist(), strict=True):
            path.append(f"V{number(upward(records))}H{number(axis(end))}")
        dashes = f' stroke-dasharray="{_DASHES[style]}"' if style else ""
        path.append(f"V{number(bottom)}")
        parts.append(f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="2" fill="none"{dashes}/>')
        told.append(f"{name}: {', '.join(numbers.format_count(n) for n in bars.records.tolist())}")
    return document(_WIDTH, bottom + 62, title, "; ".join(told), parts)


def lines_columns(lines: Sequence[tuple[str, Histogram]]) -> Sequence[Column]:
    """Bounds and records of each bar, by alternative."""
    rows = [
        (name, low, high, records)
        for name, bars in lines
        for low, high, records in zip(bars.edges[:-1], bars.edges[1:], bars.records.tolist(), strict=True)
    ]
    return (
        Column(translate("Alternative"), [row[0] for row in rows]),
        Column(translate("risk from"), [row[1] for row in rows], _risk, True),
        Column(translate("up to"), [row[2] for row in rows], _risk, True),
        Column(translate("records"), [row[3] for row in rows], numbers.format_count, True),
    )


def _risk(value: float) -> str:
    return numbers.format_exact(float(f"{value:.6g}"))
