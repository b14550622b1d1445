"""Compare's risk–utility map and histograms: what they show, of which tables, and how they leave the window."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.model import Combination, Recipe, Threshold
from core.session import Session
from gui import dialogs
from gui.compare.pictures import MapPoint, map_picture
from gui.compare.utility_map import UtilityMap
from gui.compare.utility_map_labels import name_places
from gui.compare.window import Compare
from gui.document.session_files import write_recipe
from gui.main_window.window import MainWindow
from gui.shared.table.data_table import DataTable
from tests.gui.waiting import wait_idle

REGIONS = Combination(("REGION", "SEX"), threshold=Threshold(individual_risk=0.003))
AGES = Combination(("AGE", "EDUC"), missing_rule="wildcard", threshold=Threshold(individual_risk=0.003))
FREQUENCY = Combination(("REGION", "AGE"), "frequency", count_threshold=2)
ANONYMOUS = Combination(("AGE", "MARSTAT"), "k-anonymity", k=3, missing_rule="category")


def judged(recipe: Recipe, *combinations: Combination) -> Recipe:
    return replace(recipe, combinations=combinations, threshold=Threshold(), recodes=())


@pytest.fixture
def compared(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path
) -> Callable[..., Compare]:
    """The window on a session with these combinations, beside alternatives with others."""

    def opened(session: tuple[Combination, ...], **others: tuple[Combination, ...]) -> Compare:
        for source in demo.iterdir():
            if source.is_file() and source.suffix not in (".py", ".pavo"):
                (tmp_path / source.name).write_bytes(source.read_bytes())
        (tmp_path / "survey.pavo").write_bytes((demo / "survey.pavo").read_bytes())
        main = open_window(tmp_path / "survey.pavo")
        base = main.document.recipe
        for name, combinations in others.items():
            write_recipe(tmp_path / f"survey-{name}.pavo", judged(base, *combinations))
        main.document.commit("Other combinations", judged(base, *session))
        wait_idle(qtbot, main.document)
        window = main.windows.open_window("compare")
        assert isinstance(window, Compare)
        qtbot.waitUntil(lambda: len(window._found) == 1 + len(others), timeout=60_000)
        wait_idle(qtbot, main.document)
        return window

    return opened


def shown(window: Compare, title: str, row: int = 0) -> str:
    model = window.table.model
    titles = [column.title for column in model.columns]
    text = model.data(model.index(row, titles.index(title)))
    assert isinstance(text, str)
    return text


def choose(window: Compare, name: str, text: str) -> None:
    box = window.findChild(QComboBox, name)
    assert box is not None
    place = box.findText(text)
    assert place >= 0
    box.setCurrentIndex(place)
    box.activated.emit(place)


def offered(window: Compare) -> list[str]:
    box = window.findChild(QComboBox, "riskAxis")
    assert box is not None
    return [box.itemText(i) for i in range(box.count())]


def test_figures_are_of_all_tables_or_of_the_one_chosen(compared: Callable[..., Compare]) -> None:
    window = compared((REGIONS, AGES))
    tables = Session().derive(window.document.recipe).risk_tables
    first, second = (table.staircase.rate for table in tables)
    assert first != second
    found = window._found[window.current_name]
    assert found.all.before.individual is not None
    assert found.all.before.individual.rate == max(first, second)
    assert shown(window, "largest rate before") == f"{100 * max(first, second):.3f} %"
    assert "the largest of the alternative's tables" in window.pictures.map.title
    for table in tables:
        choose(window, "compareTable", " × ".join(table.combination.variables))
        assert shown(window, "rate before") == f"{100 * table.staircase.rate:.3f} %"
        rare = int(table.cells.count[table.cells.f < 3].sum())
        assert shown(window, "f < 3") == str(rare)
        assert window.pictures.map.title.endswith(" × ".join(table.combination.variables))
        figures = found.of(frozenset(table.combination.variables))
        assert figures is not None and figures.after.individual is not None
        assert window.pictures.map._points[0].risk == figures.after.individual.rate
        ((_name, bars),) = window.pictures.histograms._lines
        assert np.array_equal(bars.records, table.staircase.histogram(20).records)
        assert " × ".join(table.combination.variables) in window.pictures.histograms.title
    choose(window, "compareTable", "all tables of each alternative")
    ((_name, bars),) = window.pictures.histograms._lines
    of_records = np.fmax(*(table.risk[table.cell_index.of_record] for table in tables))
    assert bars.records.sum() == len(of_records)
    assert bars.edges[0] == pytest.approx(of_records.min())
    rarest = np.fmin(*(table.cells.f[table.cell_index.of_record] for table in tables))
    assert shown(window, "f < 10") == str(int((rarest < 10).sum()))


def test_every_alternative_is_a_point_whatever_its_models(compared: Callable[..., Compare]) -> None:
    window = compared((REGIONS, AGES), frequency=(FREQUENCY,), k=(ANONYMOUS,), both=(REGIONS, ANONYMOUS))
    assert [point.name for point in window.pictures.map._points] == window._order()
    assert len(window._order()) == 4
    assert offered(window) == [
        "Unsafe records before suppression",
        "Unsafe records after suppression",
        "Sample uniques before suppression",
    ]
    assert window.pictures.map.title == "records unsafe before suppression (%), by any of the alternative's own models"
    session = Session()
    for point in window.pictures.map._points:
        found = window._found[point.name]
        protection = session.protect(found.recipe)
        assert found.unsafe is not None
        assert point.risk == found.unsafe / found.records
        assert found.unsafe_after == protection.unsafe_left
    assert window._found["survey-frequency"].unsafe
    choose(window, "riskAxis", "Unsafe records after suppression")
    assert [point.risk for point in window.pictures.map._points] == [0.0] * 4
    assert "after suppression" in window.pictures.map.title
    choose(window, "riskAxis", "Sample uniques before suppression")
    for point in window.pictures.map._points:
        violations = window._found[point.name].all.violations
        assert violations is not None
        assert point.risk == violations[2] / window._found[point.name].records
    assert "not on the map" not in window.pictures.legend.text()


def test_rates_can_be_chosen_where_every_alternative_has_one(compared: Callable[..., Compare]) -> None:
    window = compared((REGIONS,), two=(REGIONS, AGES))
    assert offered(window)[0] == "Re-identification rate"
    choose(window, "compareTable", "AGE × EDUC")
    assert [point.name for point in window.pictures.map._points] == window._order()
    assert "Re-identification rate" not in offered(window)


def test_the_session_lies_upon_the_alternative_made_from_it(qtbot: QtBot) -> None:
    shown = UtilityMap(lambda _error: None)
    qtbot.addWidget(shown)
    shown.set_points([MapPoint("now", 0.01, 1000), MapPoint("kept", 0.01, 1000)], current=0)
    below, above = shown._scatter.points()
    assert (below.data(), above.data()) == (1, 0)
    assert above.symbol() == "d"
    assert above.size() < below.size()
    assert shown._names[0].toPlainText().split() == ["now", "kept"]


def test_names_on_the_map_do_not_hide_each_other(qtbot: QtBot) -> None:
    shown = UtilityMap(lambda _error: None)
    qtbot.addWidget(shown)
    shown.resize(500, 400)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_points(
        [MapPoint("one alternative", 0.01, 1000), MapPoint("another", 0.0115, 1010), MapPoint("x", 0.02, 5)]
    )
    rooms = [label.mapRectToScene(label.boundingRect()) for label in shown._names if label.isVisible()]
    assert len(rooms) == 3
    assert not any(a.intersects(b) for a, b in itertools.combinations(rooms, 2))


def test_a_long_name_on_the_map_is_shortened_rather_than_cut_off(qtbot: QtBot) -> None:
    shown = UtilityMap(lambda _error: None)
    qtbot.addWidget(shown)
    shown.resize(420, 400)
    shown.show()
    long = "alternative " * 12 + "end"
    shown.set_points([MapPoint(long, 0.02, 10.0, True), MapPoint("short", 0.01, 90.0, True)], 0)
    qtbot.wait(50)
    texts = [label.toPlainText().strip() for label in shown._names]
    assert "…" in texts[0] and texts[0].endswith("end") and texts[1] == "short"
    inside = shown.getPlotItem().vb.mapRectToScene(shown.getPlotItem().vb.boundingRect())
    room = shown._names[0].mapRectToScene(shown._names[0].boundingRect())
    assert inside.left() - 10 <= room.left() and room.right() <= inside.right() + 10
    assert long in shown.toolTip()


def test_a_name_that_fits_at_no_side_ends_at_the_edge_of_the_plot(qtbot: QtBot) -> None:
    long = "alternatives_that_nobody_has_given_a_short_name_indeed"
    shown = UtilityMap(lambda error: None)
    qtbot.addWidget(shown)
    shown.resize(360, 405)
    points = [MapPoint("Current session", 0.187, 15002), MapPoint(long, 0.125, 15732), MapPoint("strict", 0, 22511)]
    points += [MapPoint("another one", 0.125, 14000), MapPoint("another two", 0.135, 17000)]
    shown.set_points(points, 0, "rate", "")
    shown.show()
    shown.grab()  # the axes take their room when they are painted
    view = shown.getPlotItem().vb
    inside = view.mapRectToScene(view.boundingRect())
    for label in shown._names:
        room = label.mapRectToScene(label.boundingRect())
        assert inside.left() <= room.left() and room.right() <= inside.right(), label.toPlainText()
    name = shown._names[1].toPlainText().strip()
    assert name.startswith("alte") and name.endswith("deed") and "…" in name


def test_a_name_in_the_saved_map_ends_at_its_edge() -> None:
    points = [MapPoint("A" * 80, 0.5, 10), MapPoint("B", 1.0, 10.2), MapPoint("C" * 30, 0.0, 9.8)]
    said = re.findall(r">([^<]*)</text>", map_picture(points, 0, "Map", "rate"))
    drawn = next(each for each in said if each.startswith("AA"))
    assert 20 <= len(drawn) <= 80 and "…" in drawn
    assert "B" in said


def test_names_of_points_on_one_another_stand_below_each_other() -> None:
    points = [QPointF(50, 50), QPointF(150, 50), QPointF(51, 50)]
    places = name_places(points, [40, 40, 60], QRectF(0, 0, 300, 100))
    assert [place.points for place in places] == [(0, 2), (1,)]
    assert places[0].room.height() == 2 * places[1].room.height()
    assert not places[0].room.intersects(places[1].room)


def test_alternatives_with_the_same_risks_are_one_line_with_both_names(compared: Callable[..., Compare]) -> None:
    window = compared((REGIONS,), twin=(REGIONS,))
    items = window.pictures.histograms.getPlotItem().listDataItems()
    assert [item.name() for item in items] == ["Current session, survey-twin"]


@pytest.mark.parametrize("chart", ["riskUtilityMap", "overlaidHistograms"])
def test_both_charts_are_copied_saved_and_read_as_tables(
    qtbot: QtBot, compared: Callable[..., Compare], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chart: str
) -> None:
    window = compared((REGIONS,), two=(REGIONS, AGES))
    page = int(chart == "overlaidHistograms")
    window.pictures.setCurrentIndex(page)
    widget = window.findChild(QWidget, chart)
    assert widget is not None
    assert [action.text() for action in widget.actions()] == ["Figures as a &table", "&Copy picture", "&Save picture…"]
    _table, copy, save = widget.actions()
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_F4)
    dialog = window.findChild(QDialog, f"{chart}Figures")
    assert dialog is not None
    model = dialog.findChild(DataTable).model
    titles = [column.title for column in model.columns]
    if page:
        assert titles == ["Alternative", "risk from", "up to", "records"]
        assert sum(model.columns[3].values) == 2 * window._found[window.current_name].records
    else:
        assert titles[1:3] == [window.pictures.map.title, "loss by recoding and suppression (bits)"]
        assert model.columns[1].values == [point.risk for point in window.pictures.map._points]
    table = tmp_path / "figures.csv"
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: table)
    qtbot.mouseClick(dialog.findChild(QPushButton, "exportFigures"), Qt.MouseButton.LeftButton)
    assert next(csv.reader(table.read_text(encoding="utf-8-sig").splitlines())) == titles
    dialog.close()
    QGuiApplication.clipboard().clear()
    copy.trigger()
    assert not QGuiApplication.clipboard().image().isNull()
    for suffix in ("svg", "png"):
        path = tmp_path / f"picture.{suffix}"
        monkeypatch.setattr(dialogs, "save_file", lambda *_arguments, path=path: path)
        save.trigger()
    drawn = unescape((tmp_path / "picture.svg").read_text(encoding="utf-8"))
    assert all(name in drawn for name in window._order())
    assert (window.pictures.map.title if not page else window.pictures.histograms.title) in drawn
    assert not QImage(str(tmp_path / "picture.png")).isNull()


def test_a_click_selects_and_the_other_button_opens_the_menu(qtbot: QtBot, compared: Callable[..., Compare]) -> None:
    window = compared((REGIONS,), two=(AGES,))
    drawn = window.pictures.map
    place = next(i for i, point in enumerate(drawn._points) if point.name == "survey-two")
    point = drawn._points[place]
    at = drawn.mapFromScene(drawn.getPlotItem().vb.mapViewToScene(QPointF(100 * point.risk, point.loss)))
    qtbot.mouseClick(drawn.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: window.table.current_key == "survey-two")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, drawn.mapToGlobal(at))
    QApplication.sendEvent(drawn.viewport(), event)
    (menu,) = [menu for menu in drawn.findChildren(QMenu) if menu.isVisible()]
    assert [action.text() for action in menu.actions()] == [action.text() for action in drawn.actions()]
    menu.close()
