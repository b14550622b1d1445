"""Cells of one table, as the collection shows them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.tables.table_cells import table_cells
from tests import naive_recode as naive


@given(st.lists(st.tuples(st.sampled_from("abc9"), st.sampled_from("xy9")), min_size=1, max_size=40), st.integers(1, 4))
def test_cells_are_counted_and_judged(records: list[tuple[str, str]], threshold: int) -> None:
    columns = [naive.column([record[j] for record in records], ("9",), 1, name) for j, name in enumerate("VW")]
    cells = table_cells(columns, threshold)
    count = Counter(records)

    def key(i: int) -> tuple[str, ...]:
        return tuple(column.codes[codes[i]] for column, codes in zip(columns, cells.codes, strict=True))

    assert {key(i): int(n) for i, n in enumerate(cells.count)} == dict(count)
    unsafe = {code for code, n in count.items() if n <= threshold and "9" not in code}
    assert {key(i) for i in range(len(cells)) if cells.unsafe[i]} == unsafe
    alone = cells.only_unsafe()
    assert len(alone) == len(unsafe)
    assert alone.unsafe.all()
    assert cells.variables == ("V", "W")
