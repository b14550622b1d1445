"""What is known about variables: metadata file, header, recipe; and everything wrong with it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError, MetadataError, PavoError, RecipeError
from core.data.variables import Metadata, Variable
from core.metadata.describe import MOST_VARIABLES, describe, describe_unverified, problems
from core.metadata.problems import all_problems
from core.recipe.model import Input, VariableEdit
from tests.naive_recode import refusal


def csv(folder: Path, content: str | bytes, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_demonstration_survey(shared: Path) -> None:
    folder = shared / "data" / "demodata"
    source = Input(folder / "Demodata.asc", folder / "Demodata.rda")
    metadata = describe(source)
    assert (metadata.format, metadata.encoding, metadata.weight) == ("fixed", "utf-8", metadata["WEIGHT"])
    found = all_problems(metadata)
    assert [(p.severity, p.variable, p.id) for p in found] == [("notice", "ASSETS", "gap"), ("notice", "DEBTS", "gap")]
    assert "58 to 66" in found[0].text
    changed = describe(source, (VariableEdit("REGION", missing=("9999", " 7 ", "7"), numeric=True, related="sex"),))
    assert changed["REGION"] == replace(metadata["REGION"], missing=("9999", "7"), numeric=True, related="SEX")


def test_the_practice_guide_files(shared: Path) -> None:
    metadata = describe(Input(shared / "data" / "table41.csv"), (VariableEdit("Weights", role="weight"),))
    assert metadata.names == ("Residence", "Gender", "Educ", "Lstat", "Health", "Weights")
    assert metadata["Weights"] == Variable("Weights", column=6, numeric=True, role="weight", missing=("",))
    assert metadata["Educ"] == Variable("Educ", column=3, categorical=True, missing=("",))


@pytest.mark.parametrize(
    ("content", "delimiter", "header", "encoding", "decimal", "names"),
    [
        ("a,b\n1,2.5\n", ",", True, "utf-8", ".", ("a", "b")),
        ("a;b\n1;2,5\n3;4\n", ";", True, "utf-8", ",", ("a", "b")),
        ("a\tb c\n1\t2\n", "\t", True, "utf-8", ".", ("a", "b c")),
        ('"a,b";"c ""d"""\n"1,2";x\n', ";", True, "utf-8", ",", ("a,b", 'c "d"')),
        ("\ufeffa,b\n1,2\n", ",", True, "utf-8", ".", ("a", "b")),
        ("é,b\n1,2\n".encode("cp1252"), ",", True, "cp1252", ".", ("é", "b")),
        ("1,x,2\n3,y,4\n", ",", False, "utf-8", ".", ("V1", "V2", "V3")),
        ("region,2010,2011\nNorth,3,4\nSouth,5,6\n", ",", False, "utf-8", ".", ("V1", "V2", "V3")),
        ("id,2010,2011\n1,3,4\n2,5,6\n", ",", True, "utf-8", ".", ("id", "2010", "2011")),
        ("sex,region\nm,North\n", ",", True, "utf-8", ".", ("sex", "region")),
        ("alone\n1\n2\n", ",", True, "utf-8", ".", ("alone",)),
    ],
)
def test_the_layout_of_a_delimited_file_is_seen(
    tmp_path: Path,
    content: str | bytes,
    delimiter: str,
    header: bool,
    encoding: str,
    decimal: str,
    names: tuple[str, ...],
) -> None:
    metadata = describe(Input(csv(tmp_path, content)))
    assert metadata.format == "delimited"
    seen = (metadata.delimiter, metadata.header, metadata.encoding, metadata.decimal, metadata.names)
    assert seen == (delimiter, header, encoding, decimal, names)
    assert [v.column for v in metadata.variables] == list(range(1, len(names) + 1))


def test_what_the_recipe_says_of_the_layout_holds(tmp_path: Path) -> None:
    path = csv(tmp_path, "a;b,c\n1;2,3\n", "x.unknown")
    source = Input(path, format="delimited", delimiter=",", header=False, encoding="latin-1", decimal=",")
    metadata = describe(source)
    assert (metadata.names, metadata.encoding, metadata.decimal) == (("V1", "V2"), "latin-1", ",")


