"""The check of copied variables: against a plain comparison of texts, in both formats and any order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.check.unchanged_fields import differences
from core.data.variables import Metadata, Variable

FIXED = Metadata("fixed", (Variable("A", start=1, length=3), Variable("B", start=4, length=2)), header=False)
DELIMITED = Metadata("delimited", (Variable("A", column=1), Variable("B", column=2)))
fields = st.text("ab1 ", max_size=3)
tables = st.lists(st.tuples(fields, fields.map(lambda text: text[:2])), min_size=1, max_size=8)


def written(path: Path, metadata: Metadata, rows: list[tuple[str, str]]) -> Path:
    if metadata.format == "fixed":
        text = "".join(f"{a:>3}{b:>2}\n" for a, b in rows)
    else:
        text = "A,B\n" + "".join(f'"{a}",{b}x\n' for a, b in rows)
    path.write_text(text, encoding="utf-8")
    return path


@given(tables, st.data())
def test_differences_are_those_of_the_texts(
    tmp_path_factory: pytest.TempPathFactory, before: list[tuple[str, str]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("twin")
    order = data.draw(st.none() | st.permutations(range(len(before))))
    now = [before[i] for i in order] if order is not None else list(before)
    for place in data.draw(st.lists(st.integers(0, len(now) - 1), max_size=2)):
        now[place] = data.draw(st.tuples(fields, fields.map(lambda text: text[:2])))
    expected = {}
    for number, name in enumerate("AB"):
        arranged = [before[i] for i in order] if order is not None else before
        wrong = [
            i for i, (x, y) in enumerate(zip(arranged, now, strict=True)) if x[number].strip() != y[number].strip()
        ]
        if wrong:
            expected[name] = (len(wrong), wrong[0] + 1)
    for metadata in (FIXED, DELIMITED):
        found = differences(
            written(folder / "one", metadata, before),
            metadata,
            written(folder / "two", metadata, now),
            metadata,
            ("A", "B"),
            None if order is None else np.array(order),
        )
        said = {notice.where: dict(notice.values) for notice in found}
        if metadata is FIXED:
            assert {name: (values["values"], values["record"]) for name, values in said.items()} == expected
        else:
            assert set(said) - {"B"} == set(expected) - {"B"}


def test_a_value_that_moved_to_the_next_field_is_a_difference(tmp_path: Path) -> None:
    one, two = written(tmp_path / "one", DELIMITED, [("ab", "")]), tmp_path / "two"
    two.write_text("A,B\na,bx\n", encoding="utf-8")
    assert {notice.where for notice in differences(one, DELIMITED, two, DELIMITED, ("A", "B"))} == {"A", "B"}


def test_places_may_differ_between_the_files(tmp_path: Path) -> None:
    swapped = replace(FIXED, variables=(Variable("B", start=1, length=2), Variable("A", start=3, length=5)))
    one = written(tmp_path / "one", FIXED, [("a", "b"), ("ab", "1")])
    (tmp_path / "two").write_text(" b    a\n 1   ab\n", encoding="utf-8")
    assert differences(one, FIXED, tmp_path / "two", swapped, ("A", "B")) == ()
    assert differences(one, FIXED, tmp_path / "two", swapped, ()) == ()


def test_files_in_blocks_of_different_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.formats.text.block_file.BLOCK_BYTES", 64)
    monkeypatch.setattr("core.formats.text.block_file.LEAST_RECORDS", 1)
    wider = replace(FIXED, variables=(Variable("A", start=1, length=12), Variable("B", start=13, length=2)))
    rows = [(str(number % 97), str(number % 7)) for number in range(60)]
    one, two = written(tmp_path / "one", FIXED, rows), tmp_path / "two"
    rows[41] = ("x", rows[41][1])
    two.write_text("".join(f"{a:>12}{b:>2}\n" for a, b in rows), encoding="utf-8")
    (found,) = differences(one, FIXED, two, wider, ("A", "B"))
    assert (found.where, dict(found.values)["values"], dict(found.values)["record"]) == ("A", 1, 42)
    written(one, FIXED, rows[:-1])
    with pytest.raises(DataError) as refused:
        differences(one, FIXED, two, wider, ("A", "B"))
    assert refused.value.id == "data-changed"
