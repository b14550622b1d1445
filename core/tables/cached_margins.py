"""Margins that one stage after the other asks for, made once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .cells import Cells
from .frequencies import Margins
from .projections import Cube

MOST_CELLS = 1 << 21
"""So many cells have the tables together whose margins are held: each of them may take hundreds of megabytes."""
_RECORDS_A_CELL = 4
"""Of more records a cell, other things take the time."""


class CachedMargins:
    """Margins of tables, held while one is inside `held`, and made anew for each who asks outside of it."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[Cells, Margins]] | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, the margins of tables that `holds` says are held; of too many the last ones."""
        self._held = {}
        try:
            yield
        finally:
            self._held = None

    def holds(self, cells: Cells) -> bool:
        """Whether margins of this table are held: neither too large, nor too little work to be made anew."""
        return self._held is not None and len(cells) <= MOST_CELLS and cells.records <= _RECORDS_A_CELL * len(cells)

    def of(self, cells: Cells) -> Margins:
        """The frequencies in the table's margins under its own rule."""
        if self._held is None or not self.holds(cells):
            return Margins(cells)
        if id(cells) not in self._held:
            while self._held and sum(len(known) for known, _ in self._held.values()) + len(cells) > MOST_CELLS:
                del self._held[next(iter(self._held))]
            self._held[id(cells)] = cells, Margins(cells)  # with the cells: no others get their id
        return self._held[id(cells)][1]

    def cube(self, cells: Cells) -> Cube | None:
        """The margins with all their records, where they are held."""
        return self.of(cells).cube if cells.rule != "listwise" and self.holds(cells) else None
