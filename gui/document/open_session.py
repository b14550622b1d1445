"""What can be read of the open session, by every window."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from core.base.errors import PavoError
from core.recipe.model import Recipe
from gui.document.history import Step
from gui.document.session_state import Sitting

if TYPE_CHECKING:
    from core.release.run import Result
    from core.results.results import RiskTable
    from core.session import Derived


class OpenSession(QObject):
    """The read-only half of `gui.document.document.Document`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sitting = Sitting.empty()

    @property
    def recipe(self) -> Recipe:
        """The current recipe."""
        return self._sitting.recipe

    @property
    def history(self) -> list[Step]:
        """All steps, oldest first, each with `label` and `recipe`; see `history_index`."""
        return self._sitting.history.steps

    @property
    def history_index(self) -> int:
        """Which step of `history` is the current recipe."""
        return self._sitting.history.index

    @property
    def undo_label(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self._sitting.history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would bring again; empty where there is nothing."""
        return self._sitting.history.redo_label

    @property
    def derived(self) -> Derived | None:
        """The last valid results of this session; they belong to the current recipe unless `stale`."""
        return self._sitting.derived

    @property
    def unsafe_records(self) -> Mapping[str, int]:
        """Unsafe records of each key variable, whatever the models; of `derived`."""
        return self._sitting.unsafe_records

    def unsafe_in(self, table: RiskTable) -> int:
        """Records that are unsafe by the table's threshold of individual or household risk, or by both."""
        if table.index in self._sitting.unsafe_by_either:
            return self._sitting.unsafe_by_either[table.index]
        household = table.household
        of_households = 0 if household is None else household.staircase.unsafe(household.threshold)
        return max(table.staircase.unsafe(table.threshold), of_households)

    @property
    def stale(self) -> bool:
        """Whether `derived` belongs to another recipe than the current one (show it greyed)."""
        return self._sitting.derived_for is not self.recipe

    @property
    def error(self) -> PavoError | None:
        """Why the current recipe could not be carried out."""
        return self._sitting.error

    @property
    def released(self) -> Result | None:
        """What Make protected file made last in this session (summary, report, files)."""
        return self._sitting.released

    @property
    def released_is_current(self) -> bool:
        """Whether the protected file was made from the current recipe."""
        return self._sitting.released_for is not None and self._sitting.released_for == self.recipe

    @property
    def earlier_report(self) -> Path | None:
        """A report where the recipe writes one, of a file that was not made in this sitting; nobody checked it."""
        report = self.recipe.output.report
        return report if self.released is None and report is not None and report.is_file() else None

    @property
    def path(self) -> Path | None:
        """The session file; None where it was never saved."""
        return self._sitting.path

    @property
    def name(self) -> str:
        """The session's name for titles; empty where nothing is open."""
        return self._sitting.name

    @property
    def modified(self) -> bool:
        """Whether closing would lose an edit."""
        return self._sitting.modified

    @property
    def read_only(self) -> bool:
        """Whether another running Pavo has this session file open."""
        return self._sitting.read_only

    @property
    def looked_at(self) -> set[str]:
        """Names of the windows opened in this session."""
        return self._sitting.looked_at

    @property
    def drafts(self) -> dict[str, Any]:
        """Unfinished input by window name, as plain values (str, int, float, list, dict); kept by autosave."""
        return self._sitting.drafts

    def inputs(self) -> list[Path]:
        """Every file the session reads; none of them may be written."""
        recipe = self.recipe
        files: list[Path | None] = [recipe.input.data, recipe.input.metadata]
        files += [edit.codelist for edit in recipe.variables]
        files += [file for recode in recipe.recodes for file in (recode.scheme_file, recode.codelist)]
        if self.derived is not None:
            files += [variable.codelist for variable in self.derived.metadata.variables]
        return [file for file in files if file is not None]
