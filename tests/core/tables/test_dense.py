"""Cells counted in a table of all that could be are those that sorting finds."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.tables.dense import DenseCells, is_dense

CARDS = (3, 1, 4)
ROWS = st.lists(st.tuples(*(st.integers(0, card - 1) for card in CARDS), st.integers(-5, 1 << 50)), max_size=30)


@given(ROWS, ROWS)
def test_the_cells_that_occur_with_their_sums(first: list[tuple[int, ...]], second: list[tuple[int, ...]]) -> None:
    """Rows added in two steps; a sum of zero is a cell's like any other."""
    cells = DenseCells(CARDS, 2)
    for rows in (first, second):
        columns = [np.array([row[j] for row in rows], np.uint8) for j in range(3)]
        values = np.array([row[3] for row in rows], np.int64)

        def block(part: slice, columns: list = columns, values: np.ndarray = values) -> tuple:  # type: ignore[type-arg]
            return [column[part] for column in columns], [None, values[part]]

        cells.add(len(rows), block)
    codes, (count, total) = cells.found()
    records, weights = Counter(), Counter()  # type: ignore[var-annotated]
    for *key, value in first + second:
        records[tuple(key)] += 1
        weights[tuple(key)] += value
    assert [*zip(*(column.tolist() for column in codes), strict=True)] == sorted(records)
    assert count.tolist() == [records[key] for key in sorted(records)]
    assert total.tolist() == [weights[key] for key in sorted(records)]


def test_a_table_is_not_much_larger_than_what_it_counts() -> None:
    assert is_dense((10, 10), 100, 4)
    assert not is_dense((10, 11), 100, 4)
    assert not is_dense((), 100, 1), "no column"
    assert not is_dense((1 << 12, 1 << 12), 1 << 30, 2), "more memory than it is worth"
