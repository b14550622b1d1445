"""Kernels over cells and groups against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.kernels import cells as kernels
from core.kernels.group import look_up

GROUPS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from((0, 0, 1, 5)), st.integers(0, 3)), max_size=20)
TYPES = st.sampled_from((np.uint8, np.uint16, np.uint32))


@given(GROUPS, st.integers(0, 4), st.integers(0, 20), TYPES)
def test_rare_groups_and_their_codes(
    groups: list[tuple[int, int, int]], threshold: int, cut: int, kind: type[np.unsignedinteger]
) -> None:
    """Each group: records, missing variables, member; in two blocks."""
    count = np.array([group[0] for group in groups], np.int64)
    missing = np.array([group[1] for group in groups], np.uint64)
    member = np.array([group[2] for group in groups], np.uint32)
    rare, members, found = np.ones(len(groups), np.bool_), np.zeros(len(groups), np.uint32), 0
    for part in (slice(0, cut), slice(cut, None)):
        found = kernels.find_rare(count[part], missing[part], member[part], threshold, rare[part], members, found)
    expected = [records <= threshold and not lacking for records, lacking, _ in groups]
    assert rare.tolist() == expected
    assert members[:found].tolist() == [group[2] for group, is_rare in zip(groups, expected, strict=True) if is_rare]

    codes = np.array([2, 0, 2, 1], kind)
    counts = np.full((2, 3), 7, np.int64)
    kernels.count_codes(members[:found], codes, counts)
    of_rare = codes[members[:found]].tolist()
    assert counts.sum(axis=0).tolist() == [14 + of_rare.count(code) for code in range(3)]


@given(st.lists(st.integers(0, 3), max_size=20), st.integers(0, 63), st.integers(0, 63), TYPES)
def test_missing_codes_are_marked(codes: list[int], bit: int, other: int, kind: type[np.unsignedinteger]) -> None:
    bits = np.full(len(codes), 1 << other, np.uint64)
    kernels.mark_missing(np.array(codes, kind), 3, 1 << bit, bits)
    assert bits.tolist() == [1 << other | (1 << bit if code == 3 else 0) for code in codes]


@given(st.lists(st.integers(0, 255), max_size=40), st.integers(0, 40))
def test_bytes_are_counted(codes: list[int], cut: int) -> None:
    """In two blocks."""
    counts, values = np.full((4, 256), 7, np.int64), np.array(codes, np.uint8)
    kernels.count_bytes(values[:cut], counts)
    kernels.count_bytes(values[cut:], counts)
    assert counts.sum(axis=0).tolist() == [28 + codes.count(code) for code in range(256)]


@given(st.lists(st.integers(0, 3), max_size=20), TYPES, TYPES)
def test_codes_are_looked_up(codes: list[int], kind: type[np.unsignedinteger], of: type[np.unsignedinteger]) -> None:
    table, found = np.array([3, 255, 0, 7], of), np.zeros(len(codes), of)
    look_up(np.array(codes, kind), table, found)
    assert found.tolist() == [int(table[code]) for code in codes]
