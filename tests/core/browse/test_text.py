"""Records looked at one by one are those that a plain reader of the whole file finds."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.base.progress import Cancelled
from core.browse import text as browse
from core.browse.text import TextBrowser, index_records
from core.data.variables import Metadata, Variable

FIXED = Metadata(
    "fixed",
    (Variable("NUMBER", start=3, length=6), Variable("LETTER", start=1, length=2), Variable("END", start=9, length=1)),
    header=False,
)


def browser(path: Path, metadata: Metadata) -> TextBrowser:
    return TextBrowser(index_records(path, metadata), metadata)


def delimited(names: tuple[str, ...], header: bool = True, encoding: str = "utf-8") -> Metadata:
    variables = tuple(Variable(name, column=i) for i, name in enumerate(names, 1))
    return Metadata("delimited", variables, header=header, encoding=encoding)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", [True, False])
def test_any_record_of_a_fixed_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, eol: str, mark: str, end: bool
) -> None:
    monkeypatch.setattr(browse, "BLOCK_BYTES", 64)
    lines = [f"{'ab'[i % 2]:>2}{i:>6}x" for i in range(1000)]
    path = tmp_path / "data.asc"
    path.write_bytes((mark + (eol * 2).join(lines) + eol * end).encode("utf-8"))
    found = browser(path, FIXED)
    assert found.records == 1000
    for record in (0, 1, 999, 500, 7, *random.Random(1).sample(range(1000), 50)):
        assert found.row(record) == (str(record), "ab"[record % 2], "x")
    with pytest.raises(IndexError):
        found.text(1000, 0)


@given(
    rows=st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=12), min_size=3,
                 max_size=3),
        min_size=1,
        max_size=40,
    ),
    header=st.booleans(),
    block=st.sampled_from([16, 50, 1 << 15]),
)  # fmt: skip
def test_any_record_of_a_delimited_file(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], header: bool, block: int
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    if header:
        writer.writerow(["C", "A", "B"])
    writer.writerows(rows)
    path = tmp_path_factory.mktemp("browse") / "data.csv"
    path.write_bytes(text.getvalue().encode("utf-8"))
    metadata = delimited(("A", "B", "C")) if header else delimited(("C", "A", "B"), header=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(browse, "BLOCK_BYTES", block)
        found = browser(path, metadata)
        places = [metadata.names.index(name) for name in ("C", "A", "B")]
        read = [list(found.row(record, places)) for record in reversed(range(found.records))][::-1]
    blanks = "".join(map(chr, range(33)))
    assert read == [[field.strip(blanks) for field in row] for row in rows]


def test_a_record_longer_than_a_block_and_those_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "BLOCK_BYTES", 32)
    path = tmp_path / "data.csv"
    rows = [("1", "short"), ("2", "x" * 500), *((str(i), f"word {i}") for i in range(3, 300))]
    path.write_text("A,B\n" + "".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")
    found = browser(path, delimited(("A", "B")))
    assert [found.row(i) for i in range(found.records)] == rows


def test_texts_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes("NAME\nMüller\nŠimić\n".encode("cp1252", "replace"))
    assert browser(path, delimited(("NAME",), encoding="cp1252")).text(0, 0) == "Müller"


def test_only_the_blocks_looked_at_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "BLOCK_BYTES", 64)
    monkeypatch.setattr(browse, "KEPT_BLOCKS", 3)
    path = tmp_path / "data.asc"
    path.write_text("".join(f"{'a':>2}{i:>6}x\n" for i in range(500)), encoding="ascii")
    found = browser(path, FIXED)
    for record in range(500):
        found.text(record, 0)
    assert len(found._kept) == 3


def test_a_file_that_changed_since_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.asc"
    path.write_text(" a     1x\n" * 5, encoding="ascii")
    found = browser(path, FIXED)
    path.write_text(" a     1x\n" * 4, encoding="ascii")
    with pytest.raises(DataError) as refusal:
        found.text(0, 0)
    assert refusal.value.id == "browsed-file-changed"
    path.unlink()
    with pytest.raises(DataError) as refusal:
        found.text(0, 0)
    assert refusal.value.id == "data-missing"


def test_indexing_can_be_stopped(tmp_path: Path) -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None: ...

        def check(self) -> None:
            raise Cancelled

    path = tmp_path / "data.asc"
    path.write_text(" a     1x\n" * 5, encoding="ascii")
    with pytest.raises(Cancelled):
        index_records(path, FIXED, Stop())
