"""Cells merged from the cells before a recode are the cells counted from the records after it."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.recoding.recoding import recoded_column
from core.tables.regroup import code_map, regroup
from core.tables.tabulate import tabulate
from tests import naive_tables as naive
from tests.core.tables.test_tabulate import RULES, files


def same(found: object, expected: object) -> bool:
    if isinstance(expected, np.ndarray):
        assert isinstance(found, np.ndarray)
        return found.dtype == expected.dtype and np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f")
    if isinstance(expected, tuple):
        assert isinstance(found, tuple)
        return len(found) == len(expected) and all(map(same, found, expected))
    return found == expected


@given(files(), st.sampled_from(RULES), st.sampled_from([0.0, 0.25, 1.0]), st.booleans(), st.data())
def test_every_field_is_that_of_a_fresh_count(
    file: tuple[list[naive.Row], list[int], list[Fraction]], rule: Any, alpha: float, weighed: bool, data: st.DataObject
) -> None:
    rows, cards, numbers = file
    before = naive.columns_of(rows, cards)
    weights = naive.weights_of(numbers) if weighed else None
    after, maps = [], []
    for column in before:
        if not data.draw(st.booleans()):
            after.append(column)
            maps.append(None)
            continue
        valid = data.draw(st.lists(st.sampled_from("01ab-"), min_size=column.n_valid, max_size=column.n_valid))
        recoded, lut = recoded_column(column, [*valid, *column.codes[column.n_valid :]], ("-", "--"), 4)
        after.append(recoded)
        maps.append(code_map(column, recoded, lut))
    expected = tabulate(after, weights, rule, alpha)
    found = regroup(tabulate(before, weights, rule, alpha), after, maps)
    for field in fields(expected):
        assert same(getattr(found, field.name), getattr(expected, field.name)), field.name


def test_a_recode_that_makes_a_value_of_a_missing_code_cannot_be_told_from_cells() -> None:
    column = naive.column("A", [0, None, None], 1)
    recoded, lut = recoded_column(column, ["0", "7", "--"], ("--",), 4)
    assert code_map(column, recoded, lut) is None
