"""A file looked at before it is opened, and fields found by eye."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import MetadataError
from core.base.progress import Cancelled, Silent
from core.metadata.field_grid import Place, parse_layout, propose_fields, with_edge, with_field
from core.metadata.opening import Look, look
from core.recipe.model import Input


def told(found: Look) -> list[tuple[str, str, str, int]]:
    return [(o.severity, o.field, o.text, o.line) for o in found.objections]


def test_a_good_file_has_a_preview_and_no_objection(demo: Path) -> None:
    found = look(Input(demo / "survey.asc", demo / "survey.rda"))
    assert found.preview is not None
    assert (len(found.preview.rows), len(found.preview.header)) == (100, 12)
    assert told(found) == []
    assert not found.refused and not found.undescribed


def test_absent_files_are_told_together(tmp_path: Path) -> None:
    found = look(Input(tmp_path / "a.csv", tmp_path / "a.rda"))
    assert [(o.severity, o.field) for o in found.objections] == [("refused", "data"), ("refused", "metadata")]
    assert str(tmp_path / "a.csv") in found.objections[0].text
    assert found.refused


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("survey.rda", "survey.rda is metadata: it describes a data file and holds no records. Choose the data file"),
        ("Age.grc", "Age.grc is a recode scheme and holds no records. Choose the data file itself."),
        ("Sex.cdl", "Sex.cdl is a codelist and holds no records. Choose the data file itself."),
        ("survey.pavo", "survey.pavo is a session and holds no records. Use Open Session."),
        (".", "{demo} is a folder. Choose a file in it."),
    ],
)
def test_files_that_hold_no_records_are_named_for_what_they_are(demo: Path, name: str, text: str) -> None:
    ((severity, field, said, _),) = told(look(Input(demo / name)))
    assert (severity, field) == ("refused", "data")
    assert said.startswith(text.format(demo=demo))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.csv", b"A,B\n1,2\n3\n", ("refused", "preview", "Line 3: 1 fields where 2 are expected.", 3)),
        ("x.csv", b"", None),
        ("x.sav", b"$FL2", None),
        ("x.xyz", b"1,2\n", None),
    ],
)
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, name: str, content: bytes, expected: tuple[str, str, str, int] | None
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = look(Input(path))
    assert found.refused
    if expected:
        assert told(found) == [expected]


@pytest.mark.parametrize(
    ("quote", "says"),
    [
        (b'"x,2\n3,4\n', "the record that begins on line 3 has a quotation mark that is never closed."),
        (b'"x,2\n3,4\n"y",5\n', "the record that begins on line 3 has text directly behind a closing quotation mark."),
        (b'"' + b"x,2\n" * 50_000, "the record that begins on line 3 has a quotation mark that is never closed."),
    ],
    ids=["never closed", "closed by another", "long"],
)
def test_a_quotation_mark_left_open_is_told_once(tmp_path: Path, quote: bytes, says: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"A,B\n1,2\n" + quote)
    ((severity, _, text, line),) = told(look(Input(path, delimiter=",", header=True)))
    assert (severity, line) == ("refused", 3)
    assert says in text


@pytest.mark.parametrize("name", ["x.csv", "x.asc"])
def test_a_file_that_breaks_behind_the_records_shown_is_refused(tmp_path: Path, name: str) -> None:
    """Opening it would close the session that is open."""
    path = tmp_path / name
    path.write_bytes(b"A,B\n" + b"1,2\n" * 500 + b"34567\n")
    found = look(Input(path))
    ((severity, field, text, line),) = [each for each in told(found) if each[0] == "refused"]
    assert (severity, field, line) == ("refused", "data", 502)
    assert "line 502" in text
    assert found.preview is not None and len(found.preview.rows) == 100


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"A,B\n", "contains no records. Choose another data file."),
        (b"A,B\n\n\n", "contains no records. Choose another data file."),
        (b"A,B\n" + b"x" * 2_000_000, "line 2: the number of fields is 1 here but 2 on the first line."),
        (b"1,2;" * 300_000, "the first line has no end within a megabyte."),
    ],
)
def test_a_file_without_a_record_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    ((severity, field, text, _),) = told(look(Input(path)))
    assert (severity, field) == ("refused", "data")
    assert says in text


def test_a_typed_file_without_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"A": pa.array([], pa.int64())}), path)
    assert [(o.severity, o.text.endswith("Choose another data file.")) for o in look(Input(path)).objections] == [
        ("refused", True)
    ]


def test_looking_through_a_file_can_be_stopped(tmp_path: Path) -> None:
    class Stopping(Silent):
        def report(self, done: float, total: float, text: str) -> None:
            raise Cancelled

    path = tmp_path / "x.csv"
    path.write_bytes(b"A,B\n1,2\n")
    with pytest.raises(Cancelled):
        look(Input(path), Stopping())


def test_a_format_that_the_name_does_not_tell_is_asked_for_in_the_words_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "x.xyz"
    path.write_bytes(b"1,2\n")
    assert told(look(Input(path))) == [
        (
            "refused",
            "format",
            "The name x.xyz does not tell the format of the data. Say the format, or name a metadata file.",
            0,
        )
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a,a,b\n1,2,3\n", "the header has the name a twice, in columns 1 and 2. Give every column a name of its own"),
    ],
)
def test_a_header_that_names_no_columns_is_refused_where_that_can_be_said(
    tmp_path: Path, content: bytes, says: str
) -> None:
    """It would open and then be an error; that there is no header is what can be said instead."""
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    ((severity, field, text, _),) = told(look(Input(path)))
    assert (severity, field) == ("refused", "header")
    assert says in text
    assert not look(Input(path, header=False)).refused
    (tmp_path / "x.rda").write_bytes(b'<SEPARATOR> ","\n<NAMESINFRONT>\na 1\nb 1\n')
    described = look(Input(path, tmp_path / "x.rda"))
    assert ("refused", "header") in [(o.severity, o.field) for o in described.objections]


def test_undecodable_bytes_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"A,B\n1,2\n\xe9,3\n")
    assert told(look(Input(path, encoding="utf-8"))) == [
        ("refused", "encoding", "Line 3: a byte is not valid utf-8.", 3)
    ]
    assert not look(Input(path)).refused  # seen to be cp1252


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("á,1\nb,2\n".encode() + "é,3\né,4\n".encode("cp1252"), 4),
        ("á,1\rb,2\r".encode() + "é,3\r".encode("cp1252"), 4),
        (b"a,1\n" + "é,2\n".encode("cp1252") + "é,3\n".encode(), 0),
        ("Ã©,1 é\n".encode("cp1252"), 0),
    ],
    ids=["joined", "Macintosh", "other order", "one line"],
)
@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_a_file_in_two_encodings_is_told_where_the_second_begins(
    tmp_path: Path, content: bytes, line: int, encoding: str | None
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes((b"A,B\r" if b"\r" in content else b"A,B\n") + content)
    found = look(Input(path, encoding=encoding))
    assert [(o.severity, o.field, o.line) for o in found.objections] == [("warning", "encoding", line)] * bool(line)
    assert not found.refused
    if line:
        assert f"in two encodings: line {line} is not in UTF-8" in found.objections[0].text
        assert f"Read as {encoding or 'cp1252'}" in found.objections[0].text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_shown_and_no_other_encoding_is_taken_for_it(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("A,B\n1,é\n".encode(encoding))
    found = look(Input(path))
    assert (found.detected("encoding"), found.detected("delimiter"), told(found)) == ("utf-16", ",", [])
    found = look(Input(path, encoding="cp1252"))
    ((severity, field, text, _),) = told(found)
    assert (severity, field) == ("refused", "encoding")
    assert text.endswith("x.csv is in UTF-16, not in cp1252. Say utf-16, or leave the encoding out.")
    assert found.detected("encoding") == "utf-16"


def test_a_fixed_file_without_metadata_can_be_opened(demo: Path) -> None:
    found = look(Input(demo / "survey.asc"))
    assert found.undescribed and not found.refused
    assert told(found) == [
        ("note", "metadata", "Nothing describes the fields of this file yet: Describe columns follows.", 0)
    ]


def test_contradictions_of_the_metadata_can_be_repaired(tmp_path: Path) -> None:
    data, rda = tmp_path / "x.asc", tmp_path / "x.rda"
    data.write_text("12345\n", encoding="utf-8")
    rda.write_text("A 1 2\nB 2 2\nC 5 3\n", encoding="utf-8")
    found = look(Input(data, rda))
    assert [(o.severity, o.field) for o in found.objections] == [("repair", "metadata"), ("repair", "metadata")]
    assert "inside A" in found.objections[0].text
    assert "Variable C ends at byte 7" in found.objections[1].text


def test_fields_are_proposed_where_all_lines_are_blank() -> None:
    lines = [b"12 a  7", b"3  bc", b"   d  88"]
    assert propose_fields(lines) == [Place("V1", 1, 2), Place("V2", 4, 2), Place("V3", 7, 2)]
    assert propose_fields([]) == []


@given(st.lists(st.text("x ", max_size=12).map(str.encode), max_size=6))
def test_proposed_fields_cover_what_is_not_blank(lines: list[bytes]) -> None:
    covered = {at for place in propose_fields(lines) for at in range(place.start, place.end + 1)}
    assert covered == {at + 1 for line in lines for at, byte in enumerate(line) if byte != 32}


@pytest.mark.parametrize(
    "text",
    [
        "REGION 1 4\nSEX 5 1\n",
        "name,start,length\nREGION,1,4\nSEX,5,1",
        "REGION\t1\t4\n\nSEX\t5\t1\n",
        "REGION 1-4\nSEX 5-5",
        "1 4 REGION\n5 1 SEX",
        '"REGION" ; 1 ; 4\nSEX ; 5 ; 1 ; categorical',
    ],
)
def test_layouts_of_many_hands_are_read(text: str) -> None:
    assert parse_layout(text) == [Place("REGION", 1, 4), Place("SEX", 5, 1)]


@pytest.mark.parametrize(("text", "line"), [("REGION 1 4\nSEX 5", 2), ("REGION 0 4", 1), ("12 14", 1)])
def test_a_line_that_is_no_field_is_named(text: str, line: int) -> None:
    with pytest.raises(MetadataError) as refusal:
        parse_layout(text)
    assert refusal.value.values["line"] == line


def test_a_layout_without_fields_is_refused() -> None:
    with pytest.raises(MetadataError, match="no layout"):
        parse_layout("name start length\n\n")


FIELDS = st.lists(st.integers(1, 4), min_size=1, max_size=5).map(
    lambda lengths: [Place(f"F{i}", 1 + sum(lengths[:i]) + i % 2, n) for i, n in enumerate(lengths)]
)


def disjoint(fields: list[Place]) -> bool:
    ordered = sorted(fields)
    bytes_of = [set(range(f.start, f.end + 1)) for f in ordered]
    return len(set().union(*bytes_of)) == sum(map(len, bytes_of)) and len({f.name for f in fields}) == len(fields)


@given(FIELDS, st.integers(1, 25))
def test_edges_keep_fields_apart(fields: list[Place], after: int) -> None:
    separate = [f for i, f in enumerate(fields) if disjoint(fields[: i + 1])]
    changed = with_edge(separate, after, 30)
    assert disjoint(changed)
    edges = {edge for f in separate for edge in (f.start - 1, f.end)}
    now = {edge for f in changed for edge in (f.start - 1, f.end)}
    assert (after in now) == (after not in edges)
    assert edges - {after} <= now


@given(FIELDS, st.integers(1, 20), st.integers(1, 6))
def test_a_new_field_takes_its_place_from_others(fields: list[Place], start: int, length: int) -> None:
    separate = [f for i, f in enumerate(fields) if disjoint(fields[: i + 1])]
    changed = with_field(separate, start, length)
    assert disjoint(changed)
    assert (start, length) in {(f.start, f.length) for f in changed}
    covered = {at for f in [*separate, Place("", start, length)] for at in range(f.start, f.end + 1)}
    assert {at for f in changed for at in range(f.start, f.end + 1)} == covered
