"""What the number of members, and who shares an identifier, tell of suppressed values."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.data.columns import EncodedColumn
from core.suppression.inference.household_inference import (
    ALWAYS,
    FEWEST,
    counted,
    follows_from_count,
    household_leaks,
    readable,
)
from tests.core.suppression.demodata import column

SIZES = np.repeat([1, 2, 3, 4], 50)
HOMES = np.repeat(np.arange(200, dtype=np.uint32), SIZES)
SIZE = SIZES[HOMES]


def ids(values: np.ndarray, flags: np.ndarray, codes: int = 10) -> list[str]:
    return [n.id for n in household_leaks({"V": column("V", values, codes)}, {"V": flags}, HOMES)]


def test_a_household_size_is_counted_however_few_are_suppressed() -> None:
    one = HOMES == 60
    assert ids(SIZE, one) == ["household-count-gives-away"]
    assert ids(SIZE, np.ones(len(HOMES), bool)) == ["household-count-gives-away"]
    assert ids(SIZE, HOMES < 0) == []
    assert ids(np.minimum(SIZE, 3), one) == ["household-count-gives-away"], "a type by size, or a size recoded"


def test_a_size_that_is_now_and_then_another_is_counted_and_an_unrelated_variable_is_not() -> None:
    random = np.random.default_rng(4)
    missed = random.random(200)[HOMES] < 0.05
    flags = random.random(200)[HOMES] < 0.3
    assert ids(np.where(missed, SIZE + 1, SIZE), flags) == ["household-count-gives-away"]
    assert ids(random.integers(0, 10, 200)[HOMES], flags) == []
    assert ids(random.integers(0, 2, len(HOMES)), flags) == []


def test_what_only_some_numbers_of_members_tell_is_found() -> None:
    random = np.random.default_rng(4)
    kind = np.where(SIZE == 1, 0, random.integers(1, 6, 200)[HOMES])
    assert ids(kind, SIZE == 1) == ["household-count-gives-away"]
    assert ids(kind, SIZE > 2) == []


def test_what_always_has_one_value_does_not_follow_from_the_count() -> None:
    assert ids(np.zeros_like(SIZE), HOMES == 60) == []
    assert not follows_from_count(column("V", np.zeros_like(SIZE), 10), HOMES)
    assert not follows_from_count(column("V", SIZE % 2, 10), np.arange(len(HOMES), dtype=np.uint32))


def test_a_rare_size_is_told_where_it_is_the_value() -> None:
    homes = np.concatenate([HOMES, np.full(9, 200, np.uint32)])
    size = np.concatenate([SIZE, np.full(9, 9)])
    flags = homes == 200
    found = counted(column("V", size, 10), flags, homes)
    assert (found.suppressed, found.equal, found.function) == (9, 9, True)
    other = counted(column("V", np.where(homes == 200, 0, size), 10), flags, homes)
    assert other.equal == 0, "one household of a size is no pattern"


homes = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.booleans()), min_size=1, max_size=60)


@given(homes)
def test_counting_against_a_plain_twin(records: list[tuple[int, int, bool]]) -> None:
    where, values = [h for h, _, _ in records], [v for _, v, _ in records]  # 3: missing
    flags = [f and v < 3 for _, v, f in records]
    found = counted(_with_missing(values), np.array(flags), np.array(where, np.uint32))
    members, total = Counter(where), 0
    by_size: dict[int, Counter[int]] = {}
    for home, value in zip(where, values, strict=True):
        if value < 3:
            by_size.setdefault(members[home], Counter())[value] += 1
            total += 1
    sizes = Counter(members.values())
    told = {s: max(c, key=lambda v: (c[v], -v)) for s, c in by_size.items()
            if sizes[s] >= FEWEST and max(c.values()) >= ALWAYS * sum(c.values())}  # fmt: skip
    if sum(c[s] for s, c in by_size.items() if s < 3) >= ALWAYS * total:
        told = {s: s for s in sizes if s < 3} | told
    equal = sum(f and told.get(members[h]) == v for h, v, f in zip(where, values, flags, strict=True))
    assert (found.suppressed, found.equal) == (sum(flags), equal)


@given(homes)
def test_what_others_of_the_household_have_against_a_plain_twin(records: list[tuple[int, int, bool]]) -> None:
    where, values, flags = ([record[k] for record in records] for k in range(3))
    seen = {h for h, v, f in records if v < 3 and not f}
    expected = sum(f and h in seen for h, f in zip(where, flags, strict=True))
    assert readable(_with_missing(values), np.array(flags), np.array(where, np.uint32)) == expected


def _with_missing(values: list[int]) -> EncodedColumn:
    found = column("V", np.array(values), 3)
    assert (found.n_valid, found.codes[:3]) == (3, ("0", "1", "2"))
    return found
