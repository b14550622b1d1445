"""Open Microdata by mouse and keys."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Input
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.open_microdata.window import OpenMicrodata
from gui.specify_metadata.describe_columns import DescribeColumns
from tests.gui.waiting import wait_idle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main_window(open_window: Callable[..., MainWindow]) -> MainWindow:
    return open_window()


@pytest.fixture
def window(qtbot: QtBot, main_window: MainWindow) -> OpenMicrodata:
    main_window.menu_actions["actionOpenMicrodata"].trigger()
    made = main_window.window_named("openMicrodata")
    assert isinstance(made, OpenMicrodata)
    qtbot.waitExposed(made)
    return made


def box(window: OpenMicrodata, name: str) -> QLineEdit:
    found = window.findChild(QLineEdit, name)
    assert found is not None
    return found


def type_path(qtbot: QtBot, window: OpenMicrodata, path: Path | str, name: str = "dataPath") -> None:
    edit = box(window, name)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    edit.insert(str(path))  # as by pasting: a path is looked at at every change
    qtbot.waitUntil(lambda: window._look is not None and window._look.input == window.asked(), timeout=20_000)


def accept(qtbot: QtBot, window: OpenMicrodata) -> None:
    button = window.findChild(QPushButton, "accept")
    assert button is not None
    qtbot.mouseClick(button, LEFT)


def problems(window: OpenMicrodata) -> list[str]:
    found = window.findChild(QListWidget, "openProblems")
    assert found is not None
    return [found.item(i).text() for i in range(found.count())]


def message(window: OpenMicrodata, name: str) -> str:
    label = window.findChild(QLabel, name)
    assert label is not None
    return label.text() if label.isVisible() else ""


def choose(window: OpenMicrodata, name: str, text: str) -> None:
    combo = window.findChild(QComboBox, name)
    assert combo is not None
    place = combo.findText(text)
    assert place >= 0
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def test_the_metadata_beside_is_found_and_the_records_are_shown(
    qtbot: QtBot, window: OpenMicrodata, demo: Path
) -> None:
    assert not window.accept.isEnabled()
    type_path(qtbot, window, demo / "survey.asc")
    assert box(window, "metadataPath").text() == str(demo / "survey.rda")
    model = window.preview.model
    assert (model.rowCount(), model.columnCount()) == (100, 13)
    assert model.headerData(3, Qt.Orientation.Horizontal) == "REGION"
    assert model.index(0, 3).data() == "0103"
    assert problems(window) == []
    assert "first 100 records" in window.state.text()
    assert window.format.itemText(0) == "Fixed positions (detected)"
    assert not window.delimiter.isVisible()


def test_enter_opens_and_what_was_typed_is_looked_at_first(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, demo: Path
) -> None:
    window.check.setChecked(False)
    edit = box(window, "dataPath")
    edit.setText(str(demo / "survey.asc"))
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert main_window.document.busy
    wait_idle(qtbot, main_window.document)
    recipe = main_window.document.recipe
    assert recipe.input == Input(demo / "survey.asc", demo / "survey.rda")
    assert main_window.document.derived is not None
    assert main_window.document.derived.records == 5002
    assert main_window.window_named("openMicrodata") is None
    assert main_window.window_named("specifyMetadata") is None


def test_fixed_metadata_beside_a_csv_are_not_taken(qtbot: QtBot, window: OpenMicrodata, demo: Path) -> None:
    type_path(qtbot, window, demo / "survey.csv")
    assert box(window, "metadataPath").text() == ""
    assert window.delimiter.isVisible()
    assert window.delimiter.itemText(0) == "comma (detected)"
    assert window.header.itemText(0) == "names (detected)"


def test_a_metadata_path_that_was_emptied_stays_empty(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, demo: Path
) -> None:
    type_path(qtbot, window, demo / "survey.asc")
    edit = box(window, "metadataPath")
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: window._look is not None and window._look.undescribed, timeout=20_000)
    assert "Describe columns follows" in problems(window)[0]
    accept(qtbot, window)
    wait_idle(qtbot, main_window.document)
    assert main_window.document.recipe.input.metadata is None


def test_a_fixed_file_without_metadata_leads_to_describe_columns(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, tmp_path: Path, demo: Path
) -> None:
    bare = tmp_path / "bare.asc"
    bare.write_bytes((demo / "survey.asc").read_bytes())
    type_path(qtbot, window, bare)
    accept(qtbot, window)
    qtbot.waitUntil(lambda: main_window.window_named("specifyMetadata") is not None, timeout=20_000)
    specify: Any = main_window.window_named("specifyMetadata")
    qtbot.waitUntil(lambda: specify.findChild(DescribeColumns) is not None, timeout=20_000)
    specify.findChild(DescribeColumns).reject()


@pytest.mark.parametrize(
    ("path", "place", "text"),
    [
        ("/nowhere/x.csv", "dataPathMessage", "There is no file /nowhere/x.csv. Check the path."),
    ],
)
def test_an_absent_file_is_refused_beside_its_box(
    qtbot: QtBot, window: OpenMicrodata, path: str, place: str, text: str
) -> None:
    type_path(qtbot, window, path)
    assert message(window, place) == text
    assert problems(window) == [], "it is said once"
    assert not window.accept.isEnabled()
    qtbot.keyClick(box(window, "dataPath"), Qt.Key.Key_Return)
    assert window.messages.text == ""
    assert box(window, "dataPath").selectedText() == path
    assert window.document.recipe.input.data is None


def test_an_absent_metadata_file_is_refused_beside_its_box(qtbot: QtBot, window: OpenMicrodata, demo: Path) -> None:
    type_path(qtbot, window, demo / "survey.csv")
    type_path(qtbot, window, demo / "nothing.rda", "metadataPath")
    assert message(window, "metadataPathMessage").startswith(f"There is no metadata file {demo / 'nothing.rda'}")
    assert message(window, "dataPathMessage") == ""


def test_ragged_lines_are_told_and_not_opened(qtbot: QtBot, window: OpenMicrodata, tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("A,B,C\n1,2,3\n4,5\n6,7,8\n", encoding="utf-8")
    type_path(qtbot, window, path)
    assert problems(window) == ["Error: Line 3: 2 fields where 3 are expected."]
    assert not window.accept.isEnabled()
    qtbot.keyClick(box(window, "dataPath"), Qt.Key.Key_Return)
    assert window.messages.text == "Line 3: 2 fields where 3 are expected."
    assert window.document.recipe.input.data is None


def test_a_click_on_a_problem_goes_to_the_box_that_mends_it(
    qtbot: QtBot, window: OpenMicrodata, tmp_path: Path
) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("a,a,b\n1,2,3\n", encoding="utf-8")
    type_path(qtbot, window, path)
    (said,) = problems(window)
    assert "the header has the name a twice, in columns 1 and 2" in said
    assert not window.accept.isEnabled()
    place = window.problems.visualItemRect(window.problems.item(0)).center()
    qtbot.mouseClick(window.problems.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.focusWidget() is window.header
    choose(window, "headerBox", "a record")
    qtbot.waitUntil(lambda: not problems(window), timeout=20_000)
    assert window.accept.isEnabled()


def test_a_file_of_unknown_format_leads_to_the_format_box(qtbot: QtBot, window: OpenMicrodata, tmp_path: Path) -> None:
    path = tmp_path / "x.xyz"
    path.write_text("A,B\n1,2\n", encoding="utf-8")
    type_path(qtbot, window, path)
    said = "The name x.xyz does not tell the format of the data. Say the format, or name a metadata file."
    assert (message(window, "dataPathMessage"), problems(window)) == (said, []), "beside the path, and once"
    qtbot.keyClick(box(window, "dataPath"), Qt.Key.Key_Return)
    assert window.focusWidget() is window.format
    choose(window, "formatBox", "Delimited (csv)")
    qtbot.waitUntil(window.accept.isEnabled, timeout=20_000)
    assert message(window, "dataPathMessage") == ""


def test_a_picture_is_refused_beside_its_path_in_words_of_the_window(
    qtbot: QtBot, window: OpenMicrodata, tmp_path: Path
) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    type_path(qtbot, window, path)
    assert message(window, "dataPathMessage").startswith("x.png is, by its name, no file of records")
    assert problems(window) == []
    assert not window.accept.isEnabled()


def test_nothing_of_the_last_file_stands_below_the_name_of_another(
    qtbot: QtBot, window: OpenMicrodata, tmp_path: Path, demo: Path
) -> None:
    """While the other file is looked at, or while its path is still being typed."""
    type_path(qtbot, window, demo / "survey.csv")
    assert window.preview.model.rowCount() == 100
    edit = box(window, "dataPath")
    for text in (str(demo / "survey.a"), str(demo / "survey.asc")):
        edit.setText(text)
        assert window.preview.model.rowCount() == 0
        assert window.format.itemText(0) == "as detected"
        assert "first 100 records" not in window.state.text()
        assert not window.delimiter.isVisible()
    qtbot.waitUntil(lambda: window.preview.model.rowCount() == 100, timeout=20_000)
    assert window.preview.isEnabled()
    assert window.format.itemText(0) == "Fixed positions (detected)"


def test_one_record_is_not_called_records(
    qtbot: QtBot, window: OpenMicrodata, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for number, (contents, said) in enumerate(
        (
            ("A,B\n1,2\n", "The first record, as it will be read."),
            ("A,B\n1,2\n3,4\n", "The first 2 records, as they will be read."),
            ("A,A\n1,2\n", "The first record. The file cannot be read this way."),
        )
    ):
        with subtests.test(said):
            path = tmp_path / f"x{number}.csv"
            path.write_text(contents, encoding="utf-8")
            type_path(qtbot, window, path)
            assert window.state.text() == said


def test_what_was_detected_can_be_changed(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A;B,x\n1;2,5\n3;4,5\n", encoding="utf-8")
    type_path(qtbot, window, path)
    assert window.delimiter.itemText(0) == "semicolon (detected)"
    assert window.preview.model.columnCount() == 3
    choose(window, "delimiterBox", "comma")
    choose(window, "headerBox", "a record")
    qtbot.waitUntil(lambda: window._look is not None and window._look.input == window.asked(), timeout=20_000)
    assert window.preview.model.rowCount() == 3
    assert window.preview.model.index(0, 1).data() == "A;B"
    window.check.setChecked(False)
    accept(qtbot, window)
    wait_idle(qtbot, main_window.document)
    assert main_window.document.recipe.input == Input(path, delimiter=",", header=False)


def test_the_beginning_of_an_encoding_is_never_cut_off(qtbot: QtBot, window: OpenMicrodata, tmp_path: Path) -> None:
    path = tmp_path / "umlauts.csv"
    path.write_bytes("ORT;N\nK\u00f6ln;1\nM\u00fcnchen;2\n".encode("cp1252"))
    type_path(qtbot, window, path)
    shown = window.findChild(QComboBox, "encodingBox")
    qtbot.waitUntil(lambda: shown.currentText().startswith("cp1252"))
    line = shown.lineEdit()
    assert line.cursorPosition() == 0
    assert line.width() > line.fontMetrics().horizontalAdvance(line.text()) + 4


def test_a_delimiter_can_be_typed_and_nonsense_is_refused(qtbot: QtBot, window: OpenMicrodata, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A:B\n1:2\n", encoding="utf-8")
    type_path(qtbot, window, path)
    edit = window.delimiter.lineEdit()
    assert edit is not None
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, ":")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.asked().delimiter == ":"
    qtbot.waitUntil(lambda: window.preview.model.columnCount() == 3, timeout=20_000)
    edit.selectAll()
    qtbot.keyClicks(edit, "::")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(problems(window)), timeout=20_000)
    assert problems(window)[0].startswith("Error: The delimiter '::' cannot be used.")
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.asked().delimiter is None


def test_unsaved_changes_are_asked_about(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, demo: Path, answers: list[int]
) -> None:
    window.check.setChecked(False)
    type_path(qtbot, window, demo / "survey.asc")
    accept(qtbot, window)
    document = main_window.document
    wait_idle(qtbot, document)
    document.commit("edit", document.recipe.with_(combinations=(Combination(("SEX",), "frequency"),)))
    wait_idle(qtbot, document)
    again = main_window.windows.open_window("openMicrodata")
    assert isinstance(again, OpenMicrodata)
    assert box(again, "dataPath").text() == str(demo / "survey.asc")
    type_path(qtbot, again, demo / "survey.csv")
    answers.append(2)
    accept(qtbot, again)
    assert document.recipe.input.data == demo / "survey.asc"
    assert again.isVisible()
    answers.append(1)
    accept(qtbot, again)
    wait_idle(qtbot, document)
    assert document.recipe.input.data == demo / "survey.csv"


def test_the_path_can_be_chosen(
    qtbot: QtBot, window: OpenMicrodata, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "open_file", lambda *_: demo / "survey.asc")
    button = window.findChild(QPushButton, "browseData")
    assert button is not None
    qtbot.mouseClick(button, LEFT)
    assert box(window, "dataPath").text() == str(demo / "survey.asc")
    qtbot.waitUntil(lambda: window.preview.model.rowCount() == 100, timeout=20_000)


def test_contradictory_metadata_lead_to_specify_metadata(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, tmp_path: Path
) -> None:
    (tmp_path / "x.asc").write_text("12345\n", encoding="utf-8")
    (tmp_path / "x.rda").write_text("A 1 2\nB 2 2\n", encoding="utf-8")
    window.check.setChecked(False)
    type_path(qtbot, window, tmp_path / "x.asc")
    assert problems(window)[0].startswith("Warning: B begins at 2, inside A")
    accept(qtbot, window)
    wait_idle(qtbot, main_window.document)
    specify: Any = main_window.window_named("specifyMetadata")
    assert specify is not None
    qtbot.waitUntil(lambda: specify.problems.list.count() > 0, timeout=20_000)
    assert specify.problems.list.item(0).text().startswith("Error: B begins at 2, inside A")


def test_checking_after_opening_is_remembered_and_done(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, demo: Path
) -> None:
    assert window.check.isChecked()
    type_path(qtbot, window, demo / "survey.csv")
    accept(qtbot, window)
    wait_idle(qtbot, main_window.document)
    specify: Any = main_window.window_named("specifyMetadata")
    qtbot.waitUntil(lambda: specify.proposals.table.rows.total > 0, timeout=20_000)
    assert specify.problems.tabs.currentIndex() == 1
    assert specify.proposals.table.model.key(0) == "PERSONNO"
    assert specify.proposals.table.height() > 120


def test_cancel_goes_back_and_escape_does_not(qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible()
    window.close()
    assert main_window.window_named("openMicrodata") is None
    assert main_window.empty_page.isVisible()


def test_the_path_of_the_open_file_is_replaced_by_typing(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path
) -> None:
    main_window = open_window(demo / "survey.pavo")
    main_window.menu_actions["actionOpenMicrodata"].trigger()
    window = main_window.window_named("openMicrodata")
    assert isinstance(window, OpenMicrodata)
    edit = box(window, "dataPath")
    qtbot.waitUntil(edit.hasFocus)
    assert edit.selectedText() == edit.text() != ""
    edit.deselect()
    main_window.activateWindow()
    qtbot.waitUntil(main_window.isActiveWindow)
    main_window.menu_actions["actionOpenMicrodata"].trigger()
    qtbot.waitUntil(edit.hasFocus)
    assert edit.selectedText() == edit.text(), "and where the window was open already"
    qtbot.keyClicks(edit, "x.csv")
    assert edit.text() == "x.csv"


def test_enter_on_browse_opens_what_is_typed(
    qtbot: QtBot, main_window: MainWindow, window: OpenMicrodata, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(dialogs, "open_file", lambda *arguments: asked.append(arguments))
    window.check.setChecked(False)
    window.browse_data.setFocus()
    qtbot.keyClick(window.browse_data, Qt.Key.Key_Return)
    assert len(asked) == 1, "nothing is typed yet"
    type_path(qtbot, window, demo / "survey.csv")
    window.browse_data.setFocus()
    qtbot.keyClick(window.browse_data, Qt.Key.Key_Return)
    wait_idle(qtbot, main_window.document)
    assert len(asked) == 1
    assert main_window.document.recipe.input.data == demo / "survey.csv"


def test_it_is_said_what_a_file_must_wait_for(qtbot: QtBot, window: OpenMicrodata, demo: Path) -> None:
    going_on = threading.Event()

    def prepare(progress: Any) -> None:
        while not going_on.wait(0.02):
            progress.report(0, 0, "Preparing the calculations (at the first start only)")

    window.document.tasks.run("preparing", prepare, background=True)  # a slot that nothing else takes over
    box(window, "dataPath").setText(str(demo / "survey.csv"))
    qtbot.waitUntil(lambda: window.state.text().startswith("Preparing the calculations"), timeout=20_000)
    assert "as soon as that is done" in window.preview._empty._text.text()
    going_on.set()
    qtbot.waitUntil(lambda: window.preview.model.rowCount() == 100, timeout=20_000)
    assert "first 100 records" in window.state.text()
