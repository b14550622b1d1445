"""Times, days and number formats of Excel come back as they were."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl import Workbook, load_workbook

from core.formats.text.writing import FieldEdit
from tests.typed_files import opened, written

ROWS: list[list[Any]] = [
    ["moment", "time", "fine", "share", "sum", "text"],
    [dt.datetime(2020, 1, 2, 3, 4, 5), dt.time(10, 11, 12), dt.time(1, 2, 3, 500000), 0.5, 1234.5, "x"],
    [dt.date(2020, 1, 2), dt.time(0), None, 0.25, 7, "y"],
    [None, None, dt.time(23, 59), 1, None, ""],
    [dt.datetime(1999, 12, 31, 23, 59, 59), dt.time(23, 59, 59), dt.time(0, 0, 1), None, 0.001, None],
]
FORMATS = {"A": ("d.m.yyyy hh:mm", "d.m.yyyy"), "B": ("h:mm:ss",), "C": ("mm:ss.0",), "D": ("0%",), "E": ("#,##0.00",)}


def make(path: Path) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in ROWS:
        sheet.append(row)
    for column, formats in FORMATS.items():
        for cell in sheet[column][1:]:
            if cell.value is not None:
                is_day = type(cell.value) is dt.date
                cell.number_format = formats[-1] if is_day else formats[0]
    book.save(path)
    return path


def cells(path: Path) -> list[list[tuple[Any, str, str]]]:
    sheet = load_workbook(path).active
    assert sheet is not None
    return [[(cell.value, cell.data_type, cell.number_format) for cell in row] for row in sheet.iter_rows()]


def test_a_table_comes_back_cell_by_cell(tmp_path: Path) -> None:
    path, out = make(tmp_path / "a.xlsx"), tmp_path / "b.xlsx"
    written(path, out)
    assert [row[:5] for row in cells(out)] == [row[:5] for row in cells(path)]


def test_a_changed_time_is_a_time(tmp_path: Path) -> None:
    path, out = make(tmp_path / "a.xlsx"), tmp_path / "b.xlsx"
    column = opened(path)[1].columns["time"]
    assert column.codes == ("00:00:00", "10:11:12", "23:59:59", "")
    only = np.array([True, False, False, True])
    values = np.array([column.codes.index("23:59:59"), 0, 0, column.codes.index("")], np.uint8)
    written(path, out, {"time": FieldEdit(values, column.codes, only)})
    found = [row[1] for row in cells(out)[1:]]
    assert [cell[0] for cell in found] == [dt.time(23, 59, 59), dt.time(0), None, None]
    assert found[0][2] == "h:mm:ss"


def test_the_format_of_a_single_cell_does_not_come_back(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [["A"], [1], [2], [3]]:
        sheet.append(row)
    sheet["A3"].number_format = '0 "(mayor)"'
    book.save(tmp_path / "a.xlsx")
    written(tmp_path / "a.xlsx", tmp_path / "b.xlsx")
    assert [row[0][2] for row in cells(tmp_path / "b.xlsx")] == ["General"] * 4
