"""Household types by composition: which of several missing codes a member has is no characteristic."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.columns import EncodedColumn
from core.data.household_types import Composition, household_types
from tests.core.data.test_households import encoded
from tests.core.small_households import households

HOMES = [0, 0, 1, 1, 2, 2, 3]


def types(values: str, missing: tuple[str, ...]) -> tuple[list[str], Composition, EncodedColumn]:
    member = encoded(list(values), missing, "AGE")
    found = household_types("KIND", households(np.array(HOMES)), [member])
    return [found.column.codes[value] for value in found.column.values], found, member


@pytest.mark.parametrize("values", ["a8a9b81", "a9a8b91", "a8a8b91", "8a9ab81"])
def test_two_missing_codes_of_a_member_are_one(values: str) -> None:
    kinds, found, member = types(values, ("8", "9"))
    assert kinds == ["1", "1", "1", "1", "2", "2", "3"] or kinds == ["1", "1", "1", "1", "3", "3", "2"]
    labels = found.labels([member], {"AGE": {"8": "refused", "9": "unknown"}})
    assert labels["1"] == "1 AGE a, 1 AGE missing"
    assert sum(found.column.counts.tolist()) == len(HOMES)


def test_a_single_missing_code_keeps_its_label() -> None:
    kinds, found, member = types("a8a8b81", ("8",))
    assert kinds[:4] == ["1"] * 4 and len(set(kinds)) == 3
    assert found.labels([member], {"AGE": {"8": "refused"}})["1"] == "1 AGE a, 1 refused"