def test_columns_of_a_header_are_categorical_unless_the_recipe_makes_them_something_else(tmp_path: Path) -> None:
    edits = (
        VariableEdit("a", numeric=True),
        VariableEdit("b", role="household-id"),
        VariableEdit("c", numeric=True, categorical=True, missing=()),
        VariableEdit("d", role="direct-identifier", label="Name", removed=True, suppressible=False),
    )
    metadata = describe(Input(csv(tmp_path, "a,b,c,d,e\n1,2,3,4,5\n")), edits)
    assert [v.categorical for v in metadata.variables] == [False, False, True, True, True]
    assert metadata["c"].missing == ()
    assert metadata["d"] == Variable(
        "d",
        column=4,
        label="Name",
        categorical=True,
        removed=True,
        role="direct-identifier",
        missing=("",),
        suppressible=False,
    )


def test_an_rda_describes_a_delimited_file_and_the_recipe_overrides_it(tmp_path: Path) -> None:
    path = csv(tmp_path, "A;B\n1;2,5\n", "x.asc")
    (tmp_path / "x.rda").write_text('<SEPARATOR> ";"\n<NAMESINFRONT>\nB 3\n<NUMERIC>\nA 1 9\n<RECODABLE>\n')
    metadata = describe(Input(path, tmp_path / "x.rda"))
    assert (metadata.format, metadata.delimiter, metadata.header, metadata.decimal) == ("delimited", ";", True, ",")
    assert [(v.name, v.column, v.categorical, v.missing) for v in metadata.variables] == [
        ("B", 2, False, ("",)),
        ("A", 1, True, ("9",)),
    ]
    assert describe(Input(path, tmp_path / "x.rda", delimiter=",")).delimiter == ","
    path.unlink()
    assert describe(Input(path, tmp_path / "x.rda")).names == ("B", "A")


def test_variables_here_are_the_whole_description(tmp_path: Path) -> None:
    path = csv(tmp_path, "A,B\n1,2\n")
    edits = (VariableEdit("B", missing=("9",)), VariableEdit("A", numeric=True))
    metadata = describe(Input(path, variables="here"), edits)
    assert [(v.name, v.column, v.categorical, v.missing) for v in metadata.variables] == [
        ("B", 2, True, ("9",)),
        ("A", 1, False, ("",)),
    ]
    fixed = (VariableEdit("X", start=1, length=2), VariableEdit("W", start=3, length=4, role="weight"))
    metadata = describe(Input(tmp_path / "x.asc", variables="here"), fixed)
    assert metadata["X"] == Variable("X", start=1, length=2, categorical=True)
    assert metadata["W"] == Variable("W", start=3, length=4, numeric=True, role="weight")


def test_columns_by_number(tmp_path: Path) -> None:
    source = Input(csv(tmp_path, "1,2,3\n"), header=False, variables="here")
    metadata = describe(source, (VariableEdit("C", column=3), VariableEdit("A", column=1)))
    assert [v.column for v in metadata.variables] == [3, 1]


def test_an_edit_of_an_unknown_variable_is_named_with_the_likely_one(tmp_path: Path) -> None:
    path = csv(tmp_path, "region,sex\n1,2\n")
    with pytest.raises(RecipeError, match=r"variables\.Regoin.*x\.csv\. Is region meant"):
        describe(Input(path), (VariableEdit("Regoin", numeric=True),))
    with pytest.raises(RecipeError, match=r"variables\.zzz"):
        describe(Input(path), (VariableEdit("zzz"),))


