"""Hints at the first visit of a page: which are shown, and when each is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.settings import HINTS_KNOWN, settings
from gui.shared.parts.hint import Hint
from gui.workspace.workspace import Workspace


@dataclass(frozen=True)
class PageHint:
    """What to do first on a page. `is_work`: it is done by a change of the session, else by having looked at it."""

    text: str
    is_work: bool = True


HINTS: dict[str, PageHint] = {
    "overview": PageHint(
        mark("On top stands what would help most, each way with its effect: press one and see. Undo takes it back.")
    ),
    "openMicrodata": PageHint(
        mark("Choose a file or type its path, and look whether its first records are read rightly. It is only read."),
        is_work=False,
    ),
    "specifyMetadata": PageHint(
        mark("Say which columns somebody could know about a person (Key), and which is the weight; Check and suggest "
             "proposes it from names and contents."),
    ),
    "selectCombinations": PageHint(
        mark("A table holds what somebody could know of a person at the same time. Nothing is counted before "
             "Calculate tables."),
    ),
    "riskChart": PageHint(
        mark("Drag the line in the chart, or type one of the three numbers below it: the others follow, and so does "
             "what it costs."),
    ),
    "householdRiskChart": PageHint(
        mark("Who recognises one member recognises all. Drag the line, or type one of the numbers below it: the others "
             "follow, and so does what it costs."),
    ),
    "globalRecode": PageHint(
        mark("Choose a variable at the left and a way above its codes. What it would do is shown first; nothing is "
             "changed before Apply."),
    ),
    "makeProtectedFile": PageHint(
        mark("Decide on every column of the list, then look at the preview. Make file writes it and checks it."),
    ),
    "report": PageHint(
        mark("Read the verdict first. Choose at the right for whom it is, then save it or print it."), is_work=False
    ),
    "showTables": PageHint(mark("Choose a table to see its unsafe cells below."), is_work=False),
    "perturb": PageHint(
        mark("Choose a method and variables. Before and after are shown first; nothing is changed before Apply.")
    ),
    "riskLaboratory": PageHint(
        mark("Choose a question at the left, tick what somebody could know, and run it. The session stays as it is "
             "until you add it to the report."),
        is_work=False,
    ),
    "findPlan": PageHint(
        mark("Say how safe the file shall be, and search. A plan is a coding of all keys together; none is taken "
             "before you use it."),
    ),
    "compare": PageHint(
        mark("Keep the session as it is under a name, go on changing it, and see both side by side."), is_work=False
    ),
    "profileCheck": PageHint(
        mark("Choose the rules of your office, and check: each says whether the safe file keeps it, and what is in "
             "its way."),
        is_work=False,
    ),
    "utility": PageHint(
        mark("Press Preview, then begin with the variable that changed most. Nothing is written."), is_work=False
    ),
}  # fmt: skip


class Hints(QObject):
    """Shows the hint of each page in sight until it is known; made only where hints are wanted."""

    def __init__(self, document: Document, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._document, self._workspace = document, workspace
        self._shown: frozenset[str] = frozenset()
        workspace.moved.connect(self.refresh)
        document.changed.connect(self._on_changed)
        settings.told.changed.connect(self._on_setting)
        self.refresh()

    def refresh(self) -> None:
        """Follow which pages are in sight: those that were only to be looked at and no longer are, are known."""
        in_sight = self._workspace.with_room()
        left, self._shown = self._shown - in_sight, self._shown & in_sight
        self._know(*(name for name in left if not HINTS[name].is_work or self._is_made(name)))
        known = settings.get(HINTS_KNOWN)
        is_open = self._document.recipe.input.place is not None
        wanted = {name for name in (in_sight & HINTS.keys()).difference(known) if is_open or name == "openMicrodata"}
        self._shown = frozenset(wanted)
        for name, holder in self._workspace.holders.items():
            if name not in wanted:
                holder.say(None)
            elif holder.said is None:
                hint = Hint(translate(HINTS[name].text))
                hint.dismissed.connect(partial(self._know, name))
                holder.say(hint)

    def _on_setting(self, key: str) -> None:
        if key == HINTS_KNOWN.key:
            self.refresh()

    def _know(self, *names: str) -> None:
        known = settings.get(HINTS_KNOWN)
        if new := [name for name in names if name not in known]:
            settings.set(HINTS_KNOWN, [*known, *new])

    def _on_changed(self, _changes: object) -> None:
        """A step was done on what is in sight; a session that was just opened has none."""
        if self._document.session.history.undo_label:
            self._know(*(name for name in self._shown if HINTS[name].is_work))
        self.refresh()

    def _is_made(self, name: str) -> bool:
        """A file is made without a change of the session; the page is left for its report."""
        return name == "makeProtectedFile" and self._document.session.released is not None
