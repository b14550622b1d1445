"""Runs of cells, in memory or in a file, add up to what one pass over all records counts."""

from __future__ import annotations

import errno
import tempfile
from collections import Counter
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.base.errors import OutputError
from core.base.progress import Cancelled
from core.data.variables import Metadata
from core.formats.registry import read
from core.recipe.model import Input, VariableEdit
from core.results import cell_tables
from core.results.cell_tables import CellSum, PartCells, part_cells
from core.results.metadata import verified_metadata
from core.tables import cell_runs
from core.tables.cell_runs import HeldRows, Load, in_smallest_type, merged, put_down
from tests.core.parts.files import SurveyInParts, records

KEYS = ("REGION", "AGE", "JOB", "HAND")
FINE_WEIGHTS = "0.1234567890123456789012"

Rows = list[tuple[int, ...]]


def load_of(rows: Rows, count: list[int]) -> tuple[int, Load]:
    """A run of sorted rows."""
    columns = [np.array(each, np.uint32) for each in zip(*rows, strict=True)]

    def load(first: int, last: int) -> tuple[list[NDArray[np.uint32]], list[NDArray[np.int64]]]:
        return [column[first:last] for column in columns], [np.array(count[first:last], np.int64)]

    return len(rows), load


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=12), min_size=1, max_size=6),
    st.sampled_from([4, 1 << 22, 1 << 31]),
    st.integers(1, 5),
)
def test_merging_runs_is_counting_all_rows(parts: list[Rows], card: int, at_hand: int) -> None:
    """Also of codes that no word holds together, a few rows at a time; codes are spread over all that a card has."""
    spread = [[tuple(code * (card // 4) for code in row) for row in part] for part in parts]
    runs = []
    for part in spread:
        found = Counter(part)
        runs.append(load_of(sorted(found), [found[row] for row in sorted(found)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cell_runs, "_AT_HAND", at_hand)
        patch.setattr(cell_runs, "_LEAST_AT_HAND", 1)
        *codes, count = merged(runs, [card] * 3, [np.uint32] * 3 + [np.int64])
    whole = Counter(row for part in spread for row in part)
    assert [*zip(*(column.tolist() for column in codes), strict=True)] == sorted(whole)
    assert count.tolist() == [whole[row] for row in sorted(whole)]


def described(path: Path) -> Metadata:
    edits = (VariableEdit("WEIGHT", role="weight"), VariableEdit("AGE", missing=("", "98")))
    return verified_metadata(Input(data=path), edits)[0]


def by_texts(cells: PartCells) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """Records, weight and weight above one of each cell, in units of the last decimal."""
    texts = [[cells.columns[n].codes[i] for i in cells.columns[n].values.tolist()] for n in cells.names]
    most = max(cells.decimals)

    def exact(limbs: cell_tables.FixedPoint) -> list[int]:
        both = [(limb.tolist(), 10 ** (most - own)) for limb, own in zip(limbs, cells.decimals, strict=True)]
        return [sum(limb[i] * unit for limb, unit in both) for i in range(len(cells.count))]

    numbers = zip(cells.count.tolist(), exact(cells.limbs), exact(cells.above_one), strict=True)
    return dict(zip(zip(*texts, strict=True), numbers, strict=True))


@pytest.mark.parametrize("fine", [False, True])
@pytest.mark.parametrize("memory", [0, 3000, 1 << 30])
def test_any_memory_gives_the_cells_of_the_whole(
    memory: int, fine: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many runs in a file, of some, and of none; weights of parts may have other decimals."""
    rows = records(300)
    if fine:
        rows[7] = (*rows[7][:4], FINE_WEIGHTS, *rows[7][5:])
    survey = SurveyInParts(tmp_path)
    survey.split(rows, 12)
    survey.write(tmp_path / "all.csv", rows)
    metadata = described(tmp_path / "all.csv")

    def cells_of(path: Path) -> PartCells:
        return part_cells(read(path, metadata, (*KEYS, "WEIGHT")), KEYS)

    monkeypatch.setattr(cell_tables, "_MERGE_AT", 500)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with CellSum(metadata, memory=memory) as cells:
        for path in sorted((tmp_path / "parts").iterdir()):
            cells.add(cells_of(path))
            assert not any((tmp_path / "temporary").iterdir()), "what is put down has a name, and outlives a kill"
        assert bool(cells._filed) == (memory < 1 << 30)
        found = cells.whole()
    whole = cells_of(tmp_path / "all.csv")
    assert by_texts(found) == by_texts(whole)
    for name in KEYS:
        assert found.columns[name].codes == whole.columns[name].codes
        assert found.columns[name].values.tolist() == whole.columns[name].values.tolist()
        assert found.columns[name].values.dtype == whole.columns[name].values.dtype
    assert found.count.dtype == np.int64


@pytest.mark.parametrize(("values", "kind"), [([0, 255], np.uint8), ([256], np.uint16), ([70000], np.uint32),
                                              ([1 << 40], np.int64), ([-1, 5], np.int8), ([], np.uint8)])  # fmt: skip
def test_numbers_take_as_few_bytes_as_the_largest_needs(values: list[int], kind: type[np.integer]) -> None:
    found = in_smallest_type(np.array(values, np.int64))
    assert found.dtype == kind
    assert found.tolist() == values


class Full(BytesIO):
    """A file on a disk that is full."""

    def write(self, _written: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_named() -> None:
    with pytest.raises(OutputError) as caught:
        put_down(HeldRows((np.arange(5, dtype=np.uint8),)), Full())
    assert caught.value.id == "cells-not-put-down"
    assert "No space left" in str(caught.value)


def test_merging_can_be_stopped() -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None: ...

        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        merged([load_of([(0,)], [1])], [1], [np.uint8, np.int64], Stop())
