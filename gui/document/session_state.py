"""What the program holds of the session that is open; no Qt, no computing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.errors import Notice, PavoError
from core.base.texts import translate
from core.recipe.model import OUTPUT_FILES, Recipe
from gui.document.history import History, Label

if TYPE_CHECKING:
    from core.release.run import Result
    from core.session import Results, RiskTable


@dataclass
class SessionState:
    """An open session: its history, where it is kept, and the results that belong to it."""

    history: History
    path: Path | None = None
    saved: Recipe | None = None
    read_only: bool = False
    derived: Results | None = None
    """The last valid results; they belong to `derived_for`."""
    derived_for: Recipe | None = None
    unsafe_records: dict[str, int] = field(default_factory=dict)
    """Unsafe records by variable, of `derived`."""
    unsafe_by_either: dict[int, int] = field(default_factory=dict)
    """Unsafe records of risk tables with two thresholds, by the combination's place; of `derived`."""
    checksums: tuple[tuple[Path, str], ...] = ()
    """Of all files but the data that `derived` follows from, by path."""
    margins_of: Results | None = None
    """The results whose margins were counted as far as they are without being asked for."""
    error: PavoError | None = None
    """Why the current recipe could not be carried out; None where it could, or is being tried."""
    looked_at: set[str] = field(default_factory=set)
    """Windows opened in this session, for the workflow bar."""
    released: Result | None = None
    """The protected file made last, and the recipe it was made from."""
    released_for: Recipe | None = None
    early: tuple[Notice, ...] = ()
    """Warnings that do not wait for a plan, and the recipe that they are of."""
    early_for: Recipe | None = None
    given_outputs: set[Path] = field(default_factory=set)
    """Outputs that the session named when it was opened, of which nobody has said here that they may be written."""
    drafts: dict[str, Any] = field(default_factory=dict)
    """Unfinished input of windows, kept by autosave: plain values by window name."""

    def keep_draft(self, window: str, plain: Any) -> None:
        """Keep a window's unfinished input against a crash; None or nothing in it: there is none."""
        if plain:
            self.drafts[window] = plain
        else:
            self.drafts.pop(window, None)

    @classmethod
    def empty(cls) -> SessionState:
        """No session: an empty recipe."""
        return cls.of(lambda: translate("New session"), Recipe())

    @classmethod
    def of(cls, label: Label, recipe: Recipe, path: Path | None = None) -> SessionState:
        """A session just opened: nothing to undo, nothing to save."""
        return cls(History(label, recipe), path, saved=recipe)

    @property
    def recipe(self) -> Recipe:
        """The current recipe."""
        return self.history.recipe

    @property
    def stale(self) -> bool:
        """Whether `derived` belongs to another recipe than the current one."""
        return self.derived_for is not self.recipe

    def unsafe_in(self, table: RiskTable) -> int:
        """Records that are unsafe by the table's threshold of individual or household risk, or by both."""
        if table.index in self.unsafe_by_either:
            return self.unsafe_by_either[table.index]
        household = table.household
        of_households = 0 if household is None else household.staircase.unsafe(household.threshold)
        return max(table.staircase.unsafe(table.threshold), of_households)

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """All warnings that are known of the current recipe: those of the file made from it, or the early ones."""
        if self.released is not None and self.released.protection is not None and self.released_is_current:
            return self.released.warnings
        return self.early if self.early_for is self.recipe else ()

    @property
    def released_is_current(self) -> bool:
        """Whether the protected file was made from the current recipe."""
        return self.released_for is not None and self.released_for == self.recipe

    @property
    def earlier_report(self) -> Path | None:
        """A report where the recipe writes one, of a file that was not made in this session; nobody checked it."""
        report = self.recipe.output.report
        return report if self.released is None and report is not None and report.is_file() else None

    def inputs(self) -> list[Path]:
        """Every file the session reads; none of them may be written."""
        recipe = self.recipe
        files: list[Path | None] = [recipe.input.data, *recipe.input.parts, recipe.input.metadata, recipe.profile.file]
        files += [recipe.target.profile] if isinstance(recipe.target.profile, Path) else []
        files += [edit.codelist for edit in recipe.variables]
        files += [file for recode in recipe.recodes for file in (recode.scheme_file, recode.codelist)]
        if self.derived is not None:
            files += [variable.codelist for variable in self.derived.metadata.variables]
        return [file for file in files if file is not None]

    def note_given_outputs(self) -> None:
        """Remember the outputs that it names: whoever opens it has not chosen them."""
        recipes = [step.recipe for step in self.history.steps]
        named = (getattr(recipe.output, role) for recipe in recipes for role in OUTPUT_FILES)
        self.given_outputs = {path for path in named if path is not None}

    @property
    def modified(self) -> bool:
        """Whether closing would lose an edit."""
        return self.recipe != self.saved

    @property
    def name(self) -> str:
        """What the title calls it: the session file's name, else the data file's, else nothing."""
        if self.path is not None:
            return self.path.stem
        data = self.recipe.input.place
        return data.stem if data is not None else ""
