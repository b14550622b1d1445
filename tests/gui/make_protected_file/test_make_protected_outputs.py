"""Make Protected File: where outputs go, what is refused, and files that are what was previewed."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.base.errors import RecipeError
from core.recipe.model import Combination
from gui import dialogs
from gui.main_window.window import MainWindow
from gui.make_protected_file import checks
from gui.shared import disk_question
from tests.gui.make_protected_file.hand import Hands
from tests.gui.waiting import wait_idle

pytestmark = pytest.mark.usefixtures("hurried")

Open = Callable[..., MainWindow]


def test_output_is_proposed_beside_the_session_with_metadata_report_and_summary(hands: Hands, tmp_path: Path) -> None:
    assert hands.find(QLineEdit, "outputPath").text() == str(tmp_path / "survey_safe.asc")
    assert hands.find(QCheckBox, "write_metadata").isChecked()
    assert not hands.find(QCheckBox, "write_records").isChecked()
    assert not hands.window.touched


def test_output_of_an_unsaved_session_is_proposed_beside_the_data(
    qtbot: QtBot, open_window: Open, tmp_path: Path
) -> None:
    data = tmp_path / "s.csv"
    data.write_text("A,B\n" + "1,2\n" * 20, encoding="utf-8")
    opened = open_window(data)
    opened.document.commit("c", opened.document.recipe.with_(combinations=(Combination(("A", "B")),)))
    wait_idle(qtbot, opened.document)
    found = opened.windows.open_window("makeProtectedFile")
    assert found.findChild(QLineEdit, "outputPath").text() == str(tmp_path / "s_safe.csv")


def test_the_file_is_what_was_previewed_and_is_verified(hands: Hands, main: MainWindow, tmp_path: Path) -> None:
    hands.click("preview")
    hands.click("makeFile")
    assert "written and verified" in hands.window.messages.text
    assert "verified" in hands.text("previewState")
    summary = json.loads((tmp_path / "survey_safe.json").read_text("utf-8"))
    assert summary["suppression"]["by_variable"]["EDUC"] == 298
    assert summary["verified"] is True
    assert {"survey_safe.asc", "survey_safe.rds", "survey_safe.html"} <= {p.name for p in tmp_path.iterdir()}
    assert "done" in main.steps.button("Protect").accessibleName()
    hands.click("messageOffer1")
    assert main.window_named("report") is not None


def test_inputs_can_never_be_chosen(hands: Hands, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in ("survey.asc", "survey.rda", "Region.grc", "survey.pavo"):
        with subtests.test(name):
            before = (tmp_path / name).read_bytes()
            hands.type_path(str(tmp_path / "safe.asc"))
            assert hands.find(QPushButton, "makeFile").isEnabled()
            hands.type_path(str(tmp_path / "." / "safe" / ".." / name))
            assert "inputs are never overwritten" in hands.text("outputPathMessage")
            assert not hands.find(QPushButton, "makeFile").isEnabled()
            assert (tmp_path / name).read_bytes() == before


def test_a_folder_that_answers_late_holds_up_nobody(
    hands: Hands, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()

    def slow(_path: Path) -> bool:
        answers.wait(20)
        return True

    monkeypatch.setattr(disk_question, "PATIENCE", 0.01)
    monkeypatch.setattr(checks, "is_there", slow)
    hands.type_path(str(tmp_path / "far" / "survey_safe.asc"))
    assert hands.text("outputPathMessage") == "Looking whether the files can be written there…"
    assert not hands.find(QPushButton, "makeFile").isEnabled()
    answers.set()
    qtbot.waitUntil(hands.find(QPushButton, "makeFile").isEnabled, timeout=20_000)
    assert hands.text("outputPathMessage") == ""


def test_a_file_of_a_format_that_is_not_written_is_refused_beside_the_box(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_recipe: object, format: str) -> None:
        raise RecipeError("not-available", "Not from {format}.", "", format=format)

    monkeypatch.setattr("core.recipe.available.check_output_format", refuse)
    hands.type_path(str(tmp_path / "safe.sav"))
    assert hands.text("outputPathMessage") == "Not from fixed."
    assert not hands.find(QPushButton, "makeFile").isEnabled()


def test_a_suffix_of_another_kind_of_file_is_refused_beside_the_box(hands: Hands, tmp_path: Path) -> None:
    hands.type_path(str(tmp_path / "safe.png"))
    assert hands.text("outputPathMessage").startswith(".png says another kind of file than Pavo writes.")
    assert not hands.find(QPushButton, "makeFile").isEnabled()
    hands.type_path(str(tmp_path / "safe.2024"))
    assert hands.text("outputPathMessage") == ""


def test_a_folder_that_cannot_be_made_is_refused_beside_the_box(
    hands: Hands, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for folder, said in (
        ("new", "The folder {folder} is not there yet: it will be made."),
        ("new/$$:?*", "The folder {folder} is not there, and no new one is made with any of "),
        ("survey.asc/new", "The folder {folder} cannot be made: {there} is a file."),
    ):
        with subtests.test(folder):
            hands.type_path(str(tmp_path / folder / "safe.asc"))
            expected = said.format(folder=tmp_path / folder, there=tmp_path / "survey.asc")
            assert hands.text("outputPathMessage").startswith(expected)
            assert hands.find(QPushButton, "makeFile").isEnabled() == said.endswith("will be made.")


def test_a_folder_is_refused_and_a_name_alone_is_beside_the_session(hands: Hands, tmp_path: Path) -> None:
    hands.type_path(str(tmp_path))
    assert "is a folder" in hands.text("outputPathMessage")
    hands.type_path("safe.dat")
    assert hands.text("outputPathMessage") == ""
    assert hands.window.draft_recipe.output.data == tmp_path / "safe.dat"
    assert hands.window.draft_recipe.output.report == tmp_path / "safe.html"
    hands.type_path(" ")
    assert not hands.find(QPushButton, "makeFile").isEnabled()


def test_without_a_path_it_is_said_beside_the_box(hands: Hands) -> None:
    hands.type_path(" ")
    assert hands.text("outputPathMessage") == "Say where the safe file goes."
    assert not hands.find(QPushButton, "makeFile").isEnabled()


def test_a_path_is_chosen_by_dialog_and_the_files_beside_it_follow(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "save_file", lambda *_args: tmp_path / "new" / "other.saf")
    hands.click("outputPathBrowse")
    hands.check("write_summary")
    hands.check("write_records")
    hands.click("makeFile")
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    described = ("AGE", "EDUC", "HHPOS", "ILLNESS", "MARSTAT", "OCCUP", "REGION", "SEX")
    codelists = [f"other_{name}.cdl" for name in described]
    assert names == ["other.html", "other.rds", "other.saf", *codelists, "other_records.csv"]


@pytest.mark.parametrize("name", ["survey_safe.rds", "survey_safe_REGION.cdl"])
def test_existing_files_are_asked_about(
    hands: Hands, main: MainWindow, tmp_path: Path, answers: list[int], name: str
) -> None:
    target = tmp_path / name
    target.write_text("mine", encoding="utf-8")
    hands.click("makeFile")
    assert target.read_text("utf-8") == "mine"
    assert main.document.session.released is None
    answers[:] = [0]
    hands.click("makeFile")
    assert target.read_text("utf-8") != "mine"


def test_a_former_file_that_cannot_be_removed_is_named(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "survey_safe.asc").write_text("less protected")
    monkeypatch.setattr(dialogs, "ask", lambda *_arguments: 0)
    unlink = os.unlink

    def refusing(path: object, **named: object) -> None:
        if str(path).endswith(".old"):
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(path, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "unlink", refusing)
    hands.click("makeFile")
    (left,) = tmp_path.glob(".pavo-*.old")
    assert "written and verified" in hands.window.messages.text
    assert left.name in hands.window.messages.text
    monkeypatch.setattr(os, "unlink", unlink)
    hands.click("makeFile")
    assert not left.exists()
    assert ".old" not in hands.window.messages.text


def test_what_cannot_be_written_is_said_and_nothing_appears(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    hands.type_path(str(tmp_path / "file" / "safe.asc"))
    hands.click("makeFile")
    assert "cannot be written" in hands.window.messages.text
    assert hands.find(QPushButton, "makeFile").isEnabled()
