"""The preview shows what is there and says what is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import DataError
from core.data.variables import Metadata, Variable
from core.formats.preview import preview

FIXED = Metadata("fixed", (Variable("A", 1, 2), Variable("B", 4, 1)))
CSV = Metadata("delimited", ())


def save(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "data"
    path.write_bytes(data)
    return path


def said(problems: tuple[object, ...]) -> list[tuple[str, object]]:
    return [(problem.id, dict(problem.values).get("line")) for problem in problems]  # type: ignore[attr-defined]


def test_fixed(tmp_path: Path) -> None:
    shown = preview(save(tmp_path, b" 1x2\r\n\r\n 3x4\r\n 5x6\r\n\x1a"), FIXED, 2)
    assert (shown.header, shown.rows, shown.problems) == (("A", "B"), ((" 1", "2"), (" 3", "4")), ())
    shown = preview(save(tmp_path, b" 1x2\n 3x\n 5x\xff\n"), FIXED)
    assert shown.rows == ((" 1", "2"), (" 3", ""), (" 5", "\ufffd"))
    assert said(shown.problems) == [("data-encoding", 3), ("data-line-length", 2)]
    assert [(p.id, p.where) for p in preview(save(tmp_path, b"abc\n"), FIXED).problems] == [
        ("data-record-too-short", "B")
    ]
    assert preview(save(tmp_path, b"abc\nabd\n"), replace(FIXED, variables=())).rows == (("abc",), ("abd",))


def test_delimited(tmp_path: Path) -> None:
    shown = preview(save(tmp_path, b'\xef\xbb\xbfA, B\n1,"x,\ny"\n\n3\n4,5\n'), CSV, 2)
    assert (shown.header, shown.rows) == (("A", "B"), (("1", "x,\ny"), ("3",)))
    assert said(shown.problems) == [("data-ragged", 5)]
    shown = preview(save(tmp_path, b"1;2\n3;4\n"), Metadata("delimited", (), ";", header=False))
    assert (shown.header, shown.rows) == (("1", "2"), (("1", "2"), ("3", "4")))
    named = replace(CSV, variables=(Variable("X"), Variable("Y")), header=False)
    assert preview(save(tmp_path, b"1,2\n"), named).header == ("X", "Y")


@pytest.mark.parametrize(
    ("data", "quote"),
    [(b'A,B\n1,"x\n3,4\n5,6"\n', False), (b'A,B\n1\n3,4\n', False), (b'A,B\n"1,x\n3,4\n5",6,7\n', True),
     (b'sep=,\nA,B\n"1,x\n3,4\n', True), (b'sep=,\nA,B\n1\n', False)],
)  # fmt: skip
def test_a_quotation_mark_that_swallows_lines_is_told(tmp_path: Path, data: bytes, quote: bool) -> None:
    texts = [problem.text for problem in preview(save(tmp_path, data), CSV).problems]
    assert any("a quotation mark that opens there is not closed on that line" in text for text in texts) == quote


def test_an_unknown_encoding_still_shows_something(tmp_path: Path) -> None:
    assert preview(save(tmp_path, b"A\n1\n"), replace(CSV, encoding="klingon")).rows == (("1",),)
    assert preview(save(tmp_path, b"A\n\xe9\n"), replace(CSV, encoding="cp1252")).rows == (("é",),)


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="contains no records"):
        preview(save(tmp_path, b""), CSV)


def test_only_whole_lines_of_a_long_file(tmp_path: Path) -> None:
    line = b"1,2\n"
    shown = preview(save(tmp_path, b"A,B\n" + line * 400_000), CSV, 10**6)
    assert set(shown.rows) == {("1", "2")}
    assert shown.problems == ()


def test_bytes_that_are_no_text_are_shown_too(tmp_path: Path) -> None:
    assert preview(save(tmp_path, b"A,B\n1\0,2\n"), CSV).rows == (("1\0", "2"),)
