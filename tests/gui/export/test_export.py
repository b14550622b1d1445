"""Export for sdcMicro and for μ-ARGUS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from core import exports
from core.recipe.model import Combination, Perturbation
from gui.export.window import Export
from gui.help.window import page_of
from gui.main_window.window import MainWindow
from tests.core.base.test_left_behind import held, left_in
from tests.gui.make_protected_file.hand import copy_survey
from tests.gui.waiting import wait_idle
from tests.rda import read_rda

Open = Callable[..., MainWindow]


@pytest.fixture
def main(open_window: Open, demo: Path, tmp_path: Path) -> MainWindow:
    return open_window(copy_survey(demo, tmp_path))


def window(main: MainWindow, qtbot: QtBot, action: str) -> Export:
    main.menu_actions[action].trigger()
    found = main.window_named("e" + action.removeprefix("actionE"))
    if found is None:
        found = main.window_named("exportForMuArgus")
    assert isinstance(found, Export)
    qtbot.waitExposed(found)
    return found


def child(found: Export, kind: type, name: str) -> Any:
    return found.findChild(kind, name)


def enter(qtbot: QtBot, found: Export, path: Path | str) -> None:
    box = child(found, QLineEdit, "exportPath")
    box.selectAll()
    box.insert(str(path))  # as by pasting: every key writes the list of files anew


def message(found: Export) -> str:
    label = child(found, QLabel, "exportPathMessage")
    return str(label.text()) if label.isVisible() else ""


@pytest.mark.parametrize(
    ("action", "typed", "written"),
    [
        ("actionExportForSdcMicro", "check", ["check.R", "check.csv"]),
        ("actionExportForARGUS", "demo", ["demo.rda", "demo.asc", "demo.txt"]),
    ],
)
def test_what_is_listed_is_written(
    main: MainWindow, qtbot: QtBot, tmp_path: Path, action: str, typed: str, written: list[str]
) -> None:
    found = window(main, qtbot, action)
    enter(qtbot, found, tmp_path / "new folder" / typed)
    listed = [Path(line) for line in child(found, QPlainTextEdit, "exportFiles").toPlainText().split("\n")]
    assert [path.name for path in listed[: len(written)]] == written
    assert "confidential" in child(found, QLabel, "exportWarning").text()
    before = set(tmp_path.iterdir())
    qtbot.keyClick(child(found, QLineEdit, "exportPath"), Qt.Key.Key_Return)
    wait_idle(qtbot, main.document)
    assert set(tmp_path.iterdir()) - before == {tmp_path / "new folder"}
    assert sorted((tmp_path / "new folder").iterdir()) == sorted(listed)
    assert f"{len(listed)} files are written to" in found.messages.text
    if action == "actionExportForARGUS":
        assert read_rda(listed[0]).household_id is not None


def test_the_window_says_that_perturbed_values_are_exported(main: MainWindow, qtbot: QtBot) -> None:
    found = window(main, qtbot, "actionExportForSdcMicro")
    warning = child(found, QLabel, "exportWarning")
    assert "erturbed" not in warning.text()
    noise = Perturbation("noise", ("INCOME",), (("share", 0.1),))
    main.document.commit("Perturb", main.document.recipe.with_(perturbations=(noise,)))
    wait_idle(qtbot, main.document)
    assert "Perturbed before tables are made: INCOME." in warning.text()


def test_inputs_are_refused_while_typing(main: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    found = window(main, qtbot, "actionExportForSdcMicro")
    button = child(found, QPushButton, "exportNow")
    assert button.isEnabled()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for name, said in (("survey.asc", "input"), ("survey.pavo", "input"), ("check.csv", "suffix"), ("", "Say where")):
        enter(qtbot, found, tmp_path / name if name else "")
        if not name:
            child(found, QLineEdit, "exportPath").clear()
            found._type()
        assert said in message(found), name
        assert not button.isEnabled()
        qtbot.keyClick(child(found, QLineEdit, "exportPath"), Qt.Key.Key_Return)
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_existing_files_are_asked_about(main: MainWindow, qtbot: QtBot, tmp_path: Path, answers: list[int]) -> None:
    (tmp_path / "check.csv").write_text("mine")
    found = window(main, qtbot, "actionExportForSdcMicro")
    enter(qtbot, found, tmp_path / "check.R")
    qtbot.mouseClick(child(found, QPushButton, "exportNow"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert (tmp_path / "check.csv").read_text() == "mine"
    assert not (tmp_path / "check.R").exists()
    answers.append(0)
    qtbot.mouseClick(child(found, QPushButton, "exportNow"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert (tmp_path / "check.csv").read_text().startswith("REGION,")


def test_a_combination_without_a_risk_is_refused_in_words(main: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    recipe = main.document.recipe
    main.document.commit("Threshold rule", recipe.with_(combinations=(Combination(("SEX", "AGE"), "frequency"),)))
    wait_idle(qtbot, main.document)
    found = window(main, qtbot, "actionExportForSdcMicro")
    enter(qtbot, found, tmp_path / "check.R")
    qtbot.mouseClick(child(found, QPushButton, "exportNow"), Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    assert "nothing to compare" in found.messages.text
    assert not (tmp_path / "check.R").exists()


def test_stop_leaves_nothing(main: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(derived: Any, path: Path, progress: Any, inputs: Any) -> None:
        while True:
            progress.check()

    monkeypatch.setattr(exports, "export_sdcmicro", slow)
    found = window(main, qtbot, "actionExportForSdcMicro")
    enter(qtbot, found, tmp_path / "check.R")
    qtbot.mouseClick(child(found, QPushButton, "exportNow"), Qt.MouseButton.LeftButton)
    assert main.document.busy
    stop = child(found, QPushButton, "stop")
    assert stop.isVisible()
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, main.document)
    qtbot.waitUntil(lambda: "Nothing was written" in found.messages.text)
    assert child(found, QPushButton, "exportNow").isEnabled()


def test_help() -> None:
    assert page_of("exportForSdcMicro") == page_of("exportForMuArgus") == "exports"


def test_a_former_file_that_could_not_be_removed_is_named(
    main: MainWindow, qtbot: QtBot, tmp_path: Path, answers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "check.csv").write_text("an earlier one")
    found = window(main, qtbot, "actionExportForSdcMicro")
    enter(qtbot, found, tmp_path / "check.R")
    answers.append(0)
    with monkeypatch.context() as context:
        held(context)
        qtbot.mouseClick(child(found, QPushButton, "exportNow"), Qt.MouseButton.LeftButton)
        wait_idle(qtbot, main.document)
    (name,) = left_in(tmp_path)
    assert "2 files are written to" in found.messages.text
    assert name in found.messages.text
