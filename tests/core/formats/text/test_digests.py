"""Digests of fields against FNV-1a in plain Python, and across the boundaries of blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.variables import Metadata, Variable
from core.formats.text.digests import record_digests
from core.kernels.digest import digest_fields


def digest(seed: int, field: bytes) -> int:
    stripped = field.strip(bytes(range(33)))
    for byte in [*stripped, 0x1FF]:
        seed = (seed ^ byte) * 0x100000001B3 % 2**64
    return seed


@given(st.lists(st.tuples(st.binary(max_size=9), st.integers(0, 2**64 - 1)), max_size=9))
def test_kernel_and_twin_agree(fields: list[tuple[bytes, int]]) -> None:
    data = np.frombuffer(b"".join(field for field, _seed in fields), np.uint8)
    lengths = np.array([len(field) for field, _seed in fields], np.int32)
    starts = (np.cumsum(lengths, dtype=np.int32) - lengths).astype(np.int32)
    digests = np.array([seed for _field, seed in fields], np.uint64)
    digest_fields(data, starts, lengths, digests)
    assert digests.tolist() == [digest(seed, field) for field, seed in fields]


def test_files_of_several_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = Metadata("fixed", (Variable("A", start=1, length=2), Variable("B", start=3, length=3)), header=False)
    lines = [f"{i % 90:>2}{i % 7:>3}\n" for i in range(500)]
    (tmp_path / "d").write_text("".join(lines))
    whole = np.concatenate([*record_digests(tmp_path / "d", metadata, ("B", "A"))])
    start = 0xCBF29CE484222325
    assert whole.tolist() == [digest(digest(start, line[2:5].encode()), line[:2].encode()) for line in lines]
    monkeypatch.setattr("core.formats.text.fixed.BLOCK_RECORDS", 64)
    assert np.concatenate([*record_digests(tmp_path / "d", metadata, ("B", "A"))]).tolist() == whole.tolist()
