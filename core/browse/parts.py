"""Records of a file in parts: only the parts that are looked at are opened."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from core.base.progress import SILENT, Progress
from core.browse.records import Browser, open_browser
from core.data.columns import Source
from core.data.variables import Metadata

NOT_YET = "…"
"""What stands for the values of a part that is not open yet."""

_KEPT_RECORDS = 1 << 21
"""Records of open parts beyond which those looked at longest ago are closed; the two last ones stay."""


class PartsBrowser:
    """The texts of records of all parts; see `core.browse.text.TextBrowser`.

    Attributes
    ----------
    parts : the files, in order
    wanted : called with the number of a part that is not open, whose records are asked for; each time
    """

    def __init__(self, sources: Sequence[Source], metadata: Metadata) -> None:
        self.names = metadata.names
        self.parts: tuple[Path, ...] = tuple(source.path for source in sources)
        self.wanted: Callable[[int], None] = lambda number: None
        self._metadata = metadata
        self._firsts: list[int] = []
        self.records = 0
        for source in sources:
            self._firsts.append(self.records)
            self.records += source.records
        self._open: OrderedDict[int, Browser] = OrderedDict()

    def part_of(self, record: int) -> int:
        """The number, from 0, of the part that a record (0-based) stands in."""
        return max(bisect_right(self._firsts, record) - 1, 0)

    def first_of(self, number: int) -> int:
        """The first record of a part."""
        return self._firsts[number]

    def records_of(self, number: int) -> int:
        """How many records a part has."""
        following = self._firsts[number + 1] if number + 1 < len(self._firsts) else self.records
        return following - self._firsts[number]

    def opened(self, number: int, progress: Progress = SILENT) -> Browser:
        """A part, opened; takes as long as looking through it.

        Raises
        ------
        DataError
            What cannot be read, with file and line.
        """
        return open_browser(self.parts[number], self._metadata, progress)

    def keep(self, number: int, part: Browser) -> None:
        """Show the records of a part that was opened."""
        self._open[number] = part
        while len(self._open) > 2 and sum(map(self.records_of, self._open)) > _KEPT_RECORDS:
            self._open.popitem(last=False)[1].close()

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record; `NOT_YET` while its part is not open."""
        if not 0 <= record < self.records:
            raise IndexError(record)
        number = self.part_of(record)
        part = self._open.get(number)
        if part is None:
            self.wanted(number)
            return NOT_YET
        self._open.move_to_end(number)
        return part.text(record - self._firsts[number], slot)

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables (all by default) in a record."""
        return tuple(self.text(record, slot) for slot in (range(len(self.names)) if slots is None else slots))

    def close(self) -> None:
        """Give free what is held."""
        for part in self._open.values():
            part.close()
        self._open.clear()
