"""Quotation marks and blanks around changed fields tell nothing of what the original held there."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.batch import run
from core.data.variables import Metadata, Variable
from core.formats.text import block_file, delimited
from core.formats.text.writing import FieldEdit
from tests.core.formats.text.text_files import written

PLAIN = Metadata("delimited", (Variable("A", column=1, missing=("",)), Variable("B", column=2, missing=("",))))
FIELDS = ["", '""', "  ", "1", " 1 ", '"1"', ' "1"', '"mayor, acting"', '"say ""no"""']
rows = st.lists(st.tuples(st.sampled_from(FIELDS), st.sampled_from(FIELDS), st.booleans()), min_size=1, max_size=7)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_file, "BLOCK_BYTES", 37)
    monkeypatch.setattr(delimited, "BLOCK_RECORDS", 2)


def safe(path: Path, text: str, edits: dict[str, FieldEdit]) -> str:
    path.write_text(text, encoding="utf-8")
    return written(delimited.read(path, PLAIN, []), edits).decode()


def edit(codes: tuple[str, ...], values: list[int], changed: list[bool] | None = None) -> FieldEdit:
    return FieldEdit(np.array(values, np.uint8), codes, None if changed is None else np.array(changed))


def test_a_suppressed_value_with_quotes_looks_like_any_other(tmp_path: Path) -> None:
    text = 'A,B\n1,"mayor, acting"\n2,priest\n3,cook\n4,"clerk, young"\n'
    suppression = edit(("",), [0, 0, 0, 0], [True, True, False, False])
    assert safe(tmp_path / "a.csv", text, {"B": suppression}) == 'A,B\n1,\n2,\n3,cook\n4,"clerk, young"\n'


def test_a_recoded_column_is_quoted_in_one_way(tmp_path: Path) -> None:
    text = 'A,B\r\n 1,"mayor, acting"\r\n"+02" ,cook\r\n'
    recodes = {"A": edit(("z",), [0, 0]), "B": edit(("x", "y z"), [0, 1])}
    assert safe(tmp_path / "a.csv", text, recodes) == "A,B\r\nz,x\r\nz,y z\r\n"


def test_a_column_whose_fields_all_stand_in_quotes_stays_so(tmp_path: Path) -> None:
    text = 'A,B\n"1","clerk"\n"2",\n "3" ,"cook"\n"4",""\n'
    suppression = edit(("", "cook"), [0, 1, 0, 1], [True, False, False, False])
    recode = edit(("z",), [0, 0, 0, 0])
    expected = 'A,B\n"z",""\n"z",\n"z","cook"\n"z",""\n'
    assert safe(tmp_path / "a.csv", text, {"A": recode, "B": suppression}) == expected


def test_one_suppressed_value_without_quotes_does_not_decide(tmp_path: Path) -> None:
    text = 'A,B\n1,"a, b"\n2,priest\n3,"c, d"\n'
    suppression = edit(("",), [0, 0, 0], [True, True, False])
    assert safe(tmp_path / "a.csv", text, {"B": suppression}) == 'A,B\n1,""\n2,""\n3,"c, d"\n'


@given(rows, st.sampled_from(["", "x", "x, y", 'say "no"']))
def test_by_the_rule_written_down_plainly(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, bool]], code: str
) -> None:
    path = tmp_path_factory.mktemp("quotes") / "a.csv"
    text = "A,B\n" + "".join(f"{a},{b}\n" for a, b, _ in rows)
    changed = [change for _, _, change in rows]
    zeros = [0] * len(rows)
    lines = safe(path, text, {"A": edit((code,), zeros), "B": edit((code,), zeros, changed)}).split("\n")[1:-1]

    def quoted(fields: list[str]) -> bool:
        count = [field.strip().startswith('"') for field in fields if field.strip().strip('"')]
        return bool(count) and all(count)

    kept = [b for _, b, change in rows if not change and b.strip().strip('"')]
    for line, (_, b, change) in zip(lines, rows, strict=True):
        parts = [new_field(code, quoted([a for a, _, _ in rows]))]
        parts.append(new_field(code, quoted(kept or [b for _, b, _ in rows])) if change else b)
        assert line == ",".join(parts)


def new_field(code: str, quoted: bool) -> str:
    csv.writer(out := io.StringIO(), quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerow([code, "1"])
    return out.getvalue().removesuffix(',"1"\r\n').removesuffix(",1\r\n")


def test_through_a_whole_run(tmp_path: Path) -> None:
    """Recodes, top coding, rounding and suppression at once: no changed field differs from another of its value."""
    kinds = ["clerk", "cook", '"mayor, acting"', ' "cook"']
    sums = ["0900", "+9000 ", '"12000"', " 0904"]
    lines = [f"{i},{kinds[i % 4]},{sums[i % 4]},{sums[i % 4]},{20 + i % 5}" for i in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["N,OCC,TOP,ROUND,W", *lines]) + "\n", encoding="utf-8")
    (tmp_path / "r.pavo").write_text(RECIPE, encoding="utf-8")
    run(tmp_path / "r.pavo")
    table = [line.split(",") for line in (tmp_path / "s.csv").read_text(encoding="utf-8").split("\n")[1:-1]]
    assert {row[1] for row in table} == {"x"}
    assert {row[2] for row in table} == {"500"}
    assert {row[3] for row in table} == {"900", "9000", "12000"}


RECIPE = """recipe = 1
[input]
data = "a.csv"
[variables.W]
role = "weight"
[variables.TOP]
numeric = true
[variables.ROUND]
numeric = true
[[combinations]]
variables = ["OCC"]
[[recodes]]
variable = "OCC"
scheme = 'x: clerk, cook, "mayor, acting"'
[[numeric]]
variable = "TOP"
top = { at = 500, replacement = "500" }
[[numeric]]
variable = "ROUND"
round = 100
[threshold]
individual_risk = 0.9
[suppression]
criterion = "weights"
[output]
data = "s.csv"
"""
