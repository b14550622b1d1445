"""Headers as usual programs write them: columns without a name, R's row names, Excel's first line, UTF-16 unmarked."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.batch import run
from core.data.variables import Metadata
from core.formats.preview import preview
from core.formats.text import block_file, delimited
from core.formats.text.header import column_names
from core.metadata.describe import describe, describe_unverified
from core.metadata.opening import look
from core.recipe.model import Input

FILES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "R, write.csv": (b'"","A","B"\n"1",5,"x"\n"2",6,"y"\n', ("unnamed", "A", "B")),
    "R, write.table": (b'"A" "B"\n"1" 5 "x"\n"2" 6 "y"\n', ("unnamed", "A", "B")),
    "R, write.table with commas": (b'"A","b ""c"", d"\r\n"1",5,"x"\r\n"2",6,"y"\r\n', ("unnamed", "A", 'b "c", d')),
    "R, lines that end with CR": (b'"A";"B"\r"1";5;"x"\r"2";6;"y"\r', ("unnamed", "A", "B")),
    "pandas, with index": (b",A,B\n0,5,x\n1,6,y\n", ("unnamed", "A", "B")),
    "two indices": (b",,unnamed\n0,5,x\n1,6,y\n", ("unnamed_2", "unnamed_3", "unnamed")),
    "Excel, separator": (b"sep=;\r\nA;B\r\n5;x,1\r\n6;y\r\n", ("A", "B")),
    "Excel, separator and mark": (b"\xef\xbb\xbfSEP=|\nA|B\n5|x\n6|y\n", ("A", "B")),
    "Excel, separator in quotes": (b'"sep=\t"\nA\tB\n5\tx\n6\ty\n', ("A", "B")),
    "Excel, separator in UTF-16": ("\ufeffsep=;\r\nA;B\r\n5;x\r\n6;é\r\n".encode("utf-16-le"), ("A", "B")),
    "UTF-16, low byte first": ("A,B\n1,2\n3,é€ж\n".encode("utf-16-le"), ("A", "B")),
    "UTF-16, high byte first": ("Größe,B\n1,2\n3,é€ж\n".encode("utf-16-be"), ("Größe", "B")),
    "upper and lower case": (b"a,A,B\n1,2,3\n3,4,5\n", ("a", "A_2", "B")),
    "case of three": (b"A_2,a,A\n1,2,3\n3,4,5\n", ("A_2", "a", "A_3")),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 40)


@pytest.mark.parametrize("what", list(FILES))
def test_a_usual_file_is_read_and_comes_back_byte_for_byte(tmp_path: Path, what: str) -> None:
    data, names = FILES[what]
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    metadata = describe(Input(path))
    assert metadata.names == names == preview(path, metadata).header
    (tmp_path / "r.pavo").write_text(RECIPE.format("none", ""), encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["verified"] is True
    assert (tmp_path / "safe.csv").read_bytes() == data


@pytest.mark.parametrize(
    ("data", "safe"),
    [
        (b'A,"b ""c"", d"\r\n5,"x,1"\r\n6,y\r\n', b'A\t"b ""c"", d"\r\n5\t"x,1"\r\n6\ty\r\n'),
        (b"sep=;\nA;B\n5;x\n6;y\n", b"sep=\t\nA\tB\n5\tx\n6\ty\n"),
        (b'A,B\n5,x\ty\n6,"u\tv"\n7,z\n8,w"\t\n', b'A\tB\n5\t"x\ty"\n6\t"u\tv"\n7\tz\n8\t"w""\t"\n'),
        (b"A,B\tb\n5,x\n6,y\n7,z\n", b'A\t"B\tb"\n5\tx\n6\ty\n7\tz\n'),
    ],
)
def test_a_safe_file_called_tsv_has_tabs(tmp_path: Path, data: bytes, safe: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    recipe = RECIPE.format("none", "").replace("safe.csv", "safe.tsv")
    (tmp_path / "r.pavo").write_text(recipe, encoding="utf-8")
    assert run(tmp_path / "r.pavo")[0]["verified"] is True
    assert (tmp_path / "safe.tsv").read_bytes() == safe


@pytest.mark.parametrize("what", [what for what in FILES if "UTF-16" not in what])
@pytest.mark.parametrize("removed", [0, -1])
def test_protected_and_with_a_column_less_it_is_understood_as_well(tmp_path: Path, what: str, removed: int) -> None:
    data, names = FILES[what]
    (tmp_path / "a.csv").write_bytes(data)
    key = names[1] if len(names) > 2 else names[1 + removed]
    more = f"[variables.'{names[removed]}']\nremoved = true\n" if names[removed] != key else ""
    more += f'[[combinations]]\nvariables = ["{key}"]\nmodel = "frequency"\ncount_threshold = 1\n'
    more = ("shuffle = true\n" if what.startswith("R") else "") + more
    (tmp_path / "r.pavo").write_text(RECIPE.format("entropy", more), encoding="utf-8")
    summary = run(tmp_path / "r.pavo")[0]
    assert summary["verified"] is True
    assert summary["suppression"]["total"] == 2
    again = describe(Input(tmp_path / "safe.csv"))
    assert len(again.names) == len(names) - (names[removed] != key)


def test_what_a_column_is_called_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,A,\n1,2,3\n")
    said = [notice.text for notice in describe_unverified(Input(path))[1]]
    assert said == [
        "The names of columns differ in case only: A, column 2, is called A_2 here.",
        "Column 3 has no name in the header; it is called unnamed here.",
    ]
    assert [objection.severity for objection in look(Input(path)).objections] == ["note", "note"]


def test_a_metadata_file_may_still_call_a_column_by_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,A\n1,2\n")
    (tmp_path / "a.rda").write_text('<SEPARATOR> ","\n<NAMESINFRONT>\nA 1\n <RECODABLE>\n', encoding="utf-8")
    metadata = describe(Input(path, tmp_path / "a.rda"))
    assert metadata["A"].column == 2
    assert delimited.read(path, metadata, ("A",)).columns["A"].codes == ("2", "")


names = st.lists(st.sampled_from(["", "a", "A", "b", "unnamed", "a_2", "A_2", "Unnamed_2"]), min_size=1, max_size=6)


@given(names)
def test_every_column_has_a_name_of_its_own_unless_one_is_given_twice(given: list[str]) -> None:
    found = column_names(given)
    plain = [name for name in given if name]
    assert all(found)
    assert [name for name, own in zip(found, given, strict=True) if own in (name, "")] or len(given) > 1
    if len(set(plain)) == len(plain):
        assert len({name.casefold() for name in found}) == len(found)
    for name, own in zip(found, given, strict=True):
        assert own in ("", name) or name.startswith(f"{own}_")


cells = st.text(st.sampled_from('aé1,; "\n'), min_size=1, max_size=4)


@given(
    st.lists(cells.filter(lambda t: t == t.strip()), min_size=2, max_size=4, unique_by=lambda t: t.strip().casefold()),
    st.data(),
)
def test_row_names_of_r_are_recognised_alike_everywhere(
    tmp_path_factory: pytest.TempPathFactory, header: list[str], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("r") / "a.csv"
    delimiter = data.draw(st.sampled_from(",; "))
    rows = [[*data.draw(st.lists(cells, min_size=len(header), max_size=len(header))), "z"] for _ in range(3)]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([header, *rows])
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    source = Input(path, delimiter=delimiter, header=True, encoding="utf-8")
    metadata = describe_unverified(source)[0]
    found = preview(path, Metadata("delimited", (), delimiter)).header
    assert metadata.names == found == preview(path, metadata).header
    assert len(found) == len(header) + 1


RECIPE = """recipe = 1
[input]
data = "a.csv"
[suppression]
criterion = "{}"
[output]
data = "safe.csv"
{}
"""
