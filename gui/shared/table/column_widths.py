"""Widths of a table's columns: figures are never cut, long texts first, and then it is scrolled."""

from __future__ import annotations

from collections.abc import Sequence

WIDEST = 240
"""A column's width beyond which it gives way before any other loses room that is to spare."""
NAMED = 130
"""Width of a column of long texts below which it is better to scroll."""
_LEAST = 80
"""The same of a stretched column of short texts."""


def floors(least: Sequence[int], numbers: Sequence[bool], stretched: int) -> list[int]:
    """What columns keep in any case: figures all that they need, long texts less.

    Parameters
    ----------
    least : in pixels, that cut nothing off
    numbers : which columns hold figures
    stretched : the column that takes what the others leave; -1: none
    """
    found = [width if number else min(width, NAMED) for width, number in zip(least, numbers, strict=False)]
    if 0 <= stretched < len(found):
        named = least[0] if stretched == 0 else _LEAST  # a label may be cut, a name may not
        found[stretched] = min(max(named, _LEAST), NAMED)
    return found


def scrolled(wanted: Sequence[int], floors: Sequence[int]) -> list[int]:
    """Widths where not all columns are seen at once; the first one, which names the rows, leaves room for others."""
    widths = [min(width, WIDEST) for width in wanted]
    return [min(widths[0], floors[0]), *widths[1:]]


def shared(
    wanted: Sequence[int], least: Sequence[int], floors: Sequence[int], stretched: int, room: int
) -> list[int] | None:
    """Widths with which all columns are seen at once; None where they cannot be.

    All in pixels, one a column.

    Parameters
    ----------
    wanted : with room to spare around titles and texts
    least : that cut nothing off
    floors : that a column keeps; where this is less than `least`, its texts may be cut
    stretched : the column that takes what the others leave, which gives way first; -1: none
    room : for all columns together
    """
    crowded = [floors[i] if i == stretched else width for i, width in enumerate(least)]
    for needs, widest in ((wanted, WIDEST), (crowded, NAMED)):
        found = _up_to(widest, needs, floors)
        if sum(found) > room:
            continue
        fits, too_wide = widest, max(needs) + 1
        while too_wide - fits > 1:
            middle = (fits + too_wide) // 2
            if sum(_up_to(middle, needs, floors)) <= room:
                fits = middle
            else:
                too_wide = middle
        return _up_to(fits, needs, floors)
    return None


def _up_to(widest: int, needs: Sequence[int], floors: Sequence[int]) -> list[int]:
    return [max(min(need, widest), floor) for need, floor in zip(needs, floors, strict=True)]
