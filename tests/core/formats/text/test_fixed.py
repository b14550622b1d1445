"""Fixed format against its naive twin, its refusals, and the way back."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError, OutputError
from core.base.progress import Cancelled, Silent
from core.data.variables import Metadata, Variable
from core.formats.text import block_file, fixed
from core.formats.text.writing import FieldEdit, Rewrite
from tests import naive_io as naive
from tests.core.formats.text.text_files import check_columns, check_weights, written

KEYS = Metadata(
    "fixed",
    (
        Variable("A", 1, 3, missing=("9", "98"), categorical=True),
        Variable("B", 4, 12, missing=("",), categorical=True),
        Variable("W", 17, 6, numeric=True, role="weight"),
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fixed")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that records, characters and line ends are cut by them."""
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 61)
    monkeypatch.setattr(block_file, "MOST_BYTES", 61)
    monkeypatch.setattr(fixed, "BLOCK_RECORDS", 5)


def save(folder: Path, data: bytes) -> Path:
    path = folder / "data.asc"
    path.write_bytes(data)
    return path


def padded(text: str, width: int, side: int) -> bytes:
    data = text.encode()
    return data.rjust(width) if side else data.ljust(width)


codes = st.text(st.sampled_from("1289aZé-€ "), max_size=3)
long_codes = st.text(st.sampled_from("ab é"), max_size=6)
numbers = st.one_of(st.integers(0, 99999).map(str), st.floats(0, 999).map(lambda x: f"{x:.2f}"), st.just("1e3"))
records = st.lists(
    st.tuples(codes, st.sampled_from([0, 1]), long_codes, numbers, st.sampled_from(["\n", "\r\n", "\n\n", "\r\r\n"])),
    min_size=1,
    max_size=12,
)


def build(rows: list[tuple[str, int, str, str, str]], ending: bytes) -> bytes:
    lines = []
    for a, side, b, w, eol in rows:
        a = a if len(a.encode()) <= 3 else a[0]
        lines.append(padded(a, 3, side) + padded(b, 12, side) + b"x" + padded(w, 6, 1) + b"." + eol.encode())
    return b"".join(lines).rstrip(b"\r\n") + ending


@given(records, st.sampled_from([b"", b"\n", b"\r\n", b"\r\n\x1a", b"\x1a", b"\n\n"]), st.booleans())
def test_read_like_the_twin(folder: Path, rows: list[tuple[str, int, str, str, str]], ending: bytes, bom: bool) -> None:
    data = (b"\xef\xbb\xbf" if bom else b"") + build(rows, ending)
    read = fixed.read(save(folder, data), KEYS, ["A", "B", "W"])
    records = naive.fixed_records(data, KEYS)
    assert read.records == len(rows)
    assert read.source.record_length == 23
    check_columns(read, records)
    check_weights(read, naive.weights(records, KEYS["W"]))
    numbers = fixed.read_numbers(read.source.path, KEYS, ["W"])[0]
    assert numbers.tolist() == [float(value) for value in naive.weights(records, KEYS["W"])]


def test_only_named_variables_are_encoded(tmp_path: Path) -> None:
    read = fixed.read(save(tmp_path, build([("1", 0, "b", "2", "\n")], b"\n")), KEYS, ["B"])
    assert list(read.columns) == ["B"]
    assert read.weights is None


def test_codes_that_differ_in_blanks_are_one_and_it_is_said(tmp_path: Path) -> None:
    read = fixed.read(save(tmp_path, b"1  b\n  1b\n 2 c\n"), Metadata("fixed", (Variable("A", 1, 3),)), ["A"])
    assert read.columns["A"].codes == ("1", "2")
    assert read.columns["A"].padded == ("  1", " 2 ")
    assert [(notice.id, notice.where) for notice in read.notices] == [("codes-differ-in-blanks", "A")]


