"""A folder of parts opens like a file, and what is made of it in the windows is what the command makes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.batch import main as run
from core.recipe.model import Analysis, Combination, Output, Recipe, Threshold, VariableEdit
from core.utility.own_tables import ComparedTable
from gui.browse.model import CHANGE
from gui.browse.safe_file_window import BrowseSafeFile
from gui.document.document import Document
from gui.main_window.window import MainWindow
from gui.shared.windows import reason_against
from tests.core.parts.files import NAMES, SurveyInParts, records
from tests.core.parts.test_households import SHARED, divided, homes
from tests.gui.make_protected_file.hand import keep_all
from tests.gui.waiting import wait_idle

Open = Callable[..., MainWindow]
ROWS = records(240)
FEW = records(60)
"""Soon searched, again and again."""
KEYS = ("REGION", "SEX", "AGE")


@pytest.fixture
def parts(tmp_path: Path) -> SurveyInParts:
    survey = SurveyInParts(tmp_path)
    survey.split(ROWS, 3)
    return survey


def page(window: MainWindow, name: str, **arguments: Any) -> Any:
    return window.windows.open_window(name, **arguments)


def open_folder(window: MainWindow, qtbot: QtBot, text: str) -> None:
    chooser = page(window, "openMicrodata")
    chooser.check.setChecked(False)
    chooser.findChild(QLineEdit, "dataPath").setText(text)
    button = chooser.findChild(QPushButton, "accept")
    qtbot.waitUntil(lambda: chooser._look is not None and not chooser._looking, timeout=20_000)
    assert "first of 3 parts" in chooser.findChild(QLabel, "openState").text()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)


def with_keys(recipe: Recipe) -> Recipe:
    weight = VariableEdit("WEIGHT", role="weight")
    risk = Combination(KEYS, model="individual-risk")
    return recipe.with_(variables=(weight,), combinations=(risk,), threshold=Threshold(individual_risk=0.02))


def commit(window: MainWindow, qtbot: QtBot, recipe: Recipe) -> None:
    window.document.commit("Test", recipe)
    wait_idle(qtbot, window.document)


@pytest.mark.usefixtures("hurried")
def test_from_a_folder_to_a_verified_safe_folder(
    open_window: Open, qtbot: QtBot, tmp_path: Path, answers: list[int]
) -> None:
    parts = SurveyInParts(tmp_path)
    parts.split(FEW, 3)
    window = open_window()
    open_folder(window, qtbot, str(parts.folder / "parts"))
    document = window.document
    assert document.session.error is None
    assert document.derived is not None and document.derived.records == len(FEW)
    commit(window, qtbot, with_keys(document.recipe))
    keep_all(window, qtbot)
    assert document.session.error is None
    chart = page(window, "riskChart")
    wait_idle(qtbot, document)
    assert int(chart.findChild(QLineEdit, "unsafeRecords").text()) > 0
    for name in ("globalRecode", "selectCombinations", "showTables", "compare", "riskLaboratory", "specifyMetadata"):
        page(window, name)
        wait_idle(qtbot, document)
        assert document.session.error is None, name
        assert not window.messages.text, (name, window.messages.text)
    protecting = page(window, "makeProtectedFile")
    wait_idle(qtbot, document)
    assert document.recipe.output.data is None
    assert protecting.findChild(QLineEdit, "outputPath").text() == str(parts.folder / "parts_safe")
    qtbot.mouseClick(protecting.findChild(QPushButton, "preview"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: protecting.panel.filled, timeout=20_000)
    assert document.recipe.suppression.mode == "released-keys"
    qtbot.mouseClick(protecting.findChild(QPushButton, "makeFile"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    assert "written and verified" in protecting.messages.text
    safe = parts.folder / "parts_safe"
    assert sorted(path.name for path in safe.iterdir()) == ["manifest.json", "p000.csv", "p001.csv", "p002.csv"]
    assert "done" in window.steps.button("Protect").accessibleName()
    planned = json.loads((parts.folder / "parts_safe.json").read_text("utf-8"))["suppression"]["total"]
    assert protecting._previewed is not None
    assert document.session.released.protection.plan.total == planned > 0

    document.save(parts.folder / "session.pavo")
    assert 'data = "parts"' in (parts.folder / "session.pavo").read_text("utf-8")
    made = {path.name: path.read_bytes() for path in safe.iterdir()}
    (again := parts.folder / "again").mkdir()
    assert run([str(parts.folder / "session.pavo"), "--out", str(again), "--quiet"]) == 0
    assert {path.name: path.read_bytes() for path in (again / "parts_safe").iterdir()} == made
    assert (again / "parts_safe.rds").read_bytes() == (parts.folder / "parts_safe.rds").read_bytes()


@pytest.fixture
def protected(open_window: Open, qtbot: QtBot, parts: SurveyInParts) -> MainWindow:
    """The parts, opened by a recipe that names them by a pattern."""
    session = parts.folder / "session.pavo"
    text = 'recipe = 1\n[input]\ndata = "parts/*.csv"\n[variables.WEIGHT]\nrole = "weight"\n'
    text += '[[combinations]]\nvariables = ["REGION", "SEX", "AGE"]\n[threshold]\nindividual_risk = 0.02\n'
    session.write_text(text, encoding="utf-8")
    window = open_window(session)
    assert window.document.derived is not None
    return window


def test_a_pattern_stays_what_the_session_says(protected: MainWindow, parts: SurveyInParts) -> None:
    protected.document.save()
    assert 'data = "parts/*.csv"' in (parts.folder / "session.pavo").read_text("utf-8")
    assert protected.document.derived is not None
    assert protected.document.derived.records == len(ROWS)


def test_several_files_are_typed_in_quotation_marks(open_window: Open, qtbot: QtBot, parts: SurveyInParts) -> None:
    paths = sorted((parts.folder / "parts").iterdir())
    window = open_window()
    open_folder(window, qtbot, " ".join(f'"{path}"' for path in paths))
    assert window.document.recipe.input.parts == tuple(paths)
    assert window.document.derived is not None and window.document.derived.records == len(ROWS)


def test_each_difference_of_the_parts_is_said_before_they_are_opened(
    open_window: Open, qtbot: QtBot, parts: SurveyInParts
) -> None:
    parts.write(parts.folder / "parts" / "p001.csv", [row[:-1] for row in ROWS[:9]], NAMES[:-1])
    parts.write(parts.folder / "parts" / "p002.csv", [(*row, "1") for row in ROWS[:9]], (*NAMES, "MORE"))
    chooser = page(open_window(), "openMicrodata")
    chooser.findChild(QLineEdit, "dataPath").setText(str(parts.folder / "parts"))
    qtbot.waitUntil(lambda: chooser._look is not None and not chooser._looking, timeout=20_000)
    said = chooser.findChild(QLabel, "dataPathMessage").text()
    assert "The part p001.csv has no variable HAND, which p000.csv has." in said
    assert "The part p002.csv has a variable MORE, which p000.csv has not." in said
    assert not chooser.findChild(QPushButton, "accept").isEnabled()


@pytest.mark.parametrize("name", ["perturb", "exportForSdcMicro", "exportForMuArgus"])
def test_what_needs_all_records_says_so(name: str, protected: MainWindow) -> None:
    action = protected.menu_actions.windows[name]
    assert not action.isEnabled()
    reason = "values among the records of all parts." if name == "perturb" else "the records of all parts at once."
    assert action.toolTip().endswith(reason)
    assert reason_against(name, protected.document) == action.toolTip()


def test_own_analyses_are_made_of_all_parts(protected: MainWindow, qtbot: QtBot) -> None:
    document, entry = protected.document, Analysis(table=("SEX", "JOB"))
    document.commit("Test", document.recipe.with_(utility=(entry,)))
    utility = page(protected, "utility")
    wait_idle(qtbot, document)
    assert "distributions" not in utility.findChild(QLabel, "utilityEmptyText").text()
    qtbot.mouseClick(utility.findChild(QPushButton, "utilityEmptyButton"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    qtbot.waitUntil(lambda: utility._found is not None, timeout=20_000)
    (found,) = utility._found.own
    assert isinstance(found, ComparedTable)
    assert sum(found.before) == pytest.approx(sum(float(row[4]) for row in ROWS if row[3]))
    assert utility.pages.currentWidget() is utility.own
    assert [utility.pages.isTabVisible(place) for place in range(3)] == [False, False, True]
    assert utility.counted.text().startswith("Of a file in parts, only your own analyses are compared.")


def test_choices_that_need_all_records_are_disabled(protected: MainWindow, qtbot: QtBot) -> None:
    reason = "it needs the records of all parts at once."
    protecting = page(protected, "makeProtectedFile")
    wait_idle(qtbot, protected.document)
    shuffle = protecting.findChild(QCheckBox, "shuffle")
    assert not shuffle.isEnabled() and "records would move from one part to another." in shuffle.toolTip()
    laboratory = page(protected, "riskLaboratory")
    wait_idle(qtbot, protected.document)
    run_button = laboratory.findChild(QPushButton, "runMeasure")
    laboratory._choose("record-linkage")
    assert not run_button.isEnabled() and reason in run_button.toolTip()
    laboratory._choose("frequencies")
    assert run_button.isEnabled()


def test_profiles_are_said_to_be_those_of_the_first_part(protected: MainWindow, qtbot: QtBot) -> None:
    specify = page(protected, "specifyMetadata")
    wait_idle(qtbot, protected.document)
    heading = specify.findChild(QLabel, "profileHeading")
    qtbot.waitUntil(lambda: "Profile of" in heading.text(), timeout=20_000)
    assert heading.text() == "Profile of REGION in the first part"


def test_households_are_judged_in_their_chart_and_protected(
    open_window: Open, qtbot: QtBot, tmp_path: Path, answers: list[int]
) -> None:
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(80), 3)
    session = tmp_path / "session.pavo"
    session.write_text(SHARED.format(data='"parts"', out="safe").partition("[output]")[0], encoding="utf-8")
    window = open_window(session)
    assert window.document.session.error is None
    chart = page(window, "householdRiskChart")
    wait_idle(qtbot, window.document)
    assert 0 < int(chart.findChild(QLineEdit, "unsafeHouseholds").text()) < 80
    keep_all(window, qtbot)
    protecting = page(window, "makeProtectedFile")
    wait_idle(qtbot, window.document)
    qtbot.mouseClick(protecting.findChild(QPushButton, "makeFile"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window.document)
    assert "written and verified" in protecting.messages.text
    written = [row for i in range(3) for row in survey.read(tmp_path / "parts_safe" / f"p{i:03}.csv")]
    before = [person for home in homes(80) for person in home]
    assert [row[0] for row in written] == [row[0] for row in before] and written != before
    beside = page(window, "browseSafeFile")
    wait_idle(qtbot, window.document)
    assert beside.safe.records.rowCount() == len(before) and not beside.messages.text


def test_noise_is_offered_on_the_weight_of_parts_with_households(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    survey = SurveyInParts(tmp_path)
    divided(survey, homes(40), 2)
    session = tmp_path / "session.pavo"
    session.write_text(SHARED.format(data='"parts"', out="safe").partition("[output]")[0], encoding="utf-8")
    window = open_window(session)
    numbers = page(window, "numericalVariables", variable="WEIGHT")
    wait_idle(qtbot, window.document)
    noise = numbers.findChild(QLineEdit, "weightNoise")
    assert noise.isVisible() and noise.isEnabled()


def change_a_part(parts: SurveyInParts) -> None:
    parts.write(parts.folder / "parts" / "p001.csv", ROWS[:7])


def test_a_part_that_changed_is_said_and_read_again(
    protected: MainWindow, qtbot: QtBot, parts: SurveyInParts, answers: list[int]
) -> None:
    document, before = protected.document, protected.document.derived
    assert before is not None
    change_a_part(parts)
    commit(protected, qtbot, document.recipe.with_(combinations=(Combination(("JOB", "HAND")),)))
    assert document.session.error is not None and document.session.error.id == "data-changed"
    assert "p001.csv" in protected.messages.text
    qtbot.mouseClick(protected.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    assert document.session.error is None and document.derived is not None
    assert document.derived.records < before.records


def test_no_file_is_made_of_parts_that_changed(
    protected: MainWindow, qtbot: QtBot, parts: SurveyInParts, answers: list[int]
) -> None:
    keep_all(protected, qtbot)
    protecting = page(protected, "makeProtectedFile")
    wait_idle(qtbot, protected.document)
    change_a_part(parts)
    qtbot.mouseClick(protecting.findChild(QPushButton, "makeFile"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, protected.document)
    assert "p001.csv" in protecting.messages.text
    assert not (parts.folder / "parts_safe").exists()


def test_browse_opens_the_parts_that_it_shows(protected: MainWindow, qtbot: QtBot, parts: SurveyInParts) -> None:
    browse = page(protected, "browseData")
    wait_idle(qtbot, protected.document)
    model = browse.view.records
    assert model.rowCount() == len(ROWS)
    assert browse.count.text() == "240 records in 3 parts"
    assert list(browse._in_parts._open) == [0]
    assert not browse.export.isEnabled() and "Exporting records" in browse.export.toolTip()
    whole = [row for part in sorted((parts.folder / "parts").iterdir()) for row in parts.read(part)]

    def shown(row: int) -> tuple[str, ...]:
        return tuple(model.index(row, column).data() for column in range(model.columnCount()))

    assert shown(0) == whole[0]
    last = len(ROWS) - 1
    assert set(shown(last)) == {"…"}
    qtbot.waitUntil(lambda: shown(last) == whole[last], timeout=20_000)
    assert model.headerData(last, Qt.Orientation.Vertical) == "240"

    browse.filter.setText("SEX=1")
    browse._choose()
    wait_idle(qtbot, protected.document)
    found = [number for number, row in enumerate(whole) if row[1] == "1"]
    assert [model.place(row) for row in range(model.rowCount())] == found
    assert browse.count.text() == f"{len(found)} of 240 records"
    qtbot.waitUntil(lambda: shown(len(found) - 1) == whole[found[-1]], timeout=20_000)
    browse._go_to(found[40])
    assert browse.view.currentIndex().row() == 40
    names = [path.name for path in sorted((parts.folder / "parts").iterdir()) for _ in parts.read(path)]
    assert browse.part.text() == f"Record {found[40] + 1} (in {names[found[40]]})"

    browse.filter.clear()
    browse._choose()
    assert model.rowCount() == len(ROWS)
    browse.view.horizontalHeader().setSortIndicator(1, Qt.SortOrder.AscendingOrder)
    assert "Sorting cannot be carried out on a file in parts" in browse.messages.text
    assert "open a part alone" in browse.messages.text
    assert browse.view.horizontalHeader().sortIndicatorSection() == -1


@pytest.fixture
def safe(protected: MainWindow, qtbot: QtBot, parts: SurveyInParts) -> BrowseSafeFile:
    """The safe file beside the original, of which the first part is open."""
    document = protected.document
    keep_all(protected, qtbot)
    commit(protected, qtbot, document.recipe.with_(output=Output(data=parts.folder / "safe")))
    document.make_protected_file()
    wait_idle(qtbot, document)
    assert reason_against("browseSafeFile", document) == ""
    found: BrowseSafeFile = page(protected, "browseSafeFile")
    wait_idle(qtbot, document)
    return found


def all_rows(parts: SurveyInParts, folder: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """The records of all parts, and the name of each one's part."""
    paths = sorted(path for path in (parts.folder / folder).iterdir() if path.suffix == ".csv")
    both = [(row, path.name) for path in paths for row in parts.read(path)]
    return [row for row, _ in both], [name for _, name in both]


