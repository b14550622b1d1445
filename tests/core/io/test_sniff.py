"""Guesses about delimited files."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DataError
from core.io import sniff as sniffing
from core.io.sniff import Layout, sniff

CASES = [
    (b"a,b,c\n1,2,3\n4,5,6\n", Layout(",", True, "utf-8", ".", 3)),
    (b"a;b\n1,5;2\n4;5,25\n", Layout(";", True, "utf-8", ",", 2)),
    (b"1,5;2,5;3,5\n2,5;2,5;1,5\n", Layout(";", False, "utf-8", ",", 3)),
    (b"a\tb\n1.5\t2,0 or 3,0\n", Layout("\t", True, "utf-8", ".", 2)),
    (b"a|b|c\nx|1,2,3|z\nx|1|2\n", Layout("|", True, "utf-8", ".", 3)),
    (b'a,b\n"x;y;z",1\n"x;y",2\n', Layout(",", True, "utf-8", ".", 2)),
    (b"1,2\n1,2\n", Layout(",", False, "utf-8", ".", 2)),
    (b"m,nl\nf,nl\nm,de\n", Layout(",", False, "utf-8", ".", 2)),
    (b"sex,country\nf,nl\nm,de\n", Layout(",", True, "utf-8", ".", 2)),
    (b"a,a\nx,y\n", Layout(",", True, "utf-8", ".", 2)),
    (b",name\n1,x\n2,y\n", Layout(",", True, "utf-8", ".", 2)),
    (b"\xef\xbb\xbfa,b\nx,1\n", Layout(",", True, "utf-8", ".", 2)),
    (b"naam,plaats\nx,Curac\xf6o\n", Layout(",", True, "cp1252", ".", 2)),
    (b"  36143430 1\n  36127430 1\n", Layout(",", False, "utf-8", ".", 1)),
    (b'"\n', Layout(",", False, "utf-8", ".", 1)),
]


@pytest.mark.parametrize(("data", "layout"), CASES)
def test_layouts(tmp_path: Path, data: bytes, layout: Layout) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    assert sniff(path) == layout


def test_only_the_beginning_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sniffing, "SAMPLE_BYTES", 20)
    path = tmp_path / "data.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 3 + b"x;" * 100)
    assert sniff(path) == Layout(",", True, "utf-8", ".", 2)


@pytest.mark.parametrize(("data", "id"), [(b"", "data-empty"), (b" \r\n", "data-empty"), (b"a\0b\n", "data-not-text")])
def test_refusals(tmp_path: Path, data: bytes, id: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        sniff(path)
    assert caught.value.id == id


def test_no_file(tmp_path: Path) -> None:
    for path, id in ((tmp_path / "none.csv", "data-missing"), (tmp_path, "data-unreadable")):
        with pytest.raises(DataError) as caught:
            sniff(path)
        assert caught.value.id == id