def test_a_declared_missing_code_of_blanks(tmp_path: Path) -> None:
    metadata = Metadata("fixed", (Variable("A", 1, 2, missing=("  ", "9")), Variable("B", 3, 1)))
    read = fixed.read(save(tmp_path, b"  1\n 11\n"), metadata, ["A", "B"])
    assert (read.columns["A"].codes, read.columns["A"].counts.tolist()) == (("1", "", "9"), [1, 1, 0])
    blank = fixed.read(read.source.path, Metadata("fixed", (Variable("A", 1, 2),)), ["A"])
    assert (blank.columns["A"].codes, blank.columns["A"].n_valid) == (("", "1"), 2)


REFUSED = [
    (b"", "data-empty", None),
    (b"\n\r\n\x1a", "data-empty", None),
    (b"abc1\nabc2\nabc", "data-truncated", 3),
    (b"abc1\nabc2\nabc\n", "data-line-too-short", 3),
    (b"abc1\r\n\r\nabc23\r\nabc1\r\n", "data-line-too-long", 3),
    (b"abc1\nabc2\nabc34", "data-line-too-long", 3),
    (b"ab\nab\n", "data-record-too-short", 1),
    (b"abc1\nab\xff1\n", "data-encoding", 2),
    (b"abc1\nab\xc3", "data-encoding", 2),
    (b"abc1\nab\x001\n", "data-not-text", 2),
    (b"abc1\rabc1\rabc1\r", "data-line-ends", None),
    (b"abc1\nabcx\nabc2\nabc,\n", "weight-not-a-number", 2),
    (b"ab 1\nabc \n", "weight-empty", 2),
    (b"ab 1\nab-3\n", "weight-negative", 2),
]


@pytest.mark.parametrize(("data", "id", "line"), REFUSED)
def test_refusals_name_the_line(tmp_path: Path, data: bytes, id: str, line: int | None) -> None:
    width = 2 if b"-3" in data else 1
    metadata = Metadata("fixed", (Variable("A", 1, 2), Variable("W", 5 - width, width, role="weight")))
    with pytest.raises(DataError) as caught:
        fixed.read(save(tmp_path, data), metadata, ["A", "W"])
    assert caught.value.id == id
    assert caught.value.values.get("line") == line
    assert str(tmp_path) in str(caught.value)


