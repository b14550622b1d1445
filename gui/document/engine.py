"""Core's session as the compute thread uses it: made there on first use, so that starting the program is quick."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.base.errors import DataError
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.recipe.model import Numeric, Recipe

INPUT_CHANGED = "input-changed"
CHANGED_HINT = mark("The session is open with its edits, without results, until you accept the file as it is now.")


def _core_session() -> Any:
    from core.session import Session

    return Session()


class Engine:
    """Functions for `gui.document.tasks.Tasks.run`; nothing else here may be called from the GUI thread."""

    def __init__(self, factory: Callable[[], Any] | None = None) -> None:
        self._factory = factory or _core_session
        self._session: Any = None
        self._may_be_old = False

    def renew(self) -> None:
        """Read files that have changed again, before what is done next. The one call for the GUI thread."""
        self._may_be_old = True

    def _made(self) -> Any:
        if self._session is None:
            self._session = self._factory()
        if self._may_be_old:
            self._may_be_old = False
            self._session.renew()
        return self._session

    def derive(self, recipe: Recipe, progress: Progress = SILENT) -> Any:
        """Everything that follows from the recipe: `core.results.results.Results`."""
        return self._made().derive(recipe, progress=progress)

    def derive_shown(self, recipe: Recipe, progress: Progress = SILENT) -> tuple[Any, dict[str, int], dict[int, int]]:
        """What the windows show of the current recipe: `derive`, and the unsafe records of variables and of tables.

        Raises
        ------
        DataError
            The file is another one than the session was saved with: nothing is shown before the user accepts it.
        """
        derived = self.derive(recipe, progress)
        for notice in derived.notices:
            if notice.id == INPUT_CHANGED:
                raise DataError(notice.id, notice.template, CHANGED_HINT, **dict(notice.values))
        from core.results.unsafe_records import unsafe_counts

        return derived, *unsafe_counts(derived, progress)

    def prepare(self, recipe: Recipe, progress: Progress = SILENT) -> Any:
        """Every categorical column after recoding: `core.results.results.PreparedData`."""
        return self._made().prepare(recipe, progress)

    def count_cells(self, recipe: Recipe, variables: tuple[str, ...], progress: Progress = SILENT) -> int:
        """How many distinct keys the file has on `variables`."""
        return int(self._made().count_cells(recipe, variables, progress))

    def compare_numbers(self, recipe: Recipe, spec: Numeric, progress: Progress = SILENT) -> Any:
        """A numerical variable before and after changes: `core.recoding.numerical.Comparison`."""
        return self._made().compare_numbers(recipe, spec, progress)

    def forecast(
        self, recipe: Recipe, combination: int, mode: str, by: str = "individual", progress: Progress = SILENT
    ) -> Any:
        """Suppressions for every individual or household threshold: `core.suppression.forecast.Forecast`."""
        return self._made().forecast(recipe, combination, mode, progress=progress, by=by)

    def unprotectable(self, recipe: Recipe, combination: int, progress: Progress = SILENT) -> Any:
        """What is said of households that no suppression can make safe: a `ProtectionError`, or None."""
        from core.results.suppression_problem import unprotectable_households

        return unprotectable_households(self._made().derive(recipe, progress), combination)

    def protect(self, recipe: Recipe, progress: Progress = SILENT) -> Any:
        """The plan of suppressions; nothing is written."""
        return self._made().protect(recipe, progress=progress)

    def alternative(self, name: str, recipe: Recipe, progress: Progress = SILENT) -> Any:
        """The figures by which a recipe is compared: `core.effects.alternatives.Alternative`."""
        from core.base.errors import PavoError
        from core.effects.alternatives import alternative

        derived = self._made().derive(recipe, progress)
        try:
            protection = self._made().protect(recipe, progress)
        except PavoError as error:
            protection = error
        return alternative(name, derived, protection, progress)

    def carry_out(self, recipe: Recipe, as_saved: Recipe, path: Path | None, progress: Progress = SILENT) -> Any:
        """Write, read back and verify what the recipe asks for: `core.release.run.Result`.

        `path` is the session's file, `as_saved` what Save would write there: report and summary name that.
        """
        from core.recipe.toml import dumps
        from core.release.run import RecipeFile, carry_out

        text = dumps(as_saved, path.parent if path is not None else Path.home())
        file = RecipeFile(path, text, hashlib.sha256(text.encode("utf-8")).hexdigest())
        return carry_out(self._made(), recipe, progress, file)
