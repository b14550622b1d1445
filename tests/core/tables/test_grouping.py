from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.base.progress import Cancelled, Silent
from core.kernels import group as kernels
from core.tables import grouping
from core.tables.grouping import count_by_group, group_rows, sort_spread, sum_by_group
from core.tables.projections import through


def plain(rows: list[tuple[int, ...]], cards: list[int]) -> list[int]:
    keys = [tuple(min(v, card) for v, card in zip(row, cards, strict=True)) for row in rows]
    distinct = sorted(set(keys))
    return [distinct.index(key) for key in keys]


@st.composite
def files(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[int], list[str]]:
    types = draw(st.lists(st.sampled_from(["u1", "u2", "u4"]), min_size=1, max_size=12))
    largest = {"u1": 254, "u2": 65_000, "u4": 4_000_000_000}
    cards = [draw(st.sampled_from([1, 3, largest[t]])) for t in types]
    codes = [st.sampled_from(sorted({0, 1, card - 1, card, card + 1})) for card in cards]
    return draw(st.lists(st.tuples(*codes), min_size=1, max_size=30)), cards, types


@given(files())
def test_groups_are_the_sorted_distinct_keys(file: tuple[list[tuple[int, ...]], list[int], list[str]]) -> None:
    rows, cards, types = file
    columns = [np.array([row[j] for row in rows], t) for j, t in enumerate(types)]
    groups = group_rows(columns, cards)
    assert_array_equal(groups.ids, plain(rows, cards))
    assert_array_equal(groups.ids[groups.member], np.arange(len(groups)))
    assert_array_equal(count_by_group(groups), np.bincount(plain(rows, cards)))


@pytest.mark.parametrize("cards", [[3, 4], [200, 60_000, 90], [60_000] * 4, [4_000_000_000] * 10])
@pytest.mark.parametrize("block", [7, 1 << 17])
def test_many_rows_in_small_blocks(cards: list[int], block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    monkeypatch.setattr(grouping, "blocks", lambda n, progress=None: _blocks(n, block))
    picks = [random.integers(0, card, 5) for card in cards]
    columns = [pick[random.integers(0, 5, 40_000 if block > 7 else 300)].astype(np.uint32) for pick in picks]
    groups = group_rows(columns, cards)
    _, expected = np.unique(np.stack(columns), axis=1, return_inverse=True)
    assert_array_equal(groups.ids, expected.ravel())
    values = random.integers(-(2**40), 2**40, len(columns[0]))
    expected_sums = [int(values[groups.ids == g].sum()) for g in range(min(50, len(groups)))]
    assert_array_equal(sum_by_group(groups, values)[:50], expected_sums)


def _blocks(n: int, size: int) -> list[slice]:
    return [slice(start, min(n, start + size)) for start in range(0, n, size)]


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("card", [3, 1 << 40])
def test_rows_of_another_table(kind: type[np.unsignedinteger], card: int) -> None:
    values = np.array([2, 0, 1, 2], kind)
    groups = group_rows([values], [card], rows=np.array([3, 0, 2], np.uint32))
    assert_array_equal(groups.ids, [1, 1, 0])
    assert set(groups.member.tolist()) <= {0, 1, 2}


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
def test_what_is_looked_up_keeps_its_type(kind: type[np.unsignedinteger]) -> None:
    found = through(np.array([1, 0, 1], np.uint32), np.array([7, 250], kind))
    assert (found.dtype, found.tolist()) == (kind, [250, 7, 250])


def test_no_rows() -> None:
    groups = group_rows([np.zeros(0, np.uint8), np.zeros(0, np.uint32)], [200, 4_000_000_000])
    assert len(groups) == len(groups.ids) == 0


def test_work_can_be_cancelled() -> None:
    class Stop(Silent):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        group_rows([np.zeros(3, np.uint8)], [2], Stop())


CLOSE = st.lists(st.builds(lambda high, low: high << 40 | low, st.integers(0, 2**22), st.integers(0, 3)), max_size=60)


@given(CLOSE | st.lists(st.integers(0, 2**63 - 1), max_size=60) | st.lists(st.floats(0, 1), max_size=60), st.data())
def test_spread_numbers_are_sorted_and_equal_ones_keep_their_order(numbers: list[float], data: st.DataObject) -> None:
    kind = np.float64 if numbers and isinstance(numbers[0], float) else np.uint64
    some = data.draw(st.lists(st.sampled_from(numbers), max_size=20)) if numbers else []
    keys = (np.abs(np.array(numbers + some, kind))).view(np.uint64)
    given_keys = keys.copy()
    ordered, rows = sort_spread(keys)
    expected = sorted(range(len(keys)), key=keys.__getitem__)
    assert rows.tolist() == expected
    assert ordered.tolist() == keys[expected].tolist()
    assert_array_equal(keys, given_keys)


@pytest.mark.parametrize("n", [300, 40_000])
def test_numbers_that_differ_in_their_last_bits_only(n: int) -> None:
    """Falling, but for two far ones: insertion would take n² / 2 steps."""
    keys = np.concatenate(([2**62], np.arange(n, 0, -1), [0])).astype(np.uint64)
    ordered, rows = sort_spread(keys)
    assert_array_equal(ordered, np.sort(keys))
    assert_array_equal(rows, np.argsort(keys, kind="stable"))


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 12), st.integers(0, 80))
def test_insertion_stops_where_it_takes_too_long(keys: list[int], sorted_before: int, moves: int) -> None:
    keys[:sorted_before] = sorted(keys[:sorted_before])
    steps = sum(a > b for i, b in enumerate(keys) for a in keys[:i])
    found, rows = np.array(keys, np.uint64), np.arange(len(keys), dtype=np.uint32)
    left = kernels.settle(found, rows, min(sorted_before, len(keys)), len(keys), moves)
    assert left == max(moves - steps, -1)
    if left >= 0:
        assert rows.tolist() == sorted(range(len(keys)), key=keys.__getitem__)
    assert sorted(zip(found.tolist(), rows.tolist(), strict=True)) == sorted(zip(keys, range(len(keys)), strict=True))
