"""What is kept against a crash, and offered only when the process is dead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from core.recipe.model import Recipe, Threshold
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.document.document import Document


def edit(document: Document, times: int) -> None:
    for i in range(1, times + 1):
        recipe = document.recipe.with_(threshold=Threshold(individual_risk=i / 1000))
        document.commit(f"Threshold {i}", recipe)


def test_written_a_second_after_an_edit_with_the_last_hundred_predecessors(
    qtbot: QtBot, document: Document, recipe: Recipe
) -> None:
    document.start("Open", recipe)
    keeper = Autosave(document)
    edit(document, 120)
    document.session.drafts["specifyMetadata"] = {"REGION": {"length": 4}}
    assert not keeper.file.exists()
    qtbot.waitUntil(keeper.file.exists, timeout=4000)
    content = json.loads(keeper.file.read_text("utf-8"))
    assert len(content["steps"]) == 101
    assert content["steps"][-1]["label"] == "Threshold 120"
    assert content["drafts"] == {"specifyMetadata": {"REGION": {"length": 4}}}
    keeper.finish()
    assert not keeper.file.exists()


def test_undone_steps_are_kept_as_something_to_redo(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    keeper = Autosave(document)
    edit(document, 3)
    document.undo()
    keeper.write()
    keeper._lock.unlock()  # as if the process had died
    (kept,) = autosave.left_behind()
    document.restore(kept.sitting)
    assert document.recipe.threshold.individual_risk == 0.002
    assert document.session.history.redo_label == "Threshold 3"
    assert document.session.history.undo_label == "Threshold 2"
    assert document.session.modified
    autosave.forget(kept)
    assert autosave.left_behind() == []


def test_nothing_is_kept_where_nothing_can_be_lost(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    keeper = Autosave(document)
    keeper.write()
    assert not keeper.file.exists()
    keeper.finish()


def test_sessions_of_living_processes_are_not_offered(document: Document, recipe: Recipe) -> None:
    document.start("Open", recipe)
    keeper = Autosave(document)
    edit(document, 1)
    keeper.write()
    assert autosave.left_behind() == []
    keeper.finish()


def test_a_killed_process_leaves_its_session_to_the_next_start(document: Document, recipe: Recipe, repo: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from core.recipe.model import Input, Recipe, Threshold
from gui.document.autosave import Autosave
from gui.document.document import Document
app = QCoreApplication([])
app.setApplicationName(sys.argv[2])
document = Document(lambda: None)
document.start("Open", Recipe(input=Input(data=Path(sys.argv[1]))))
keeper = Autosave(document)
document.commit("Threshold", document.recipe.with_(threshold=Threshold(individual_risk=0.25)))
keeper.write()
os._exit(9)
"""
    environment = os.environ | {"PYTHONPATH": str(repo)}
    arguments = [sys.executable, "-c", code, str(recipe.input.data), QCoreApplication.applicationName()]
    assert subprocess.run(arguments, env=environment, check=False, timeout=60).returncode == 9
    (kept,) = autosave.left_behind()
    assert kept.sitting.recipe.threshold.individual_risk == 0.25
    assert kept.sitting.recipe.input.data == recipe.input.data