def test_refusals_of_the_file_itself(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no file"):
        fixed.read(tmp_path / "none.asc", KEYS, ["A"])
    with pytest.raises(DataError, match="cannot be read"):
        fixed.read(tmp_path, KEYS, ["A"])
    with pytest.raises(DataError, match="encoding utf-32 is not supported"):
        fixed.read(save(tmp_path, b"abc1\n"), replace(KEYS, encoding="utf-32"), ["A"])


def test_other_encodings_of_one_byte_a_character(tmp_path: Path) -> None:
    metadata = Metadata("fixed", (Variable("A", 1, 2),), encoding="cp1252")
    path = save(tmp_path, "é1\n€2\n".encode("cp1252"))
    assert fixed.read(path, metadata, ["A"]).columns["A"].codes == ("€2", "é1")
    with pytest.raises(DataError) as caught:
        fixed.read(save(tmp_path, b"a1\na\x81\n"), metadata, ["A"])
    assert (caught.value.id, caught.value.values["line"]) == ("data-encoding", 2)


def test_a_field_that_cuts_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Variable A"):
        fixed.read(save(tmp_path, "aé1\n".encode()), Metadata("fixed", (Variable("A", 1, 2),)), ["A"])


def test_read_numbers(tmp_path: Path) -> None:
    metadata = Metadata("fixed", (Variable("X", 1, 24, missing=("99", "NA")),))
    texts = ["99", "099", "-1.50", "", "1e-3", "0.1234567890123456789", "12345678901234567890", "NA", "-0", "+.5"]
    path = save(tmp_path, b"".join(text.encode().rjust(24) + b"\n" for text in texts))
    nan = float("nan")
    expected = [nan, 99, -1.5, nan, 0.001, 0.1234567890123456789, 12345678901234567890, nan, 0, 0.5]
    np.testing.assert_array_equal(fixed.read_numbers(path, metadata, ["X"])[0], expected)
    with pytest.raises(DataError) as caught:
        fixed.read_numbers(save(tmp_path, b"1,5".rjust(24) + b"\n"), metadata, ["X"])
    assert (caught.value.id, caught.value.values["line"]) == ("not-a-number", 1)
    path.write_bytes(b"99".rjust(24) + b"\n" + b"99,5".rjust(24) + b"\n")
    np.testing.assert_array_equal(fixed.read_numbers(path, replace(metadata, decimal=","), ["X"])[0], [nan, 99.5])


def test_several_variables_take_one_reading(tmp_path: Path) -> None:
    metadata = Metadata("fixed", (Variable("X", 1, 3), Variable("Y", 4, 3, missing=("-1",))))
    path = save(tmp_path, b"  1 -1\n2.5  7\n")
    done = list[float]()

    class Told(Silent):
        def report(self, done_: float, total: float, text: str) -> None:
            done.append(done_ / total)

    y, x = fixed.read_numbers(path, metadata, ["Y", "X"], Told())
    np.testing.assert_array_equal(x, [1, 2.5])
    np.testing.assert_array_equal(y, [float("nan"), 7])
    assert done == [1.0]


@given(st.lists(st.decimals(-999999, 999999, allow_nan=False, places=3), min_size=1, max_size=20))
def test_numbers_are_correctly_rounded(folder: Path, values: list[Decimal]) -> None:
    path = save(folder, b"".join(str(value).encode().rjust(12) + b"\n" for value in values))
    numbers = fixed.read_numbers(path, Metadata("fixed", (Variable("X", 1, 12),)), ["X"])[0]
    assert numbers.tolist() == [float(value) for value in values]


@given(records, st.sampled_from([b"", b"\n", b"\r\n"]), st.booleans())
def test_nothing_changed_is_written_byte_by_byte(
    folder: Path, rows: list[tuple[str, int, str, str, str]], ending: bytes, bom: bool
) -> None:
    plain = [(a, side, b, w, "\r\n" if "\r" in eol else "\n") for a, side, b, w, eol in rows]
    data = (b"\xef\xbb\xbf" if bom else b"") + build(plain, ending)
    whole = replace(KEYS, variables=(*KEYS.variables, Variable("X", 16, 1), Variable("Y", 23, 1)))
    read = fixed.read(save(folder, data), whole, [])
    assert written(read, {}) == data


@given(records, st.data())
def test_edits_are_right_justified_and_the_rest_is_copied(
    folder: Path, rows: list[tuple[str, int, str, str, str]], data: st.DataObject
) -> None:
    text = build(rows, b"\n")
    read = fixed.read(save(folder, text), KEYS, ["A"])
    n = read.records
    new = ("é", "1234", "")
    values = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype=np.uint8)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    partly = data.draw(st.booleans())
    removed = data.draw(st.sampled_from([(), ("W",), ("B", "W")]))
    edits = {"A": FieldEdit(values, new, mask if partly else None)}
    lines = []
    for i, (_, fields) in enumerate(naive.fixed_records(text, KEYS)):
        a = fields["A"].rjust(4) if partly and not mask[i] else new[values[i]].encode().rjust(4)
        lines.append(a + b"".join(fields[name] for name in ("B", "W") if name not in removed))
    assert written(read, edits, removed).split() == b"\n".join(lines).split()
    assert written(read, edits, removed).replace(b"\r", b"") == b"\n".join(lines) + b"\n"
    order = np.array(data.draw(st.permutations(range(n))))
    shuffled = written(read, edits, removed, order=order).replace(b"\r", b"")
    assert shuffled == b"".join(lines[i] + b"\n" for i in order)


def test_safe_layout(tmp_path: Path) -> None:
    metadata = Metadata(
        "fixed",
        (
            Variable("C", 20, 4),
            Variable("NAME", 1, 10, role="direct-identifier"),
            Variable("A", 11, 4),
            Variable("OLD", 15, 1, removed=True),
            Variable("B", 17, 2),
        ),
    )
    none = np.zeros(1, dtype=np.uint8)
    edits = {"A": FieldEdit(none, ("1", "22")), "B": FieldEdit(none, ("1",), none > 0)}
    layout = fixed.safe_layout(metadata, edits, frozenset())
    assert [(v.name, v.start, v.length) for v in layout.variables] == [("A", 1, 2), ("B", 3, 2), ("C", 5, 4)]
    with pytest.raises(OutputError, match="nothing to write"):
        fixed.safe_layout(metadata, {}, frozenset("ABC"))


