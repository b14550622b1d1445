"""The main window with the demonstration survey, by mouse and keyboard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Threshold
from gui import dialogs
from gui.document.document import Document
from gui.main_window.actions import MENUS, is_there, name_of
from gui.main_window.window import MainWindow
from gui.numbers import format_count
from gui.shared.labels import ElidedLabel
from gui.shared.windows import WINDOWS, exists
from gui.theme import theme
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


def rows(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]


def child(window: QWidget, kind: type[Any], name: str) -> Any:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, name)
    assert found is not None, name
    return found


@pytest.fixture
def survey(demo: Path, tmp_path: Path) -> Path:
    return copy_survey(demo, tmp_path)


def test_nothing_slow_is_imported_before_the_window_shows(repo: Path) -> None:
    code = """
import sys
import main
import gui.app.application
gui.app.application.WARM_UP_AFTER_MS = 600_000
app, window = main.build_application(["pavo"])
window.show()
app.processEvents()
print(sorted({"pandas", "numba", "scipy", "pyqtgraph"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_the_empty_window_offers_how_to_begin(open_window: Open) -> None:
    window = open_window()
    assert window.windowTitle() == "Pavo"
    for name in ("openMicrodataButton", "openSessionButton", "tryDemonstration"):
        assert child(window, QPushButton, name).isVisible()
    assert action(window, "actionOpenMicrodata").isEnabled()
    assert not action(window, "actionSave").isEnabled()
    assert not action(window, "actionMakeProtectedFile").isEnabled()


def test_actions_are_named_after_their_english_text(open_window: Open) -> None:
    window = open_window()
    assert name_of("&Open Microdata…") == "actionOpenMicrodata"
    for _, items in MENUS:
        for item in items:
            if item.text and not item.does.startswith("menu:") and is_there(item):
                assert action(window, name_of(item.text)) in window.actions()


def test_nothing_in_the_menus_is_dead(open_window: Open) -> None:
    window = open_window()
    absent = {name for name in WINDOWS if not exists(name)}
    assert not absent & set(window.menu_actions.windows)
    for menu in window.menu_actions.menus.values():
        menu.aboutToShow.emit()
        for item in menu.actions():
            assert item.isSeparator() or item.isEnabled() or item.toolTip() != item.text().replace("&", "")


def test_a_file_argument_makes_the_document_busy_from_the_start(qtbot: QtBot, survey: Path, answers: list[int]) -> None:
    from main import build_application

    _, window = build_application(["pavo", str(survey)])
    assert window.document.busy
    idle: list[bool] = []
    window.document.idle.connect(lambda: idle.append(window.document.busy))
    wait_idle(qtbot, window.document)
    assert idle[-1] is False
    assert window.document.derived is not None
    window.close()


def test_the_overview_shows_unsafe_combinations_and_codes(open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    derived = window.document.derived
    variables = rows(child(window, QTableView, "overviewVariables"))
    assert [row[0].split()[0] for row in variables] == [row.name for row in derived.overview.variables]
    first = derived.overview.variables[0]
    shown = [first.unsafe_by_dimension[d] for d in range(1, derived.overview.dimensions + 1)]
    assert variables[0][1:-2] == [str(number) for number in shown]
    assert len({row[-2] for row in variables}) > 1
    (table,) = derived.risk_tables
    assert {row[-1] for row in variables} == {str(table.staircase.unsafe(table.threshold))}
    codes = rows(child(window, QTableView, "overviewCodes"))
    column = derived.columns[first.name]
    assert [row[0] for row in codes] == list(column.codes)
    assert [row[2] for row in codes] == [str(count) for count in column.counts]


def test_unsafe_records_are_not_known_before_a_threshold_is_chosen(
    qtbot: QtBot, open_window: Open, survey: Path
) -> None:
    window = open_window(survey)
    document = window.document
    document.commit("Without a threshold", document.recipe.with_(threshold=Threshold()))
    wait_idle(qtbot, document)
    assert {row[-1] for row in rows(child(window, QTableView, "overviewVariables"))} == {"–"}


def test_missing_codes_stay_last_and_marked_however_codes_are_sorted(open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    view = child(window, QTableView, "overviewCodes")
    derived = window.document.derived
    column = derived.columns[derived.overview.variables[0].name]
    missing = list(column.codes[column.n_valid :])
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        view.sortByColumn(2, order)
        shown = rows(view)
        assert [row[0] for row in shown][column.n_valid :] == missing
        counts = [int(row[2]) for row in shown[: column.n_valid]]
        assert counts == sorted(counts, reverse=order == Qt.SortOrder.DescendingOrder)
    last = view.model().index(view.model().rowCount() - 1, 0)
    assert "missing code" in last.data(Qt.ItemDataRole.ToolTipRole)
    assert last.data(Qt.ItemDataRole.FontRole).italic()


def test_choosing_a_variable_shows_its_codes(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    view = child(window, QTableView, "overviewVariables")
    names = [row.name for row in window.document.derived.overview.variables]
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    heading = child(window, QLabel, "overviewCodesHeading")
    assert heading.text().startswith(names[1])
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert heading.text().startswith(names[2])


def test_double_click_and_enter_ask_for_global_recode_of_that_variable(
    qtbot: QtBot, open_window: Open, survey: Path
) -> None:
    window = open_window(survey)
    view = child(window, QTableView, "overviewVariables")
    asked: list[tuple[str, str]] = []
    window.overview.window_requested.disconnect(window.open_window)
    window.overview.window_requested.connect(lambda name, variable: asked.append((name, variable)))
    place = view.visualRect(view.model().index(2, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    name = window.document.derived.overview.variables[2].name
    assert asked == [("globalRecode", name)] * 2


def test_the_filter_box_narrows_the_table_and_keeps_the_current_row(
    qtbot: QtBot, open_window: Open, survey: Path
) -> None:
    window = open_window(survey)
    view = child(window, QTableView, "overviewVariables")
    names = [row.name for row in window.document.derived.overview.variables]
    box = child(window, QLineEdit, "overviewVariablesFilter")
    box.setFocus()
    qtbot.keyClicks(box, names[1].lower())
    assert [row[0].split()[0] for row in rows(view)] == [n for n in names if names[1].lower() in n.lower()]
    box.clear()
    assert len(rows(view)) == len(names)


def test_copying_cells_gives_text_with_headers(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    view = child(window, QTableView, "overviewVariables")
    view.setFocus()
    view.selectRow(1)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:2] == ["Variable", "dim 1"]
    assert lines[1].split("\t") == rows(view)[1]
    assert len(lines) == 2


def test_exporting_a_table_writes_all_rows(
    open_window: Open, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(survey)
    target = tmp_path / "codes.csv"
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: target)
    window.overview.codes.export_csv()
    lines = target.read_text("utf-8").splitlines()
    assert lines[0].startswith("Code,Label,Freq,dim 1")
    assert len(lines) == 1 + child(window, QTableView, "overviewCodes").model().rowCount()


def test_undo_and_redo_work_from_another_window_too(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    document = window.document
    before = document.recipe
    document.commit("Another threshold", before.with_(threshold=Threshold(individual_risk=0.5)))
    wait_idle(qtbot, document)
    other = QWidget()
    qtbot.addWidget(other)
    box = QLineEdit(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    qtbot.keyClick(other, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_idle(qtbot, document)
    assert document.recipe is before
    qtbot.keyClick(other, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert document.recipe.threshold.individual_risk == 0.5
    assert box.text() == ""


def test_the_status_bar_and_the_steps_follow_the_recipe(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    document = window.document
    (table,) = document.derived.risk_tables
    unsafe = table.staircase.unsafe(table.threshold)
    assert child(window, QLabel, "statusRecords").text() == f"{format_count(document.derived.records)} records"
    assert child(window, QLabel, "statusUnsafe").text().startswith(f"unsafe {unsafe} (")
    assert child(window, QLabel, "statusThresholds").text() == "r* 0.05"
    assert f"{unsafe} unsafe" in window.steps.button("Risk").accessibleDescription()
    assert "needs attention" in window.steps.button("Risk").accessibleName()
    document.commit("High threshold", document.recipe.with_(threshold=Threshold(individual_risk=1.0)))
    assert child(window, QLabel, "statusUnsafe").property("greyed")
    wait_idle(qtbot, document)
    assert not child(window, QLabel, "statusUnsafe").property("greyed")
    assert child(window, QLabel, "statusUnsafe").text() == "unsafe 0 (0.0 %)"
    assert "done" in window.steps.button("Risk").accessibleName()
    assert "modified" in window.windowTitle()


def test_no_combination_leads_to_select_combinations(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    window.document.commit("No combination", window.document.recipe.with_(combinations=(), recodes=()))
    wait_idle(qtbot, window.document)
    assert window.document.session.error is None
    assert rows(child(window, QTableView, "overviewVariables")) == []
    assert "key variables" in child(window, QLabel, "nextSentence").text()


@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent")  # its only constructor in some versions, deprecated in others
def test_a_dropped_file_is_opened(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(survey))])
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    entering = QDragEnterEvent(QPoint(50, 50), actions, mime, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    dropping = QDropEvent(QPointF(50, 50), actions, mime, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, dropping)
    qtbot.waitUntil(lambda: window.document.session.path == survey)
    wait_idle(qtbot, window.document)
    assert window.windowTitle() == "survey — Pavo"


def test_the_demonstration_is_copied_to_the_documents_first(qtbot: QtBot, open_window: Open, home: Path) -> None:
    window = open_window()
    qtbot.mouseClick(child(window, QPushButton, "tryDemonstration"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)
    assert window.document.session.path == home / "Documents" / "Pavo demonstration" / "survey.pavo"
    assert window.document.derived is not None
    assert not list(window.document.session.path.parent.glob("*.py"))


def test_closing_with_changes_asks(qtbot: QtBot, open_window: Open, survey: Path, answers: list[int]) -> None:
    window = open_window(survey)
    document: Document = window.document
    document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
    wait_idle(qtbot, document)
    window.close()
    assert window.isVisible()
    answers[:] = [0]
    window.close()
    assert not window.isVisible()
    assert "0.25" in survey.read_text("utf-8")


def test_dark_and_light(open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    action(window, "actionThemeDark").trigger()
    assert theme.dark
    assert window.palette().window().color().lightness() < 80
    action(window, "actionThemeLight").trigger()
    assert not theme.dark
    assert window.palette().window().color().lightness() > 200


def test_everything_fits_a_small_screen(open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    window.resize(1366, 768)
    assert window.size().toTuple() == (1366, 768)
    hint = window.minimumSizeHint()
    assert hint.width() <= 1366
    assert hint.height() <= 768
    for label in window.findChildren(QLabel):
        elided = isinstance(label, ElidedLabel)
        if label.isVisibleTo(window) and label.text() and not label.wordWrap() and not elided:
            longest = max(map(label.fontMetrics().horizontalAdvance, label.text().splitlines()))
            assert label.width() >= longest * 0.98, label.text()


def test_metadata_is_done_once_it_was_looked_at(qtbot: QtBot, open_window: Open, survey: Path) -> None:
    window = open_window(survey)
    assert "done" in window.steps.button("Metadata").accessibleName()
    window.document.open_data(survey.with_name("survey.asc"))
    wait_idle(qtbot, window.document)
    assert "to do" in window.steps.button("Metadata").accessibleName()
    window.document.look_at("specifyMetadata")
    assert "done" in window.steps.button("Metadata").accessibleName()


def test_a_long_name_ends_in_dots_and_is_whole_in_its_tool_tip(
    qtbot: QtBot, open_window: Open, survey: Path, tmp_path: Path
) -> None:
    name = "a very long file name of a survey on income and living conditions in the year 2025.csv"
    (tmp_path / name).write_text("A,B\n1,2\n", encoding="utf-8")
    window = open_window(tmp_path / name)
    label = child(window, QLabel, "statusFile")
    assert label.text() == name
    assert label.width() < label.fontMetrics().horizontalAdvance(name)
    label.repaint()
    assert label.toolTip() == name
