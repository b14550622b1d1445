"""What the program holds of the session that is open; no Qt, no computing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.errors import PavoError
from core.recipe.model import Recipe
from gui.document.history import History

if TYPE_CHECKING:
    from core.release.run import Result
    from core.session import Results


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
    error: PavoError | None = None
    """Why the current recipe could not be carried out; None where it could, or is being tried."""
    looked_at: set[str] = field(default_factory=set)
    """Windows opened in this session, for the workflow bar."""
    released: Result | None = None
    """The protected file made last, and the recipe it was made from."""
    released_for: Recipe | None = None
    drafts: dict[str, Any] = field(default_factory=dict)
    """Unfinished input of windows, kept by autosave: plain values by window name."""

    @classmethod
    def empty(cls) -> SessionState:
        """No session: an empty recipe."""
        return cls.of("New session", Recipe())

    @classmethod
    def of(cls, label: str, recipe: Recipe, path: Path | None = None) -> SessionState:
        """A session just opened: nothing to undo, nothing to save."""
        return cls(History(label, recipe), path, saved=recipe)

    @property
    def recipe(self) -> Recipe:
        """The current recipe."""
        return self.history.recipe

    @property
    def modified(self) -> bool:
        """Whether closing would lose an edit."""
        return self.recipe != self.saved

    @property
    def name(self) -> str:
        """What the title calls it: the session file's name, else the data file's, else nothing."""
        if self.path is not None:
            return self.path.stem
        data = self.recipe.input.data
        return data.stem if data is not None else ""
