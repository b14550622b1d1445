"""Browse Data and Browse Safe File: records are read when they are looked at, and stand beside their own."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.browse import text as browsing
from core.recipe.model import Combination, Input, Output, Recode, VariableEdit
from gui import dialogs
from gui.browse import model
from gui.browse.data_window import BrowseData
from gui.browse.model import CHANGE
from gui.browse.records_view import RecordsView
from gui.browse.safe_file_window import BrowseSafeFile
from gui.main_window.window import MainWindow
from gui.settings import settings
from tests.core.base.test_left_behind import held, left_in
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


def shown(view: RecordsView, row: int) -> dict[str, str]:
    model = view.records
    return {shown.name: model.index(row, column).data() for column, shown in enumerate(model.fields)}


def type_in(qtbot: QtBot, box: QLineEdit, text: str) -> None:
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


@pytest.fixture
def folder(demo: Path, tmp_path: Path) -> Path:
    for source in demo.iterdir():
        if source.is_file() and source.suffix != ".py":
            (tmp_path / source.name).write_bytes(source.read_bytes())
    return tmp_path


@pytest.fixture
def main(open_window: Open, folder: Path) -> MainWindow:
    return open_window(folder / "survey.pavo")


@pytest.fixture
def data(main: MainWindow, qtbot: QtBot) -> BrowseData:
    main.menu_actions["actionBrowseData"].trigger()
    found = main.window_named("browseData")
    assert isinstance(found, BrowseData)
    wait_idle(qtbot, main.document)
    return found


def test_every_record_is_shown_as_it_stands(data: BrowseData, folder: Path) -> None:
    lines = (folder / "survey.asc").read_text("utf-8").splitlines()
    assert data.view.records.rowCount() == len(lines)
    assert data.findChild(QLabel, "browseCount").text() == f"{len(lines):,} records"
    for row in (0, 1, 2500, len(lines) - 1):
        assert shown(data.view, row)["PERSONNO"] == lines[row][5:14].strip()
        assert data.view.records.headerData(row, Qt.Orientation.Vertical) == str(row + 1)


def test_records_are_found_sorted_and_shown_with_labels(data: BrowseData, main: MainWindow, qtbot: QtBot) -> None:
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), "AGE=37")
    wait_idle(qtbot, main.document)
    assert data.findChild(QLabel, "browseCount").text() == "72 of 5,002 records"
    assert {shown(data.view, row)["AGE"] for row in range(72)} == {"37"}
    header = data.view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(3) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    wait_idle(qtbot, main.document)
    sexes = [shown(data.view, row)["SEX"] for row in range(72)]
    assert sexes == sorted(sexes) or sexes == sorted(sexes, reverse=True)
    data.findChild(QCheckBox, "browseLabels").click()
    assert shown(data.view, 0)["SEX"] in ("Male", "Female")
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), "widow")
    wait_idle(qtbot, main.document)
    assert {shown(data.view, row)["MARSTAT"] for row in range(data.view.records.rowCount())} == {"Widowed"}


@pytest.mark.parametrize(
    ("looked_for", "told"),
    [
        ("no such", "No record has “no such” in a code or a label. Only categorical variables are searched."),
        ("sex = 8", "No record has the code “8” of SEX."),
        ("INCOME=-1", "No record has “INCOME=-1” in a code or a label. Only categorical variables are searched."),
    ],
)
def test_a_search_that_finds_nothing_says_so_in_the_place_of_the_records(
    data: BrowseData, main: MainWindow, qtbot: QtBot, looked_for: str, told: str
) -> None:
    said = data.findChild(QLabel, "browseRecordsEmptyText")
    assert not said.isVisible()
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), looked_for)
    wait_idle(qtbot, main.document)
    assert said.isVisible()
    assert said.text() == told
    header = data.view.horizontalHeader()
    assert header.isVisible()
    place = said.mapTo(data.view, QPoint(0, 0)).y()
    assert header.geometry().bottom() < place < place + said.height() < data.view.height()
    button = data.findChild(QPushButton, "browseRecordsEmptyButton")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert not said.isVisible()
    assert data.findChild(QLabel, "browseCount").text() == "5,002 records"
    assert data.filter.text() == ""


def test_heads_can_be_clicked_where_nothing_is_found(data: BrowseData, main: MainWindow, qtbot: QtBot) -> None:
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), "no such")
    wait_idle(qtbot, main.document)
    header = data.view.horizontalHeader()
    for y in (1, header.height() - 2):
        point = QPoint(header.sectionViewportPosition(3) + 10, y)
        assert data.childAt(header.mapTo(data, point)) is header.viewport()


def test_a_numerical_variable_is_sorted_by_its_values(data: BrowseData, main: MainWindow, qtbot: QtBot) -> None:
    names = [shown.name for shown in data.view.records.fields]
    data.view.horizontalHeader().setSortIndicator(names.index("INCOME"), Qt.SortOrder.AscendingOrder)
    wait_idle(qtbot, main.document)
    incomes = [int(shown(data.view, row)["INCOME"]) for row in range(0, 4000, 97)]
    assert incomes == sorted(incomes)


def test_what_cannot_be_sorted_by_is_said(data: BrowseData, main: MainWindow, qtbot: QtBot) -> None:
    names = [shown.name for shown in data.view.records.fields]
    data.view.horizontalHeader().setSortIndicator(names.index("PERSONNO"), Qt.SortOrder.AscendingOrder)
    wait_idle(qtbot, main.document)
    assert "PERSONNO is neither categorical nor numerical" in data.messages.text
    assert data.view.records.place(0) == 0


def test_a_record_is_gone_to_by_its_number(data: BrowseData, main: MainWindow, qtbot: QtBot) -> None:
    box = data.findChild(QLineEdit, "goToRecord")
    type_in(qtbot, box, "4321")
    assert data.view.currentIndex().row() == 4320
    type_in(qtbot, box, "5003")
    assert "1 to 5,002" in data.findChild(QLabel, "goToRecordMessage").text()
    assert data.view.currentIndex().row() == 4320
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), "AGE=37")
    wait_idle(qtbot, main.document)
    type_in(qtbot, box, "49")
    assert data.view.currentIndex().row() == 0
    type_in(qtbot, box, "50")
    assert "not among those found" in data.findChild(QLabel, "goToRecordMessage").text()


def test_of_more_rows_than_a_view_counts_those_around_a_record_are_held(
    data: BrowseData, main: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "MOST_ROWS", 1000)
    type_in(qtbot, data.filter, "SEX=1")
    wait_idle(qtbot, main.document)
    records = data.view.records
    assert records.rowCount() == 1000
    assert "The table holds rows 1 to 1,000 of" in data.messages.text
    found = data.view.records.rows
    assert found is not None
    for number in (len(found) - 1, 700, len(found) // 2):
        type_in(qtbot, data.findChild(QLineEdit, "goToRecord"), str(found[number] + 1))
        assert records.place(data.view.currentIndex().row()) == found[number]
        assert shown(data.view, data.view.currentIndex().row())["SEX"] == "1"
        assert records.rowCount() == 1000
    assert f"{records.begin + 1:,} to {records.begin + 1000:,} of {len(found):,};" in data.messages.text


def test_cells_are_copied_with_names_and_too_many_are_refused(data: BrowseData, qtbot: QtBot) -> None:
    model, selection = data.view.records, data.view.selectionModel()
    selection.select(model.index(0, 3), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    selection.select(model.index(0, 4), QItemSelectionModel.SelectionFlag.Select)
    data.view.setFocus()
    data.view.setCurrentIndex(model.index(0, 3))
    qtbot.keyClick(data.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(data.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    record = shown(data.view, 0)
    assert QGuiApplication.clipboard().text() == f"record\tSEX\tAGE\n1\t{record['SEX']}\t{record['AGE']}\n"
    data.view.selectAll()
    qtbot.keyClick(data.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "can be copied at once" in data.messages.text


def test_a_file_that_changes_under_the_window_is_said(data: BrowseData, folder: Path, qtbot: QtBot) -> None:
    with (folder / "survey.asc").open("ab") as file:
        file.write(b"x")
    data.view.go_to(4000)
    data.view.viewport().repaint()
    shown(data.view, 4000)
    qtbot.waitUntil(lambda: "has changed" in data.findChild(QLabel, "browseWaiting").text())
    assert data.view.records.rowCount() == 0


def test_another_file_shows_its_own_records(data: BrowseData, main: MainWindow, folder: Path, qtbot: QtBot) -> None:
    (folder / "other.csv").write_text("A,B\n1,x\n2,y\n", encoding="utf-8")
    main.document.open_data(folder / "other.csv")
    wait_idle(qtbot, main.document)
    assert shown(data.view, 1) == {"A": "2", "B": "y"}
    main.document.commit(
        "label", main.document.recipe.with_(variables=(VariableEdit("A", label="Answer"),))
    )  # fmt: skip
    wait_idle(qtbot, main.document)
    assert data.view.records.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "A: Answer"


def test_before_a_file_can_be_read_the_window_says_so(open_window: Open, folder: Path, qtbot: QtBot) -> None:
    opened = open_window(folder / "survey.pavo")
    found = opened.windows.open_window("browseData")
    wait_idle(qtbot, opened.document)
    opened.document.commit("gone", opened.document.recipe.with_(input=Input(data=folder / "nowhere.csv")))
    wait_idle(qtbot, opened.document)
    assert "nowhere.csv" in found.findChild(QLabel, "browseWaiting").text()


def test_only_blocks_around_what_is_visible_are_held(
    open_window: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "BLOCK_BYTES", 1 << 10)
    path = tmp_path / "long.csv"
    path.write_text("A,B\n" + "".join(f"{i % 7},{i}\n" for i in range(200_000)), encoding="utf-8")
    opened = open_window(path)
    found = opened.windows.open_window("browseData")
    assert isinstance(found, BrowseData)
    wait_idle(qtbot, opened.document)
    for row in range(0, 200_000, 501):
        assert shown(found.view, row)["B"] == str(row)
    assert len(found._browser._kept) == browsing.KEPT_BLOCKS


def test_what_is_found_and_sorted_is_written_to_a_named_file(
    data: BrowseData, main: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Path]] = []
    target = tmp_path / "found.csv"

    def save_file(_parent: Any, title: str, start: Path, _filters: str) -> Path:
        asked.append((title, start))
        return target.with_suffix("")

    monkeypatch.setattr(dialogs, "save_file", save_file)
    type_in(qtbot, data.findChild(QLineEdit, "browseFilter"), "AGE=37")
    wait_idle(qtbot, main.document)
    names = [shown.name for shown in data.view.records.fields]
    data.view.horizontalHeader().setSortIndicator(names.index("INCOME"), Qt.SortOrder.DescendingOrder)
    wait_idle(qtbot, main.document)
    qtbot.mouseClick(data.findChild(QPushButton, "exportRecords"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert asked[0][1].is_dir(), "no name is proposed"
    assert "as confidential as the data" in asked[0][0]
    assert data.messages.text == f"72 records are written to {target}. They are as confidential as the data."
    with target.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == names
    assert rows == [list(shown(data.view, row).values()) for row in range(72)]


def test_a_former_copy_that_could_not_be_removed_is_named(
    data: BrowseData, main: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "found.csv"
    target.write_text("an earlier one")
    with monkeypatch.context() as context:
        held(context)
        context.setattr(dialogs, "save_file", lambda *_: target)
        data.view.export_csv()
        wait_idle(qtbot, main.document)
    (name,) = left_in(tmp_path)
    assert f"written to {target}" in data.messages.text
    assert name in data.messages.text


def test_records_are_never_written_over_an_input(
    data: BrowseData, main: MainWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("survey.asc", "survey.rda", "survey.pavo"):
        before = (folder / name).read_bytes()
        monkeypatch.setattr(dialogs, "save_file", lambda *_, name=name: folder / name)
        data.view.export_csv()
        wait_idle(qtbot, main.document)
        assert name in data.messages.text
        assert (folder / name).read_bytes() == before


def test_stopped_writing_leaves_nothing(
    data: BrowseData, main: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "all.csv"
    monkeypatch.setattr(dialogs, "save_file", lambda *_: target)
    before = sorted(tmp_path.iterdir())
    data.view.export_csv()
    stop = data.findChild(QPushButton, "stop")
    assert stop.isVisible()
    stop.click()
    wait_idle(qtbot, main.document)
    assert data.messages.text == "Stopped. Nothing was written."
    assert not stop.isVisible()
    assert sorted(tmp_path.iterdir()) == before


def test_widths_of_a_file_are_remembered_without_its_names(
    data: BrowseData, main: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    data.view.setColumnWidth(2, 137)
    data.close()
    settings.save()
    kept = "".join(path.read_text("utf-8") for path in Path(settings._file().fileName()).parent.glob("*.ini"))
    assert "PERSONNO" not in kept
    settings.forget_file()
    again = main.windows.open_window("browseData")
    wait_idle(qtbot, main.document)
    assert again.view.columnWidth(2) == 137
    (folder / "other.csv").write_text("A,B,C\n1,x,2\n", encoding="utf-8")
    main.document.open_data(folder / "other.csv")
    wait_idle(qtbot, main.document)
    assert again.view.columnWidth(2) != 137


# The safe file ---------------------------------------------------------------------------------------------------


@pytest.fixture
def make(main: MainWindow, qtbot: QtBot, folder: Path) -> Callable[..., BrowseSafeFile]:
    def made(**output: Any) -> BrowseSafeFile:
        document = main.document
        target = replace(Output(data=folder / "safe.asc"), **output)
        document.commit("output", document.recipe.with_(output=target))
        wait_idle(qtbot, document)
        document.make_protected_file()
        wait_idle(qtbot, document)
        assert document.session.released is not None
        main.menu_actions["actionBrowseSafeFile"].trigger()
        wait_idle(qtbot, document)
        found = main.window_named("browseSafeFile")
        assert isinstance(found, BrowseSafeFile)
        return found

    return made


@pytest.mark.parametrize("shuffle", [False, True])
def test_records_stand_beside_their_own_and_changes_are_marked(
    make: Callable[..., BrowseSafeFile], main: MainWindow, folder: Path, shuffle: bool
) -> None:
    window = make(shuffle=shuffle, seed=5, keep_households_together=False)
    suppressed = main.document.session.released.protection.plan.suppressed["EDUC"]
    names = [shown.name for shown in window.safe.records.fields]
    assert "PERSONNO" not in names
    assert "PERSONNO" in window.findChild(QLabel, "leftOut").text()
    marked = set()
    for row in range(0, 5002, 13):
        before, after = shown(window.original, row), shown(window.safe, row)
        assert before["HHID"] == after["HHID"]
        record = int(window.original.records.headerData(row, Qt.Orientation.Vertical)) - 1
        change = window.safe.records.index(row, names.index("EDUC")).data(CHANGE)
        assert (change == "suppressed") == bool(suppressed[record])
        marked.add(change)
        assert window.safe.records.index(row, names.index("AGE")).data(CHANGE) == (
            "" if before["AGE"] == after["AGE"] == "99" else "changed"
        ), "a year of age that is the number of a group of ten is marked as well"
    assert {"", "suppressed"} <= marked
    if shuffle:
        assert [window.original.records.headerData(i, Qt.Orientation.Vertical) for i in range(5)] != list("12345")


def test_suppressed_records_are_stepped_through_and_shown_alone(
    make: Callable[..., BrowseSafeFile], main: MainWindow, qtbot: QtBot
) -> None:
    window = make()
    touched = main.document.session.released.protection.plan.records_touched
    following = window.findChild(QPushButton, "nextSuppressed")
    qtbot.mouseClick(following, Qt.MouseButton.LeftButton)
    first = window.safe.currentIndex().row()
    assert "suppressed" in window.findChild(QLabel, "recordChanges").text()
    assert window.original.currentIndex().row() == first
    qtbot.mouseClick(following, Qt.MouseButton.LeftButton)
    assert window.safe.currentIndex().row() > first
    qtbot.mouseClick(window.findChild(QPushButton, "previousSuppressed"), Qt.MouseButton.LeftButton)
    assert window.safe.currentIndex().row() == first
    window.findChild(QCheckBox, "onlySuppressed").click()
    assert window.safe.records.rowCount() == window.original.records.rowCount() == touched
    assert window.safe.records.place(0) == first
    box = window.findChild(QLineEdit, "goToRecord")
    type_in(qtbot, box, "1")
    assert "no suppressed value" in window.findChild(QLabel, "goToRecordMessage").text()


def test_both_sides_are_found_and_sorted_by_the_original(
    make: Callable[..., BrowseSafeFile], main: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make(shuffle=True, seed=5, keep_households_together=False)
    type_in(qtbot, window.findChild(QLineEdit, "browseFilter"), "AGE=37")
    wait_idle(qtbot, main.document)
    assert window.safe.records.rowCount() == window.original.records.rowCount() == 72
    names = [shown.name for shown in window.original.records.fields]
    window.safe.horizontalHeader().setSortIndicator(names.index("INCOME"), Qt.SortOrder.AscendingOrder)
    wait_idle(qtbot, main.document)
    before = [shown(window.original, row) for row in range(72)]
    assert [int(row["INCOME"]) for row in before] == sorted(int(row["INCOME"]) for row in before)
    assert window.original.horizontalHeader().sortIndicatorSection() == names.index("INCOME")
    assert [row["HHID"] for row in before] == [shown(window.safe, row)["HHID"] for row in range(72)]
    following = window.findChild(QPushButton, "nextSuppressed")
    if following.isEnabled():
        window.safe.go_to(0)
        qtbot.mouseClick(following, Qt.MouseButton.LeftButton)
        assert "suppressed" in window.findChild(QLabel, "recordChanges").text()
    for view in (window.original, window.safe):
        target = tmp_path / f"{view.objectName()}.csv"
        monkeypatch.setattr(dialogs, "save_file", lambda *_, target=target: target)
        view.export_csv()
        wait_idle(qtbot, main.document)
        with target.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert rows == [[shown(view, row)[name] for name in header] for row in range(72)]


def test_what_only_the_safe_file_has_is_not_sorted_by(make: Callable[..., BrowseSafeFile]) -> None:
    window = make(add_risk=True)
    names = [shown.name for shown in window.safe.records.fields]
    window.safe.horizontalHeader().setSortIndicator(names.index("RISK_1"), Qt.SortOrder.AscendingOrder)
    assert window.messages.text == "RISK_1 is only in the safe file; records are sorted by the original."
    assert window.safe.horizontalHeader().sortIndicatorSection() == -1


def test_both_sides_scroll_together(make: Callable[..., BrowseSafeFile]) -> None:
    window = make()
    window.safe.verticalScrollBar().setValue(3000)
    assert window.original.verticalScrollBar().value() == 3000
    window.original.setColumnWidth(0, 123)
    assert window.safe.columnWidth(0) == 123


def test_added_columns_stand_at_the_safe_side_only(make: Callable[..., BrowseSafeFile]) -> None:
    window = make(add_risk=True)
    assert shown(window.safe, 7)["RISK_1"].startswith("0.0")
    assert shown(window.original, 7)["RISK_1"] == ""
    column = [shown.name for shown in window.safe.records.fields].index("RISK_1")
    assert window.safe.records.index(7, column).data(CHANGE) == ""


def test_a_safe_file_that_is_gone_is_said_and_an_older_one_is_called_so(
    make: Callable[..., BrowseSafeFile], main: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    window = make()
    remark = window.findChild(QLabel, "safeFileRemark")
    assert remark.text() == ""
    main.document.undo()
    wait_idle(qtbot, main.document)
    assert "before the session changed" in remark.text()
    window.close()
    (folder / "safe.asc").unlink()
    main.menu_actions["actionBrowseSafeFile"].trigger()
    wait_idle(qtbot, main.document)
    again = main.window_named("browseSafeFile")
    assert "safe.asc" in again.findChild(QLabel, "browseWaiting").text()


@pytest.fixture
def regions(open_window: Open, tmp_path: Path, qtbot: QtBot) -> BrowseSafeFile:
    """Regions 1 to 40, those up to 10 recoded to 1 and those from 22 on to 22; 9 becomes missing."""
    rows = [f"{i % 40 + 1},{i % 2 + 1}" for i in range(400)]
    (tmp_path / "r.csv").write_text("REGION,SEX\n" + "\n".join(rows) + "\n", encoding="utf-8")
    main = open_window(tmp_path / "r.csv")
    document = main.document
    recode = Recode("REGION", scheme="1:1-8,10\n22:22-40", missing=("9",))
    recipe = document.recipe.with_(
        combinations=(Combination(("REGION", "SEX"), "frequency"),),
        recodes=(recode,),
        output=Output(data=tmp_path / "safe.csv"),
    )
    document.commit("all", recipe)
    wait_idle(qtbot, document)
    document.make_protected_file()
    wait_idle(qtbot, document)
    window = main.windows.open_window("browseSafeFile")
    wait_idle(qtbot, document)
    assert isinstance(window, BrowseSafeFile)
    return window


def test_a_recoded_value_is_marked_where_its_code_stands_for_another_category_now(regions: BrowseSafeFile) -> None:
    for row in range(80):
        before, after = shown(regions.original, row)["REGION"], shown(regions.safe, row)["REGION"]
        region = int(before)
        assert after == ("1" if region <= 8 or region == 10 else "22" if region >= 22 else before)
        kept = 11 <= region <= 21
        assert regions.safe.records.index(row, 0).data(CHANGE) == ("" if kept else "changed"), before
    regions.safe.go_to(0)
    assert regions.findChild(QLabel, "recordChanges").text() == "Record 1: REGION: 1 → 1"


def test_the_legend_names_what_can_be_seen(regions: BrowseSafeFile) -> None:
    legend = regions.findChild(QLabel, "legend").text()
    assert "bar" in legend and "bold" not in legend.casefold()


def test_a_search_that_finds_nothing_says_so_and_describes_no_record(regions: BrowseSafeFile, qtbot: QtBot) -> None:
    told = regions.findChild(QLabel, "recordChanges")
    assert told.text().startswith("Record 1:")
    type_in(qtbot, regions.findChild(QLineEdit, "browseFilter"), "zzzqq")
    wait_idle(qtbot, regions.document)
    assert regions.safe.records.rowCount() == 0
    assert told.text() == ""
    said = regions.original.findChild(QLabel, "originalRecordsEmptyText")
    assert said.isVisible()
    assert said.text() == "No record has “zzzqq” in a code or a label. Only categorical variables are searched."
    beside = regions.safe.findChild(QLabel, "safeRecordsEmptyText")
    for view, label in ((regions.original, said), (regions.safe, beside)):
        assert label.isVisible()
        assert view.horizontalHeader().geometry().bottom() < label.mapTo(view, QPoint(0, 0)).y()
    type_in(qtbot, regions.findChild(QLineEdit, "browseFilter"), "REGION=12")
    wait_idle(qtbot, regions.document)
    assert told.text() == "Record 12: nothing changed"
    assert not said.isVisible() and not beside.isVisible()


@pytest.mark.parametrize(
    ("looked_for", "told"),
    [
        ("zzzqq", "No record with suppressed values has “zzzqq” in a code or a label."),
        ("region = 999", "No record with suppressed values has the code “999” of REGION."),
    ],
)
def test_a_search_among_suppressed_values_says_so_and_is_cleared(
    make: Callable[..., BrowseSafeFile], qtbot: QtBot, looked_for: str, told: str
) -> None:
    safe = make()
    safe.findChild(QCheckBox, "onlySuppressed").click()
    wait_idle(qtbot, safe.document)
    suppressed = safe.safe.records.rowCount()
    type_in(qtbot, safe.findChild(QLineEdit, "browseFilter"), looked_for)
    wait_idle(qtbot, safe.document)
    said = safe.findChild(QLabel, "originalRecordsEmptyText")
    assert said.isVisible()
    assert said.text().startswith(told)
    button = safe.findChild(QPushButton, "originalRecordsEmptyButton")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, safe.document)
    assert not said.isVisible()
    assert safe.safe.records.rowCount() == suppressed > 0