def press(browse: BrowseSafeFile, qtbot: QtBot, name: str) -> int:
    """Press a button; the record that is gone to."""
    qtbot.mouseClick(browse.findChild(QPushButton, name), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, browse.document)
    return browse.safe.records.place(browse.safe.currentIndex().row())


def test_the_safe_file_in_parts_stands_beside_the_original(
    safe: BrowseSafeFile, qtbot: QtBot, parts: SurveyInParts
) -> None:
    (before, names), (after, _) = all_rows(parts, "parts"), all_rows(parts, "safe")
    touched = [i for i in range(len(ROWS)) if before[i] != after[i]]
    assert len({names[i] for i in touched}) == 3
    assert safe.original_title.text() == "Original: parts" and safe.safe_title.text() == "Safe file: safe"
    assert list(safe._beside._open) == [0]

    visited = [0] if 0 in touched else []
    visited += [press(safe, qtbot, "nextSuppressed") for _ in touched[len(visited) :]]
    assert visited == touched
    said = safe.findChild(QLabel, "recordChanges")
    qtbot.waitUntil(lambda: "suppressed" in said.text(), timeout=20_000)
    assert said.text().startswith(f"Record {touched[-1] + 1} (in {names[touched[-1]]}): ")
    assert press(safe, qtbot, "nextSuppressed") == touched[-1]
    assert "No more records with suppressed values" in safe.messages.text
    assert press(safe, qtbot, "previousSuppressed") == touched[-2]
    row, model = touched[-1], safe.safe.records
    changes = {model.fields[c].name: model.index(row, c).data(CHANGE) for c in range(model.columnCount())}
    assert {name for name, change in changes.items() if change == "suppressed"} == {
        name for name, old, new in zip(NAMES, before[row], after[row], strict=True) if old != new
    }

    safe.only.setChecked(True)
    wait_idle(qtbot, safe.document)
    assert [model.place(row) for row in range(model.rowCount())] == touched
    safe.filter.setText("SEX=1")
    safe._choose()
    wait_idle(qtbot, safe.document)
    women = [i for i in touched if before[i][1] == "1"]
    assert [model.place(row) for row in range(model.rowCount())] == women
    assert model.headerData(len(women) - 1, Qt.Orientation.Vertical) == str(women[-1] + 1)
    safe.only.setChecked(False)
    wait_idle(qtbot, safe.document)
    assert [model.place(row) for row in range(model.rowCount())] == [i for i in range(240) if before[i][1] == "1"]
    safe.safe.go_to(0)
    assert press(safe, qtbot, "nextSuppressed") == next(i for i in women if i > model.place(0))
    safe._go_to(women[-1])
    assert model.place(safe.safe.currentIndex().row()) == women[-1]
    safe.filter.setText("no such")
    safe._choose()
    wait_idle(qtbot, safe.document)
    assert "No record has “no such”" in safe.findChild(QLabel, "originalRecordsEmptyText").text()
    assert not safe.findChild(QPushButton, "nextSuppressed").isEnabled()
    safe.original.horizontalHeader().setSortIndicator(1, Qt.SortOrder.AscendingOrder)
    assert "open a part alone" in safe.messages.text


