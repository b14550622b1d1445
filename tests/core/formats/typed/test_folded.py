"""Texts of a Parquet file that are read once each give the same columns as each of them for itself."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.formats.text.reading import encode_records, finished
from core.formats.typed import parquet
from core.formats.typed.reading import TypedRecords, read

NAMES = ("A", "B", "C", "W")
values = st.lists(st.sampled_from([None, "", "1", " 1", "1 ", "ä", "long enough", "99", " "]), min_size=1, max_size=30)


def write(path: Path, texts: list[str | None]) -> Metadata:
    words = pa.array(["never", *dict.fromkeys(text for text in texts if text is not None)])
    index = pa.array([None if text is None else words.to_pylist().index(text) for text in texts], pa.int8())
    weights = pa.array(np.arange(len(texts)) / 4)
    columns = [
        pa.array(texts),
        pa.array(texts, pa.large_string()),
        pa.DictionaryArray.from_arrays(index, words),
        weights,
    ]
    pq.write_table(pa.table(columns, list(NAMES)), path, row_group_size=7)
    return Metadata("parquet", (*(Variable(name, missing=("99",)) for name in "ABC"), Variable("W", role="weight")))


@given(values, st.sampled_from([3, 1 << 16]))
def test_the_same_columns_are_read(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | None], at_once: int
) -> None:
    """Also where some records after others have the same dictionary, of which they use other texts."""
    path = tmp_path_factory.mktemp("folded") / "a.parquet"
    metadata = write(path, texts)
    records = TypedRecords(path, metadata, NAMES)
    source, encoders, reader = encode_records(
        records, NAMES, lambda file: nullcontext(records.blocks(file)), "utf-8", ".", SILENT
    )
    for encoder in encoders:
        more = dict.fromkeys((*encoder.variable.missing, *records.ranges[encoder.variable.name]))
        encoder.variable = replace(encoder.variable, missing=tuple(more))
    expected = finished(metadata, source, encoders, reader, SILENT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROWS", at_once)
        found = read(path, metadata, NAMES)
    assert (found.records, found.notices) == (expected.records, expected.notices)
    assert found.weights is not None and expected.weights is not None
    assert found.weights.decimals == expected.weights.decimals
    assert np.array_equal(found.weights.limbs, expected.weights.limbs)
    for name, column in expected.columns.items():
        same = found.columns[name]
        assert (same.codes, same.padded, same.n_valid) == (column.codes, column.padded, column.n_valid)
        assert same.values.dtype == column.values.dtype and np.array_equal(same.values, column.values)
        assert np.array_equal(same.counts, column.counts)


@pytest.mark.parametrize("numbers", [[0, 7], [0, -1], [None, 7]])
def test_numbers_that_a_dictionary_does_not_have_are_refused(
    numbers: list[int | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = write(tmp_path / "a.parquet", ["1", "2"])
    broken = pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(["1"]), safe=False)
    batch = pa.RecordBatch.from_arrays([broken], ["A"])
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_args, **_kinds: iter([batch]))
    with pytest.raises(DataError, match="damaged"):
        read(tmp_path / "a.parquet", metadata, ["A"])
    assert parquet.describe(tmp_path / "a.parquet").records == 2
