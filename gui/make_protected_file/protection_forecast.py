"""What the choices of a draft would cost, asked for while they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.errors import PavoError
from core.base.texts import translate
from core.recipe.model import Recipe
from gui import numbers
from gui.document.document import Document

if TYPE_CHECKING:
    from core.session import Derived
    from core.suppression.forecast import Forecast, Point

_ASK_AFTER_MS = 150
_NAMED = 4
"""Variables named in one line, those that lose most."""


class ProtectionForecast(QObject):
    """`said(text)`: one line on the draft asked about last; empty while there is none."""

    said = Signal(str)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._recipe: Recipe | None = None
        self._thresholds: dict[int, float | None] = {}
        self._points: dict[int, Point] = {}
        self._timer = QTimer(self, singleShot=True, interval=_ASK_AFTER_MS)
        self._timer.timeout.connect(self._ask)

    def ask(self, recipe: Recipe, derived: Derived | None) -> None:
        """Forecast `recipe`, soon; None: there is nothing to forecast from."""
        thresholds: dict[int, float | None] = {}
        if derived is not None and _is_told_by_forecasts(recipe, derived):
            thresholds = {table.index: table.threshold for table in derived.risk_tables}
        if (recipe, thresholds) == (self._recipe, self._thresholds):
            return
        self._recipe, self._thresholds, self._points = recipe, thresholds, {}
        self._timer.stop()
        if thresholds and not self._document.stale:
            self._timer.start()
        else:
            self._recipe = None
            self.said.emit("")

    def stop(self) -> None:
        """Ask nothing any more."""
        self._timer.stop()
        self._recipe = None

    def _ask(self) -> None:
        recipe = self._recipe
        assert recipe is not None, "asked only with one"
        for index in self._thresholds:

            def done(found: Forecast, index: int = index, asked: Recipe = recipe) -> None:
                self._arrived(index, found, asked)

            self._document.forecast(
                f"protection forecast {index}",
                index,
                recipe.suppression.mode,
                done=done,
                failed=self._failed,
                draft=recipe,
            )

    def _arrived(self, index: int, found: Forecast, asked: Recipe) -> None:
        if asked is not self._recipe:
            return
        self._points[index] = found.at(self._thresholds[index])
        if len(self._points) == len(self._thresholds):
            self.said.emit(_sentence(list(self._points.values())))

    def _failed(self, _error: PavoError) -> None:
        self.said.emit("")


def _is_told_by_forecasts(recipe: Recipe, derived: Derived) -> bool:
    """Whether individual risks alone decide what is suppressed."""
    if recipe.suppression.criterion == "none" or recipe.suppression.mode != "original-counts":
        return False
    by_households = any(table.household is not None and table.household.asked for table in derived.risk_tables)
    return not by_households and len(derived.risk_tables) == len(recipe.combinations)


def _sentence(points: list[Point]) -> str:
    count = numbers.format_count
    left = sum(point.unsafe_left for point in points)
    if left:
        return translate("Forecast: {n} records stay unsafe; the threshold cannot be met.").format(n=count(left))
    by_variable = sorted(((c, n) for point in points for n, c in point.by_variable.items() if c), reverse=True)
    parts = " · ".join(f"{name}\N{NO-BREAK SPACE}{count(number)}" for number, name in by_variable[:_NAMED])
    parts += " · …" if len(by_variable) > _NAMED else ""
    total = sum(point.total for point in points)
    text = translate("Forecast: {n} values suppressed").format(n=count(total))
    text += f" ({parts})" if parts else ""
    if not all(point.exact for point in points):
        text += translate(", at most")
    return text + "."