def stop_when_done(document: Document) -> None:
    """Stop what runs once it is done and before anybody is told: no event is let in meanwhile."""
    (task,) = [task for task in document.tasks._pending if not task.background]
    while task.result is None:
        assert task.error is None
        time.sleep(0.001)
    document.cancel()


def test_a_search_of_parts_is_stopped_and_keeps_what_it_found(
    safe: BrowseSafeFile, qtbot: QtBot, parts: SurveyInParts
) -> None:
    """Stopped when the first part is known, whether that was told already or not: its records are there at once."""
    document, before = safe.document, all_rows(parts, "parts")[0]
    safe.filter.setText("REGION=1")
    safe._choose()
    stop_when_done(document)
    wait_idle(qtbot, document)
    model = safe.safe.records
    first = len(parts.read(parts.folder / "parts" / "p000.csv"))
    found = [i for i, row in enumerate(before) if row[0] == "1"]
    kept = [model.place(row) for row in range(model.rowCount())]
    assert kept == [record for record in found if record < first]
    assert "only those found so far are shown" in safe.messages.text
    qtbot.mouseClick(safe.findChild(QPushButton, "messageOffer1"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, document)
    assert [model.place(row) for row in range(model.rowCount())] == found


def test_the_way_to_the_next_suppressed_record_is_stopped(safe: BrowseSafeFile, qtbot: QtBot) -> None:
    safe._go_to(0)
    while safe._beside.touched_in(1) is None:
        qtbot.mouseClick(safe.findChild(QPushButton, "nextSuppressed"), Qt.MouseButton.LeftButton)
        if safe.document.busy:
            stop_when_done(safe.document)
            wait_idle(qtbot, safe.document)
            assert "Looking for the next suppressed record was stopped" in safe.messages.text
            safe.messages.clear()
    assert safe._beside.touched_in(2) is None


def test_a_part_that_is_gone_or_changed_is_said_by_name(
    safe: BrowseSafeFile, qtbot: QtBot, parts: SurveyInParts
) -> None:
    (parts.folder / "parts" / "p001.csv").unlink()
    safe.filter.setText("REGION=1")
    safe._choose()
    wait_idle(qtbot, safe.document)
    assert "p001.csv" in safe.messages.text
    found = safe.safe.records.rowCount()
    assert 0 < found
    (parts.folder / "safe" / "p002.csv").write_text("A\n1\n", encoding="utf-8")
    safe.filter.clear()
    safe._choose()
    safe.safe.go_to(len(ROWS) - 1)
    safe.safe.viewport().repaint()
    waiting = safe.findChild(QLabel, "browseWaiting")
    qtbot.waitUntil(lambda: "p002.csv has changed" in waiting.text(), timeout=20_000)
