"""Small pieces of SVG and the axes that the charts are drawn with. Own code: no plotting library, no fonts inside.

Only what every renderer understands (Qt's SVG Tiny too): no patterns, clips, style sheets or ``currentColor``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .numbers import count, exact, one_in

SAFE = "#0072B2"
UNSAFE = "#D55E00"
INK = "#1f2a30"
MUTED = "#5b6870"
GRID = "#dde3e6"
TINT = "#fbeee3"

WIDTH = 720.0
"""Of a chart."""
LEFT, RIGHT = 82.0, 702.0
"""Where its axis across begins and ends."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def number(value: float) -> str:
    """A coordinate, short and the same everywhere."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rect(x: float, y: float, width: float, height: float, fill: str, stroke: str = "none") -> str:
    """A rectangle."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'fill="{fill}" stroke="{stroke}"/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    """A straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" '
        f'stroke="{colour}" stroke-width="{number(width)}"{dashes}/>'
    )


def text(
    x: float,
    y: float,
    content: str,
    anchor: str = "start",
    size: float = 12,
    colour: str = INK,
    bold: bool = False,
    turned: bool = False,
) -> str:
    """One line of text on its base line; `turned` reads upwards."""
    weight = ' font-weight="bold"' if bold else ""
    turn = f' transform="rotate(-90 {number(x)} {number(y)})"' if turned else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{number(size)}" '
        f'fill="{colour}"{weight}{turn}>{escape(content)}</text>'
    )


def hatch(x: float, y: float, width: float, height: float, colour: str, gap: float = 6) -> str:
    """Diagonal lines that fill a rectangle, cut to it by arithmetic."""
    parts = []
    first = math.ceil((x - y - height) / gap) * gap
    offset = first
    while offset < x + width - y:
        start, end = max(x, offset + y), min(x + width, offset + y + height)
        if end - start > 0.5:
            parts.append(f"M{number(start)} {number(start - offset)}L{number(end)} {number(end - offset)}")
        offset += gap
    return f'<path d="{"".join(parts)}" stroke="{colour}" stroke-width="1.2" fill="none"/>' if parts else ""


def document(width: float, height: float, title: str, description: str, parts: Sequence[str]) -> str:
    """A whole picture, with title and description for those who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{number(width)}" height="{number(height)}" font-family="{FONT}">'
    )
    told = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    return head + told + rect(0, 0, width, height, "#ffffff") + "".join(p for p in parts if p) + "</svg>"


@dataclass(frozen=True)
class LogScale:
    """Risks from `low` to `high` (both > 0), logarithmic, on pixels `left` to `right`."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        """Pixel of a risk."""
        position = math.log(value / self.low) / math.log(self.high / self.low)
        return self.left + position * (self.right - self.left)

    def ticks(self) -> list[float]:
        """Powers of ten; where those are few, also 2 and 5 times them."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
            found = [float(f"{s}e{d}") for d in range(first, last + 1) for s in steps]
            inside = [v for v in found if self.low * (1 - 1e-9) <= v <= min(self.high * (1 + 1e-9), 1.0)]
            if len(inside) >= 4:
                return inside[:: math.ceil(len(inside) / 9)]
        return inside


@dataclass(frozen=True)
class LinearAxis:
    """Values from 0 to `high` on pixels `bottom` (0) to `top`."""

    high: float
    bottom: float
    top: float

    def __call__(self, value: float) -> float:
        """Pixel of a value."""
        return self.bottom - value / self.high * (self.bottom - self.top)

    def ticks(self) -> list[float]:
        """About five round values from 0 on."""
        step = nice_step(self.high / 4)
        return [step * i for i in range(int(self.high / step + 1e-9) + 1)]


def nice_step(wanted: float) -> float:
    """The next of 1, 2, 5 times a power of ten that is not below `wanted`."""
    power: float = 10.0 ** math.floor(math.log10(wanted))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= wanted * (1 - 1e-9))


def log_axis(low: float, high: float, left: float, right: float) -> LogScale:
    """An axis that also holds where all values are equal: half a decade around them."""
    if high / low < 1.0001:
        low, high = low / 3, high * 3
    return LogScale(low, high, left, right)


def risk_axis(axis: LogScale, y: float, title: str) -> list[str]:
    """The axis of risks below a plot: each tick as a number and as ``1 in N``, and the axis' name."""
    parts = [line(axis.left, y, axis.right, y, MUTED)]
    for value in axis.ticks():
        x = axis(value)
        parts += [line(x, y, x, y + 5, MUTED), text(x, y + 18, exact(value), "middle", 12)]
        parts.append(text(x, y + 32, one_in(value), "middle", 10.5, MUTED))
    parts.append(text((axis.left + axis.right) / 2, y + 51, title, "middle", 12))
    return parts


def value_axis(axis: LinearAxis, left: float, right: float, title: str, whole: bool = True) -> list[str]:
    """The upward axis with its grid lines and its name."""
    parts = []
    for value in axis.ticks():
        if whole and value != int(value):
            continue
        y = axis(value)
        label = count(int(value)) if value == int(value) else exact(value)
        parts += [line(left, y, right, y, GRID), text(left - 8, y + 4, label, "end", 12)]
    parts.append(text(left - 76, (axis.bottom + axis.top) / 2, title, "middle", 12, turned=True))
    return parts
