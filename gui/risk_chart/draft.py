"""The threshold under the hand of a risk chart: shown at once, put into the recipe when the hand lets go."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.texts import mark, translate
from core.recipe.edits import with_individual_threshold
from core.recipe.model import Recipe
from gui import numbers
from gui.document.document import Document
from gui.document.draft import SessionDraft
from gui.risk_chart.linked_numbers import Linked

COMMIT_AFTER_MS = 400
"""A wheel and a click beside the handle have no end that could be seen."""

_NO_THRESHOLD = mark(
    "The largest risk in the file is 1, so no threshold leaves every record safe. To protect nothing, choose the"
    " criterion “none” in Make Protected File."
)


class ThresholdDraft(QObject, SessionDraft[Linked | None]):
    """A threshold of one combination that is not in the recipe yet; its value is None where there is no chart.

    Signals
    -------
    committed() : it is in the recipe now.
    refused(str) : it cannot be put there; the sentence says why.
    """

    committed = Signal()
    refused = Signal(str)
    label: ClassVar[str] = mark("Threshold {value}")

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._combination = -1
        self._max_risk = 1.0
        self.committing = False
        self.begin(None)
        self._timer = QTimer(self, singleShot=True, interval=COMMIT_AFTER_MS)
        self._timer.timeout.connect(self.commit)

    @property
    def touched(self) -> bool:
        """Whether a threshold is under the hand, if only the session's own."""
        return self.value is not self.base

    def turn_to(self, combination: int, max_risk: float) -> None:
        """Edit this combination from now on; its largest risk says whether "none" can be written."""
        self._combination, self._max_risk = combination, max_risk

    def touch(self, linked: Linked, commit_soon: bool = False) -> None:
        """Take a threshold; commit it soon, unless it is committed before."""
        self.take(linked)
        if commit_soon:
            self._timer.start()

    def show(self, linked: Linked) -> None:
        """The same threshold over the risks as they are now: what is under the hand stays so."""
        if self.touched:
            self.take(linked)
        else:
            self.begin(linked)

    def hold(self) -> None:
        """Commit nothing until somebody says whether this draft or the recipe's threshold is wanted."""
        super().hold()
        self._timer.stop()

    def keep_mine(self) -> None:
        """This draft is wanted over what the session has now."""
        self.held = False
        self.commit()

    def forget(self) -> None:
        """It is not wanted."""
        self._timer.stop()
        super().forget()

    def put(self, recipe: Recipe, combination: int, threshold: float) -> Recipe:
        """The recipe with this threshold."""
        return with_individual_threshold(recipe, combination, threshold)

    def commit(self) -> None:
        """Put it into the recipe, as one undo step that further edits of the same threshold join."""
        self._timer.stop()
        if not self.touched or self.held or self.value is None:
            return
        threshold = self.value.threshold
        if threshold is None:
            if self._max_risk >= 1:
                self.refused.emit(translate(_NO_THRESHOLD))
                return
            threshold = 1.0
        self.forget()
        recipe = self.put(self._document.recipe, self._combination, threshold)
        shown = float(f"{threshold:.6g}")
        self.committing = True
        try:
            self._document.commit(
                lambda: translate(self.label).format(value=numbers.format_exact(shown)),
                recipe,
                merge_key=f"{self.label} {self._combination}",
            )
        finally:
            self.committing = False
        self.committed.emit()