@pytest.mark.parametrize(
    ("source", "error", "id"),
    [
        (Input(), RecipeError, "no-data-file"),
        (Input(Path("x.zip")), RecipeError, "format-unknown"),
        (Input(Path("x.sav")), DataError, "data-missing"),
        (Input(Path("x.asc")), MetadataError, "no-description"),
        (Input(Path("x.csv")), DataError, "data-missing"),
        (Input(Path("x.asc"), Path("x.rda")), MetadataError, "text-file-missing"),
    ],
)
def test_what_cannot_be_described(source: Input, error: type[PavoError], id: str) -> None:
    with pytest.raises(error) as caught:
        describe(source)
    assert caught.value.id == id
    assert str(caught.value)


@pytest.mark.parametrize(
    ("content", "keywords", "id"),
    [
        ("", {}, "data-empty"),
        ("a,a\n1,2\n", {}, "duplicate-name"),
        ("a\0,b\n1,2\n", {}, "data-not-text"),
        ("a,b\n", {"delimiter": ",;"}, "delimiter"),
        ("a,b\n", {"delimiter": '"'}, "delimiter"),
        ("a,b\n", {"encoding": "klingon"}, "encoding-unknown"),
        ("ä,b\n", {"encoding": "idna"}, "encoding-unknown"),
        ("a,b\n", {"encoding": "raw_unicode_escape"}, "encoding-unknown"),
        ("a,b\n", {"encoding": "undefined"}, "encoding-unknown"),
        ("a,b\n", {"encoding": "a\0b"}, "encoding-unknown"),
    ],
)
def test_headers_that_cannot_be_used(tmp_path: Path, content: str, keywords: dict[str, str], id: str) -> None:
    with pytest.raises(PavoError) as caught:
        describe(Input(csv(tmp_path, content), **keywords))
    assert caught.value.id == id


def test_file_of_very_many_columns_is_refused_by_their_number(tmp_path: Path) -> None:
    begin = time.perf_counter()
    with pytest.raises(MetadataError, match="has 100,000 variables; at most 32,767 can be described"):
        describe(Input(csv(tmp_path, ",".join(f"v{i}" for i in range(100_000)) + "\n" + "1," * 99_999 + "1\n")))
    assert time.perf_counter() - begin < 60


def test_file_of_the_most_columns_is_described(tmp_path: Path) -> None:
    names = ",".join(f"v{i}" for i in range(MOST_VARIABLES))
    assert len(describe(Input(csv(tmp_path, names + "\n" + "1," * (MOST_VARIABLES - 1) + "1\n"))).variables) == 32_767


def fixed(*variables: Variable) -> Metadata:
    return Metadata("fixed", variables)


