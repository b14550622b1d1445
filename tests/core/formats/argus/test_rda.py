"""Metadata files: read as the original does where that is right, written so that nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.errors import MetadataError
from core.data.variables import Metadata, Variable
from core.formats.argus.rda import rda_text, read_rda_with_notices
from tests.naive_recode import refusal
from tests.rda import read_rda


@pytest.fixture
def rda(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "x.rda"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_the_demonstration_survey(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    metadata, notices = read_rda_with_notices(folder / "Demodata.rda")
    assert notices == ()
    assert (metadata.format, metadata.header, len(metadata.variables)) == ("fixed", False, 33)
    assert metadata["REGION"] == Variable(
        "REGION",
        start=1,
        length=4,
        missing=("9999", "9998"),
        categorical=True,
        truncable=True,
        identification_level=1,
        codelist=folder / "Regio.cdl",
    )
    assert metadata["SEX"].codelist == folder / "Sex.cdl"
    assert metadata["WEIGHT"] == Variable("WEIGHT", start=44, length=6, decimals=2, numeric=True, role="weight")
    assert metadata["DEBTS"] == Variable("DEBTS", start=74, length=4, numeric=True, missing=("9999",))
    categorical = [v for v in metadata.variables if v.categorical]
    assert {v.suppression_weight for v in categorical} == {50}
    levels = [v.identification_level for v in categorical]
    assert levels == [1, 2] + [3] * 27
    assert [v.name for v in metadata.variables if v.truncable] == ["REGION", "COMPCODE", "OCCUCODE"]


def test_the_demonstration_survey_written_and_read(shared: Path, tmp_path: Path) -> None:
    metadata = read_rda(shared / "data" / "demodata" / "Demodata.rda")
    (tmp_path / "again.rda").write_text(rda_text(metadata))
    assert read_rda(tmp_path / "again.rda") == metadata


FIXED = """// comment
REGION 1 4 "9999" 9998
\t<recodable>
<CodeList> "REGIO.CDL"
  <IDLEVEL>\t3
<TRUNCABLE>
<RELATED> "sex"

"My sex" 5 1 " " , 9
  <RECODEABLE>
