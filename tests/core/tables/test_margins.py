from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.tables.margins import UnsafeSpec, unsafe_combinations
from tests import naive_tables as naive
from tests.naive_tables import Row

NAMES = ("K0", "K1", "K2", "K3")
CARDS = (2, 3, 2, 3)
KEYS = [key for size in range(1, 5) for key in combinations(NAMES, size)]


@given(
    st.lists(st.tuples(*(st.sampled_from([None, *range(card)]) for card in CARDS)), min_size=1, max_size=12),
    st.dictionaries(st.sampled_from(KEYS), st.integers(1, 4), min_size=1, max_size=4),
)
def test_counts_by_the_definition(rows: list[Row], chosen: dict[tuple[str, ...], int]) -> None:
    columns = {c.name: c for c in naive.columns_of(rows, CARDS)}
    overview = unsafe_combinations([UnsafeSpec(key, t) for key, t in chosen.items()], columns)
    expected = naive.unsafe_keys(rows, NAMES, chosen)
    assert {t.variables: (t.threshold, t.unsafe) for t in overview.tables} == {
        key: (threshold, len(unsafe)) for key, (threshold, unsafe) in expected.items()
    }
    assert overview.dimensions == max(map(len, chosen))
    for size, total in overview.unsafe_by_dimension.items():
        assert total == sum(len(unsafe) for key, (_, unsafe) in expected.items() if len(key) == size)
    used = [name for name in NAMES if any(name in key for key in chosen)]
    assert [variable.name for variable in overview.variables] == used
    for variable in overview.variables:
        j = NAMES.index(variable.name)
        for size in range(1, overview.dimensions + 1):
            tables = {k: u for k, (_, u) in expected.items() if len(k) == size and variable.name in k}
            total = sum(map(len, tables.values())) if tables else None
            assert variable.unsafe_by_dimension[size] == total
            for code in range(CARDS[j] + 2):
                of_code = sum(key[k.index(variable.name)] == code for k, u in tables.items() for key in u)
                assert variable.codes[code, size - 1] == of_code
        sizes_of = [dimensions_of(row, expected, variable.name) for row in rows]
        assert_array_equal(overview.unsafe_records[variable.name], list(map(bool, sizes_of)))
        for size, records in variable.records_by_dimension.items():
            counted = sum(size in sizes for sizes in sizes_of)
            assert records == (None if variable.unsafe_by_dimension[size] is None else counted)
    sizes_of = [dimensions_of(row, expected) for row in rows]
    counted = {size: sum(size in sizes for sizes in sizes_of) for size in range(1, overview.dimensions + 1)}
    assert overview.records_by_dimension == counted


def dimensions_of(
    row: Row, expected: Mapping[tuple[str, ...], tuple[int, Mapping[Row, int]]], variable: str = ""
) -> set[int]:
    """Dimensions of the unsafe combinations, with `variable`, that a record takes part in."""
    return {
        len(key)
        for key, (_, unsafe) in expected.items()
        if (not variable or variable in key) and tuple(row[NAMES.index(name)] for name in key) in unsafe
    }


def test_only_judging_tables_make_records_unsafe() -> None:
    columns = {c.name: c for c in naive.columns_of([(0, 0), (1, 0), (1, 0)], (2, 2))}
    overview = unsafe_combinations([UnsafeSpec(("K0",), 1), UnsafeSpec(("K1", "K0"), 2, False)], columns)
    assert overview.tables[-1].variables == ("K0", "K1")
    assert overview.unsafe_records["K0"].tolist() == [True, False, False]
    assert overview.unsafe_records["K1"].tolist() == [False] * 3
    assert overview.variables[1].unsafe_by_dimension == {1: 0, 2: 2}
    assert overview.variables[0].records_by_dimension == {1: 1, 2: None}
    assert overview.records_by_dimension == {1: 1}


def test_the_same_table_chosen_twice_has_the_larger_threshold() -> None:
    columns = {c.name: c for c in naive.columns_of([(0,), (0,), (1,)], (2,))}
    for thresholds in ((1, 2), (2, 1)):
        overview = unsafe_combinations([UnsafeSpec(("K0",), t) for t in thresholds], columns)
        assert overview.tables[0].threshold == 2
        assert overview.tables[0].unsafe == 2


def test_no_tables() -> None:
    overview = unsafe_combinations([], {"K0": naive.columns_of([(0,)], (1,))[0]})
    assert (overview.dimensions, overview.variables, overview.unsafe_by_dimension) == (0, (), {})


def test_a_variable_without_a_table_of_some_dimension() -> None:
    columns = {c.name: c for c in naive.columns_of([(0, 0, 0), (1, 0, 1)], (2, 2, 2))}
    overview = unsafe_combinations([UnsafeSpec(("K0", "K1"), 1), UnsafeSpec(("K2",), 1)], columns)
    assert overview.variables[2].unsafe_by_dimension == {1: 2, 2: None}
    assert np.all(overview.variables[2].codes[:, 1] == 0)
