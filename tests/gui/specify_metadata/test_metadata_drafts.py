"""Unfinished edits of Specify Metadata: kept against crashes, told when they are overtaken, dropped on request."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.recipe.model import VariableEdit
from gui import dialogs
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.document.document import Document
from gui.main_window.window import MainWindow
from gui.specify_metadata.window import SpecifyMetadata
from tests.gui.specify_metadata.hand import offer, opened, place, press, type_box, variable
from tests.gui.waiting import wait_idle


def killed(document: Document) -> Document:
    """The document as it comes back after its process died; drafts go through the file."""
    keeper = Autosave(document)
    keeper.write()
    assert json.loads(keeper.file.read_text("utf-8"))["drafts"]
    keeper._lock.unlock()  # as if the process had died
    (kept,) = [kept for kept in autosave.left_behind() if kept.file == keeper.file]
    autosave.forget(kept)
    document.session.drafts.clear()
    document.restore(kept.sitting)
    return document


def test_an_unfinished_draft_comes_back_after_a_crash(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, answers: list[int], tmp_path: Path
) -> None:
    document = survey_window.document
    metadata.draft.rename(place(metadata, "SEX"), "GENDER")
    metadata.draft.change(
        [place(metadata, "AGE")], missing=("99", "98"), codelist=tmp_path / "age.cdl", suppression_weight=7
    )
    metadata.draft.label("MARSTAT", "1", "never married")
    wanted = metadata.draft.description
    kept = dict(document.session.drafts)
    answers.append(0)
    metadata.close()
    assert document.session.drafts == {}
    document.session.drafts.update(kept)
    killed(document)
    wait_idle(qtbot, document)
    again = opened(qtbot, survey_window)
    assert again.draft.description == wanted
    assert again.draft.touched
    assert again.draft.value.labels == {"MARSTAT": {"1": "never married"}}
    assert again.messages.text == "Your unfinished changes to the metadata are here again."
    offer(qtbot, again, "Drop them")
    wait_idle(qtbot, document)
    assert not again.draft.touched
    assert document.session.drafts == {}
    again.close()


def test_every_edit_is_kept_and_taking_it_back_forgets(metadata: SpecifyMetadata) -> None:
    drafts = metadata.document.session.drafts
    assert drafts == {}
    metadata.draft.change([place(metadata, "SEX")], label="x")
    entries = drafts["specifyMetadata"]["variables"]
    assert entries[place(metadata, "SEX")]["label"] == "x"
    assert entries[place(metadata, "AGE")] == "AGE"
    json.dumps(drafts)
    metadata.draft.change([place(metadata, "SEX")], label="")
    assert drafts == {}


def test_esc_drops_the_draft_for_good(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, answers: list[int]
) -> None:
    metadata.draft.change([0], label="x")
    answers.append(0)
    metadata.close()
    assert survey_window.document.session.drafts == {}
    again = opened(qtbot, survey_window)
    assert again.draft.variables[0].label == ""
    assert again.messages.text == ""
    again.close()


def test_ok_forgets_the_draft(qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata) -> None:
    type_box(qtbot, metadata, "variableLabel", "x")
    assert survey_window.document.session.drafts
    press(qtbot, metadata, "accept")
    wait_idle(qtbot, survey_window.document)
    assert survey_window.document.session.drafts == {}
    assert survey_window.document.recipe.variables


def test_a_draft_that_was_overtaken_says_so(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata, answers: list[int]
) -> None:
    document = survey_window.document
    metadata.draft.change([place(metadata, "SEX")], label="mine")
    kept = dict(document.session.drafts)
    answers.append(0)
    metadata.close()
    document.commit("elsewhere", document.recipe.with_(variables=(VariableEdit("AGE", label="theirs"),)))
    wait_idle(qtbot, document)
    document.session.drafts.update(kept)
    again = opened(qtbot, survey_window)
    assert again.messages.text == "The session changed."
    assert variable(again, "SEX").label == "mine"
    offer(qtbot, again, "Keep mine")
    wait_idle(qtbot, document)
    assert document.session.drafts["specifyMetadata"]["over"] != kept["specifyMetadata"]["over"]
    assert variable(again, "SEX").label == "mine"
    assert again.messages.text == ""
    answers.append(0)
    again.close()


def test_another_metadata_file_is_kept_too(
    qtbot: QtBot,
    survey_window: MainWindow,
    metadata: SpecifyMetadata,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[int],
) -> None:
    document = survey_window.document
    monkeypatch.setattr(dialogs, "save_file", lambda *_: tmp_path / "own.rda")
    press(qtbot, metadata, "saveMetadataAs")
    monkeypatch.setattr(dialogs, "open_file", lambda *_: tmp_path / "own.rda")
    press(qtbot, metadata, "readMetadata")
    wait_idle(qtbot, document)
    wanted, kept = metadata.draft.description, dict(document.session.drafts)
    assert kept["specifyMetadata"]["metadata"] == str(tmp_path / "own.rda")
    answers.append(0)
    metadata.close()
    document.session.drafts.update(kept)
    again = opened(qtbot, survey_window)
    assert again.draft.description == wanted
    answers.append(0)
    again.close()
    (tmp_path / "own.rda").unlink()
    document.session.drafts.update(kept)
    again = opened(qtbot, survey_window)
    assert "own.rda" in again.messages.text
    assert not again.draft.touched
    again.close()


def test_what_cannot_be_read_now_stays_kept(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path, answers: list[int]
) -> None:
    data = tmp_path / "x.csv"
    data.write_text("A,B\n1,2\n3,4\n", encoding="utf-8")
    main = open_window(data)
    window = opened(qtbot, main)
    window.draft.change([0], label="x")
    kept = dict(main.document.session.drafts)
    answers.append(0)
    window.close()
    main.document.session.drafts.update(kept)
    data.unlink()
    again = main.windows.open_window("specifyMetadata")
    wait_idle(qtbot, main.document)
    again.close()
    assert main.document.session.drafts == kept


def test_nonsense_is_not_taken_up(qtbot: QtBot, survey_window: MainWindow, subtests: pytest.Subtests) -> None:
    nonsense: tuple[dict[str, object], ...] = (
        {},
        {"variables": 3},
        {"metadata": None, "said": "here", "variables": [{"x": 1}]},
    )
    for kept in nonsense:
        with subtests.test(kept=kept):
            survey_window.document.session.drafts["specifyMetadata"] = kept
            window = opened(qtbot, survey_window)
            assert not window.draft.touched
            assert survey_window.document.session.drafts == {}
            assert window.close()


def test_the_program_writes_the_draft_by_itself(
    qtbot: QtBot, survey_window: MainWindow, metadata: SpecifyMetadata
) -> None:
    file = survey_window._autosave.file
    metadata.draft.change([place(metadata, "SEX")], label="x")
    qtbot.waitUntil(file.exists, timeout=5000)
    assert "specifyMetadata" in json.loads(file.read_text("utf-8"))["drafts"]
    metadata.draft.change([place(metadata, "SEX")], label="")
    qtbot.waitUntil(lambda: not file.exists(), timeout=5000)
