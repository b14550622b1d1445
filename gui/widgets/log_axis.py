"""An axis that shows a base-10 logarithm by its number, with ticks at 1, 2 and 5 of every decade."""

from __future__ import annotations

import math

import pyqtgraph as pg

from gui.numbers import format_exact

_STEPS_BY_ROOM = ((1, 2, 5), (1, 3), (1,))


class LogAxis(pg.AxisItem):
    """Positions are log10(value); labels are values. pyqtgraph's own log mode does not know bars."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Ticks at 1-2-5 of each decade where there is room, else at 1-3, at 1, or at every second decade."""
        if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
            return []
        room = max(2, int(size / 64))
        decades = range(math.floor(low), math.ceil(high) + 1)
        for steps in _STEPS_BY_ROOM:
            ticks = [d + math.log10(s) for d in decades for s in steps if low <= d + math.log10(s) <= high]
            if len(ticks) <= room:
                return [(1.0, ticks)]
        stride = math.ceil(len(ticks) / room)
        return [(float(stride), ticks[::stride])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers themselves, in plain decimal notation in the user's locale."""
        return [format_exact(float(f"{10.0**value:.1g}")) for value in values]
