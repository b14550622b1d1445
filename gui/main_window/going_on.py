"""What comes next opens by itself once the work of a window is done, as long as the user wants that."""

from __future__ import annotations

from PySide6.QtCore import QObject

from core.recipe.model import Recipe
from gui.document.document import Document
from gui.main_window.workflow import next_thing
from gui.settings import OPEN_NEXT, settings
from gui.shared.windows import Windows, reason_against

_AFTER = {
    "specifyMetadata": "selectCombinations",
    "selectCombinations": "riskChart",
    "makeProtectedFile": "report",
}
"""The window that is next after another one, wherever it is the next thing to do at all."""


class GoingOn(QObject):
    """Waits for the results of what was committed, and opens the next window where there is nothing else to do."""

    def __init__(self, document: Document, windows: Windows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._windows = windows
        self._next = ""
        self._for: Recipe | None = None
        windows.went_on.connect(self._begin)
        document.results_changed.connect(self._look)

    def _begin(self, name: str) -> None:
        self._next = _AFTER.get(name, "") if settings.get(OPEN_NEXT) else ""
        self._for = self._document.recipe
        self._look()

    def _look(self) -> None:
        document = self._document
        if not self._next:
            return
        if document.recipe is not self._for or document.error is not None:
            self._next = ""
        elif document.derived is not None and not document.stale:
            name, self._next = self._next, ""
            offers = [window for _, window in next_thing(document).offers]
            is_open = self._windows.window_named(name) is not None
            if name in offers[:1] and not is_open and not reason_against(name, document):
                self._windows.open_window(name)
