"""What windows have computed for them: drafts, forecasts, plans. Results come in a callback in the GUI thread.

Where the user stops everything, what is `failed` (or `cancelled`) for a window is told, and can be asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from core.base.errors import PavoError
from core.recipe.model import Numeric, Recipe
from gui.document.engine import Engine
from gui.document.open_session import OpenSession
from gui.document.tasks import Tasks, told_of_stop

if TYPE_CHECKING:
    from core.effects.alternatives import Alternative
    from core.recoding.numerical import Comparison
    from core.results.results import Prepared
    from core.session import Derived

PROTECT = "protect"


class Requests(OpenSession):
    """The half of `gui.document.document.Document` that computes what the session itself does not hold."""

    def __init__(self, session_factory: Callable[[], Any] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = Tasks(self)
        self._engine = Engine(session_factory)

    def cancel(self) -> None:
        """Stop what the user waits for; the session is as it was before. What nobody would be told of runs on."""
        self.tasks.cancel()

    @property
    def stoppable(self) -> bool:
        """Whether `cancel` would stop anything."""
        return self.tasks.stoppable

    def derive_draft(
        self,
        slot: str,
        draft: Recipe,
        done: Callable[[Derived], None],
        failed: Callable[[PavoError], None],
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Derive another recipe than the current one, for a preview; a newer call in the same slot replaces it."""
        cancelled = cancelled or told_of_stop(failed)
        self.tasks.run(slot, self._engine.derive, draft, done=done, failed=failed, cancelled=cancelled)

    def prepare(
        self,
        slot: str,
        draft: Recipe,
        done: Callable[[Prepared], None],
        failed: Callable[[PavoError], None],
        cancelled: Callable[[], None],
    ) -> None:
        """Every categorical column of a recipe after its recodes, without tables."""
        self.tasks.run(slot, self._engine.prepare, draft, done=done, failed=failed, cancelled=cancelled)

    def count_cells(
        self,
        slot: str,
        variables: tuple[str, ...],
        done: Callable[[int], None],
        failed: Callable[[PavoError], None] | None = None,
    ) -> None:
        """How many distinct keys the current recipe's file has on `variables`."""
        self.tasks.run(
            slot, self._engine.count_cells, self.recipe, variables, done=done, failed=failed, background=True
        )

    def compare_numbers(
        self,
        slot: str,
        spec: Numeric,
        done: Callable[[Comparison], None],
        failed: Callable[[PavoError], None],
        cancelled: Callable[[], None],
    ) -> None:
        """A numerical variable of the current recipe's file before and after changes."""
        callbacks: dict[str, Any] = {"done": done, "failed": failed, "cancelled": cancelled}
        self.tasks.run(slot, self._engine.compare_numbers, self.recipe, spec, **callbacks)

    def forecast(
        self,
        slot: str,
        combination: int,
        mode: str,
        done: Callable[[Any], None],
        failed: Callable[[PavoError], None] | None = None,
        draft: Recipe | None = None,
        by: str = "individual",
    ) -> None:
        """Forecast suppressions for every threshold of a combination of the current recipe, or of a draft.

        `by` says whether over thresholds of the individual or of the household risk.
        """
        recipe = self.recipe if draft is None else draft
        inputs, cancelled = (recipe, combination, mode, by), told_of_stop(failed)
        self.tasks.run(slot, self._engine.forecast, *inputs, done=done, failed=failed, cancelled=cancelled)

    def unprotectable(self, recipe: Recipe, combination: int, done: Callable[[PavoError | None], None]) -> None:
        """What is said of households that no suppression brings below a recipe's household threshold."""
        callbacks: dict[str, Any] = {"done": done, "failed": done, "cancelled": told_of_stop(done)}
        self.tasks.run("unprotectable", self._engine.unprotectable, recipe, combination, **callbacks)

    def alternative(
        self,
        slot: str,
        name: str,
        recipe: Recipe,
        done: Callable[[Alternative], None],
        failed: Callable[[PavoError], None] | None = None,
    ) -> None:
        """The figures by which another way of protecting the same file is compared."""
        inputs, cancelled = (name, recipe), told_of_stop(failed)
        self.tasks.run(slot, self._engine.alternative, *inputs, done=done, failed=failed, cancelled=cancelled)

    def plan(
        self,
        done: Callable[[Any], None],
        failed: Callable[[PavoError], None] | None = None,
        cancelled: Callable[[], None] | None = None,
        draft: Recipe | None = None,
    ) -> None:
        """Run the optimiser without writing anything; the result is core's `Protection`."""
        recipe = self.recipe if draft is None else draft
        self.tasks.run(PROTECT, self._engine.protect, recipe, done=done, failed=failed, cancelled=cancelled)

    def compute(self, slot: str, f: Callable[..., Any], *args: Any, **callbacks: Any) -> None:
        """Run any function of core in the compute thread: ``f(*args, progress=...)``; see `Tasks.run`."""
        self.tasks.run(slot, f, *args, **callbacks)
