"""Codelists."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import MetadataError
from core.formats.argus.codelist import codelist_text, read_codelist, read_codelist_with_notices
from tests.naive_recode import refusal


def read(path: Path, content: str | bytes) -> dict[str, str]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_codelist(path)


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("   1,Aalburg\r\n   2,Ter Aar\r\n", {"1": "Aalburg", "2": "Ter Aar"}),
        ("1, male", {"1": "male"}),
        ('1,"male"\n', {"1": "male"}),
        ('1,"North, and South"\n2,East, West', {"1": "North, and South", "2": "East, West"}),
        ('"1","male"\n"2,5" , two', {"1": "male", "2,5": "two"}),
        ('1,"said ""yes"""\n2,6" pipe\n3,"', {"1": 'said "yes"', "2": '6" pipe', "3": '"'}),
        (",not stated\n9,\n", {"": "not stated", "9": ""}),
        ("1,Curaçao".encode("cp1252"), {"1": "Curaçao"}),
        ("\ufeff1,Curaçao", {"1": "Curaçao"}),
        ("", {}),
    ],
)
def test_labels(tmp_path: Path, content: str | bytes, labels: dict[str, str]) -> None:
    assert read(tmp_path / "x.cdl", content) == labels


def test_the_demonstration_survey(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    regions = read_codelist(folder / "Regio.cdl")
    assert len(regions) == 182
    assert regions["1"] == "Aalburg"
    assert regions["4"] == "Ter Aar"
    assert read_codelist(folder / "Age3.cdl")["8"] == "miss"


def test_what_is_accepted_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.cdl"
    path.write_text("1,a\n2;b\n1,c\n\n3,d\n3,d\n")
    labels, notices = read_codelist_with_notices(path)
    assert labels == {"1": "c", "3": "d"}
    assert [(notice.id, dict(notice.values)["line"]) for notice in notices] == [
        ("codelist-line-ignored", 2),
        ("codelist-duplicate", 3),
    ]


def test_a_binary_or_absent_file_is_refused_by_name(tmp_path: Path) -> None:
    for content, id in ((b"1,a\0", "text-file-binary"), (None, "text-file-missing")):
        path = tmp_path / f"{id}.cdl"
        if content:
            path.write_bytes(content)
        with pytest.raises(MetadataError, match=path.name) as error:
            read_codelist(path)
        assert error.value.id == id


TEXT = st.text('19aé ,"-', max_size=6)


@given(st.dictionaries(TEXT.map(str.strip), TEXT, max_size=5))
def test_what_is_written_reads_back_the_same(tmp_path_factory: pytest.TempPathFactory, labels: dict[str, str]) -> None:
    assert read(tmp_path_factory.getbasetemp() / "x.cdl", codelist_text(labels)) == labels


def test_a_line_end_in_a_label_becomes_a_blank(tmp_path: Path) -> None:
    assert read(tmp_path / "x.cdl", codelist_text({"1": "a\nb"})) == {"1": "a b"}


@settings(max_examples=250)
@given(st.one_of(st.binary(max_size=80), st.text('1,"\n\r\t é', max_size=80).map(str.encode)))
def test_any_bytes_are_read_or_refused_in_words(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.cdl"
    error = refusal(lambda: read(path, content))
    assert error is None or "fuzz.cdl" in str(error)
