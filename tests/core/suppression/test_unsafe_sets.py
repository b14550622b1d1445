"""Demands of several tables at once: per record the sets of them all that contain no other one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.suppression.unsafe_sets import Masks, UnsafeSets, together

RECORDS = 4


def minimal(sets: set[int]) -> Masks:
    """By the definition: none of them contains another one."""
    return tuple(sorted(each for each in sets if not any(other != each and other & each == other for other in sets)))


demands = st.sets(st.integers(0, 63), max_size=6).map(minimal)
"""Zero is the empty set: nothing ends it."""


@given(st.lists(st.lists(demands, min_size=RECORDS, max_size=RECORDS), max_size=4))
def test_of_all_tables_those_stay_that_contain_no_other(tables: list[list[Masks]]) -> None:
    parts = []
    for of_records in tables:
        masks = ((), *dict.fromkeys(each for each in of_records if each))
        parts.append(UnsafeSets(np.array([masks.index(each) for each in of_records], np.int64), masks))
    found = together(parts, RECORDS)
    assert [found.masks[number] for number in found.of_record] == [
        minimal({mask for of_records in tables for mask in of_records[record]}) for record in range(RECORDS)
    ]
