"""Rows are found among sorted rows, of however many codes."""

from __future__ import annotations

import numpy as np
import pytest

from core.tables.sorted_keys import SortedKeys, columns_in_a_word


@pytest.mark.parametrize("cards", [(4,), (3, 5, 2), (1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20), (1 << 32, 1 << 32)])
def test_every_row_is_found_and_no_other(cards: tuple[int, ...]) -> None:
    """Two words or more are needed where the cards are large."""
    draw = np.random.default_rng(3)
    rows = sorted({tuple(draw.integers(0, min(card, 3), 1)[0] * (card // 3) for card in cards) for _ in range(60)})
    kept = rows[::2]
    keys = SortedKeys([np.array(column, np.uint32) for column in zip(*kept, strict=True)], cards)
    place = keys.find([np.array(column, np.uint32) for column in zip(*rows, strict=True)])
    known = {row: number for number, row in enumerate(kept)}
    assert place.tolist() == [known.get(row, len(kept)) for row in rows]
    assert len(keys) == len(kept)


def test_among_no_rows_none_is_found() -> None:
    keys = SortedKeys([np.zeros(0, np.uint8)], (3,))
    assert keys.find([np.array([0, 2], np.uint8)]).tolist() == [0, 0]


@pytest.mark.parametrize(("cards", "number"), [((2, 3), 2), ((1 << 32, 1 << 31), 2), ((1 << 32, 1 << 32), 1),
                                               ((1 << 40, 1 << 40), 1)])  # fmt: skip
def test_a_word_holds_what_is_below_its_bound(cards: tuple[int, ...], number: int) -> None:
    assert columns_in_a_word(cards) == number
