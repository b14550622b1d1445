"""A file in parts as views show it: parts are opened when they are looked at, and searched one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.base.errors import PavoError
from gui.browse.records_view import RecordsView
from gui.document.document import Document

if TYPE_CHECKING:
    from core.base.progress import Progress
    from core.browse.parts import FoundInPart, OpenParts

    Question = Callable[..., FoundInPart]
    Answered = Callable[[int, FoundInPart], None]


class PartsShown(QObject):
    """The parts that `views` show the records of.

    Every part is searched by a task of its own: between two of them the parts that are looked at are opened.

    `opened()`: one more part is; `unreadable(PavoError)`: it cannot be. Of a search: `grown()`, `ended()`,
    `failed(PavoError)`, `stopped()` by the user.
    """

    opened = Signal()
    unreadable = Signal(object)
    grown = Signal()
    ended = Signal()
    failed = Signal(object)
    stopped = Signal()

    def __init__(
        self, document: Document, slot: str, parts: OpenParts[Any], views: Sequence[RecordsView], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._slot, self._views = document, slot, tuple(views)
        self.parts = parts
        parts.wanted = self._open
        self._coming = -1
        self._left: Iterator[int] = iter(())
        self._asks_on = False
        """Whether who asked goes on to another part at the end of this search."""
        self.searching = False
        """Whether parts are still to be searched."""
        self.looked_through = 0
        """Records of the parts that were searched."""
        self.found: dict[int, FoundInPart] = {}
        """What the search that is shown found, by part."""

    def close(self) -> None:
        """Give all parts free, and forget what was asked."""
        self.give_up_search()
        self._document.tasks.drop(self._opening)
        self.parts.close()
        self.deleteLater()

    # Opening -----------------------------------------------------------------------------------------------------

    @property
    def _opening(self) -> str:
        return f"{self._slot} part"

    def _open(self, number: int) -> None:
        """Open a part whose records are looked at."""
        if self._coming == number:
            return
        self._coming = number
        # kept also where another part is wanted meanwhile: it was read
        self._document.compute(
            self._opening, self.parts.opened, number, noted=partial(self.parts.keep, number), done=self._opened,
            failed=self._not_opened, cancelled=self._not_coming, background=True,
        )  # fmt: skip

    def _opened(self, _part: Any) -> None:
        self._not_coming()
        for view in self._views:
            view.records.read_again()
        self.opened.emit()

    def _not_opened(self, error: PavoError) -> None:
        self._not_coming()
        self.unreadable.emit(error)

    def _not_coming(self) -> None:
        self._coming = -1

    # Searching ---------------------------------------------------------------------------------------------------

    def search(self, question: Question) -> None:
        """Show what ``question(number, progress=...)`` finds in each part, as it is found; till then what was shown."""
        self.found = {}
        self._ask(question, range(len(self.parts.parts)), self._show)

    def look_into(self, question: Question, number: int, looked: int) -> None:
        """Ask about one part, after so many records were looked through; nothing else is shown.

        Whoever asks goes on to another part when this `ended`.
        """
        self._ask(question, (number,), lambda _number, _found: None, looked)
        self._asks_on = True

    def give_up_search(self) -> None:
        """Search no more; what was found stays."""
        self.searching = False
        self._document.tasks.drop(self._slot)

    def _ask(self, question: Question, numbers: Iterable[int], answered: Answered, looked: int = 0) -> None:
        self._left, self.looked_through, self.searching, self._asks_on = iter(numbers), looked, True, False
        self._next(question, answered)

    def _next(self, question: Question, answered: Answered, stopped: bool = False) -> None:
        number = next(self._left, -1)
        if stopped and (number >= 0 or self._asks_on):
            self._end(self.stopped.emit)
            return
        if number < 0:
            self._end(self.ended.emit)
            return
        records = self.parts.records_of(number)

        def done(found: FoundInPart) -> None:
            self.looked_through += records
            answered(number, found)
            self._next(question, answered, task.progress.cancelled)  # it was done when the user stopped it

        task = self._document.compute(
            self._slot, _asked, question, number, (self.looked_through, records, self.parts.records), done=done,
            failed=lambda error: self._end(lambda: self.failed.emit(error)),
            cancelled=lambda: self._end(self.stopped.emit),
        )  # fmt: skip

    def _end(self, tell: Callable[[], None]) -> None:
        self.searching = False
        tell()

    def _show(self, number: int, found: FoundInPart) -> None:
        first = self.parts.first_of(number)
        for view in self._views:
            if not self.found:
                view.records.set_found()
            view.records.add_found(first, found.shown)
        self.found[number] = found
        self.grown.emit()


def _asked(question: Question, number: int, of: tuple[int, int, int], progress: Progress) -> FoundInPart:
    from core.browse.parts import OneOfTheParts

    return question(number, progress=OneOfTheParts(progress, *of))