A = Variable("A", start=1, length=2, categorical=True, missing=("99",))
B = Variable("B", start=3, length=1, categorical=True, missing=("9",))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (fixed(A, B), []),
        (fixed(), [("error", "", "", "no-variables")]),
        (fixed(A, replace(B, name="a")), [("error", "a", "name", "duplicate-name")]),
        (fixed(A, replace(B, name=" ")), [("error", " ", "name", "empty-name")]),
        (fixed(A, replace(B, start=2)), [("error", "B", "start", "overlap")]),
        (fixed(B, replace(A, start=2)), [("error", "B", "start", "overlap"), ("notice", "A", "start", "gap")]),
        (fixed(A, replace(B, start=5)), [("notice", "B", "start", "gap")]),
        (fixed(A, replace(B, start=0)), [("error", "B", "start", "bad-start")]),
        (fixed(A, replace(B, length=0)), [("error", "B", "length", "bad-length")]),
        (fixed(A, replace(B, missing=("9", "10"))), [("error", "B", "missing", "missing-too-long")]),
        (fixed(A, replace(B, missing=("é",))), [("error", "B", "missing", "missing-too-long")]),
        (fixed(A, replace(B, missing=(), identification_level=1)), [("warning", "B", "missing", "no-missing-code")]),
        (
            fixed(replace(A, role="weight"), replace(B, role="weight", categorical=False)),
            [("error", "B", "role", "second-weight"), ("warning", "A", "categorical", "weight-categorical")],
        ),
        (
            fixed(replace(A, role="household-id"), replace(B, role="household-id")),
            [("error", "B", "role", "second-household-id")],
        ),
        (fixed(A, replace(B, household=True)), [("warning", "B", "household", "household-without-identifier")]),
        (fixed(replace(A, role="household-id"), replace(B, household=True)), []),
        (
            fixed(replace(A, identification_level=6), replace(B, identification_level=-1)),
            [
                ("error", "A", "identification_level", "bad-identification-level"),
                ("error", "B", "identification_level", "bad-identification-level"),
            ],
        ),
        (
            fixed(A, replace(B, suppression_weight=101)),
            [("error", "B", "suppression_weight", "bad-suppression-weight")],
        ),
        (fixed(A, replace(B, decimals=-1)), [("error", "B", "decimals", "bad-decimals")]),
        (fixed(A, replace(B, related="C")), [("error", "B", "related", "unknown-related")]),
        (fixed(A, replace(B, related="B")), [("error", "B", "related", "unknown-related")]),
        (fixed(A, replace(B, related="A")), []),
        (
            fixed(replace(A, related="B"), replace(B, related="A")),
            [("warning", "A", "related", "related-circle"), ("warning", "B", "related", "related-circle")],
        ),
        (fixed(A, replace(B, codelist=Path("no.cdl"))), [("warning", "B", "codelist", "codelist-unreadable")]),
        (
            Metadata("delimited", (replace(A, column=1), replace(B, column=1))),
            [("error", "B", "column", "same-column")],
        ),
        (
            Metadata("delimited", (replace(A, column=1), replace(A, column=1), replace(B, column=3))),
            [("error", "A", "name", "duplicate-name")],  # and not that A and A are one column
        ),
        (Metadata("delimited", (replace(A, column=0),)), [("error", "A", "column", "bad-column")]),
    ],
)
def test_every_problem_is_found(metadata: Metadata, expected: list[tuple[str, str, str, str]]) -> None:
    found = all_problems(metadata)
    assert [(p.severity, p.variable, p.field, p.id) for p in found] == expected
    assert all("{" not in p.text and p.text for p in found)


def test_only_a_released_key_lacks_a_missing_code() -> None:
    bare = replace(B, missing=())
    key = replace(bare, identification_level=2)
    roles = [replace(key, role=role) for role in ("weight", "household-id", "direct-identifier")]
    for other in (bare, replace(key, removed=True), replace(key, categorical=False, numeric=True), *roles):
        assert "no-missing-code" not in [p.id for p in all_problems(fixed(A, other))], other
    assert [p.id for p in all_problems(fixed(A, key))] == ["no-missing-code"]
    assert [p.id for p in all_problems(fixed(A, bare), {"B"})] == ["no-missing-code"]
    assert not all_problems(fixed(A, replace(bare, role="direct-identifier", removed=True)), {"B"})


def test_all_problems_at_once_and_the_first_error_stops_the_session(tmp_path: Path) -> None:
    (tmp_path / "b.cdl").write_text("1,one\n9,refused\n")
    (tmp_path / "x.rda").write_text(
        'A 1 2 999\n<RECODABLE>\n<IDLEVEL> 7\nB 2 1 9\n<RECODABLE>\n<CODELIST> "B.cdl"\nW 9 2\n<WEIGHT>\n<RELATED> x'
    )
    source = Input(tmp_path / "x.asc", tmp_path / "x.rda")
    metadata, notices = describe_unverified(source)
    assert notices == ()
    assert [finding.id for finding in problems(metadata)] == [
        "overlap",
        "bad-identification-level",
        "missing-too-long",
        "unknown-related",
        "gap",
        "missing-code-in-codelist",
    ]
    with pytest.raises(MetadataError, match="B begins at 2, inside A, which reaches to 2"):
        describe(source)


@given(st.one_of(st.binary(max_size=80), st.text('a1,;\t".\n\r é', max_size=80).map(str.encode)))
def test_any_delimited_file_is_described_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = csv(tmp_path_factory.getbasetemp(), content, "fuzz.csv")
    error = refusal(lambda: describe(Input(path)))
    assert error is None or str(error)
