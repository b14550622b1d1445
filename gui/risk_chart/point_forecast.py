"""The forecast at the threshold under the hand, where it takes a search: asked for once the threshold rests.

A search may take seconds: it gives way to everything else that is asked for, and begins again at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.errors import PavoError
from core.recipe.model import Mode, Recipe
from gui.document import engine
from gui.document.document import Document

if TYPE_CHECKING:
    from core.suppression.forecast import Point
    from core.suppression.households.forecast import By

ASK_AFTER_MS = 200


class PointForecast(QObject):
    """Forecasts of one risk table at one threshold at a time, in the mode in which the file will be protected.

    Parameters
    ----------
    slot : of the task
    is_held : whether the hand is still moving the threshold

    Signals
    -------
    arrived() : `point` is another one, of the threshold asked about last.
    failed(PavoError)
    """

    arrived = Signal()
    failed = Signal(object)

    def __init__(self, document: Document, slot: str, is_held: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._slot, self._is_held = document, slot, is_held
        self._of: tuple[Recipe, int, Mode, By] | None = None
        self._threshold: float | None = None
        self._begun = False
        self._known: dict[float | None, Point] = {}
        self.point: Point | None = None
        self._timer = QTimer(self, singleShot=True, interval=ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask)
        self._asked = False
        document.tasks.rested.connect(self._resume)

    @property
    def is_true(self) -> bool:
        """Whether `point` is of the threshold asked about last."""
        return self.point is not None and self._known.get(self._threshold) is self.point

    def begin(self, recipe: Recipe, combination: int, mode: Mode, by: By) -> None:
        """Forecast this table from now on; what is known of another one is forgotten."""
        self.forget()
        self._of = recipe, combination, mode, by

    def forget(self) -> None:
        """Forecast nothing."""
        self._timer.stop()
        self._document.tasks.drop(self._slot)
        self._of = self.point = self._threshold = None
        self._begun = self._asked = False
        self._known.clear()

    def move_to(self, threshold: float | None) -> None:
        """Have the forecast at this threshold, at once where it is known."""
        if self._of is None:
            return
        if threshold in self._known:
            self._timer.stop()
            self._threshold, self.point = threshold, self._known[threshold]
            self.arrived.emit()
        elif threshold != self._threshold or not self._begun:
            self._threshold, self._begun = threshold, True
            if self._known:
                self._timer.start()
            else:
                self._ask()  # nothing is shown yet

    def _ask(self) -> None:
        if self._of is None:
            return
        if self._is_held():
            self._timer.start()
            return
        of, threshold = self._of, self._threshold
        recipe, combination, mode, by = of

        def done(found: Point) -> None:
            self._asked = False
            if self._of is of:
                self._known[threshold] = found
                if threshold == self._threshold:
                    self.point = found
                    self.arrived.emit()

        def failed(error: PavoError) -> None:
            self._asked = False
            if self._of is of and threshold == self._threshold:
                self.point = None
                self.failed.emit(error)

        self._asked = True
        wanted = recipe, combination, threshold, mode, by
        self._document.ask(self._slot, engine.forecast_at, *wanted, done=done, failed=failed, gives_way=True)

    def _resume(self) -> None:
        """Ask again where the question gave way and has no answer."""
        if self._asked and not self._timer.isActive():
            self._ask()
