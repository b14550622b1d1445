"""Columns of Excel with numbers and texts: a number stays a number, a text a text."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from core.formats.text.writing import FieldEdit
from tests.typed_files import opened, written

NUMBERS = st.one_of(
    st.integers(-9, 9), st.floats(-1e308, 1e308), st.integers(-(1 << 60), 1 << 60), st.integers(1 << 53, 10**16)
)
TEXTS = st.one_of(
    st.sampled_from(["007", "7", " 7", "1e5", "-0", "1.50", "0.5", "x", "=1", "1e+40"]),
    st.text("0179.eE+-x", min_size=1),
)


def make(path: Path, values: list[Any]) -> Path:
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["A", "B"])
    for value in values:
        sheet.append([value, 1])
    book.save(path)
    return path


def cells(path: Path) -> list[Any]:
    sheet = load_workbook(path).active
    assert sheet is not None
    return [row[0].value for row in sheet.iter_rows(min_row=2)]


def codes(path: Path) -> list[str]:
    column = opened(path)[1].columns["A"]
    return [column.codes[i] for i in column.values.tolist()]


def edited(path: Path, out: Path, changed: list[bool], code: str) -> None:
    column = opened(path)[1].columns["A"]
    values = np.zeros(len(changed), np.uint8)
    written(path, out, {"A": FieldEdit(values, (code, *column.codes), np.array(changed))})


def test_cells_keep_their_types(tmp_path: Path) -> None:
    values = [7, "007", 2.5, "x", None, True, 0.1, "1e5", 1e300, -3]
    path, out = make(tmp_path / "a.xlsx", values), tmp_path / "b.xlsx"
    written(path, out)
    expected = ["True" if value is True else value for value in values]
    assert [(type(a), a) for a in cells(out)] == [(type(a), a) for a in expected]


def test_a_code_is_a_number_in_all_cells_or_in_none(tmp_path: Path) -> None:
    """Else a suppressed 9 would differ from those that were missing before."""
    path, out = make(tmp_path / "a.xlsx", [7, "9", 9, "x", 8]), tmp_path / "b.xlsx"
    edited(path, out, [True, False, False, False, False], "9")
    assert cells(out) == ["9", "9", "9", "x", 8]
    edited(path, out, [True, False, False, False, False], "99")
    assert cells(out) == [99, "9", "9", "x", 8]
    assert codes(out) == ["99", "9", "9", "x", "8"]


def test_moments_among_numbers_stay_texts(tmp_path: Path) -> None:
    path, out = make(tmp_path / "a.xlsx", [dt.datetime(2020, 1, 2, 3), 40000, 2, "x"]), tmp_path / "b.xlsx"
    written(path, out)
    assert cells(out) == ["2020-01-02 03:00:00", 40000, 2, "x"]


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=6), texts=st.lists(TEXTS, min_size=1, max_size=6))
def test_any_mixture_comes_back(numbers: list[float], texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, out = make_texts(folder / "a.xlsx", numbers, texts), folder / "b.xlsx"
        written(path, out)
        assert codes(out) == codes(path)
        assert cells(out)[len(numbers) :] == cells(path)[len(numbers) :]
        plain = {text.strip(" ") for text in texts}
        for code, before, now in zip(codes(path), cells(path)[: len(numbers)], cells(out), strict=False):
            assert (now == before and not isinstance(now, str)) or (code in plain and now == code)
        suppressed = folder / "c.xlsx"
        edited(path, suppressed, [False] * len(numbers) + [True] * len(texts), "")
        assert codes(suppressed)[: len(numbers)] == codes(path)[: len(numbers)]


def make_texts(path: Path, numbers: list[float], texts: list[str]) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "B"])
    for row, value in enumerate([*numbers, *texts], 2):
        sheet.cell(row, 2).value = 1
        cell = sheet.cell(row, 1)
        cell.value = value
        cell.data_type = "s" if isinstance(value, str) else "n"
    book.save(path)
    return path
