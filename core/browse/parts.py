"""Records of a file in parts: only the parts that are looked at are opened, and one after the other is searched."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.columns import Microdata, Source
from ..data.variables import Metadata
from ..formats.registry import read_again
from ..formats.text.writing import check_unchanged
from ..recipe.model import Input, Recipe
from ..report.numbers import count
from ..results.needed_columns import needed_columns
from .found import RecordSet
from .records import Browser, Records, asked_variable, matching_records, open_browser

NOT_YET = "…"
"""What stands for the values of a part that is not open yet."""

_KEPT_RECORDS = 1 << 21
"""Records of open parts beyond which those looked at longest ago are closed; the two last ones stay."""


class OpenedPart(Protocol):
    """What is held of a part while it is looked at."""

    def close(self) -> None:
        """Give free what is held."""


Part = TypeVar("Part", bound=OpenedPart)
Codes = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class FoundInPart:
    """What was found in one part; places are 0-based in it.

    Attributes
    ----------
    shown : the records that are wanted
    touched : those of them that have newly missing values in the safe file; None: not asked for
    """

    shown: RecordSet
    touched: RecordSet | None = None


class OpenParts(Generic[Part]):
    """The parts of a file, of which those looked at last are open.

    Attributes
    ----------
    sources : the parts as they were read
    records : of all parts
    wanted : called with the number of a part that is not open, whose records are asked for; each time
    """

    def __init__(self, sources: Sequence[Source], metadata: Metadata) -> None:
        self.sources, self.metadata = tuple(sources), metadata
        self.wanted: Callable[[int], None] = lambda number: None
        self.searched = needed_columns(Recipe(input=Input()), metadata, "all")
        """The variables among whose codes and labels is looked."""
        self._firsts: list[int] = []
        self.records = 0
        for source in sources:
            self._firsts.append(self.records)
            self.records += source.records
        self._open: OrderedDict[int, Part] = OrderedDict()
        self._closed = False

    @property
    def parts(self) -> tuple[Path, ...]:
        """The files, in order."""
        return tuple(source.path for source in self.sources)

    def part_of(self, record: int) -> int:
        """The number, from 0, of the part that a record (0-based) stands in."""
        return max(bisect_right(self._firsts, record) - 1, 0)

    def first_of(self, number: int) -> int:
        """The first record of a part."""
        return self._firsts[number]

    def records_of(self, number: int) -> int:
        """How many records a part has."""
        return self.sources[number].records

    def opened(self, number: int, progress: Progress = SILENT) -> Part:
        """A part, opened; takes as long as looking through it."""
        raise NotImplementedError

    def keep(self, number: int, part: Part) -> None:
        """Show the records of a part that was opened; once all was closed, or if it is open already, it is closed."""
        if self._closed or number in self._open:
            part.close()
            return
        self._open[number] = part
        while len(self._open) > 2 and sum(map(self.records_of, self._open)) > _KEPT_RECORDS:
            self._open.popitem(last=False)[1].close()

    def is_open(self, record: int) -> bool:
        """Whether the part of a record is open."""
        return self.part_of(record) in self._open

    def at(self, record: int) -> tuple[Part, int] | None:
        """The open part of a record, and the record's place in it; None: it is not open yet, and is wanted now."""
        if not 0 <= record < self.records:
            raise IndexError(record)
        number = self.part_of(record)
        part = self._open.get(number)
        if part is None:
            self.wanted(number)
            return None
        self._open.move_to_end(number)
        return part, record - self._firsts[number]

    def close(self) -> None:
        """Give free what is held."""
        self._closed = True
        for part in self._open.values():
            part.close()
        self._open.clear()

    def _read(self, number: int, text: str, more: Sequence[str], progress: Progress) -> Microdata:
        """The columns of a part that are searched for `text`, and `more`.

        Raises
        ------
        DataError
            The part cannot be read, or is no longer what it was.
        """
        asked = asked_variable(self.searched, text)
        names = () if not text else self.searched if asked is None else (asked,)
        return read_again(self.sources[number], self.metadata, tuple(dict.fromkeys((*names, *more))), progress)

    def _matching(self, part: Microdata, text: str, codes: Codes, progress: Progress) -> Records:
        columns = {name: part.columns[name] for name in self.searched if name in part.columns}
        return matching_records(columns, codes, text, progress)


class PartsBrowser(OpenParts[Browser]):
    """The texts of records of all parts; see `core.browse.text.TextBrowser`."""

    def __init__(self, sources: Sequence[Source], metadata: Metadata) -> None:
        super().__init__(sources, metadata)
        self.names = metadata.names

    def opened(self, number: int, progress: Progress = SILENT) -> Browser:
        """A part, opened; takes as long as looking through it.

        Raises
        ------
        DataError
            What cannot be read, with file and line; ``data-changed``: the part is no longer what was read.
        """
        return open_part(self.sources[number], self.metadata, progress)

    def found(self, number: int, text: str, codes: Codes, progress: Progress = SILENT) -> FoundInPart:
        """The records of a part that `text` finds; see `core.browse.records.matching_records`.

        Parameters
        ----------
        codes : labels by variable and code

        Raises
        ------
        DataError
            The part cannot be read, or is no longer what it was.
        """
        part = self._read(number, text, (), progress)
        return FoundInPart(RecordSet(self._matching(part, text, codes, progress), part.records))

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record; `NOT_YET` while its part is not open."""
        at = self.at(record)
        return NOT_YET if at is None else at[0].text(at[1], slot)

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables (all by default) in a record."""
        return tuple(self.text(record, slot) for slot in (range(len(self.names)) if slots is None else slots))


def open_part(source: Source, metadata: Metadata, progress: Progress = SILENT) -> Browser:
    """Open a part to look at its records.

    Raises
    ------
    DataError
        What cannot be read, with file and line; ``data-changed``: it is no longer the `source` that was read.
    """
    check_unchanged(source, progress)  # it may have fewer records now than are asked for
    return open_browser(source.path, metadata, progress)


class OneOfTheParts:
    """The progress of a search in one part, told in records of all parts.

    Parameters
    ----------
    before, records, total : how many were looked through before it, it has, and there are in all parts
    """

    def __init__(self, progress: Progress, before: int, records: int, total: int) -> None:
        self._progress, self.check = progress, progress.check
        self._before, self._records, self._total = before, records, total
        self.report(0, 1, "")

    def report(self, done: float, total: float, text: str) -> None:
        """As `Progress.report`; what step of the part it is is not told."""
        share = min(max(done / total, 0.0), 1.0) if total > 0 else 0.0
        looked = self._before + int(self._records * share)
        told = translate(mark("Looking through the records: {done} of {total}"))
        self._progress.report(looked, self._total, told.format(done=count(looked), total=count(self._total)))
