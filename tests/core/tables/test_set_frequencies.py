"""Frequencies of values that are sets, against comparing every record with every other one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.tables.set_frequencies import Search, set_frequencies
from core.tables.tabulate import tabulate_records
from tests.naive_measures import Sets, finds
from tests.naive_tables import column

VALUES = st.none() | st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True).map(tuple)
PLAIN = st.none() | st.sampled_from("ab").map(lambda value: (value,))
FILES = st.lists(st.tuples(VALUES, PLAIN, VALUES), min_size=1, max_size=12)


@given(FILES, st.sampled_from(["first", "all"]), st.sampled_from(["wildcard", "observed", "category", "listwise"]))
def test_a_record_is_found_by_each_of_its_values(rows: list[Sets], search: Search, rule: str) -> None:
    columns, members = [], {}
    for j in range(3):
        number: dict[tuple[str, ...], int] = {}
        values = [None if row[j] is None else number.setdefault(row[j], len(number)) for row in rows]
        columns.append(column(f"K{j}", values, len(number)))
        if j != 1:
            members[f"K{j}"] = tuple(number)
    table = tabulate_records(columns, None, rule)  # type: ignore[arg-type]
    found = table.cell_index.spread(set_frequencies(table.cells, members, search))
    for mine, f in zip(rows, found.tolist(), strict=True):
        if rule == "listwise" and None in mine:
            assert math.isnan(f)
        else:
            assert f == sum(finds(mine, other, search, rule) for other in rows)


def test_sets_too_large_for_a_search_by_all_are_refused_at_once() -> None:
    members = {"K0": (tuple(map(str, range(60))),)}
    cells = tabulate_records([column("K0", [0, 0], 1)], None, "wildcard").cells
    assert set_frequencies(cells, members, "first").tolist() == [2.0]
    with pytest.raises(DataError, match=r'K0 are too large .* Say search = "first"'):
        set_frequencies(cells, members, "all")
