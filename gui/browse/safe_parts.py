"""Browse Safe File on a file in parts: which records are shown, and the way from one suppressed record to the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.browse.parts_shown import PartsShown
from gui.browse.records_view import RecordsView
from gui.document.document import Document

if TYPE_CHECKING:
    from core.browse.found import RecordSet
    from core.parts.paired_parts import PartsBeside


class SafeParts(QObject):
    """The parts of the safe file and of the original, which `views` show.

    `reached(place)`: the next record with suppressed values; `nothing_more()`: there is none.
    """

    reached = Signal(int)
    nothing_more = Signal()

    def __init__(
        self, document: Document, slot: str, beside: PartsBeside, views: Sequence[RecordsView], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._beside, self._views = beside, tuple(views)
        self.shown = PartsShown(document, slot, beside, views, self)
        self.is_chosen = False
        """Whether only what is searched for is shown."""
        self._going: tuple[int, int] | None = None
        """The place from which, and the direction in which, a suppressed record is looked for."""
        self.shown.grown.connect(self._go_on)
        self.shown.ended.connect(self._go_on)
        for over in (self.shown.failed, self.shown.stopped):
            over.connect(self._stay)

    def close(self) -> None:
        """Give all parts free."""
        self.shown.close()
        self.deleteLater()

    def choose(self, text: str, touched_only: bool, labels: dict[str, dict[str, str]]) -> bool:
        """Show the records that are found, part after part; all of them at once (True) where nothing is looked for."""
        self._going = None
        self.is_chosen = bool(text) or touched_only
        if self.is_chosen:
            self.shown.search(partial(self._beside.found, text=text, touched_only=touched_only, codes=labels))
            return False
        self.shown.give_up_search()
        for view in self._views:
            view.records.set_rows(None)
        return True

    @property
    def can_step(self) -> bool:
        """Whether among what is shown, or still comes, may be a record with suppressed values."""
        if not self.is_chosen:
            return self._beside.any_touched
        return self.shown.searching or any(found.touched for found in self.shown.found.values())

    @property
    def searched(self) -> tuple[str, ...]:
        """The variables among whose codes and labels is looked."""
        return self._beside.searched

    def part_of(self, place: int) -> tuple[str, bool]:
        """The name of the part that a record stands in, and whether it is open."""
        return self._beside.parts[self._beside.part_of(place)].name, self._beside.is_open(place)

    def step(self, place: int, direction: int) -> None:
        """Go to the next record with suppressed values behind `place`, or with -1 to the one before it."""
        if self._going != (place, direction):
            self._going = place, direction
            self._go_on()

    def _stay(self) -> None:
        self._going = None

    def _go_on(self) -> None:
        if self._going is None:
            return
        place, direction = self._going
        looked = 0
        for number in range(
            self._beside.part_of(max(place, 0)), len(self._beside.parts) if direction > 0 else -1, direction
        ):
            touched = self._touched_in(number)
            if touched is not None:
                first = self._beside.first_of(number)
                within = touched.next_to(place - first, direction)
                if within >= 0:
                    self._going = None
                    self.reached.emit(first + within)
                    return
            elif not self.is_chosen:
                question = partial(self._beside.found, text="", touched_only=True, codes={})
                self.shown.look_into(question, number, looked)  # and comes here again when it is known
                return
            elif self.shown.searching:
                return
            looked += self._beside.records_of(number)
        self._going = None
        self.nothing_more.emit()

    def _touched_in(self, number: int) -> RecordSet | None:
        if not self.is_chosen:
            return self._beside.touched_in(number)
        found = self.shown.found.get(number)
        return None if found is None else found.touched
