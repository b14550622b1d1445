"""What stands in windows is read in full, at the standard size and at the smallest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QTextImageFormat
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from core.recipe.edits_combinations import Draft
from gui.help.window import GUIDE, Help
from gui.main_window.window import MainWindow
from gui.select_combinations.automatic_dialog import AutomaticSpecification
from gui.shared.parts.card import Card
from gui.shared.table.data_table import DataTable, TableView
from gui.theme import theme
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]


def cut_off(place: QWidget) -> list[str]:
    """Texts of labels that have less room than they need."""
    return [
        label.text()
        for label in place.findChildren(QLabel)
        if label.isVisible()
        and not label.wordWrap()
        and label.text()
        and label.contentsRect().width() < max(map(label.fontMetrics().horizontalAdvance, _lines(label)))
    ]


def _lines(label: QLabel) -> list[str]:
    return label.text().replace("&", "").splitlines()


@pytest.mark.parametrize(
    ("session", "name"), [("survey.pavo", "riskChart"), ("survey-households.pavo", "householdRiskChart")]
)
def test_numbers_of_a_risk_chart_at_its_smallest(
    open_window: Open, qtbot: QtBot, demo: Path, session: str, name: str
) -> None:
    main = open_window(demo / session)
    window = main.windows.open_window(name)
    wait_idle(qtbot, main.document)
    window.resize(QSize(1, 1))
    QApplication.processEvents()  # what came last may have asked for more room
    groups = window.findChildren(Card)
    assert groups
    for group in groups:
        by_intent = [
            group.findChild(QLabel, name) for name in ("opinionLegend", "guidanceShort")
        ]  # tips have the whole
        left_out = {label.text() for label in by_intent if label is not None}
        assert [text for text in cut_off(group) if text not in left_out] == []


@pytest.mark.parametrize("size", [(1366, 768), (960, 540), (683, 384)])
def test_no_page_is_wider_than_it_may_be(open_window: Open, qtbot: QtBot, demo: Path, size: tuple[int, int]) -> None:
    main = open_window(demo / "survey-households.pavo")
    main.resize(*size)
    for name in ("specifyMetadata", "riskChart", "householdRiskChart", "globalRecode", "makeProtectedFile"):
        page = main.windows.open_window(name)
        wait_idle(qtbot, main.document)
        areas = [area for area in main.workspace.findChildren(QScrollArea) if area.isVisible()]
        assert areas
        qtbot.waitUntil(lambda areas=areas: not any(map(_too_wide, areas)), timeout=2000)
        page.close()


def _too_wide(area: QScrollArea) -> bool:
    """Whether what is scrolled needs more width than there is."""
    held = area.widget()
    return held is not None and held.minimumSizeHint().width() > area.viewport().width()


def test_headings_of_the_main_window_at_its_smallest(open_window: Open, demo: Path) -> None:
    main = open_window(demo / "survey.pavo")
    main.resize(QSize(1, 1))
    QApplication.processEvents()
    tables = main.overview.findChildren(DataTable)
    assert tables
    heading = main.overview.variables.title
    assert heading.width() >= heading.fontMetrics().horizontalAdvance(heading.text())
    assert all(table.filter.width() >= 60 for table in tables)


def test_titles_of_the_guide(open_window: Open) -> None:
    guide = open_window().windows.open_window("help")
    assert isinstance(guide, Help)
    assert guide.list.count() > 10
    assert guide.list.viewport().width() >= guide.list.sizeHintForColumn(0)


def test_a_picture_of_the_guide_leaves_no_gap_below_it(open_window: Open) -> None:
    guide = open_window().windows.open_window("help", page="overview")
    assert isinstance(guide, Help)
    text = guide.view.document()
    pictures = _pictures(guide)
    for block, shape in pictures.items():
        shown = text.resource(2, guide.view.source().resolved(shape.name()))
        height = shown.height() / shown.devicePixelRatio()
        assert text.documentLayout().blockBoundingRect(text.findBlock(block)).height() <= height + 30
    assert pictures
    assert any("![" in page.read_text("utf-8") for page in GUIDE.glob("*.md"))


def _lightness(picture: QImage) -> float:
    small = picture.scaled(8, 8, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    shades = sorted(small.pixelColor(x, y).lightnessF() for x in range(8) for y in range(8))
    return shades[len(shades) // 2]


def _pictures(guide: Help) -> dict[int, QTextImageFormat]:
    """Pictures that are paragraphs of their own, by their place."""
    block = guide.view.document().begin()
    found: dict[int, QTextImageFormat] = {}
    while block.isValid():
        if block.length() > 1 and (shape := block.begin().fragment().charFormat().toImageFormat()).isValid():
            found[block.position()] = shape
        block = block.next()
    return found


def test_the_title_of_automatic_specification_fits_its_window(qtbot: QtBot) -> None:
    dialog = AutomaticSpecification(["A", "B"], [1, 1], Draft())
    qtbot.addWidget(dialog)
    buttons = 150
    assert dialog.fontMetrics().horizontalAdvance(dialog.windowTitle()) + buttons <= dialog.minimumWidth()


def test_pictures_of_the_guide_are_dark_in_the_dark_theme(open_window: Open) -> None:
    guide = open_window().windows.open_window("help", page="overview")
    assert isinstance(guide, Help)
    try:
        shades = []
        for name in ("light", "dark", "light"):
            theme.use(name)
            pictures = [shape.name() for shape in _pictures(guide).values()]
            assert pictures
            text = guide.view.document()
            shown = [text.resource(2, guide.view.source().resolved(picture)) for picture in pictures]
            shades.append([_lightness(picture) for picture in shown])
    finally:
        theme.use("light")
    assert max(shades[1]) < 0.4 < min(shades[0])
    assert shades[0] == shades[2]


def test_numerical_variables_are_marked_to_the_edge_and_numbers_stand_alike(open_window: Open, demo: Path) -> None:
    main = open_window(demo / "survey.pavo")
    window = main.windows.open_window("numericalVariables")
    table = window.findChild(TableView, "numericVariables")
    assert table is not None
    assert table.model().columnCount() == 3
    assert table.columnViewportPosition(2) + table.columnWidth(2) >= table.viewport().width() - 1
    boxes = [window.findChild(QLineEdit, name) for name in ("topValue", "topReplacement")]
    assert len({box.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask for box in boxes if box is not None}) == 1
