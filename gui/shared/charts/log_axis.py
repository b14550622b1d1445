"""Axes of risk charts: a base-10 logarithm shown by its number or as "1 in 50", and whole numbers of records."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from gui.numbers import format_count, format_exact, format_one_in

_STEPS_BY_ROOM = ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
_LABEL_WIDTH = 64
_LABEL_HEIGHT = 22
_CUT = 3
"""Pixels below the upper end within which the number of a tick would be cut off."""
_ONE_IN_WIDTH, _BETWEEN = 78, 14
"""Pixels from one such label to the next at least, and between them where they are long."""
_LEAST_TICKS = 3


class LogAxis(pg.AxisItem):
    """Positions are log10(value); labels are values. pyqtgraph's own log mode does not know bars."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """The finest of 1-2-5 and its like in each decade for which there is room; equal steps in less than that."""
        if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
            return []
        room = max(2, int(size / _LABEL_WIDTH))
        decades = range(math.floor(low), math.ceil(high) + 1)
        ticks: list[float] = []
        for steps in _STEPS_BY_ROOM:
            ticks = [d + math.log10(s) for d in decades for s in steps if low <= d + math.log10(s) <= high]
            if len(ticks) <= room:
                break
        if len(ticks) > room:
            ticks = ticks[:: math.ceil(len(ticks) / room)]
        if len(ticks) < _LEAST_TICKS:
            ticks = [math.log10(value) for value in _equal_steps(10.0**low, 10.0**high, room)]
        return [(1.0, ticks)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers themselves, in plain decimal notation in the user's locale."""
        return [format_exact(float(f"{10.0**value:.6g}")) for value in values]


class RiskAxis(LogAxis):
    """Risks as "1 in 50": 1, 2 and 5 of each decade, left out from the safe end where they stand too close."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Positions from the unsafe end, each far enough from the one before; as on any such axis where none is."""
        if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
            return []
        decades = range(math.floor(-high) - 1, math.ceil(-low) + 1)
        every = sorted((-decade - math.log10(step) for decade in decades for step in (1, 2, 5)), reverse=True)
        pixel, told = (high - low) / max(size, 1.0), QFontMetricsF(self.style["tickFont"] or QApplication.font())
        ticks: list[float] = []
        last = 0.0
        for place in every:
            if not low <= place <= min(high, 0.0):
                continue
            width = told.horizontalAdvance(_in_words(10.0**place))
            if not ticks or ticks[-1] - place >= pixel * max(_ONE_IN_WIDTH, (last + width) / 2 + _BETWEEN):
                ticks.append(place)
                last = width
        return [(1.0, ticks)] if ticks else super().tickValues(low, high, size)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """In words where that is exact; else the number itself."""
        return [_in_words(float(10.0**value)) for value in values]


def _in_words(risk: float) -> str:
    whole = round(1 / risk)
    return format_one_in(1 / whole) if abs(1 / risk - whole) < 1e-6 * whole else format_exact(float(f"{risk:.6g}"))


class CountAxis(pg.AxisItem):
    """Whole numbers from zero, written out.

    `ends_at`: the largest number that there is, which is written; none above it is.
    """

    def __init__(self) -> None:
        self.ends_at: float | None = None
        super().__init__("left")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Equal steps, none below one."""
        if size <= _CUT or not high > low:  # a chart that is squeezed while its page is laid out has no ticks
            return []
        room = max(3, int(size / _LABEL_HEIGHT))
        high -= _CUT * (high - low) / max(size, 1.0)
        step = max(1.0, _step((high - low) / room))
        ticks = [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
        if self.ends_at is not None and low <= self.ends_at <= high:
            ticks = [*(tick for tick in ticks if tick < self.ends_at - step / 2), self.ends_at]
        return [(step, ticks)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Without powers of ten, however many."""
        return [format_count(round(value)) for value in values]


class PlainAxis(pg.AxisItem):
    """Numbers as people of the language write them, without powers of ten."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Six figures at most."""
        return written_out(values)


def written_out(values: list[float]) -> list[str]:
    """Numbers of an axis: whole ones with their thousands apart, others with six figures at most."""
    rounded = [float(f"{value:.6g}") for value in values]
    return [format_count(int(value)) if value.is_integer() else format_exact(value) for value in rounded]


def _equal_steps(low: float, high: float, room: int) -> Sequence[float]:
    step = _step((high - low) / min(room, 5))
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _step(wanted: float) -> float:
    """The next of 1, 2, 5 times a power of ten from `wanted` on."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(float(m * power) for m in (1, 2, 5, 10) if m * power >= wanted * (1 - 1e-9))