Sex 6 1
"""


def test_tabs_comments_quotes_and_case_mean_nothing(rda, tmp_path: Path) -> None:
    (tmp_path / "Regio.cdl").write_text("1,a\n")
    metadata, notices = read_rda_with_notices(rda(FIXED.replace("\n", "\r\n")))
    assert notices == ()
    assert metadata["REGION"].missing == ("9999", "9998")
    assert metadata["REGION"].codelist == tmp_path / "Regio.cdl"
    assert metadata["REGION"].identification_level == 3
    assert metadata["REGION"].related == "Sex"  # a later variable, spelt otherwise
    assert metadata["My sex"].missing == ("", "9")
    assert metadata["My sex"].categorical
    assert not metadata["Sex"].categorical


@pytest.mark.parametrize(
    ("header", "delimiter", "names", "notices"),
    [
        ('<SEPARATOR> ","\n', ",", False, []),
        ('<SEPARATOR> "\t"\n', "\t", False, []),
        ("<separator> ;\n<NamesInFront>\n", ";", True, []),
        ("<NAMESINFRONT>\n   <SEPARATOR> ','\n", "'", True, ["rda-long-separator"]),
        ("<NAMESINFRONT>\n", ";", True, ["rda-no-separator"]),
    ],
)
def test_delimited_headers(rda, header: str, delimiter: str, names: bool, notices: list[str]) -> None:
    metadata, said = read_rda_with_notices(rda(header + "A 3 9 99\nB 2\nC\n<WEIGHT>"))
    assert (metadata.format, metadata.delimiter, metadata.header) == ("delimited", delimiter, names)
    assert [notice.id for notice in said] == notices
    assert [(v.column, v.length, v.missing) for v in metadata.variables] == [
        (1, 3, ("9", "99")),
        (2, 2, ("",)),
        (3, 0, ("",)),
    ]


def test_spss_header(rda) -> None:
    metadata = read_rda(rda("<SPSS>\nA\n<RECODABLE>\nB 1 2"))
    assert metadata.format == "spss"
    assert metadata.names == ("A", "B")


def test_more_than_two_missing_codes_and_commas_between_them(rda) -> None:
    assert read_rda(rda('A 1 2 97, 98,99 "9,"')).variables[0].missing == ("97", "98", "99", "9,")


def test_household_keywords(rda) -> None:
    metadata = read_rda(rda("H 1 5 99999\n<HOUSE_ID>\nT 6 1 9\n<RECODABLE>\n<HOUSEHOLD>\n<SUPPRESSPRIORITY> 7"))
    assert metadata.household_id == Variable("H", start=1, length=5, missing=("99999",), role="household-id")
    assert metadata["T"].household
    assert metadata["T"].suppression_weight == 7


@pytest.mark.parametrize(
    "content", ["É 1 2\n".encode("cp1252"), "É 1 2\n".encode(), b"\xef\xbb\xbf" + "É 1 2".encode()]
)
def test_encodings(rda, content: bytes) -> None:
    assert read_rda(rda(content)).names == ("É",)


def test_what_is_accepted_is_said(rda) -> None:
    _, notices = read_rda_with_notices(rda("<WEIGHT>\nA 1 2\n<CODELIST>\n<COLOUR> red\n<RELATED>"))
    assert [(n.id, n.where, dict(n.values)["line"]) for n in notices] == [
        ("rda-early-keyword", "", 1),
        ("rda-no-codelist", "A", 3),
        ("rda-unknown-keyword", "A", 4),
        ("rda-no-related", "A", 5),
    ]
    assert "x.rda, line 4: the keyword <COLOUR>" in notices[2].text


@pytest.mark.parametrize(
    ("content", "id", "line", "variable"),
    [
        ("", "text-file-empty", None, None),
        (" \n\r\n", "text-file-empty", None, None),
        ("A\x00 1 2", "text-file-binary", None, None),
        ("// nothing\n", "rda-no-variables", None, None),
        ("A 1 2\nB 3 x", "rda-not-an-integer", 2, "B"),
        ("A one 2", "rda-not-an-integer", 1, "A"),
        ("A 1", "rda-not-an-integer", 1, "A"),
        ("A 1 99999999999999", "rda-not-an-integer", 1, "A"),
        ("A 1 2\n<IDLEVEL> high", "rda-not-an-integer", 2, "A"),
        ("A 1 2\n<DECIMALS>", "rda-not-an-integer", 2, "A"),
        ('A 1 2 "9', "rda-open-quote", 1, None),
        ('"" 1 2', "rda-no-name", 1, None),
        ('A 1 2\n<SEPARATOR> ","', "rda-late-header", 2, "A"),
        ("<SEPARATOR>\nA 1", "rda-separator", 1, None),
        ("A 1 2\n<WEIGHT>\n<HOUSE_ID>", "rda-two-roles", 3, "A"),
    ],
)
def test_errors_name_file_line_and_variable(rda, content: str, id: str, line: int | None, variable: str | None) -> None:
    with pytest.raises(MetadataError) as error:
        read_rda(rda(content))
    assert error.value.id == id
    assert "x.rda" in str(error.value)
    if line:
        assert f"line {line}" in str(error.value)
    if variable:
        assert variable in str(error.value)


def test_an_absent_file_and_a_folder(tmp_path: Path) -> None:
    for path, id in ((tmp_path / "no.rda", "text-file-missing"), (tmp_path, "text-file-unreadable")):
        with pytest.raises(MetadataError) as error:
            read_rda(path)
        assert error.value.id == id


NAME = st.text('Aé <,|"(/;', min_size=1, max_size=6).map(str.strip).filter(lambda n: n)
CODE = st.text('09é -,:"', max_size=4).map(str.strip)


@st.composite
def variables(draw: st.DrawFn, format: str) -> Variable:
    role = draw(st.sampled_from(["other", "weight", "household-id"]))
    length = draw(st.integers(1, 9))
    missing = tuple(draw(st.lists(CODE, max_size=4, unique=True)))
    return Variable(
        draw(NAME),
        start=draw(st.integers(1, 99)) if format == "fixed" else 0,
        length=max([length, *map(len, missing)]),
        decimals=draw(st.integers(0, 3)),
        categorical=draw(st.booleans()),
        numeric=role == "weight" or draw(st.booleans()),
        household=draw(st.booleans()),
        truncable=draw(st.booleans()),
        role=role,
        identification_level=draw(st.integers(0, 5)),
        suppression_weight=draw(st.integers(0, 100)),
        missing=missing or (("",) if format == "delimited" else ()),
    )


@given(st.data(), st.sampled_from(["fixed", "delimited"]))
def test_what_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, format: str
) -> None:
    found = data.draw(st.lists(variables(format), min_size=1, max_size=4, unique_by=lambda v: v.name.casefold()))
    names = [v.name for v in found]
    codelist = tmp_path_factory.getbasetemp() / "Some list.cdl"
    found = [
        replace(
            v,
            column=i + 1 if format == "delimited" else 0,
            related=data.draw(st.sampled_from([None, *names])),
            codelist=data.draw(st.sampled_from([None, codelist])),
        )
        for i, v in enumerate(found)
    ]
    delimiter = data.draw(st.sampled_from(",;\t| ")) if format == "delimited" else ";"
    header = data.draw(st.booleans()) if format == "delimited" else False
    metadata = Metadata(format, tuple(found), delimiter, header)
    path = tmp_path_factory.getbasetemp() / "written.rda"
    text: list[str] = []
    error = refusal(lambda: text.append(rda_text(metadata, folder=data.draw(st.sampled_from([None, path.parent])))))
    if error is not None:
        assert error.id == "rda-unwritable"
        assert any('"' in part for v in found for part in (v.name, *v.missing))
        return
    path.write_text(text[0])
    assert read_rda(path) == metadata


def test_a_safe_file_says_nothing_of_protection_or_of_what_was_removed(tmp_path: Path) -> None:
    metadata = Metadata(
        "fixed",
        (
            Variable("ID", start=1, length=2, role="direct-identifier"),
            Variable("A", start=3, length=1, categorical=True, missing=("9",), identification_level=3, related="B"),
            Variable("B", start=4, length=1, removed=True),
            Variable("C", start=5, length=1, categorical=True, codelist=tmp_path / "secret" / "C.cdl", related="A"),
        ),
    )
    assert rda_text(metadata, safe=True) == (
        'A 3 1 "9"\n    <RECODABLE>\nC 5 1\n    <RECODABLE>\n    <RELATED> "A"\n    <CODELIST> "C.cdl"\n'
    )
    assert "B 4 1" in rda_text(metadata)


def test_header_lines_are_written(tmp_path: Path) -> None:
    metadata = Metadata("delimited", (Variable("A", column=1, missing=("",)),), ",", True)
    assert rda_text(metadata) == '   <SEPARATOR> ","\n   <NAMESINFRONT>\nA 1\n'
    assert rda_text(replace(metadata, format="spss")) == "   <SPSS>\nA\n"
    assert rda_text(replace(metadata, format="parquet")) == "   <SPSS>\nA\n"


FRAGMENTS = [
    "<",
    ">",
    '"',
    "\n",
    " ",
    ",",
    "9" * 12,
    "<WEIGHT>",
    "<SEPARATOR>",
    "é",
    "-",
    "\t",
    "//",
    "\r",
    "\x1a",
    "..",
    "/",
]


@settings(max_examples=250)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 6), st.sampled_from(FRAGMENTS)), min_size=1, max_size=6))
def test_a_damaged_file_is_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[int, int, str]]
) -> None:
    text = FIXED + '<HOUSE_ID>\nW 7 6\n <WEIGHT>\n<DECIMALS> 2\n <CODELIST> "Regio.cdl"\n'
    for place, length, fragment in damages:
        text = text[:place] + fragment + text[place + length :]
    path = tmp_path_factory.getbasetemp() / "damaged.rda"
    path.write_bytes(text.encode())
    error = refusal(lambda: rda_text(read_rda(path)))
    assert error is None or "damaged.rda" in str(error) or error.id == "rda-unwritable"


@settings(max_examples=250)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_words(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.rda"
    path.write_bytes(content)
    error = refusal(lambda: read_rda(path))
    assert error is None or "bytes.rda" in str(error)
