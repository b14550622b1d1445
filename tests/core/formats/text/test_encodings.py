"""Delimited text as the world writes it: encodings, quotes, line breaks in quotes, decimal commas."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.base.errors import DataError
from core.data.encoding import BLANKS
from core.formats.registry import read, safe_layout, write
from core.formats.text.writing import Rewrite
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit

TEXT = 'Größe,naïve name,"a ""b"", c"\r\n1,é,"x\r\ny"\r\n2,,=1+1\r\n'


def saved(path: Path, input: Input) -> bytes:
    metadata = describe(input)
    source = read(path, metadata, metadata.names).source
    out = io.BytesIO()
    write(Rewrite(source, metadata, {}, safe_layout(metadata, {}, frozenset())), out)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_utf_16_is_not_taken_for_another_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"))
    metadata = describe(Input(path, format="delimited", delimiter=",", header=True))
    with pytest.raises(DataError, match="is in UTF-16, not in " + encoding) as caught:
        read(path, replace(metadata, encoding=encoding), metadata.names)
    assert caught.value.id == "encoding-wide"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.replace("é", "€").encode("cp1252"),
        TEXT.replace("é", "\x81").encode("latin-1"),
    ],
    ids=["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1252", "latin-1"],
)
def test_every_encoding_is_read_and_comes_back_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    metadata = describe(Input(path))
    assert metadata.names == ("Größe", "naïve name", 'a "b", c')
    columns = read(path, metadata, metadata.names).columns
    assert set(columns['a "b", c'].codes) == {"x\r\ny", "=1+1", ""}
    assert columns["naïve name"].codes[0] in ("é", "€", "\x81")
    assert saved(path, Input(path)) == data


def test_damaged_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le")[:-1])
    metadata = describe(Input(path))
    with pytest.raises(DataError) as error:
        read(path, metadata, metadata.names)
    assert error.value.id == "data-encoding-wide"


def test_decimal_comma(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("A;W\n1;1,25\n2;2,5\n", encoding="utf-8")
    edits = (VariableEdit("W", role="weight"),)
    metadata = describe(Input(path), edits)
    assert (metadata.delimiter, metadata.decimal) == (";", ",")
    weights = read(path, metadata, ("W",)).weights
    assert weights is not None
    assert (weights.limbs[0].tolist(), weights.decimals) == ([125, 250], (2,))


FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", max_codepoint=0x2FFF), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(FIELD, FIELD, FIELD), min_size=1, max_size=8), wide=st.booleans(), tab=st.booleans())
def test_what_a_csv_writer_wrote_is_read_as_it_was(
    tmp_path: Path, rows: list[tuple[str, str, str]], wide: bool, tab: bool
) -> None:
    path = tmp_path / "a.csv"
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if tab else ",", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("x", "y", "z"), *rows])
    raw = text.getvalue().encode("utf-16" if wide else "utf-8")
    path.write_bytes(raw)
    input = Input(path, delimiter="\t" if tab else ",", header=True)
    metadata = describe(input)
    columns = read(path, metadata, ("x", "z")).columns
    for position, name in ((0, "x"), (2, "z")):
        column = columns[name]
        assert [column.codes[i] for i in column.values.tolist()] == [row[position].strip(BLANKS) for row in rows]
    assert saved(path, input) == raw
