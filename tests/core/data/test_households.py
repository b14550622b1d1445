"""Households: groups by identifier wherever members stand, and what is said about them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.data.columns import EncodedColumn
from core.data.households import (
    Households,
    by_written_identifier,
    households_of,
    sequence_numbers,
    varying,
    varying_notices,
    within,
)
from core.recipe.model import HouseholdSettings as Settings
from tests.core.small_households import households
from tests.members import members_of

OWN = Settings(empty_id="own-household")


def encoded(texts: list[str], missing: tuple[str, ...] = ("x",), name: str = "HH") -> EncodedColumn:
    """A column of texts, codes in bytewise order."""
    valid = sorted({text for text in texts if text not in missing})
    codes = (*valid, *missing)
    values = np.array([codes.index(text) for text in texts], np.uint16)
    return EncodedColumn(name, values, codes, codes, np.bincount(values, minlength=len(codes)), len(valid), 4)


def groups(found: Households) -> set[frozenset[int]]:
    return {frozenset(members_of(found, g).tolist()) for g in range(len(found))}


IDENTIFIERS = st.lists(st.sampled_from(["1", "2", "02", "7a", "", "x", "3"]), min_size=1, max_size=20)


@given(IDENTIFIERS, st.sampled_from([None, 1, 2, 3]))
def test_groups_are_those_of_equal_identifiers(texts: list[str], above: int | None) -> None:
    found = households_of(encoded(texts), Settings("own-household", above))
    sizes = Counter(texts)
    alone = {t for t in sizes if t in ("", "x") or (above is not None and sizes[t] > above)}
    expected = {frozenset(i for i, t in enumerate(texts) if t == text) for text in set(texts) - alone}
    expected |= {frozenset([i]) for i, t in enumerate(texts) if t in alone}
    assert groups(found) == expected
    assert found.size.tolist() == [len(members_of(found, g)) for g in range(len(found))]
    assert [found.identifiers_of(np.arange(len(found)) == g)[0] for g in found.household_of_record] == texts
    runs = Counter(
        g for i, g in enumerate(found.household_of_record.tolist()) if i == 0 or g != found.household_of_record[i - 1]
    )
    assert found.scattered == sum(count > 1 for count in runs.values())


@given(IDENTIFIERS, st.randoms())
def test_the_order_of_records_does_not_matter(texts: list[str], random: object) -> None:
    named = [text for text in texts if text not in ("", "x")] or ["1"]
    order = list(range(len(named)))
    random.shuffle(order)  # type: ignore[attr-defined]
    first = households_of(encoded(named))
    second = households_of(encoded([named[i] for i in order]))
    assert second.household_of_record.tolist() == first.household_of_record[order].tolist()
    assert second.size.tolist() == first.size.tolist()


def test_an_empty_identifier_is_refused_with_its_records() -> None:
    with pytest.raises(DataError, match=r"HH is empty or missing in 12 records: 2, 3, .*, 11, …\. .*own-household"):
        households_of(encoded(["1", *[""] * 11, "x"]))


def test_what_is_accepted_is_said() -> None:
    found = households_of(encoded(["1", "2", "1", "", "3", "3", "3"]), Settings("own-household", 2))
    said = {notice.id: dict(notice.values) for notice in found.notices}
    assert said["households-scattered"] | {"scattered": 1, "records": 2} == said["households-scattered"]
    assert said["households-as-single-persons"] | {"groups": 1, "records": 3} == said["households-as-single-persons"]
    assert said["household-id-empty"]["records"] == 1
    assert households_of(encoded(["1", "1", "2"])).notices == ()


def test_household_variables_that_vary_are_listed_by_identifier() -> None:
    found = households_of(encoded([str(i // 2) for i in range(30)]))
    values = ["a" if i % 2 else "b" for i in range(26)] + ["a", "x", "b", "b"]
    (region,) = varying(found, {"REGION": encoded(values), "SAME": encoded(["a", "a"] * 15)})
    assert (region.variable, region.households, len(region.first)) == ("REGION", 13, 10)
    assert region.first[:3] == ("0", "1", "10")
    (notice,) = varying_notices((region,))
    assert "13 households: 0, 1, 10, " in notice.text and ", …" in notice.text


@pytest.mark.parametrize(
    ("texts", "constant"),
    [
        ([str(i // 2 % 3) for i in range(30)], True),
        ([str(i // 2 % 3) if i % 4 else "x" for i in range(30)], False),  # 7 households with two values: too few
        ([str(i % 2) for i in range(30)], False),
    ],
)
def test_a_variable_that_never_differs_is_told(texts: list[str], constant: bool) -> None:
    found = households_of(encoded([str(i // 2) for i in range(30)]))
    assert within(found, encoded(texts)).constant is constant


def test_few_households_tell_nothing() -> None:
    few = households_of(encoded([str(i // 2) for i in range(10)]))
    assert not within(few, encoded([str(i // 2 % 3) for i in range(10)])).constant


def test_sequence_numbers_follow_the_written_order() -> None:
    found = households_of(encoded(["9", "9", "5", "7", "5"]))
    of_record = sequence_numbers(found)[found.household_of_record]
    assert of_record.tolist() == [1, 1, 2, 3, 2]
    order = np.array([3, 2, 4, 0, 1])
    shuffled = sequence_numbers(found, order)[found.household_of_record][order]
    assert shuffled.tolist() == [1, 2, 2, 3, 3]


def test_single_persons_share_the_identifier_that_is_written() -> None:
    found = households([5, 7, 5, 5, 8, 7, 8, 8], Settings(single_persons_above=2))
    assert len(found) == 7
    seen = by_written_identifier(found).tolist()
    assert [seen[i] == seen[j] for i, j in ((0, 2), (2, 3), (1, 5), (4, 6), (6, 7))] == [True] * 5
    assert len({seen[0], seen[1], seen[4]}) == 3
    plain = households([5, 7, 5])
    assert by_written_identifier(plain) is plain.household_of_record
