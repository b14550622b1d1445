"""What is too large for an Excel file is refused before anything is read into memory or written."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from core.base.errors import DataError, OutputError
from core.base.progress import Cancelled
from core.formats.typed import excel
from core.formats.typed.columns import TypedField, TypedFile


def nothing() -> Iterator[pa.RecordBatch]:
    """Batches that must not be asked for."""
    pytest.fail("records were read")
    yield


def table(records: int, fields: int, storage: str = "int64", width: int = 0) -> TypedFile:
    return TypedFile("excel", tuple(TypedField(f"V{i}", storage=storage, width=width) for i in range(fields)), records)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (table(1_048_576, 1), "holds 1,048,575 records of 16,384 variables, and these are 1,048,576 of 1"),
        (table(1, 16_385), "and these are 1 of 16,385"),
        (table(1_000_000, 12), "1,000,000 records of 12 variables are too many .* about 389 MB unpacked, and 256 MB"),
        (table(100_000, 2, "string", 2000), "are too many for an Excel file"),
    ],
)
def test_what_no_sheet_holds_is_not_begun(tmp_path: Path, file: TypedFile, sentence: str) -> None:
    with pytest.raises(OutputError, match=sentence):
        excel.write(tmp_path / "x.xlsx", file, nothing())
    assert not list(tmp_path.iterdir())


def test_memory_is_asked_for_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = tmp_path / "x.xlsx", table(2, 1)
    batch = pa.RecordBatch.from_arrays([pa.array([1, 2])], ["V0"])
    excel.write(path, file, [batch])
    monkeypatch.setattr(excel, "available_bytes", lambda: 100)
    with pytest.raises(OutputError, match="takes about 0 MB of memory, and 0 MB are free"):
        excel.write(tmp_path / "y.xlsx", file, nothing())
    with pytest.raises(DataError, match=r"Reading .*x\.xlsx takes about"):
        excel.describe(path)
    monkeypatch.setattr(excel, "available_bytes", lambda: None)
    assert excel.describe(path).records == 2


def test_what_was_written_so_far_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def interrupted() -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_arrays([pa.array([1, 2])], ["V0"])
        assert list(tmp_path.iterdir())
        raise Cancelled

    with pytest.raises(Cancelled):
        excel.write(tmp_path / "x.xlsx", table(2, 1), interrupted())
    assert not list(tmp_path.iterdir())
