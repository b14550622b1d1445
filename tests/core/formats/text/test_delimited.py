"""Delimited text against its naive twin, its refusals, and the way back."""

from __future__ import annotations

import io
import os
import threading
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError, MetadataError
from core.data import encoding
from core.data.variables import Metadata, Variable
from core.formats.preview import preview
from core.formats.text import block_file, delimited
from core.formats.text.writing import FieldEdit, Rewrite
from tests import naive_io as naive
from tests.core.formats.text.text_files import check_columns, check_weights, written


def columns(*names: str) -> tuple[Variable, ...]:
    return tuple(Variable(name, column=i, missing=("",)) for i, name in enumerate(names, 1))


PLAIN = Metadata("delimited", columns("A", "B", "C"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("delimited")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that records, quotes and line ends are cut by them."""
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 37)
    monkeypatch.setattr(block_file, "MOST_BYTES", 37)
    monkeypatch.setattr(delimited, "BLOCK_RECORDS", 3)


def save(folder: Path, data: bytes) -> Path:
    path = folder / "data.csv"
    path.write_bytes(data)
    return path


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


plain_fields = st.text(st.sampled_from("1289aZé-€ "), max_size=12)
quoted_fields = st.text(st.sampled_from('19aé ,;\t"\n\r'), max_size=6).map(quoted)
fields = st.one_of(plain_fields, quoted_fields, quoted_fields.map(lambda field: f" {field}  "))
eols = st.sampled_from(["\n", "\r\n", "\n\n", "\r\r\n"])
weights = st.one_of(st.integers(0, 9999).map(str), st.sampled_from(["1.50", '"2.25"', " 3e2 ", '" .5"', "007"]))
rows = st.lists(st.tuples(fields, fields, weights, eols), min_size=1, max_size=10)
endings = st.sampled_from(["", "\n", "\r\n", "\r\n\x1a", "\x1a", "\n\n", "\r\n\r\n\n\x1a\n"])


def build(rows: list[tuple[str, str, str, str]], delimiter: str, ending: str, header: bool) -> bytes:
    """Records A, B, W, the last without its own line end."""
    lines = [delimiter.join(['"A"', " B", "W\r\n"])] if header else []
    for a, b, w, eol in rows:
        safe = [field if field.strip(" ")[:1] == '"' else field.replace(delimiter, "_") for field in (a, b, w)]
        lines.append(delimiter.join(safe) + eol)
    return ("".join(lines)[: -len(rows[-1][3])] + ending).encode()


@given(rows, st.sampled_from(",;\t|"), endings, st.booleans(), st.booleans(), st.booleans())
def test_read_like_the_twin(
    folder: Path,
    rows: list[tuple[str, str, str, str]],
    delimiter: str,
    ending: str,
    header: bool,
    bom: bool,
    long: bool,
) -> None:
    data = build(rows, delimiter, ending, header)
    weight = Variable("W", column=3, role="weight")
    metadata = Metadata("delimited", (*columns("A", "B"), weight), delimiter, header)
    data = (b"\xef\xbb\xbf" if bom else b"") + data
    records = naive.delimited_records(data, metadata)
    with pytest.MonkeyPatch.context() as patch:
        if long:
            patch.setattr(encoding, "_LONG_BYTES", 0)
        read = delimited.read(save(folder, data), metadata, ["A", "B", "W"])
    assert read.records == len(rows)
    check_columns(read, records)
    check_weights(read, naive.weights(records, weight))
    numbers = delimited.read_numbers(read.source.path, metadata, ["W"])[0]
    assert numbers.tolist() == [float(value) for value in naive.weights(records, weight)]


def test_one_long_text_among_many_takes_no_more_memory_than_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # blocks of usual size
    texts = [*(f"said {i} é" for i in range(2000)), "x" * 30_000, "y" * 29_999, "-"]
    path = save(tmp_path, "".join(f'"{text}",1\n' for text in ("A", *texts)).encode())
    variable = Variable("A", column=1, missing=("-", "?"))
    tracemalloc.start()
    read = delimited.read(path, Metadata("delimited", (variable,), header=False), ["A"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    column = read.columns["A"]
    assert peak < 20_000_000 < 2000 * column.width
    assert list(column.codes[-4:]) == ["y" * 29_999, "x" * 30_000, "-", "?"]
    assert [column.codes[i] for i in column.values] == ["A", *texts]
    assert {len(form.encode()) for form in column.padded} == {30_000}
    assert list(column.padded[:-2]) == sorted(column.padded[:-2], key=str.encode)


def test_columns_are_found_by_name_or_by_number(tmp_path: Path) -> None:
    path = save(tmp_path, b"C,X,A,B\n1,2,3,4\n5,6,7,8\n")
    read = delimited.read(path, PLAIN, ["B", "A"])
    assert (read.columns["A"].codes, read.columns["B"].codes) == (("3", "7", ""), ("4", "8", ""))
    assert preview(path, Metadata("delimited", ())).header == ("C", "X", "A", "B")
    numbered = Metadata("delimited", (Variable("P", column=4), Variable("Q", column=2)), header=False)
    read = delimited.read(path, numbered, ["P", "Q"])
    assert (read.columns["P"].codes, read.columns["Q"].codes) == (("4", "8", "B"), ("2", "6", "X"))
    read = delimited.read(path, Metadata("delimited", (Variable("P"), Variable("Q")), header=False), ["Q"])
    assert read.columns["Q"].codes == ("2", "6", "X")
    assert preview(save(tmp_path, b"only,names"), Metadata("delimited", ())).header == ("only", "names")


def test_a_blank_as_delimiter(tmp_path: Path) -> None:
    read = delimited.read(save(tmp_path, b'A B C\n1 "2 3" 4\n1  4\n'), replace(PLAIN, delimiter=" "), ["B", "C"])
    assert (read.columns["B"].codes, read.columns["C"].codes) == (("2 3", ""), ("4", ""))
    assert read.columns["B"].counts.tolist() == [1, 1]


def test_blanks_around_codes(tmp_path: Path) -> None:
    read = delimited.read(
        save(tmp_path, b'A\n1 \n1\n" 1"\n  \n""\n22\n'), replace(PLAIN, variables=columns("A")), ["A"]
    )
    column = read.columns["A"]
    assert (column.codes, column.padded, column.width) == (("1", "22", ""), (" 1", "22", "  "), 2)
    assert column.counts.tolist() == [3, 1, 2]
    assert [notice.id for notice in read.notices] == ["codes-differ-in-blanks"]


REFUSED = [
    (b"", "data-empty", None),
    (b"A,B,C\n", "data-empty", None),
    (b"A,B,C", "data-empty", None),
    (b"A,B,C\n\r\n\x1a", "data-empty", None),
    (b"A,B,C\n1,2,3\n\n1,2\n1,2,3\n", "data-ragged", 4),
    (b"A,B,C\n1,2,3,4\n", "data-ragged", 2),
    (b'A,B,C\n1,"2\n2",3\n1,2\n', "data-ragged", 4),
    (b'A,B,C\n1,2,3\n1,"2,3\n1,2,3\n1,2,3\n', "data-open-quote", 3),
    (b'A,B,C\n1,"2"x,3\n', "data-after-quote", 2),
    (b'A,B,C\n1,"2" "x",3\n', "data-after-quote", 2),
    (b"A,B,C\n1,2,3\n1,\xe9,3\n", "data-encoding", 3),
    (b"A,B,C\n1,2,\xe9", "data-encoding", 2),
    (b"A,B,C\n1,2\0,3\n", "data-not-text", 2),
    (b"A,B,A,C\n1,2,3,4\n", "header-duplicate-name", None),
    (b'"A","B","C"\n1,2,3,4\n', "data-ragged", 2),
    (b'"A","B","C"\n"1",2,3,\n', "data-ragged", 2),
    (b'"A",B,"C"\n"1",2,3,4\n', "data-ragged", 2),
    (b"A,b,C\n1,2,3\n", "column-missing", None),
    (b"A;B;C\n1;2;3\n", "column-missing", None),
]


@pytest.mark.parametrize(("data", "id", "line"), REFUSED)
def test_refusals_name_the_line(tmp_path: Path, data: bytes, id: str, line: int | None) -> None:
    with pytest.raises(DataError) as caught:
        delimited.read(save(tmp_path, data), PLAIN, ["A", "B", "C"])
    assert caught.value.id == id
    assert caught.value.values.get("line") == line
    assert str(tmp_path) in caught.value.sentence


def test_refused_columns_and_delimiters(tmp_path: Path) -> None:
    path = save(tmp_path, b"1,2\n")
    with pytest.raises(DataError, match="has 2 columns, but variable C is column 3"):
        delimited.read(path, replace(PLAIN, header=False), ["C"])
    for delimiter in ("", ";;", '"', "\n", "é"):
        with pytest.raises(MetadataError, match="cannot be used"):
            delimited.read(path, replace(PLAIN, delimiter=delimiter), ["A"])


def test_a_record_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "RECORD_BYTES", 500)
    with pytest.raises(DataError) as caught:
        delimited.read(save(tmp_path, b'A,B,C\n1,2,3\n1,"' + b"x\n" * 1000), PLAIN, ["A"])
    assert (caught.value.id, caught.value.values["line"]) == ("data-no-line-ends", 3)


@pytest.mark.parametrize("step", ["read", "read_numbers", "write"])
def test_a_file_cut_off_meanwhile_has_changed_whatever_its_last_record_looks_like(tmp_path: Path, step: str) -> None:
    class Cutting:
        def report(self, done: float, total: float, text: str) -> None:
            if path.stat().st_size > 1000:
                os.truncate(path, 1000)

        def check(self) -> None:
            """Never cancelled."""

    row = b'1,"x\ny",3\n'
    path = save(tmp_path, b"A,B,C\n" + 400 * row)
    assert (1000 - 6) % len(row) == len(b'1,"x')
    read = delimited.read(path, PLAIN, ["A"])
    work = {
        "read": lambda: delimited.read(path, PLAIN, ["A"], Cutting()),
        "read_numbers": lambda: delimited.read_numbers(path, PLAIN, ["C"], Cutting()),
        "write": lambda: written(read, {}, progress=Cutting()),
    }
    with pytest.raises(DataError) as caught:
        work[step]()
    assert caught.value.id == "data-changed"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ahead")]


@given(rows, st.sampled_from(",;\t|"), endings, st.booleans(), st.booleans())
def test_nothing_changed_is_written_byte_by_byte(
    folder: Path, rows: list[tuple[str, str, str, str]], delimiter: str, ending: str, header: bool, bom: bool
) -> None:
    rows = [(a, b, w, "\x0b\n" if eol == "\n\n" else eol) for a, b, w, eol in rows]  # blank lines are dropped
    data = (b"\xef\xbb\xbf" if bom else b"") + build(rows, delimiter, ending, header)
    metadata = Metadata("delimited", columns("A", "B", "W"), delimiter, header)
    assert written(delimited.read(save(folder, data), metadata, []), {}) == data


@pytest.mark.parametrize(
    "data", [b"A,B,C\n1,2,x\t\n3,1,\t\n", b'A,B,C\n1,2,"x"\t\r\n1,2," y "\x0c', b"A,B,C\n1,2,x\r\r\n3,1,y\x1a\r\n\x1a"]
)
def test_control_characters_behind_the_last_field_are_written_again(tmp_path: Path, data: bytes) -> None:
    read = delimited.read(save(tmp_path, data), PLAIN, ["C"])
    assert read.columns["C"].codes[-1] == ""
    assert all(code == code.strip(naive.BLANKS) for code in read.columns["C"].codes)
    assert written(read, {}) == data


@given(rows, st.data())
def test_edits_are_read_back(folder: Path, rows: list[tuple[str, str, str, str]], data: st.DataObject) -> None:
    delimiter = data.draw(st.sampled_from(",;\t|"))
    metadata = Metadata("delimited", columns("A", "B", "W"), delimiter, header=data.draw(st.booleans()))
    text = build(rows, delimiter, data.draw(endings), metadata.header)
    read = delimited.read(save(folder, text), metadata, ["A"])
    n = read.records
    new = ("é", 'say "no"', "", "a,b;c\td|e", "two\nlines", " 1")
    values = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype=np.uint8)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n))) if data.draw(st.booleans()) else None
    removed = data.draw(st.sampled_from([(), ("B",), ("B", "W"), ("A", "B")]))
    order = np.array(data.draw(st.permutations(range(n)))) if data.draw(st.booleans()) else None
    edits = {} if "A" in removed else {"A": FieldEdit(values, new, mask)}
    expected = [
        {name: field for name, field in fields.items() if name not in removed}
        for _, fields in naive.delimited_records(text, metadata)
    ]
    for i, record in enumerate(expected):
        if "A" in record and (mask is None or mask[i]):
            record["A"] = new[values[i]].encode()
    layout = delimited.safe_layout(metadata, edits, frozenset(removed))
    again = naive.delimited_records(written(read, edits, removed, order=order), layout)
    got = [{name: field.decode().strip(naive.BLANKS) for name, field in fields.items()} for _, fields in again]
    rank = range(n) if order is None else order
    assert got == [{name: field.decode().strip(naive.BLANKS) for name, field in expected[i].items()} for i in rank]


def test_undeclared_columns_and_direct_identifiers_are_never_written(tmp_path: Path) -> None:
    path = save(tmp_path, b"A,SECRET,B,C\n1,hush,2,3\n")
    variables = (Variable("A", role="direct-identifier"), Variable("B"), Variable("C", removed=True))
    read = delimited.read(path, replace(PLAIN, variables=variables), [])
    assert written(read, {}) == b"B\n2\n"


def test_a_single_empty_field_stays_a_record(tmp_path: Path) -> None:
    read = delimited.read(save(tmp_path, b"A,B\n,1\n2,2\n"), replace(PLAIN, variables=columns("A")), ["A"])
    assert written(read, {}) == b'A\n""\n2\n'
    assert written(read, {"A": FieldEdit(np.array([1, 0]), ("x", ""))}) == b'A\n""\nx\n'


def test_added_columns(tmp_path: Path) -> None:
    read = delimited.read(save(tmp_path, b"A\n1\n2"), replace(PLAIN, variables=columns("A")), ["A"])
    layout = replace(read.metadata, variables=(*read.metadata.variables, Variable("f,1", column=2)))
    out = io.BytesIO()
    edits = {"f,1": FieldEdit(np.array([1, 0]), ("7", "1,5"))}
    delimited.write(Rewrite(read.source, read.metadata, edits, layout), out)
    assert out.getvalue() == b'A,"f,1"\n1,"1,5"\n2,7'


@pytest.mark.parametrize("name", ["testdata.csv", "table41.csv", "francdat.csv"])
def test_real_files(shared: Path, name: str) -> None:
    path = shared / "data" / name
    header = preview(path, PLAIN).header
    metadata = replace(PLAIN, variables=columns(*header))
    read = delimited.read(path, metadata, header)
    check_columns(read, naive.delimited_records(path.read_bytes(), metadata))
    assert written(read, {}) == path.read_bytes()
