"""One reading of the parts serves all folds that wait; what comes of a task is shared, and stands in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import DataError
from core.data.variables import Metadata, Variable
from core.rows import source as sources
from core.rows.scan import Once, each_part, scan
from core.rows.source import FilePart, FileParts, PartRows

METADATA = Metadata(
    "delimited",
    (Variable("A", column=1), Variable("B", column=2), Variable("W", column=3, role="weight", categorical=False)),
    delimiter=",",
    header=True,
)


@dataclass(frozen=True, eq=False)
class Codes:
    """The codes of a variable of each part, in order; notes by which parts it was made."""

    names: tuple[str, ...]
    made: list[int] = field(default_factory=list)

    def __call__(self, rows: PartRows, _progress: Any = None) -> list[str]:
        self.made.append(rows.part.number)
        column = rows.data.columns[self.names[0]]
        return [column.codes[value] for value in column.values]


class Twice:
    """A fold of two readings."""

    def __init__(self, task: Codes) -> None:
        self.task = task
        self.taken: list[list[list[str]]] = [[]]

    def add(self, made: list[str]) -> None:
        self.taken[-1].append(made)

    def turn(self) -> bool:
        self.taken.append([])
        return len(self.taken) == 2


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    found = []
    for number in range(3):
        path = tmp_path / f"{number}.csv"
        path.write_text("A,B,W\n" + "".join(f"{number},{row},1.5\n" for row in range(number + 1)), encoding="ascii")
        found.append(path)
    return found


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The variables of each reading of a part."""
    done, read = list[tuple[str, ...]](), sources.read
    monkeypatch.setattr(sources, "read", lambda path, metadata, names, *given: (
        done.append(names), read(path, metadata, names, *given))[1])  # fmt: skip
    return done


def test_folds_of_one_pass_share_a_reading(paths: list[Path], readings: list[tuple[str, ...]]) -> None:
    first, second = list[list[str]](), list[list[str]]()
    scan(FileParts.unread(METADATA, paths), [Once(Codes(("A",)), first.append), Once(Codes(("B",)), second.append)])
    assert readings == [("A", "B", "W")] * 3
    assert first == [["0"], ["1", "1"], ["2", "2", "2"]]
    assert second == [["0"], ["0", "1"], ["0", "1", "2"]]


def test_a_fold_that_waits_is_read_for_alone(paths: list[Path], readings: list[tuple[str, ...]]) -> None:
    again, once = Twice(Codes(("A",))), list[list[str]]()
    scan(FileParts.unread(METADATA, paths), [again, Once(Codes(("B",)), once.append)])
    assert readings == [("A", "B", "W")] * 3 + [("A", "W")] * 3
    assert again.taken[0] == again.taken[1] == [["0"], ["1", "1"], ["2", "2", "2"]]


def test_one_task_is_carried_out_once_for_several_folds(paths: list[Path]) -> None:
    task, first, second = Codes(("B",)), list[list[str]](), list[list[str]]()
    scan(FileParts.unread(METADATA, paths), [Once(task, first.append), Once(task, second.append)])
    assert first == second
    assert task.made == [0, 1, 2]


def test_one_file_is_one_part(paths: list[Path]) -> None:
    assert list(each_part(FileParts.unread(METADATA, paths[2:]), Codes(("B",)))) == [["0", "1", "2"]]


def test_a_weight_that_is_asked_for_has_codes_too(paths: list[Path]) -> None:
    parts = FileParts.unread(METADATA, paths)
    rows = parts.read(parts.parts[1], ("A", "W"))
    assert rows.data.columns["W"].codes == ("1.5",)
    assert rows.data.weights is not None and len(rows.data.weights) == 2
    assert "W" not in parts.read(parts.parts[1], ("A",)).data.columns


def test_known_parts_tell_how_many_records_stand_before_them(paths: list[Path]) -> None:
    unread = FileParts.unread(METADATA, paths)
    known = FileParts.known(METADATA, [unread.read(part, ()).data.source for part in unread.parts])
    assert [part.first for part in known.parts] == [0, 1, 3]


def test_a_part_that_is_not_what_it_was_is_refused(paths: list[Path]) -> None:
    unread = FileParts.unread(METADATA, paths)
    known = FileParts.known(METADATA, [unread.read(part, ()).data.source for part in unread.parts])
    paths[1].write_text("A,B,W\n1,0,1.5\n1,7\n", encoding="ascii")
    stamped = FileParts(METADATA, (FilePart(0, paths[2], stamp=(1, 1)),))
    for parts in (known, stamped):  # not: too few fields
        with pytest.raises(DataError) as caught:
            list(each_part(parts, Codes(("A",))))
        assert caught.value.id == "data-changed"


def test_what_follows_from_the_same_records_is_made_once(paths: list[Path]) -> None:
    parts, times, key = FileParts.unread(METADATA, paths), list[int](), object()
    rows = parts.read(parts.parts[0], ())

    def make() -> int:
        times.append(1)
        return len(times)

    assert [rows.once(key, make) for _ in range(2)] == [1, 1]
