"""Utility: nothing before a plan, then variables, pairs and the user's own analyses before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from core.recipe.model import Analysis
from core.utility.distributions import VariableUtility
from gui.compare.window import Compare
from gui.help.window import page_of
from gui.main_window.window import MainWindow
from gui.theme import is_greyed, theme
from gui.utility.distribution_chart import MOST_CODES, DistributionChart
from gui.utility.window import Utility
from tests.gui.make_protected_file.hand import Hands, copy_survey, open_protecting
from tests.gui.test_tab_stops import is_seen, stops
from tests.gui.waiting import wait_idle


@pytest.fixture
def main(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    window = open_window(copy_survey(demo, tmp_path))
    wait_idle(qtbot, window.document)
    return window


def opened(qtbot: QtBot, main: MainWindow) -> Utility:
    main.menu_actions["actionUtility"].trigger()
    page = main.window_named("utility")
    assert isinstance(page, Utility)
    wait_idle(qtbot, main.document)
    return page


def previewed(qtbot: QtBot, main: MainWindow) -> Utility:
    page = opened(qtbot, main)
    button = page.findChild(QPushButton, "utilityEmptyButton")
    assert isinstance(button, QPushButton)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert not button.isVisible()
    return page


def type_own(qtbot: QtBot, page: Utility, kind: str, text: str) -> None:
    page.own.kind.setCurrentIndex(page.own.kind.findData(kind))
    page.own.text.setText(text)
    qtbot.keyClick(page.own.text, Qt.Key.Key_Return)
    wait_idle(qtbot, page.document)


def test_variables_and_pairs_after_a_preview(qtbot: QtBot, main: MainWindow) -> None:
    page = previewed(qtbot, main)
    names, distances = (page.variables.model.columns[at].values for at in (0, 1))
    assert list(distances) == sorted(distances, reverse=True)
    assert page.variables.current_key == names[0]
    assert page.told.text().startswith("Hellinger distance")
    assert page.distribution.figures()[1].title == "Original"
    shares = page.distribution.figures()[1].values
    assert sum(shares) == pytest.approx(1.0)
    page.variables.select(names[-1])
    assert page.distribution.accessibleName().startswith(names[-1])
    pairs = page.pairs.figures()
    assert len(pairs[0].values) == len(names) * (len(names) - 1) // 2
    page.figure.choose("propensity")
    assert "does not hold for suppression" in page.of_pairs.text()
    assert page_of("utility") == "utility"


def test_own_analyses_are_steps_of_the_session(qtbot: QtBot, main: MainWindow) -> None:
    page = previewed(qtbot, main)
    page.pages.setCurrentWidget(page.own)
    type_own(qtbot, page, "model", "INCOME AGE")
    assert "it needs one ~" in page.own.problem.text()
    type_own(qtbot, page, "table", "SEX, NOWHERE")
    assert page.own.problem.text().startswith("The file has no variable NOWHERE.")
    assert main.document.recipe.utility == ()
    type_own(qtbot, page, "table", "SEX, MARSTAT")
    assert not page.own.problem.isVisible()
    type_own(qtbot, page, "mean", "INCOME by SEX")
    type_own(qtbot, page, "model", "INCOME ~ SEX")
    entries = Analysis(table=("SEX", "MARSTAT")), Analysis(mean="INCOME", by=("SEX",)), Analysis(model="INCOME ~ SEX")
    assert main.document.recipe.utility == entries
    assert page.own.list.current_key == 3
    assert [pair.name for pair in page.own.chart._pairs] == ["(intercept)", "SEX[2]"]
    assert not page.own.cells.isVisible()
    page.own.list.select(1)
    assert page.own.cells.isVisible()
    assert page.own.told.text().startswith("Changed most: ")
    type_own(qtbot, page, "mean", "INCOME by SEX")
    assert page.own.problem.text() == "It stands in the list already."
    assert page.own.list.current_key == 2
    qtbot.mouseClick(page.own.remove, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert main.document.recipe.utility == (entries[0], entries[2])
    main.document.undo()
    wait_idle(qtbot, main.document)
    assert len(page.own.list.model.columns[0].values) == 3


def test_other_choices_grey_what_was_found_until_it_is_asked_again(qtbot: QtBot, main: MainWindow) -> None:
    page = previewed(qtbot, main)
    assert not page.preview.isEnabled()
    recipe = main.document.recipe
    changed = recipe.with_(suppression=replace(recipe.suppression, criterion="none"))
    main.document.commit("None", changed)
    wait_idle(qtbot, main.document)
    assert page.is_stale()
    assert page.variables.property("greyed")
    assert page.counted.text() == "The choices changed since: preview again."
    type_own(qtbot, page, "mean", "INCOME")
    assert page.own.list.model.columns[1].values == ["Mean of INCOME"]  # is listed, and compared with the rest
    assert page.is_stale()
    qtbot.mouseClick(page.preview, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert not page.is_stale()
    assert not page.variables.property("greyed")
    assert sum(page.variables.model.columns[3].values) == 0
    assert page.own.list.model.columns[4].values == [1.0]


def test_the_most_frequent_of_many_codes_are_drawn_and_all_are_listed(qtbot: QtBot) -> None:
    codes = tuple(str(number) for number in range(MOST_CODES + 1))
    shares = (0.0, *(1 / MOST_CODES for _code in codes[1:]))
    chart = DistributionChart()
    qtbot.addWidget(chart)
    chart.show_variable(
        VariableUtility("JOB", codes, (), (shares, shares), 0.0, (None, None), ((), ()), (0, 0), 0, 0, None)
    )
    assert chart._drawn_names == list(codes[1:])
    assert len(chart.figures()[0].values) == MOST_CODES + 1


def test_pictures_of_the_charts_can_be_read(qtbot: QtBot, main: MainWindow) -> None:
    page = previewed(qtbot, main)
    type_own(qtbot, page, "mean", "INCOME by SEX")
    for chart in (page.distribution, page.pairs, page.own.chart):
        svg = chart.picture()
        assert QSvgRenderer(svg.encode("utf-8")).isValid(), chart.objectName()
        assert chart.accessibleName() in svg


def test_preview_and_compare_lead_here(qtbot: QtBot, main: MainWindow) -> None:
    hands = Hands(open_protecting(main, qtbot), qtbot)
    assert not hands.window.panel.preserved.isVisible()
    hands.click("preview")
    hands.click("previewUtilityButton")
    page = main.window_named("utility")
    assert isinstance(page, Utility)
    assert page.variables.isVisible()  # its plan is known
    page.close()
    compare = main.windows.open_window("compare")
    assert isinstance(compare, Compare)
    wait_idle(qtbot, main.document)
    qtbot.mouseClick(compare.utility, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert main.window_named("utility") is not None


def preview_in_protect(qtbot: QtBot, main: MainWindow) -> None:
    """Make a preview on the page that plans the safe file."""
    hands = Hands(open_protecting(main, qtbot), qtbot)
    hands.click("preview")
    wait_idle(qtbot, main.document)


def assert_shown(main: MainWindow) -> None:
    """The page shows figures of the session as it is, and asks for no preview."""
    page = main.window_named("utility")
    assert isinstance(page, Utility)
    assert page.variables.isVisibleTo(page)
    assert not page.is_stale()
    assert not page.preview.isEnabled()
    assert not is_greyed(page.variables)


def test_a_page_that_waits_shows_the_preview_made_after(qtbot: QtBot, main: MainWindow) -> None:
    preview_in_protect(qtbot, main)  # what it commits is in the session, not yet what it finds
    recipe = main.document.recipe
    other = recipe.with_(suppression=replace(recipe.suppression, criterion="entropy"))
    main.document.commit("Other", other)
    wait_idle(qtbot, main.document)
    page = opened(qtbot, main)
    assert not page.variables.isVisibleTo(page), "nothing is planned yet"
    protecting = main.windows.open_window("makeProtectedFile")
    wait_idle(qtbot, main.document)
    assert main.document.recipe == other
    protecting.preview.click()
    wait_idle(qtbot, main.document)
    assert main.document.recipe == other, "no edit tells the page to look again"
    assert_shown(main)


def test_a_plan_of_another_page_is_a_preview_too(qtbot: QtBot, main: MainWindow) -> None:
    page = opened(qtbot, main)
    assert not page.variables.isVisibleTo(page)
    main.windows.open_window("compare")
    wait_idle(qtbot, main.document)
    assert_shown(main)


def test_an_edit_undone_has_its_preview_again(qtbot: QtBot, main: MainWindow) -> None:
    preview_in_protect(qtbot, main)
    document = main.document
    recipe = document.recipe
    document.commit("Other", recipe.with_(suppression=replace(recipe.suppression, criterion="entropy")))
    wait_idle(qtbot, document)
    page = opened(qtbot, main)
    assert not page.variables.isVisibleTo(page)
    document.undo()
    wait_idle(qtbot, document)
    assert_shown(main)
    document.redo()
    wait_idle(qtbot, document)
    assert page.is_stale()
    document.undo()
    wait_idle(qtbot, document)
    assert_shown(main)


def test_an_alternative_taken_over_has_its_preview(qtbot: QtBot, main: MainWindow) -> None:
    preview_in_protect(qtbot, main)
    opened(qtbot, main)
    document = main.document
    other = document.recipe.with_(suppression=replace(document.recipe.suppression, criterion="entropy"))
    compare = main.windows.open_window("compare", alternative="Other", recipe=other)
    assert isinstance(compare, Compare)
    wait_idle(qtbot, document)
    compare.table.select("Other")
    compare.take.click()
    wait_idle(qtbot, document)
    assert document.recipe.suppression.criterion == "entropy"
    assert_shown(main)


def test_a_session_opened_again_has_its_preview(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    preview_in_protect(qtbot, main)
    document = main.document
    document.save(tmp_path / "again.pavo")
    document.close()
    wait_idle(qtbot, document)
    document.open_session(tmp_path / "again.pavo")
    wait_idle(qtbot, document)
    opened(qtbot, main)
    assert_shown(main)


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Iterator[None]:
    theme.use(request.param)
    yield
    theme.use("light")


def test_every_stop_is_seen(qtbot: QtBot, main: MainWindow, scheme: None) -> None:
    page = previewed(qtbot, main)
    type_own(qtbot, page, "mean", "INCOME by SEX")
    page.window().activateWindow()
    QApplication.processEvents()
    names = []
    for at in range(page.pages.count()):
        page.pages.setCurrentIndex(at)
        page.variables.view.setFocus(Qt.FocusReason.TabFocusReason)
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):  # from the first Tab on Qt marks the focus
            QTest.keyClick(page.window().focusWidget(), key)
        found = [(stop.objectName(), is_seen(stop, page)) for stop in stops(page)]
        assert [name for name, seen in found if not seen] == []
        names += [name for name, _seen in found]
    wanted = {"utilityDistribution", "utilityPairs", "utilityIntervals", "ownKind", "ownText", "addOwn", "ownAnalyses"}
    assert wanted <= set(names)
