"""Records written as they are found and sorted."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from core.base.errors import OutputError
from core.base.progress import Cancelled
from core.browse import export
from core.browse.export import Extract, export_records
from core.browse.records import RecordQuery, choose_records
from core.data.variables import Metadata, Variable
from core.formats.registry import read
from tests.core.base.test_left_behind import held, left_in

METADATA = Metadata(
    "delimited", (Variable("A", categorical=True), Variable("B", categorical=True), Variable("NOTE")), delimiter=";"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    chance = random.Random(3)
    path = tmp_path / "data.csv"
    lines = [f'{chance.randrange(9)};{chance.choice("xyz")};note {i}, "{i}"\n' for i in range(500)]
    path.write_text("A;B;NOTE\n" + "".join(line.replace('"', "") for line in lines), encoding="utf-8")
    return path


def written(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def in_file(path: Path) -> list[list[str]]:
    return [line.split(";") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_all_records_are_written_as_they_stand(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert export_records(Extract(data, METADATA, ("NOTE", "A")), target, [data]) == (500, ())
    assert written(target) == [["NOTE", "A"], *([row[2], row[0]] for row in in_file(data))]


@pytest.mark.parametrize("block", [7, 1 << 16])
def test_found_and_sorted_records_keep_their_order(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(export, "_BLOCK", block)
    rows = choose_records(RecordQuery("B=y", "A", descending=True), read(data, METADATA, ["A", "B"]), {})
    target = tmp_path / "out.csv"
    extract = Extract(data, METADATA, ("A", "B", "NOTE"), rows, {"B": {"y": "yes"}})
    export_records(extract, target, [])
    found = [row for row in in_file(data) if row[1] == "y"]
    expected = [[a, "yes", note] for a, _, note in sorted(found, key=lambda row: -int(row[0]))]
    assert written(target)[1:] == expected


def test_an_input_is_never_replaced(data: Path, tmp_path: Path) -> None:
    before = data.read_bytes()
    codes = tmp_path / "codes.cdl"
    codes.write_text("1,one\n", encoding="utf-8")
    for target in (data, codes):
        with pytest.raises(OutputError):
            export_records(Extract(data, METADATA, ("A",)), target, [codes])
    assert data.read_bytes() == before
    assert codes.read_text(encoding="utf-8") == "1,one\n"


class _Stopping:
    def __init__(self) -> None:
        self.looks = 0

    def report(self, done: float, total: float, text: str) -> None:
        pass

    def check(self) -> None:
        self.looks += 1
        if self.looks > 4:
            raise Cancelled


def test_stopped_nothing_is_left(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_BLOCK", 10)
    target = tmp_path / "out.csv"
    target.write_text("older", encoding="utf-8")
    with pytest.raises(Cancelled):
        export_records(Extract(data, METADATA, ("A",)), target, [], _Stopping())
    assert target.read_text(encoding="utf-8") == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "out.csv"]


def test_a_former_file_that_cannot_be_removed_is_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.csv"
    target.write_text("an earlier one")
    with monkeypatch.context() as context:
        held(context)
        _, left = export_records(Extract(data, METADATA, ("A",)), target, [data])
    (name,) = left_in(tmp_path)
    assert name in left[0].text
    assert export_records(Extract(data, METADATA, ("A",)), target, [data]) == (500, ())
    assert left_in(tmp_path) == []
