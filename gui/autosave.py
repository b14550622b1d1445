"""Keeps the session against a crash: recipe, its last hundred predecessors, drafts; deleted at a clean exit.

One file and one lock a process, in the application's data folder. Only files whose process is dead are offered.
"""

from __future__ import annotations

import copy
import json
import os
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QTimer

from core.errors import PavoError
from core.recipe.model import Recipe
from gui.document import Document
from gui.history import History, Step
from gui.places import app_data
from gui.session_files import write_atomically
from gui.sitting import Sitting

FOLDER = "recovery"
VERSION = 1
DELAY_MS = 1000
PREDECESSORS = 100


@dataclass(frozen=True)
class Kept:
    """A session that a dead process left behind."""

    file: Path
    name: str
    when: datetime
    sitting: Sitting


class Autosave(QObject):
    """Writes a second after an edit. Failing to write is not an error for the user: their work goes on."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        identity = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.file = app_data(FOLDER) / f"{identity}.json"
        self._lock = _lock(self.file)
        self._lock.tryLock(0)
        self._texts: dict[int, tuple[Recipe, str]] = {}
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.write)
        document.changed.connect(lambda _changes: self._timer.start())
        self._known_drafts: dict[str, Any] = {}
        self._watch = QTimer(self, interval=DELAY_MS)
        self._watch.timeout.connect(self._look_at_drafts)
        self._watch.start()

    def write(self) -> None:
        """Write now, or delete what is kept where there is nothing to lose."""
        self._timer.stop()
        self._known_drafts = copy.deepcopy(self._document.drafts)
        if not self._document.modified and not self._document.drafts:
            self.file.unlink(missing_ok=True)
            return
        try:
            write_atomically(self.file, json.dumps(self._content()).encode("utf-8"))
        except (PavoError, OSError, TypeError, ValueError):
            return

    def _look_at_drafts(self) -> None:
        """Windows put unfinished input into `Document.drafts` as it comes; what is new there is written."""
        if self._document.drafts != self._known_drafts:
            self.write()

    def finish(self) -> None:
        """Forget what is kept: the program ends as the user wants it to."""
        self._timer.stop()
        self._watch.stop()
        self.file.unlink(missing_ok=True)
        self._lock.unlock()

    def _content(self) -> dict[str, Any]:
        document = self._document
        first = max(0, document.history_index - PREDECESSORS)
        steps = document.history[first:]
        texts = {id(step.recipe): (step.recipe, self._text(step.recipe)) for step in steps}
        self._texts = texts
        return {
            "version": VERSION,
            "name": document.name,
            "path": str(document.path) if document.path is not None else None,
            "index": document.history_index - first,
            "steps": [{"label": step.label, "recipe": texts[id(step.recipe)][1]} for step in steps],
            "drafts": document.drafts,
        }

    def _text(self, recipe: Recipe) -> str:
        """TOML of a recipe; of those written before, from memory."""
        known = self._texts.get(id(recipe))
        if known is not None:
            return known[1]
        from core.recipe.toml_form import dumps

        return dumps(recipe, self.file.parent)


def left_behind() -> list[Kept]:
    """Sessions of dead processes, newest first; what cannot be read is left alone."""
    found = []
    for file in app_data(FOLDER).glob("*.json"):
        lock = _lock(file)
        if not lock.tryLock(0):
            continue
        try:
            found.append(_read(file))
        except (PavoError, OSError, ValueError, KeyError, TypeError, IndexError):
            continue
        finally:
            lock.unlock()
    return sorted(found, key=lambda kept: kept.when, reverse=True)


def forget(kept: Kept) -> None:
    """Delete what a dead process left behind."""
    kept.file.unlink(missing_ok=True)


def _read(file: Path) -> Kept:
    from core.recipe.toml_form import parse

    content = json.loads(file.read_text("utf-8"))
    if content["version"] != VERSION:
        raise ValueError(content["version"])
    steps = [Step(step["label"], parse(step["recipe"], file.parent)) for step in content["steps"]]
    history = History(steps[0].label, steps[0].recipe)
    history.steps, history.index = steps, int(content["index"])
    sitting = Sitting(history, path=Path(content["path"]) if content["path"] else None)
    sitting.drafts = dict(content["drafts"])
    return Kept(file, content["name"], datetime.fromtimestamp(file.stat().st_mtime), sitting)


def _lock(file: Path) -> QLockFile:
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock
