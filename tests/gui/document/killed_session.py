"""A process with a session that is edited and kept without end, until test_kill.py kills it."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.recipe.edits import with_individual_threshold
from core.recipe.toml import dumps
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


def main() -> None:
    session, seed = Path(sys.argv[1]), int(sys.argv[2])
    app = QApplication([])
    app.setApplicationName(sys.argv[3])
    document = Document()
    keeper = Autosave(document)
    document.open_session(session)
    edit(document, keeper, session.parent, random.Random(seed))


if __name__ == "__main__":
    main()
