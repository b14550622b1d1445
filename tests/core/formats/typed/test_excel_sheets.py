"""Of a workbook with several sheets the first is read: which one that is, and that the others are not, is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from core.metadata.describe import describe_unverified
from core.metadata.opening import look
from core.recipe.model import Input


def workbook(path: Path, *sheets: str, hidden: str = "") -> Path:
    book = Workbook()
    book.remove(book.worksheets[0])
    for title in sheets:
        sheet = book.create_sheet(title)
        sheet.append(["A", title])
        sheet.append([1, 2])
        sheet.sheet_state = "hidden" if title in hidden else "visible"
    book.save(path)
    return path


def test_which_sheet_is_read_is_said_where_there_are_others(tmp_path: Path) -> None:
    source = Input(workbook(tmp_path / "a.xlsx", "Notes", "Data"))
    metadata, notices = describe_unverified(source)
    assert metadata.names == ("A", "Notes")
    text = "Sheet Notes of a.xlsx is read, the first of 2; the others are not. To read another one, move it to the "
    assert [notice.text for notice in notices] == [text + "front in Excel, or save it as csv."]
    assert [notice.public for notice in notices] == ["The first of 2 sheets is read; the others are not."]
    shown = look(source)
    assert [(o.severity, o.text[:19]) for o in shown.objections] == [("note", "Sheet Notes of a.xl")]


@pytest.mark.parametrize(("sheets", "hidden"), [(("Data",), ""), (("Data", "Lists"), "Lists")])
def test_nothing_is_said_of_one_sheet_or_of_hidden_ones(tmp_path: Path, sheets: tuple[str, ...], hidden: str) -> None:
    assert describe_unverified(Input(workbook(tmp_path / "a.xlsx", *sheets, hidden=hidden)))[1] == ()


def test_a_hidden_sheet_that_is_read_is_named(tmp_path: Path) -> None:
    source = Input(workbook(tmp_path / "a.xlsx", "Notes", "Data", hidden="Notes"))
    assert [dict(notice.values)["sheet"] for notice in describe_unverified(source)[1]] == ["Notes"]
