"""A SAS transport file that is cut off is refused: the library leaves out the records that are not whole."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.errors import DataError
from core.io.sas import describe


def transport(path: Path, records: int, version: int = 5) -> bytes:
    """A file whose records have 8 + 8 + 5 bytes."""
    numbers = [float(i + 1) for i in range(records)]
    frame = pd.DataFrame({"A": numbers, "B": numbers, "T": ["after"] * records})
    pyreadstat.write_xport(frame, path, file_format_version=version, column_labels=["what it is"] * 3)
    return path.read_bytes()


@pytest.mark.parametrize("version", [5, 8])
@pytest.mark.parametrize("records", [0, 1, 3, 4, 80, 401])
def test_a_whole_file_is_accepted(tmp_path: Path, version: int, records: int) -> None:
    path = tmp_path / "a.xpt"
    assert len(transport(path, records, version)) % 80 == 0
    assert [field.name for field in describe(path).fields] == ["A", "B", "T"]


@pytest.mark.parametrize("version", [5, 8])
@pytest.mark.parametrize("missing", [1, 21, 79, 80, 240, 400, 8000])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, version: int, missing: int) -> None:
    """Within a line of 80 bytes, or behind one and within a record."""
    path = tmp_path / "a.xpt"
    content = transport(path, 405, version)
    path.write_bytes(content[:-missing])
    with pytest.raises(DataError, match=r"a\.xpt cannot be read: it ends too early"):
        describe(path)


def test_a_second_table_does_not_make_the_file_a_cut_one(tmp_path: Path) -> None:
    """Its records have a length of their own, so that the file ends anywhere in those of the first."""
    first, second = transport(tmp_path / "a.xpt", 401), transport(tmp_path / "b.xpt", 11)
    both = tmp_path / "both.xpt"
    both.write_bytes(first + second[second.index(b"HEADER RECORD*******MEM") :])
    assert len(describe(both).fields) == 3
