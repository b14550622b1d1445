"""Compare: alternatives beside the session, their figures, the risk-utility map."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from core.recipe.edits import with_individual_threshold
from core.recipe.model import Analysis
from core.session import Session
from core.whatif import alternatives
from core.whatif.recode_effect import comparable_loss
from gui import dialogs
from gui.compare.columns import PROFILE
from gui.compare.pages import _AXES
from gui.compare.pictures import MapPoint
from gui.compare.window import Compare
from gui.main_window.window import MainWindow
from gui.theme import theme
from tests.gui.buttons import press
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def main_window(qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path) -> MainWindow:
    for source in demo.iterdir():
        if source.is_file() and source.suffix not in (".py", ".pavo"):
            shutil.copy(source, tmp_path)
    shutil.copy(demo / "survey.pavo", tmp_path)
    return open_window(tmp_path / "survey.pavo")


@pytest.fixture
def window(qtbot: QtBot, main_window: MainWindow) -> Compare:
    made = main_window.windows.open_window("compare")
    assert isinstance(made, Compare)
    qtbot.waitUntil(lambda: made.table.model.rowCount() >= 1, timeout=30_000)
    wait_idle(qtbot, main_window.document)
    return made


def keep(qtbot: QtBot, window: Compare, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: path)
    press(qtbot, window, "keepAlternative")
    qtbot.waitUntil(lambda: path.stem in window._found, timeout=30_000)
    wait_idle(qtbot, window.document)


def test_figures_are_those_of_the_plan(window: Compare) -> None:
    session = Session()
    protection = session.protect(window.document.recipe)
    derived = protection.derived
    (found,) = window._found.values()
    assert found.suppressions == protection.plan.total
    assert found.unsafe == derived.tables[0].staircase.unsafe(derived.tables[0].threshold)  # type: ignore[union-attr]
    counted = {name: protection.plan.by_variable.get(name, 0) for name in ("REGION", "SEX", "AGE", "MARSTAT", "EDUC")}
    assert found.loss == pytest.approx(comparable_loss(derived, {**counted, "OCCUP": 0}), rel=1e-12)
    before, after = found.all.before.individual, found.all.after.individual
    assert before is not None and after is not None
    assert after.rate < before.rate


def test_an_alternative_is_kept_compared_and_taken_over(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = window.document
    before = document.recipe
    keep(qtbot, window, tmp_path / "survey-strict.pavo", monkeypatch)
    document.commit("Loose", with_individual_threshold(replace(before, recodes=before.recodes[:1]), 0, 0.09))
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: window._found[window.current_name].recipe == document.recipe, timeout=30_000)
    strict, loose = window._found["survey-strict"], window._found[window.current_name]
    assert strict.suppressions != loose.suppressions
    assert [each.name for each in window.pictures.drawn()] == [window.current_name, "survey-strict"]
    assert window.table.select("survey-strict")
    press(qtbot, window, "takeOver")
    wait_idle(qtbot, document)
    assert document.recipe.recodes == before.recodes
    assert document.session.history.undo_label == "Use survey-strict"


def opened_beside(qtbot: QtBot, main_window: MainWindow, folder: Path, prefix: str, broken: str) -> Compare:
    """The window, with a session of the same data beside this one, one of other data and one that cannot be read."""
    shutil.copy(folder / "survey.pavo", folder / f"{prefix}two.pavo")
    (folder / f"{prefix}broken.pavo").write_text(broken, encoding="utf-8")
    shutil.copy(folder / "survey.csv", folder / "other.csv")
    (folder / f"{prefix}other.pavo").write_text('recipe = 1\n[input]\ndata = "other.csv"\n', encoding="utf-8")
    window = main_window.windows.open_window("compare")
    assert isinstance(window, Compare)
    qtbot.waitUntil(lambda: f"{prefix}two" in window._found, timeout=30_000)
    wait_idle(qtbot, main_window.document)
    return window


def test_alternatives_beside_the_session_are_found_and_others_explained(
    qtbot: QtBot, main_window: MainWindow, tmp_path: Path
) -> None:
    window = opened_beside(qtbot, main_window, tmp_path, "survey-", "recipe = 1\nnonsense = 2\n")
    assert "nonsense" in window._problems["survey-broken"]
    assert "another data file" in window._problems["survey-other"]
    assert window.table.select("survey-other")
    press(qtbot, window, "removeAlternative")
    assert "survey-other" not in window._order()
    assert (tmp_path / "survey-other.pavo").exists()


def test_a_session_without_threshold_has_a_remark_and_a_hollow_point(qtbot: QtBot, window: Compare) -> None:
    document = window.document
    none = replace(document.recipe.threshold, individual_risk=None)
    output = replace(document.recipe.output, data=None)
    document.commit("No threshold", replace(document.recipe, threshold=none, output=output))
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: window._found[window.current_name].recipe == document.recipe, timeout=30_000)
    (found,) = window.pictures.drawn()
    assert not found.protected
    assert found.unsafe is None
    assert found.all.before.individual is not None
    assert found.risk("rate") == found.all.before.individual.rate
    assert (window.pictures.axis, window.pictures.map._points) == (
        "rate",
        [MapPoint(window.current_name, found.all.before.individual.rate, found.loss, protected=False)],
    )
    (spot,) = window.pictures.map._scatter.points()
    assert spot.brush().color() == QColor(theme.scheme.surface)
    assert "without suppression" in window.pictures.legend.text()
    assert "threshold" in window._problems[window.current_name]


def test_the_profile_and_all_figures_stand_in_the_table(window: Compare) -> None:
    model = window.table.model
    titles = [column.title for column in model.columns]
    assert titles == [
        "Alternative", "unsafe", "unsafe after", "suppressions", "suppression loss (bits)", "total loss (bits)",
        "rate before", "rate after", "household rate before", "household rate after",
        "largest household risk before", "largest household risk after",
        "f < 2", "f < 3", "f < 5", "f < 10", "Recodes", "Combinations", "Remark",
    ]  # fmt: skip
    plan = Session().protect(window.document.recipe).plan
    assert model.data(model.index(0, 4)) == f"{plan.entropy_loss:.1f}"
    assert "in bits" in model.columns[5].tooltip.lower()
    derived = Session().derive(window.document.recipe)
    cells = derived.risk_tables[0].cells
    for k in PROFILE:
        shown = model.data(model.index(0, titles.index(f"f < {k}")))
        assert shown == f"{int(cells.count[cells.f < k].sum()):,}"
    assert PROFILE == alternatives.PROFILE
    assert tuple(_AXES) == alternatives.AXES


def test_alternative_gets_the_suffix_of_sessions_and_replaces_nothing_unasked(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: tmp_path / "wave.2025")
    answers = iter((1, 0))
    monkeypatch.setattr(dialogs, "ask", lambda *_arguments: next(answers))
    kept = tmp_path / "wave.2025.pavo"
    press(qtbot, window, "keepAlternative")
    qtbot.waitUntil(lambda: "wave.2025" in window._found, timeout=30_000)
    wait_idle(qtbot, window.document)
    assert not (tmp_path / "wave.2025").exists()
    kept.write_text("mine", encoding="utf-8")
    press(qtbot, window, "keepAlternative")
    assert kept.read_text(encoding="utf-8") == "mine"
    press(qtbot, window, "keepAlternative")
    assert kept.read_text(encoding="utf-8") != "mine"
    wait_idle(qtbot, window.document)


def test_kept_alternatives_are_listed_again_and_removed_ones_are_not(
    qtbot: QtBot, main_window: MainWindow, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "other folder"
    elsewhere.mkdir()
    for path in (tmp_path / "five.pavo", elsewhere / "six.pavo", elsewhere / "five.pavo"):
        monkeypatch.setattr(dialogs, "save_file", lambda *_arguments, path=path: path)
        press(qtbot, window, "keepAlternative")
    names = ["five", "six", f"five ({elsewhere})"]
    qtbot.waitUntil(lambda: set(names) <= set(window._found), timeout=30_000)
    assert window.table.select("six")
    press(qtbot, window, "removeAlternative")
    window.close()
    main_window.windows.open_window("compare")
    again = main_window.window_named("compare")
    assert isinstance(again, Compare)
    qtbot.waitUntil(lambda: {"five", names[2]} <= set(again._found), timeout=30_000)
    wait_idle(qtbot, main_window.document)
    assert again._order() == [again.current_name, "five", names[2]]


def test_sessions_about_the_same_data_beside_this_one_are_offered(
    qtbot: QtBot, main_window: MainWindow, tmp_path: Path
) -> None:
    window = opened_beside(qtbot, main_window, tmp_path, "", "nonsense")
    assert window._order() == [window.current_name, "two"]


def test_under_a_household_threshold_the_figures_are_those_of_households(
    qtbot: QtBot, open_window: Callable[..., MainWindow], demo: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "homes"
    folder.mkdir()
    for source in demo.iterdir():
        if source.is_file() and (source.suffix != ".pavo" or source.stem == "survey-households"):
            shutil.copy(source, folder)
    main = open_window(folder / "survey-households.pavo")
    window = main.windows.open_window("compare")
    assert isinstance(window, Compare)
    qtbot.waitUntil(lambda: window.current_name in window._found, timeout=60_000)
    wait_idle(qtbot, main.document)
    found = window._found[window.current_name]
    assert main.document.derived is not None
    household = main.document.derived.risk_tables[0].household
    assert household is not None
    before, after = found.all.before.household, found.all.after
    assert before is not None and after.household is not None and after.individual is not None
    assert (before.rate, before.max_risk) == (household.staircase.rate, household.staircase.max_risk)
    assert after.household.max_risk < 0.1 < household.staircase.max_risk
    shown = {column.title: column.values for column in window.table.model.columns}
    assert shown["household rate before"] == [before.rate]
    assert shown["largest household risk after"] == [after.household.max_risk]
    titles = [column.title for column in window.table.model.columns]
    assert titles[8:12] == [
        "household rate before", "household rate after",
        "largest household risk before", "largest household risk after",
    ]  # fmt: skip
    assert "household" in window.pictures.map.getAxis("bottom").labelText
    assert window.pictures.map._points[0].risk == after.household.rate != after.individual.rate


def test_keeping_onto_the_open_session_is_refused_and_offers_save(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = window.document
    own = tmp_path / "survey.pavo"
    before = own.read_bytes()
    document.commit("Loose", with_individual_threshold(document.recipe, 0, 0.09))
    wait_idle(qtbot, document)
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: tmp_path / "." / "survey.pavo")
    press(qtbot, window, "keepAlternative")
    assert "the open session's own file" in window.messages.text
    assert own.read_bytes() == before
    wait_idle(qtbot, document)
    assert window._order() == [window.current_name]
    assert document.session.modified
    press(qtbot, window, "messageOffer1")
    assert own.read_bytes() != before
    assert not document.session.modified
    assert window.messages.text == ""


def test_a_message_goes_with_the_next_thing_that_works(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "open_file", lambda *_arguments: tmp_path / "survey.pavo")
    press(qtbot, window, "addAlternative")
    assert "in the list already" in window.messages.text
    assert window._order() == [window.current_name]
    keep(qtbot, window, tmp_path / "survey-2.pavo", monkeypatch)
    assert window.messages.text == ""
    monkeypatch.setattr(dialogs, "save_file", lambda *_arguments: tmp_path / "no folder" / "x.pavo")
    press(qtbot, window, "keepAlternative")
    assert window.messages.text != ""
    assert window.table.select("survey-2")
    press(qtbot, window, "removeAlternative")
    assert window.messages.text == ""


def test_an_alternative_that_the_session_is_saved_as_is_listed_once(
    qtbot: QtBot, window: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(qtbot, window, tmp_path / "survey-2.pavo", monkeypatch)
    assert window._order() == [window.current_name, "survey-2"]
    window.document.save(tmp_path / "survey-2.pavo")
    assert window._order() == [window.current_name]
    assert window.table.model.rowCount() == 1


def test_names_are_in_view_wherever_the_table_is_scrolled_to(window: Compare, qtbot: QtBot) -> None:
    window.resize(1000, 560)
    view = window.table.view
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() > 300)
    (names,) = view.findChildren(QTableView)
    assert not names.isVisible()
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    assert names.isVisible()
    assert names.indexAt(QPoint(5, 5)).data() == "Current session"


def test_what_alternatives_lose_is_computed_when_it_is_asked_for(
    qtbot: QtBot, window: Compare, main_window: MainWindow
) -> None:
    document = main_window.document
    strict = with_individual_threshold(document.recipe, 0, 0.01)
    document.amend(document.recipe.with_(utility=(Analysis(table=("EDUC",), goal=1e-6), Analysis(mean="INCOME"))))
    window.show_for("strict", strict)
    wait_idle(qtbot, document)
    columns = len(window.table.model.columns)
    box = window.pictures._upwards
    assert box.count() == 1 and box.currentData() is None, "nothing is computed by itself"
    press(qtbot, window, "computeUtility")
    wait_idle(qtbot, document)
    assert len(window.table.model.columns) > columns
    there = {column.title: list(column.values) for column in window.table.model.columns}
    now, other = there["own analyses, mean change"]
    assert 0 < now < other, "the stricter one loses more"
    assert there["goals kept"] == ["0 of 1", "0 of 1"]
    box.setCurrentIndex(box.findData("own-change"))
    box.activated.emit(box.currentIndex())
    points = window.pictures.map._points
    assert [point.loss for point in points] == pytest.approx([100 * now, 100 * other])
    assert "own analyses" in window.pictures.map._upwards and "recodes apart" in window.pictures.legend.text()
    document.amend(with_individual_threshold(document.recipe, 0, 0.02))
    wait_idle(qtbot, document)
    there = {column.title: list(column.values) for column in window.table.model.columns}
    assert there["own analyses, mean change"][0] is None, "what was computed is of other choices"
