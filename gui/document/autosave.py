"""Keeps the session against a crash: recipe, its last hundred predecessors, drafts; deleted at a clean exit.

One file and one lock a process, in the application's data folder. Only files whose process is dead are offered.
"""

from __future__ import annotations

import copy
import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from PySide6.QtCore import QLockFile, QObject, QTimer

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.recipe.model import Recipe
from gui.document.document import Document
from gui.document.drafts import understood
from gui.document.history import History, Step
from gui.document.session_files import lock_at, take, write_atomically
from gui.document.session_state import SessionState
from gui.places import is_own_file, private_data

FOLDER = "recovery"
VERSION = 1
DELAY_MS = 1000
PREDECESSORS = 100
LARGEST_BYTES = 1 << 28
"""No session is as large as that."""
SET_ASIDE = ".unreadable"


@dataclass(frozen=True)
class AutosaveRecord:
    """A session that a dead process left behind."""

    file: Path
    name: str
    when: datetime
    sitting: SessionState


class Autosave(QObject):
    """Writes a second after an edit. Failing to write is not an error for the user: their work goes on."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        identity = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        folder = private_data(FOLDER)
        self._can_write = folder is not None
        self.file = (folder or Path()) / f"{identity}.json"
        self._lock = _lock(self.file)
        if self._can_write:
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
        self._known_drafts = copy.deepcopy(self._document.session.drafts)
        if not self._can_write:
            return
        if not self._document.session.modified and not self._document.session.drafts:
            self.file.unlink(missing_ok=True)
            return
        try:
            write_atomically(self.file, json.dumps(self._content()).encode("utf-8"))
        except (PavoError, OSError, TypeError, ValueError):
            return

    def _look_at_drafts(self) -> None:
        """Windows put unfinished input into `SessionState.drafts` as it comes; what is new there is written."""
        if self._document.session.drafts != self._known_drafts:
            self.write()

    def finish(self) -> None:
        """Forget what is kept: the program ends as the user wants it to."""
        self._timer.stop()
        self._watch.stop()
        if self._can_write:
            self.file.unlink(missing_ok=True)
        self._lock.unlock()

    def _content(self) -> dict[str, Any]:
        document = self._document
        first = max(0, document.session.history.index - PREDECESSORS)
        steps = document.session.history.steps[first:]
        texts = {id(step.recipe): (step.recipe, self._text(step.recipe)) for step in steps}
        self._texts = texts
        return {
            "version": VERSION,
            "name": document.session.name,
            "path": str(document.session.path) if document.session.path is not None else None,
            "index": document.session.history.index - first,
            "steps": [{"label": step.in_english, "recipe": texts[id(step.recipe)][1]} for step in steps],
            "drafts": document.session.drafts,
        }

    def _text(self, recipe: Recipe) -> str:
        """TOML of a recipe; of those written before, from memory."""
        known = self._texts.get(id(recipe))
        if known is not None:
            return known[1]
        from core.recipe.toml import dumps

        return dumps(recipe, self.file.parent)


def left_behind() -> list[AutosaveRecord]:
    """Sessions of dead processes, newest first."""
    return look_back()[0]


def look_back(progress: Progress = SILENT) -> tuple[list[AutosaveRecord], list[Path]]:
    """Sessions of dead processes, newest first, and files that cannot be read, which stand under another name now.

    Believed is only what the user's own program can have written: plain files of theirs in a folder of theirs alone.
    """
    folder = private_data(FOLDER)
    found: list[AutosaveRecord] = []
    aside: list[Path] = []
    for file in sorted(folder.glob("*.json")) if folder is not None else ():
        progress.check()
        lock = _lock(file)
        if not is_own_file(file) or not take(lock):
            continue
        try:
            found.append(_read(file))
        except Exception:  # whatever is wrong with one of them, the others are sound
            aside.append(_set_aside(file))
        finally:
            lock.unlock()
    return sorted(found, key=lambda kept: kept.when, reverse=True), aside


def recovered_outputs(progress: Progress = SILENT) -> int:
    """Number of runs that crashed while they wrote files, after which this has cleaned up."""
    from core.base.outputs import recover
    from core.base.temporary import remove_left_behind

    remove_left_behind()
    return recover()


def said_of(aside: Sequence[Path]) -> str:
    """What the user is told of files that cannot be read; empty where there are none."""
    told = mark("What was kept of a session after a crash cannot be read. It was set aside as {file}.")
    return "\n".join(translate(told).format(file=file) for file in aside)


def forget(kept: AutosaveRecord) -> None:
    """Delete what a dead process left behind."""
    kept.file.unlink(missing_ok=True)


def _set_aside(file: Path) -> Path:
    """Give what cannot be read a name under which it is not looked at again; a newer version may understand it."""
    other = file.with_name(file.name + SET_ASIDE)
    try:
        return file.replace(other)
    except OSError:
        return file


def _read(file: Path) -> AutosaveRecord:
    """What a file kept; anything may be wrong with it, and then any exception is raised."""
    from core.recipe.toml import parse

    status = file.stat()
    if status.st_size > LARGEST_BYTES:
        raise ValueError(status.st_size)
    content = json.loads(file.read_text("utf-8"), parse_constant=_refuse)
    # texts that no program can have typed or read, halves of characters, are not to reach a window
    json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogateescape")
    name, path, index, drafts = (content[part] for part in ("name", "path", "index", "drafts"))
    if content["version"] != VERSION or not isinstance(name, str) or not isinstance(drafts, dict):
        raise ValueError(content["version"])
    steps = [Step.of(_text(step["label"]), parse(_text(step["recipe"]), file.parent)) for step in content["steps"]]
    if type(index) is not int or not 0 <= index < len(steps) or (path is not None and "\0" in _text(path)):
        raise ValueError(index)
    history = History(steps[0].label, steps[0].recipe)
    history.steps, history.index = steps, index
    sitting = SessionState(history, path=Path(path) if path else None)
    sitting.drafts = understood(drafts)
    return AutosaveRecord(file, name, datetime.fromtimestamp(status.st_mtime), sitting)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value))
    return value


def _lock(file: Path) -> QLockFile:
    return lock_at(file.with_suffix(".lock"))
