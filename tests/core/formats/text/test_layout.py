"""What a delimited file's beginning tells about its layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.formats.text.layout import detect_layout
from core.recipe.model import Input

CASES = [
    (b"a,b,c\n1,2,3\n4,5,6\n", (",", True, "utf-8", ".")),
    (b"a;b\n1,5;2\n4;5,25\n", (";", True, "utf-8", ",")),
    (b"1,5;2,5;3,5\n2,5;2,5;1,5\n", (";", False, "utf-8", ",")),
    (b"a\tb\n1.5\t2,0 or 3,0\n", ("\t", True, "utf-8", ".")),
    (b"a|b|c\nx|1,2,3|z\nx|1|2\n", ("|", True, "utf-8", ".")),
    (b'a,b\n"x;y;z",1\n"x;y",2\n', (",", True, "utf-8", ".")),
    (b"1,2\n1,2\n", (",", False, "utf-8", ".")),
    (b"sex,country\nf,nl\nm,de\n", (",", True, "utf-8", ".")),
    (b",name\n1,x\n2,y\n", (",", True, "utf-8", ".")),
    (b"\xef\xbb\xbfa,b\nx,1\n", (",", True, "utf-8", ".")),
    (b"naam,plaats\nx,Curac\xf6o\n", (",", True, "cp1252", ".")),
]


@pytest.mark.parametrize(("data", "expected"), CASES)
def test_layouts(tmp_path: Path, data: bytes, expected: tuple[str, bool, str, str]) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    layout = detect_layout(Input(data=path))
    assert (layout.delimiter, layout.header, layout.encoding, layout.decimal) == expected
