"""Files written in another order than the original, in parts that memory takes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from core.base.progress import SILENT
from core.data.variables import Metadata, Variable
from core.formats.text import delimited, fixed, writing
from core.formats.text.writing import FieldEdit, Rewrite
from core.formats.typed import writing as typed_writing

N = 500


def _lines(encoding: str, end: bytes) -> tuple[bytes, list[bytes]]:
    random = np.random.default_rng(1)
    lines = [f'{i},{"é" * random.integers(0, 9)},"{i % 7};"' for i in range(N)]
    return "A,B,C".encode(encoding) + end, [line.encode(encoding) + end for line in lines]


@pytest.mark.parametrize("bound", [1, 100, 5000, 1 << 20])
@pytest.mark.parametrize(("encoding", "end"), [("utf-8", b"\n"), ("cp1252", b"\r\n"), ("utf-16-le", b"\n\0")])
def test_delimited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: int, encoding: str, end: bytes) -> None:
    monkeypatch.setattr(writing, "SHUFFLE_BYTES", bound)
    monkeypatch.setattr("core.formats.text.block_file.BLOCK_BYTES", 700)
    head, lines = _lines(encoding, end)
    mark = "\ufeff".encode(encoding) if encoding.startswith("utf-16") else b""
    path = tmp_path / "data.csv"
    path.write_bytes(mark + head + b"".join(lines))
    metadata = Metadata("delimited", tuple(Variable(name, missing=("",)) for name in "ABC"), encoding=encoding)
    source = delimited.read(path, metadata, ("A",)).source
    order = np.random.default_rng(2).permutation(N)
    out = io.BytesIO()
    layout = delimited.safe_layout(metadata, {}, frozenset())
    delimited.write(Rewrite(source, metadata, {}, layout, order), out)
    assert out.getvalue() == mark + head + b"".join(lines[i] for i in order)


@pytest.mark.parametrize("bound", [1, 77, 1 << 20])
def test_fixed_with_edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    monkeypatch.setattr(writing, "SHUFFLE_BYTES", bound)
    path = tmp_path / "data.asc"
    path.write_bytes(b"".join(b"%03d%d\n" % (i, i % 7) for i in range(N)))
    metadata = Metadata("fixed", (Variable("A", 1, 3), Variable("B", 4, 1)))
    source = fixed.read(path, metadata, ("A",)).source
    order = np.random.default_rng(2).permutation(N)
    edit = FieldEdit(np.zeros(N, np.uint8), ("9",), np.arange(N) % 2 == 0)
    out = io.BytesIO()
    layout = fixed.safe_layout(metadata, {}, frozenset())
    fixed.write(Rewrite(source, metadata, {"B": edit}, layout, order), out)
    assert out.getvalue() == b"".join(b"%03d%d\n" % (i, 9 if i % 2 == 0 else i % 7) for i in order.tolist())


@pytest.mark.parametrize("bound", [1, 1000, 1 << 20])
def test_batches(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    monkeypatch.setattr(typed_writing, "SHUFFLE_BYTES", bound)
    table = pa.table({"a": list(range(N)), "b": [f"t{i}" for i in range(N)]})
    passes = 0

    def batches() -> list[pa.RecordBatch]:
        nonlocal passes
        passes += 1
        whole: list[pa.RecordBatch] = table.to_batches(max_chunksize=60)
        return whole

    given: Callable[[], list[pa.RecordBatch]] = batches
    order = np.random.default_rng(2).permutation(N)
    found = pa.Table.from_batches(list(typed_writing.in_order(given, order, SILENT)))
    assert found.to_pydict() == table.take(pa.array(order)).to_pydict()
    assert passes == 1 if bound == 1 << 20 else passes > 1
