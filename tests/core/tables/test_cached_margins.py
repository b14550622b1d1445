"""Margins are made once while they are held, and nothing is held afterwards."""

from __future__ import annotations

import pytest

from core.recipe.model import MissingRule
from core.tables import cached_margins
from core.tables.cached_margins import CachedMargins
from core.tables.cells import Cells
from core.tables.margins import UnsafeSpec, unsafe_combinations
from core.tables.tabulate import tabulate, tabulate_records
from tests.naive_tables import columns_of


def _cells(rule: MissingRule = "observed") -> Cells:
    rows = [(0, 0), (0, 1), (1, 0), (1, 0), (2, None)]
    return tabulate(list(columns_of(rows, (3, 2))), None, rule)


def test_margins_are_the_same_ones_while_they_are_held() -> None:
    held, cells, other = CachedMargins(), _cells(), _cells()
    assert held.of(cells) is not held.of(cells) and held.cube(cells) is None
    with held.held():
        assert held.of(cells) is held.of(cells) is not held.of(other)
        assert held.cube(cells) is held.of(cells).cube
        assert held.cube(_cells("listwise")) is None
    assert held.of(cells) is not held.of(cells) and held.cube(cells) is None


def test_of_large_tables_and_of_few_cells_none_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    held, cells = CachedMargins(), _cells()
    with held.held():
        assert held.holds(cells)
        monkeypatch.setattr(cached_margins, "_RECORDS_A_CELL", 1)
        assert not held.holds(cells)
        monkeypatch.undo()
        monkeypatch.setattr(cached_margins, "MOST_CELLS", len(cells) - 1)
        assert not held.holds(cells)


def test_the_tables_whose_margins_are_held_have_no_more_cells_together(monkeypatch: pytest.MonkeyPatch) -> None:
    held, tables = CachedMargins(), [_cells() for _ in range(3)]
    monkeypatch.setattr(cached_margins, "MOST_CELLS", 2 * len(tables[0]))
    with held.held():
        first, second, third = map(held.of, tables)
        assert held.of(tables[1]) is second
        assert held.of(tables[2]) is third
        assert held.of(tables[0]) is not first
        assert held.of(tables[1]) is not second


def test_unsafe_combinations_are_counted_from_held_margins() -> None:
    columns = {c.name: c for c in columns_of([(0, 0), (0, 1), (1, 0), (1, 0), (2, None)], (3, 2))}
    names, held = tuple(columns), CachedMargins()
    at_hand = {frozenset(names): tabulate_records(list(columns.values()), None, "wildcard")}
    specs = [UnsafeSpec(names, 1)]
    with held.held():
        found = unsafe_combinations(specs, columns, cells=at_hand, cube_of=held.cube)
    alone = unsafe_combinations(specs, columns)
    assert found.tables == alone.tables
    for name in names:
        assert found.unsafe_records[name].tolist() == alone.unsafe_records[name].tolist()
