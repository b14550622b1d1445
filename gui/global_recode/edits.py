"""Edits of a recode's draft: at once where codes are few, in the compute thread where they are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.recoding import grouping
from core.recoding.draft import Draft
from gui.document.document import Document
from gui.global_recode.model import FEW_CODES, Labels, RecodeRows
from gui.global_recode.scheme_text import Written

_SLOT = "recode edit"

Edit = Callable[[Draft], Draft]
LabelsOf = Callable[[Draft], Labels]
Take = Callable[[Draft, RecodeRows | None, Sequence[str]], None]


def are_many(column: EncodedColumn) -> bool:
    """Whether a recode of these codes takes longer to work out than a window may stand still."""
    return len(column.codes) > FEW_CODES


def work_out(
    document: Document,
    slot: str,
    column: EncodedColumn,
    f: Callable[..., Any],
    *args: Any,
    done: Callable[[Any], None],
    failed: Callable[[PavoError], None],
) -> None:
    """Carry out ``f(*args)`` for a column: at once where its codes are few, else in the compute thread.

    Who stops all work means what takes long: there it is begun once more.
    """
    if are_many(column):
        again = partial(work_out, document, slot, column, f, *args, done=done, failed=failed)
        document.compute(slot, f, *args, done=done, failed=failed, cancelled=again)
        return
    document.tasks.drop(slot)
    try:
        found = f(*args)
    except PavoError as error:
        failed(error)
        return
    done(found)


class RecodeWork:
    """Carries out edits one after the other; what is not done yet is kept until `settle` or `drop`.

    Parameters
    ----------
    take : called with the draft after all edits, its rows if they are made, and the codes to select
    failed : called with what is wrong where an edit cannot be carried out
    """

    def __init__(self, document: Document, take: Take, failed: Callable[[PavoError], None]) -> None:
        self._document, self._take, self._failed = document, take, failed
        self._base: Draft | None = None
        self._edits: list[Edit] = []
        self._selected: Sequence[str] = ()
        self._next: list[tuple[Callable[[], None], bool]] = []

    def edit(self, draft: Draft, labels: LabelsOf, edit: Edit, selected: Sequence[str] = ()) -> None:
        """Change `draft`, or what earlier edits make of it, and select these codes then."""
        if not self._edits:
            self._base = draft
        elif isinstance(edit, Written) and isinstance(self._edits[-1], Written):
            self._edits.pop()
        self._edits.append(edit)
        self._selected = selected
        if not are_many(draft.column):
            self.settle()
            return
        base, edits = self._base, tuple(self._edits)
        work_out(
            self._document, _SLOT, draft.column, _work_out, base, edits, labels, done=self._done, failed=self._fail
        )

    def then(self, do: Callable[[], None], always: bool = False) -> None:
        """Do something once nothing is left to be worked out: at once where nothing is.

        What is not to be done `always` is about the edits, and forgotten where they are dropped.
        """
        if self._edits:
            self._next.append((do, always))
        else:
            do()

    def settle(self) -> None:
        """Do what is left now."""
        if self._edits and self._base is not None:
            base, edits = self._base, tuple(self._edits)
            self._document.tasks.drop(_SLOT)
            try:
                made = _edited(base, edits)
            except PavoError as error:
                self._fail(error)
                return
            self._finish(made, None)

    def drop(self) -> None:
        """Forget what is left and what was to be done with it, and go on."""
        self._edits.clear()
        self._next = [(do, always) for do, always in self._next if always]
        self._document.tasks.drop(_SLOT)
        self._go_on()

    def _done(self, rows: RecodeRows) -> None:
        self._finish(rows.draft, rows)

    def _fail(self, error: PavoError) -> None:
        self._edits.clear()
        self._failed(error)
        self._go_on()

    def _finish(self, draft: Draft, rows: RecodeRows | None) -> None:
        self._edits.clear()
        self._take(draft, rows, self._selected)
        self._go_on()

    def _go_on(self) -> None:
        while self._next and not self._edits:
            do, _always = self._next.pop(0)
            do()


def merging(groups: Sequence[Sequence[str]]) -> Edit:
    """The edit that makes one category of each group of codes."""

    def edit(draft: Draft) -> Draft:
        scheme = draft.scheme
        for codes in groups:
            scheme = grouping.merge(draft.column, scheme, codes, fixed=draft.fixed)
        return draft.with_scheme(scheme)

    return edit


def _edited(draft: Draft, edits: Sequence[Edit]) -> Draft:
    for edit in edits:
        draft = edit(draft)
    return draft


def _work_out(draft: Draft, edits: Sequence[Edit], labels: LabelsOf, progress: Progress = SILENT) -> RecodeRows:
    """The draft after all edits, with the rows of both tables."""
    for edit in edits:
        progress.check()
        draft = edit(draft)
    rows = RecodeRows(draft, labels(draft))
    rows.make(progress)
    return rows
