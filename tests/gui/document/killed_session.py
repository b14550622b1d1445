"""Processes with a session that is edited and kept without end, until test_kill.py kills them."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.recipe.edits import with_individual_threshold
from core.recipe.toml import dumps
from gui.app.warm_up import load_kernels, warm_up
from gui.document import autosave
from gui.document.autosave import Autosave
from gui.document.document import Document


def told(document: Document, folder: Path) -> str:
    """The session as one line."""
    steps = [step.label for step in document.session.history.steps[-autosave.PREDECESSORS :]]
    return json.dumps({"recipe": dumps(document.recipe, folder), "steps": steps})


def edit(document: Document, keeper: Autosave, folder: Path, chance: random.Random) -> None:
    """Edit without end; tell each state before it is written and again when it is on disk."""
    number = 0
    while True:
        number += 1
        if chance.random() < 0.2 and document.session.history.index > 1:
            document.undo()
        else:
            risk = chance.uniform(0.001, 0.9)
            document.commit(f"Threshold {number}", with_individual_threshold(document.recipe, 0, risk))
        QApplication.processEvents()
        state = told(document, folder)
        print("writing", state, flush=True)
        keeper.write()
        print("written", state, flush=True)
        time.sleep(0.005)


def be_killed(session: Path, seed: int, application: str) -> None:
    """Open a session and edit it until the end."""
    app = QApplication([])
    app.setApplicationName(application)
    document = Document()
    keeper = Autosave(document)
    document.open_session(session)
    edit(document, keeper, session.parent, random.Random(seed))


def main() -> None:
    """Fork a process for every line of standard input, and tell its number: libraries are loaded once for all."""
    warm_up()
    load_kernels()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        environment, pipe, *arguments = json.loads(line)
        process = os.fork()
        if process:
            print(process, flush=True)
            continue
        os.environ.update(environment)
        sys.stdin.close()
        os.dup2(os.open(pipe, os.O_WRONLY), 1)
        be_killed(Path(arguments[0]), arguments[1], arguments[2])


if __name__ == "__main__":
    main()
