"""Numbers by which records are drawn: those of the definition, and the same for the same values."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.base.progress import Cancelled
from core.suppression.record_draws import (
    START,
    DrawSource,
    drawn_numbers,
    file_digest,
    folded,
    in_drawn_order,
    occurrences,
    of_units,
)
from tests import naive_record_draws as naive

values = st.integers(0, 2**64 - 1)


@given(
    st.lists(st.tuples(st.sampled_from([3, 7, 2**64 - 1]), st.integers(0, 2)), max_size=30),
    st.binary(min_size=16, max_size=32),
)
def test_numbers_are_those_of_the_definition(rows: list[tuple[int, int]], key: bytes) -> None:
    digests = np.array([digest for digest, _ in rows], np.uint64)
    units = np.array([unit for _, unit in rows], np.int64)
    found = drawn_numbers(key, ("REGION", "ÄGE"), digests, occurrences(of_units(digests, units)))
    assert found.tolist() == naive.numbers(key, ("REGION", "ÄGE"), digests.tolist(), units.tolist())


@given(st.lists(st.lists(values, min_size=3, max_size=3), min_size=1, max_size=10))
def test_digests_are_folded_value_by_value(rows: list[list[int]]) -> None:
    found = np.full(len(rows), START)
    for column in np.array(rows, np.uint64).T:
        found = folded(found, column)
    assert found.tolist() == [naive.digest(row) for row in rows]


@given(st.lists(values, max_size=20), st.randoms(use_true_random=False))
def test_file_digest_depends_on_values_and_not_on_their_order(rows: list[int], random: object) -> None:
    digests = np.array(rows, np.uint64)
    mixed = digests.copy()
    random.shuffle(mixed)  # type: ignore[attr-defined]
    whole = file_digest(digests)
    assert (file_digest(mixed) == whole).all()
    assert (file_digest(digests[:5]) + file_digest(digests[5:]) == whole).all()
    assert (file_digest(np.append(digests, np.uint64(1))) != whole).any()


def test_the_key_is_the_secret_or_follows_from_seed_and_values() -> None:
    said = DrawSource("00ff" * 8, 1, ("A",), ("B",))
    assert said.key() == bytes.fromhex("00ff" * 8)
    silent = [DrawSource(None, seed, ("A",), ("B",)) for seed in (1, 2)]
    digests = [np.array([1, 2, 3, last], np.uint64) for last in (4, 5)]
    keys = {source.key(digest) for source in silent for digest in digests}
    assert len(keys) == 4 and all(len(key) == 32 for key in keys)


def test_purpose_and_secret_change_every_number() -> None:
    digests, times = np.arange(50, dtype=np.uint64), np.ones(50, np.int64)
    drawn = [
        drawn_numbers(key, names, digests, times)
        for key in (b"a" * 16, b"b" * 16)
        for names in (("A", "B"), ("A",), ("AB",))
    ]
    assert len({number for numbers in drawn for number in numbers.tolist()}) == 300


def test_drawn_order_goes_by_unit_number_and_place() -> None:
    numbers, units = np.array([5, 1, 5, 0, 1], np.uint64), np.array([1, 1, 1, 0, 0])
    assert in_drawn_order(numbers, units).tolist() == [3, 4, 1, 0, 2]


def test_drawing_can_be_cancelled() -> None:
    class Stop:
        def check(self) -> None:
            raise Cancelled

    try:
        drawn_numbers(b"a" * 16, (), np.zeros(1, np.uint64), np.ones(1, np.int64), Stop())  # type: ignore[arg-type]
    except Cancelled:
        return
    raise AssertionError("not asked")
