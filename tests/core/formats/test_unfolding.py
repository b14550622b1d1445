"""Files of a few bytes that hold what no memory does are refused before they are unfolded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from core.base.errors import DataError
from core.formats.typed import excel, parquet, readstat

RECORDS = 60_000


def small_file(path: Path, length: int, kept: bool) -> Path:
    """`RECORDS` records of one long text; `kept`: as a dictionary by Arrow's own word, too."""
    texts = pa.DictionaryArray.from_arrays(np.zeros(RECORDS, np.int32), ["x" * length])
    table = pa.table({"N": pa.array(range(RECORDS)), "A": texts})
    pq.write_table(table, path, store_schema=kept)
    assert path.stat().st_size < 1_500_000
    return path


@pytest.mark.parametrize("kept", [True, False])
def test_a_text_that_stands_once_and_is_used_everywhere_is_counted_as_often_as_it_is_used(
    tmp_path: Path, kept: bool
) -> None:
    path = small_file(tmp_path / "a.parquet", 100_000, kept)
    described = parquet.describe(path)
    assert [batch.num_rows for batch in parquet.batches(path, described, ["N"])] == [RECORDS]
    with pytest.raises(DataError, match=r"a\.parquet takes about 22,888 MB of memory for 60,000 records"):
        next(parquet.batches(path, described, ["A"]))


def test_large_texts_of_arrow_are_counted_too(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = pa.DictionaryArray.from_arrays(np.zeros(RECORDS, np.int32), pa.array(["x" * 100_000], pa.large_string()))
    pq.write_table(pa.table({"A": texts}), path, store_schema=False)
    again = pa.schema([pa.field("A", pa.large_string())])
    pq.write_table(pa.table({"A": pa.array(["y"] * 3, pa.large_string())}, again), tmp_path / "b.parquet")
    with pytest.raises(DataError, match="MB of memory"):
        next(parquet.batches(path, parquet.describe(path), ["A"]))
    (batch,) = parquet.batches(tmp_path / "b.parquet", parquet.describe(tmp_path / "b.parquet"), ["A"])
    assert (str(batch.column(0).type), batch.column(0).to_pylist()) == ("large_string", ["y"] * 3)


def test_a_text_of_a_sheet_is_counted_in_every_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xlsx"
    pd.DataFrame({"A": ["x" * 30_000] * 200, "N": range(200)}).to_excel(path, index=False)
    described = excel.describe(path)
    monkeypatch.setattr(excel, "available_bytes", lambda: 1 << 24)
    assert [batch.num_rows for batch in excel.batches(path, described, ["N"])] == [200]
    with pytest.raises(DataError, match=r"Reading .*a\.xlsx takes about 22 MB of memory, and 16 MB are free"):
        next(excel.batches(path, described, ["A"]))


def test_few_records_of_long_texts_are_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zsav"
    pyreadstat.write_sav(pd.DataFrame({"A": ["x" * 20_000] * 300, "N": [1.0] * 300}), path, compress=True)
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(readstat, "BYTES", 1 << 21)
    read = [
        pa.ipc.open_stream(item).read_all().num_rows for item in readstat.batches(iter(()), str(path), "zsav", ["A"])
    ]
    assert max(read) * 20_000 <= 1 << 21
    assert sum(read) == 300


@pytest.mark.parametrize("kept", [True, False])
def test_what_fits_is_read_as_it_is_declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    path = small_file(tmp_path / "a.parquet", 100, kept)
    described = parquet.describe(path)
    (batch,) = parquet.batches(path, described, ["A", "N"])
    assert str(batch.column(0).type) == described["A"].storage
    assert set(batch.column(0).to_pylist()) == {"x" * 100}
    monkeypatch.setattr(parquet, "available_bytes", lambda: 100 * RECORDS * 4 - 4)
    with pytest.raises(DataError, match="MB of memory"):
        next(parquet.batches(path, described, ["A"]))
