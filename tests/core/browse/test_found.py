"""Records that are found in parts: as a plain list of them, in little memory."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.browse.found import FoundRecords, RecordSet

PARTS = st.lists(
    st.tuples(st.integers(1, 9000), st.sampled_from((0.0, 0.003, 0.2, 1.0)), st.integers(0, 99)), min_size=1, max_size=4
)


@settings(max_examples=40, deadline=None)
@given(PARTS)
def test_what_is_found_is_as_in_a_list(parts: list[tuple[int, float, int]]) -> None:
    found, expected, first = FoundRecords(), [], 0
    for records, share, seed in parts:
        hits = np.flatnonzero(np.random.default_rng(seed).random(records) < share)
        own = RecordSet(hits, records)
        assert np.flatnonzero(own.mask()).tolist() == hits.tolist() == [own[i] for i in range(len(own))]
        for record in {0, records // 3, records - 1}:
            assert own.next_to(record, 1) == min((hit for hit in hits if hit > record), default=-1)
            assert own.next_to(record, -1) == max((hit for hit in hits if hit < record), default=-1)
        assert own.next_to(-5000, 1) == min(hits, default=-1)
        assert own.next_to(20_000, -1) == max(hits, default=-1)
        found.add(first, own)
        expected += [first + hit for hit in hits.tolist()]
        first += records
    assert [found[row] for row in range(len(found))] == expected
    rows = {record: row for row, record in enumerate(expected)}
    assert all(found.row_of(record) == rows.get(record, -1) for record in range(0, first, max(first // 500, 1)))


def test_many_hits_take_an_eighth_of_a_byte_a_record() -> None:
    records = 1 << 20
    every_third = RecordSet(np.arange(0, records, 3), records)
    held = [value for value in vars(every_third).values() if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in held) < records / 8 * 1.1
    assert every_third[1000] == 3000
