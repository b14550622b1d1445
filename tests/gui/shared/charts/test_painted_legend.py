"""Entries of a painted legend stand beside each other, in the room that there is, however long their texts are."""

from __future__ import annotations

import pytest

from gui.shared.charts.painted_legend import legend_places

SIGN = 12.0


@pytest.mark.parametrize("texts", [(40, 45), (140, 160), (20, 300), (300, 20), (200, 200, 200)])
@pytest.mark.parametrize("room", [90.0, 200.0, 400.0])
def test_entries_neither_overlap_nor_leave_their_room(texts: tuple[float, ...], room: float) -> None:
    places = legend_places(texts, SIGN, room)
    ends = [x + SIGN + 6 + width for x, width in places]
    assert all(begin >= end for (begin, _width), end in zip(places[1:], ends, strict=False))
    if room >= len(texts) * (SIGN + 22):
        assert ends[-1] <= room + 0.01


def test_a_short_text_leaves_its_room_to_a_long_one() -> None:
    (_, short), (_, long) = legend_places((20, 300), SIGN, 200)
    assert short == 20 and long == 200 - 2 * (SIGN + 6) - 16 - 20
    assert [width for _x, width in legend_places((40, 45), SIGN, 400)] == [40, 45]