def test_added_variables_and_codes_that_cannot_be_written(tmp_path: Path) -> None:
    metadata = Metadata("fixed", (Variable("A", 1, 1),), encoding="cp1252")
    read = fixed.read(save(tmp_path, b"1\n2"), metadata, ["A"])
    layout = replace(metadata, variables=(*metadata.variables, Variable("f", 2, 3)))
    out = io.BytesIO()
    edits = {"f": FieldEdit(np.array([1, 0]), ("7", "12"))}
    fixed.write(Rewrite(read.source, metadata, edits, layout), out)
    assert out.getvalue() == b"1 12\n2  7"
    with pytest.raises(OutputError, match="cannot be written in cp1252"):
        written(read, {"A": FieldEdit(np.array([0, 0]), ("ж",))})


def test_a_changed_file_is_not_written(tmp_path: Path) -> None:
    path = save(tmp_path, b"1\n2\n")
    read = fixed.read(path, Metadata("fixed", (Variable("A", 1, 1),)), ["A"])
    os.utime(path, ns=(1, 1))
    assert written(read, {}) == b"1\n2\n"
    path.write_bytes(b"1\n3\n")
    os.utime(path, ns=(1, 1))
    for text in (b"1\n3\n", b"1\n2\n1\n"):
        path.write_bytes(text)
        out = io.BytesIO()
        with pytest.raises(DataError) as caught:
            fixed.write(Rewrite(read.source, read.metadata, {}, read.metadata), out)
        assert caught.value.id == "data-changed"
        assert out.getvalue() == b""


def test_a_file_changed_with_its_time_kept_is_noticed(tmp_path: Path) -> None:
    path = save(tmp_path, b"1\n2\n")
    read = fixed.read(path, Metadata("fixed", (Variable("A", 1, 1),)), ["A"])
    path.write_bytes(b"1\n3\n")
    os.utime(path, ns=(read.source.mtime_ns, read.source.mtime_ns))
    with pytest.raises(DataError, match="has changed"):
        written(read, {})


def test_reading_and_writing_can_be_cancelled(tmp_path: Path) -> None:
    class Impatient:
        def report(self, done: float, total: float, text: str) -> None:
            assert 0 <= done <= total

        def check(self) -> None:
            raise Cancelled

    path = save(tmp_path, b"1\n2\n")
    metadata = Metadata("fixed", (Variable("A", 1, 1),))
    read = fixed.read(path, metadata, ["A"])
    for work in (
        lambda: fixed.read(path, metadata, ["A"], Impatient()),
        lambda: fixed.read_numbers(path, metadata, ["A"], Impatient()),
        lambda: written(read, {}, progress=Impatient()),
    ):
        with pytest.raises(Cancelled):
            work()


def test_demodata(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 10_000)
    key = {"categorical": True}
    metadata = Metadata(
        "fixed",
        (
            Variable("REGION", 1, 4, missing=("9999", "9998"), **key),
            Variable("SEX", 5, 1, missing=("9",), **key),
            Variable("AGE", 6, 2, missing=("99",), **key),
            Variable("MARSTAT", 8, 1, missing=("9",), **key),
            Variable("WEIGHT", 44, 6, decimals=2, role="weight"),
        ),
    )
    read = fixed.read(shared / "data" / "demodata" / "Demodata.asc", metadata, metadata.names)
    assert (read.records, read.source.record_length, read.notices) == (4000, 77, ())
    assert [column.n_valid for column in read.columns.values()] == [182, 2, 60, 4]
    assert read.columns["REGION"].codes[-2:] == ("9999", "9998")
    assert read.columns["REGION"].counts[:2].tolist() == [44, 18]
    assert (read.columns["AGE"].codes[0], read.columns["AGE"].codes[59]) == ("15", "74")
    records = naive.fixed_records(read.source.path.read_bytes(), metadata)
    check_columns(read, records)
    check_weights(read, naive.weights(records, metadata["WEIGHT"]))
    assert read.weights is not None
    assert read.weights.decimals == (2,)
