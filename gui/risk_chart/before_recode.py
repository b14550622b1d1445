"""The state before the last recode, for charts that show it beneath the present one."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.base.errors import PavoError
from core.recipe.model import Recipe
from gui.document import engine
from gui.document.document import Document
from gui.document.tasks import STOPPED

if TYPE_CHECKING:
    from core.session import Results, RiskTable
    from core.suppression.forecast import Forecast
    from core.suppression.households.forecast import By


class BeforeRecode(QObject):
    """Derives the recipe as it was before the last recode of a combination's variables, in the background.

    Other recodes leave its risks as they are: an outline of them would be that of the present bars.

    Parameters
    ----------
    by : thresholds of the forecast: of the individual or the household risk

    Signals
    -------
    arrived() : `table` or `forecast` is another one.
    """

    arrived = Signal()

    def __init__(self, document: Document, parent: QObject, by: By = "individual") -> None:
        super().__init__(parent)
        self._document, self._by = document, by
        self._recipe: Recipe | None = None
        self._combination = -1
        self.table: RiskTable | None = None
        self.forecast: Forecast | None = None
        self.recoded: tuple[float, float] = (0.0, 0.0)
        """Bits that recoding took away before the last recode, and with it: without them a recode would look free."""

    @property
    def exists(self) -> bool:
        """Whether there was a recode."""
        return self._recipe is not None

    def ask(self, combination: int) -> None:
        """Look for the state before the current recipe's last recode, of one of its combinations."""
        combinations = self._document.recipe.combinations
        recipe = self._earlier(combinations[combination].variables) if combination < len(combinations) else None
        if recipe == self._recipe and combination == self._combination:
            return
        self._recipe, self._combination = recipe, combination
        self.table = self.forecast = None
        self.arrived.emit()
        if recipe is not None:
            slot, derived = f"before the last recode, {self._by}", self._derived
            self._document.ask(slot, engine.derive, recipe, done=derived, cancelled=self._forget)

    def _forget(self) -> None:
        """Stopped: asked for again with the next figures, as by Calculate Again."""
        self._combination = -1

    def _earlier(self, variables: Collection[str]) -> Recipe | None:
        """The newest earlier step with other recodes of these; without one, the recipe less the last of them."""
        now = self._document.recipe
        own = [spec for spec in now.recodes if spec.variable in variables]
        for step in reversed(self._document.session.history.steps[: self._document.session.history.index]):
            before = [spec for spec in step.recipe.recodes if spec.variable in variables]
            if before != own and step.recipe.combinations == now.combinations:
                return step.recipe.with_(threshold=now.threshold, suppression=now.suppression)
        return now.with_(recodes=tuple(spec for spec in now.recodes if spec is not own[-1])) if own else None

    def _derived(self, derived: Results) -> None:
        self.table = derived.tables[self._combination]
        self.arrived.emit()
        done = partial(self._forecast_arrived, derived)
        if derived.recipe.suppression.criterion != "none":
            slot, recipe = f"forecast before the last recode, {self._by}", derived.recipe
            self._document.ask(
                slot, engine.forecast, recipe, self._combination, "original-counts", self._by,
                done=done, failed=self._no_forecast,
            )  # fmt: skip

    def _no_forecast(self, error: PavoError) -> None:
        if error.id == STOPPED:
            self._forget()

    def _forecast_arrived(self, derived: Results, forecast: Forecast) -> None:
        from core.whatif.recode_effect import recoding_losses

        now = self._document.derived
        if now is None:
            return

        def done(losses: tuple[float, ...]) -> None:
            then, since = losses
            self.forecast, self.recoded = forecast, (then, since)
            self.arrived.emit()

        states = tuple((state, forecast.variables) for state in (derived, now))
        slot = f"loss before the last recode, {self._by}"
        self._document.compute(slot, recoding_losses, states, done=done, cancelled=self._forget)
