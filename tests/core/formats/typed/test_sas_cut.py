"""A SAS transport file that is cut off is refused: the library leaves out the records that are not whole."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from core.base.errors import DataError
from core.formats.typed.sas import describe, said_of_count
from core.recipe.model import Input
from core.results.metadata import verified_metadata


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


def wide(path: Path, records: int, version: int) -> bytes:
    """Records of one line of 80 bytes each: behind every line the file could end."""
    columns = {f"V{i}": [float(i + 10 * n) for n in range(records)] for i in range(10)}
    pyreadstat.write_xport(pd.DataFrame(columns), path, file_format_version=version)
    return path.read_bytes()


@pytest.mark.parametrize("missing", [1, 2, 6])
def test_a_file_that_ends_behind_a_whole_record_is_refused_where_it_says_how_many_there_are(
    tmp_path: Path, missing: int
) -> None:
    path = tmp_path / "a.xpt"
    content = wide(path, 7, 8)
    assert len(describe(path).fields) == 10
    assert said_of_count(path) == ()
    path.write_bytes(content[: -80 * missing])
    with pytest.raises(DataError, match=r"a\.xpt cannot be read: it ends too early"):
        describe(path)


def test_records_of_blanks_at_the_end_are_not_missed(tmp_path: Path) -> None:
    path = tmp_path / "a.xpt"
    pyreadstat.write_xport(pd.DataFrame({"T": ["x", " ", " "]}), path, file_format_version=8)
    assert len(describe(path).fields) == 1


def test_a_file_of_version_8_that_says_no_number_is_one_of_version_5_in_that(tmp_path: Path) -> None:
    """As older programs write it."""
    path = tmp_path / "a.xpt"
    content = wide(path, 7, 8)
    place = content.index(b"HEADER RECORD*******OBSV8") + 48
    path.write_bytes(content[:place] + b"0" * 15 + content[place + 15 : -80])
    assert len(describe(path).fields) == 10
    assert [notice.id for notice in said_of_count(path)] == ["records-not-stated"]


def test_of_version_5_it_is_said_that_it_cannot_be_known(tmp_path: Path) -> None:
    path = tmp_path / "a.xpt"
    path.write_bytes(wide(path, 7, 5)[:-80])
    source = Input(path, format="sas")
    notices = [notice for notice in verified_metadata(source, ())[1] if notice.id == "records-not-stated"]
    assert [notice.text.partition(":")[0] for notice in notices] == ["a.xpt does not say how many records it holds"]
