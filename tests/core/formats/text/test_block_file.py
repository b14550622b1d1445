"""A file read block by block: how much comes at a time, and whose the bytes are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.formats.text import block_file
from core.formats.text.block_file import BlockFile


def test_bytes_that_were_taken_stay_as_they_are(tmp_path: Path) -> None:
    text = bytes(np.random.default_rng(1).integers(32, 127, 5000, dtype=np.uint8))
    path = tmp_path / "data.txt"
    path.write_bytes(text)
    taken = []
    with BlockFile(path, 64) as file:
        while file.more():
            count = max(len(file.data) - 7, 0)
            taken.append(file.data[:count])
            file.take(count)
        taken.append(file.data)
        assert file.identity()[1] == len(text)
    assert b"".join(part.tobytes() for part in taken) == text


@pytest.mark.parametrize(
    ("record", "own", "expected"),
    [(1, None, 100), (50, None, 200), (1000, None, 1000), (1000, 64, 64)],
    ids=["short", "long", "at the limit", "of the user's choice"],
)
def test_long_records_are_read_in_larger_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: int, own: int | None, expected: int
) -> None:
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 100)
    monkeypatch.setattr(block_file, "MOST_BYTES", 1000)
    monkeypatch.setattr(block_file, "LEAST_RECORDS", 4)
    path = tmp_path / "data.txt"
    path.write_bytes(b"x" * 5000)
    with BlockFile(path, own) as file:
        file.more()
        file.expect(record)
        file.take(len(file.data))
        assert file.more() == expected
