"""Files whose lines end with CR alone, as old Macintosh programs wrote them (pandas and R read them line by line)."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from core.base.errors import DataError
from core.data.variables import Metadata, Variable
from core.formats.text import delimited, records
from core.formats.text.writing import FieldEdit, Rewrite
from core.kernels.lines import lone_return

METADATA = Metadata("delimited", (Variable("A", missing=("",)), Variable("B", missing=("",))))


def _read(path: Path, data: bytes) -> list[list[str]]:
    path.write_bytes(data)
    columns = delimited.read(path, METADATA, METADATA.names).columns.values()
    return [[column.codes[i] for i in column.values.tolist()] for column in columns]


@pytest.mark.parametrize("data", [b"A,B\r1,2\r3,4\r", b"A,B\r1,2\r3,4", b"A,B\r\r1,2\r3,4\r\r", b'A,B\r"1",2\r3,4\r'])
def test_lines_may_end_with_a_carriage_return_alone(tmp_path: Path, data: bytes) -> None:
    assert _read(tmp_path / "mac.csv", data) == [["1", "3"], ["2", "4"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_they_end_so_in_the_safe_file_as_well(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "mac.csv"
    data = 'A,B\r1,"x\ry"\r3,é\r'.encode(encoding)
    path.write_bytes(data)
    found = delimited.read(path, METADATA, ("A",))
    for order in (None, np.array([1, 0])):
        out = io.BytesIO()
        layout = delimited.safe_layout(METADATA, {}, frozenset())
        delimited.write(Rewrite(found.source, METADATA, {}, layout, order), out)
        lines = data if order is None else 'A,B\r3,é\r1,"x\ry"\r'.encode(encoding)
        assert out.getvalue() == lines
    edit = FieldEdit(np.zeros(2, np.uint8), ("9",), np.array([True, False]))
    delimited.write(Rewrite(found.source, METADATA, {"A": edit}, layout), out := io.BytesIO())
    assert out.getvalue() == 'A,B\r9,"x\ry"\r3,é\r'.encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("end", ["", "\r", "\r\r\r", "\r\x1a", "\n", "\r\n", "\n\n", "\r\n\r\n\x1a", "\n\x1a", "\x1a"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_what_stands_behind_the_last_record_stays_there(
    tmp_path: Path, encoding: str, end: str, shuffled: bool
) -> None:
    path = tmp_path / "end.csv"
    eol = end.rstrip("\x1a")[:2] if end[:2] == "\r\n" else end[:1] if end[:1] in "\r\n" and end else "\n"
    path.write_bytes(f"A,B{eol}1,é{eol}3,4{end}".encode(encoding))
    found = delimited.read(path, METADATA, ("A",))
    out = io.BytesIO()
    layout = delimited.safe_layout(METADATA, {}, frozenset())
    delimited.write(Rewrite(found.source, METADATA, {}, layout, np.array([1, 0]) if shuffled else None), out)
    expected = f"A,B{eol}1,é{eol}3,4{end}"
    if shuffled:
        behind = end if end in ("", "\x1a") else end[len(eol) :]
        expected = f"A,B{eol}3,4{eol}1,é{eol}{behind}"
    assert out.getvalue().decode(encoding) == expected


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"A,B\n1,2\r3,4\n", 2),  # pandas takes this for two records
        (b"A,B\n1,2\n3,x\ry\n", 3),
        (b"A,B\r1,2\n3,4\n", 1),
        (b"A,B\r\n1,2\r\n3,4\r5,6\r\n", 3),
    ],
)
def test_mixed_line_ends_are_refused(tmp_path: Path, data: bytes, line: int) -> None:
    with pytest.raises(DataError) as caught:
        _read(tmp_path / "mixed.csv", data)
    assert (caught.value.id, caught.value.values["line"]) == ("data-line-ends", line)


def test_a_return_in_quotes_behind_an_inch_mark_is_one_of_the_text(tmp_path: Path) -> None:
    assert _read(tmp_path / "inches.csv", b'A,B\n2,5" pipe\n3,"a\rb"\n')[0] == ["2", "3"]
    with pytest.raises(DataError) as caught:
        _read(tmp_path / "inches.csv", b'A,B\n2,5" pipe\n3,a\rb\n')
    assert (caught.value.id, caught.value.values["line"]) == ("data-line-ends", 3)


def test_lines_of_quoted_fields_end_with_returns(tmp_path: Path) -> None:
    """Nothing but tabs and returns stands outside the quotes."""
    path = tmp_path / "old.tsv"
    path.write_bytes(b'"A"\t"W"\r"1"\t"2"\r"2"\t"3"\r')
    metadata = Metadata("delimited", (Variable("A", missing=("",)), Variable("W", role="weight")), "\t")
    assert delimited.read(path, metadata, ["A"]).columns["A"].codes == ("1", "2", "")


def test_a_line_feed_far_behind_is_found(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        _read(tmp_path / "late.csv", b"A,B\r" + b"1,2\r" * 1_200_000 + b"1,2\n1,2\r")
    assert caught.value.id == "data-line-ends"


@pytest.mark.parametrize("data", [b'A,B\n1,"x\ry"\n3,4\n', b"A,B\r\n1,2\r\n3,4\r\n", b"A,B\n1,2\r\r\n3,4\n"])
def test_carriage_returns_in_quotes_and_before_a_line_feed_are_none_of_these(tmp_path: Path, data: bytes) -> None:
    assert _read(tmp_path / "other.csv", data)[0] == ["1", "3"]


def test_quoted_fields_are_not_taken_apart_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for carriage returns leaves Python once a block, not once a field: nor does it hold its lock."""
    count, searched = [0], []

    def counted(frame: object, event: str, argument: object) -> None:
        count[0] += event == "call"

    def search(data: np.ndarray[tuple[int], np.dtype[np.uint8]], delimiter: int) -> int:
        searched.append(len(data))
        return lone_return(data, delimiter)

    monkeypatch.setattr(records, "lone_return", search)
    calls = []
    for number in (2_000, 20_000):
        count[0] = 0
        sys.setprofile(counted)
        try:
            found = _read(tmp_path / "quoted.csv", b'"A","B"\r\n' + b'"1","2"\r\n' * number)
        finally:
            sys.setprofile(None)
        assert found == [["1"] * number, ["2"] * number]
        calls.append(count[0])
    assert calls[1] < calls[0] + 1_000
    assert sum(searched) > 20_000 * len(b'"1","2"\r\n')
