"""The forecast's kernels against plain Python: one unit after the other, one counter after the other."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.kernels import suppress as kernels
from core.suppression.forecast import pack

_MOST = (1, 6, 1000, 2**20 - 1, 2**20, 2**31 - 1, 2**40)


def plain(
    own: list[int], margins: list[list[int]], masks: list[int], records: list[int], levels: int, variables: int
) -> list[list[int]]:
    """Changes at each level of every variable, of the records touched and of those left unsafe."""
    changes = [[0] * (variables + 2) for _ in range(levels)]
    for u, times in enumerate(records):
        best, bits = own[u], 0
        choices = [(mask | 1 << variables, margin[u]) for mask, margin in zip(masks, margins, strict=True)]
        for new, level in [*choices, (1 << variables + 1, -1)]:
            if level < best:
                for c in range(variables + 2):
                    changes[best][c] += times * ((new >> c & 1) - (bits >> c & 1))
                best, bits = level, new
    return changes


@settings(max_examples=120, deadline=None)
@given(st.data(), st.integers(1, 60), st.sampled_from(_MOST), st.integers(1, 12), st.integers(0, 6))
def test_falling_thresholds(data: st.DataObject, variables: int, most: int, levels: int, tried: int) -> None:
    level, n = st.integers(0, levels - 1), data.draw(st.integers(1, 6))
    own = data.draw(st.lists(level, min_size=n, max_size=n))
    margins = [data.draw(st.lists(level, min_size=n, max_size=n)) for _ in range(tried)]
    masks = [data.draw(st.integers(1, 2**variables - 1)) for _ in range(tried)]
    records = data.draw(st.lists(st.integers(0, most // n), min_size=n, max_size=n))
    packed, bits = pack([0, *(mask | 1 << variables for mask in masks)], variables + 1, most)
    changes, counts = np.zeros((levels, packed.shape[1]), np.int64), np.array(records, np.int64)
    best, choice = np.array(own, np.uint32), np.zeros(n, np.uint32)
    cells = np.arange(n, dtype=np.uint32)
    for number, margin in enumerate(margins, 1):
        of_group = np.array(margin[::-1], np.uint32)
        kernels.lower(cells[::-1].copy(), of_group, cells, counts, number, packed, best, choice, changes)
    left = np.zeros(data.draw(st.integers(int(best.max()) + 1, levels)), np.int64)
    kernels.give_up(best, choice, counts, packed, changes, left)

    expected = np.array(plain(own, margins, masks, records, levels, variables), np.int64)
    assert best.tolist() == np.min([own, *margins], axis=0).tolist()
    found, places = 0, np.empty(levels + 1, np.uint32)
    for start, stop in ((0, levels // 2), (levels // 2, levels)):
        found = kernels.changing(changes, left, start, stop, places, found)
    changed = places[:found]
    assert changed.tolist() == np.flatnonzero((expected != 0).any(axis=1)).tolist()
    totals: NDArray[np.int64] = np.zeros((len(changed) + 1, variables + 2), np.int64)
    middle = len(changed) // 2
    for start, stop in ((middle, len(changed)), (0, middle)):
        kernels.add_downwards(changes, bits, left, changed, start, stop, totals)
    assert totals[:-1].tolist() == np.cumsum(expected[changed][::-1], axis=0)[::-1].tolist()


@given(st.integers(1, 60), st.sampled_from(_MOST), st.data())
def test_packed_counters_do_not_touch_each_other(variables: int, most: int, data: st.DataObject) -> None:
    """The least and the largest sums side by side come out as they went in."""
    sums = data.draw(st.lists(st.sampled_from((-most, -1, 0, 1, most)), min_size=variables, max_size=variables))
    packed, bits = pack([1 << v for v in range(variables)], variables, most)
    assert packed.shape[1] == max(2, -(-variables // (64 // bits)))
    changes = (packed * np.array(sums, np.int64)[:, None]).sum(axis=0)[None, :]
    totals = np.zeros((2, variables + 1), np.int64)
    kernels.add_downwards(changes, bits, np.zeros(0, np.int64), np.zeros(1, np.uint32), 0, 1, totals)
    assert totals[0].tolist() == [*sums, 0]


@given(st.lists(st.integers(0, 8), max_size=30), st.integers(0, 30))
def test_distinct_numbers(numbers: list[int], cut: int) -> None:
    values = np.array(sorted(numbers), np.float64) / 8
    cut, kept = min(cut, len(values)), 0
    for start, stop in ((0, cut), (cut, len(values))):
        kept = kernels.keep_distinct(values, start, stop, kept)
    assert values[:kept].tolist() == sorted({number / 8 for number in numbers})
