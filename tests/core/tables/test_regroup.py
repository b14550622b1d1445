"""Cells made of other cells, before a recode or of parts of a file, are those counted from the records."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.columns import Weights
from core.recoding.recoding import recoded_column
from core.tables.cells import Cells
from core.tables.regroup import code_map, merge_cells, regroup
from core.tables.tabulate import tabulate, tabulate_records
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


def check_same(found: Cells, expected: Cells) -> None:
    """To the last bit, every array of the same type."""
    for field in fields(expected):
        assert same(getattr(found, field.name), getattr(expected, field.name)), field.name


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
    expected = tabulate_records(after, weights, rule, alpha)
    found = regroup(tabulate_records(before, weights, rule, alpha), after, maps)
    check_same(found.cells, expected.cells)
    assert same(found.cell_index.of_record, expected.cell_index.of_record)


@given(files(), st.sampled_from(RULES), st.sampled_from([0.0, 0.3, 1.0]), st.booleans(), st.data())
def test_the_parts_of_a_file_merge_to_the_whole_to_the_last_bit(
    file: tuple[list[naive.Row], list[int], list[Fraction]], rule: Any, alpha: float, weighed: bool, data: st.DataObject
) -> None:
    """Whichever records are together, under every missing rule of parts and of the whole; empty parts, too."""
    rows, cards, numbers = file
    part_of = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    counted = data.draw(st.sampled_from(RULES))
    columns = naive.columns_of(rows, cards)
    weights = naive.weights_of(numbers) if weighed else None
    parts, records = [], [np.flatnonzero(part_of == part) for part in range(4)]
    for some in records:
        own = [replace(column, values=column.values[some]) for column in columns]
        own_weights = (
            Weights(tuple(limb[some] for limb in weights.limbs), weights.decimals) if weights is not None else None
        )
        parts.append(tabulate_records(own, own_weights, counted, 0.5))
    whole = tabulate_records(columns, weights, rule, alpha)
    merged, onto = merge_cells([part.cells for part in parts], rule, alpha)
    check_same(merged, whole.cells)
    assert merged.records == len(rows) == sum(part.cells.records for part in parts)
    for some, part, cells in zip(records, parts, onto, strict=True):
        assert same(part.cell_index.merged(cells).of_record, whole.cell_index.of_record[some])
    head, _ = merge_cells([part.cells for part in parts[:2]], "category")
    tail, _ = merge_cells([part.cells for part in parts[2:]], "listwise")
    check_same(merge_cells([head, tail], rule, alpha)[0], whole.cells)


def test_parts_of_different_tables_are_refused() -> None:
    rows: list[naive.Row] = [(0, 1), (1, None)]
    columns = naive.columns_of(rows, [2, 2])
    cells = tabulate(columns, None)
    others = [
        tabulate(columns[:1], None),
        tabulate(naive.columns_of(rows, [2, 3]), None),
        tabulate(columns, naive.weights_of([Fraction(1)] * 2)),
    ]
    for other in others:
        with pytest.raises(ValueError, match="one table"):
            merge_cells([cells, other])
    with pytest.raises(ValueError, match="one table"):
        merge_cells([])


def test_sums_that_would_wrap_around_are_refused() -> None:
    columns = naive.columns_of([(0, 1)], [2, 2])
    part = tabulate(columns, Weights((np.array([1 << 61]),), (9,)))
    whole, _ = merge_cells([part])
    assert whole.weight_limbs[0].tolist() == [1 << 61]
    with pytest.raises(ValueError, match="too many"):
        merge_cells([part, part])


def test_a_recode_that_makes_a_value_of_a_missing_code_cannot_be_told_from_cells() -> None:
    column = naive.column("A", [0, None, None], 1)
    recoded, lut = recoded_column(column, ["0", "7", "--"], ("--",), 4)
    assert code_map(column, recoded, lut) is None
