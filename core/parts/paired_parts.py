"""The safe file in parts beside the original: what happened to each value, known of the parts that are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..browse.found import RecordSet
from ..browse.parts import NOT_YET, Codes, FoundInPart, OpenParts, open_part
from ..browse.records import Browser
from ..browse.side_by_side import SideBySide, redefined_codes, side_by_side
from ..browse.text import changed
from ..data.columns import Microdata, Source
from ..data.variables import Metadata
from ..release.run import Result
from ..release.safe_file import with_texts
from ..results.results import Protection
from .run import PartsResult, WrittenParts


@dataclass(frozen=True, eq=False)
class PartBeside:
    """One part: the original, the safe file, and the row (n,) of the plan that each record is in."""

    original: Browser
    safe: Browser
    rows: NDArray[np.uint32]

    def close(self) -> None:
        """Give both files free."""
        self.original.close()
        self.safe.close()


class _Side:
    """The texts of records of all parts, as the original or as the safe file has them; a `Browser`."""

    def __init__(self, parts: PartsBeside, names: tuple[str, ...], safe: bool) -> None:
        self._parts, self.names, self._safe, self.records = parts, names, safe, parts.records

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record; `NOT_YET` while its part is not open."""
        at = self._parts.at(record)
        if at is None:
            return NOT_YET
        part, place = at
        return (part.safe if self._safe else part.original).text(place, slot)

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables (all by default) in a record."""
        return tuple(self.text(record, slot) for slot in (range(len(self.names)) if slots is None else slots))

    def close(self) -> None:
        """Both sides are closed together."""


class PartsBeside(OpenParts[PartBeside]):
    """Two files in parts to look at side by side; see `core.browse.side_by_side.SideBySide`.

    Attributes
    ----------
    suppressed : by variable, the rows of the plan (m,) whose records have a newly missing value
    """

    order = None

    def __init__(self, written: WrittenParts, protection: Protection) -> None:
        plan = written.plan
        super().__init__(written.sources, plan.metadata)
        self._plan, self._targets = plan, written.targets
        self.layout = plan.layout
        self._as_written = with_texts(plan.layout, {**dict.fromkeys(plan.added), **plan.numbers})
        self.original: Browser = _Side(self, self.metadata.names, safe=False)
        self.safe: Browser = _Side(self, self.layout.names, safe=True)
        self.suppressed: Mapping[str, NDArray[np.bool_]] = {
            name: flags for name, flags in protection.plan.suppressed.items() if flags.any()
        }
        self.redefined = redefined_codes(protection.derived)
        self._touched_rows = np.any([*self.suppressed.values()], axis=0)
        self._touched: dict[int, RecordSet] = {}
        if not self.suppressed:
            none = np.zeros(0, np.int64)
            self._touched = {i: RecordSet(none, source.records) for i, source in enumerate(self.sources)}

    @property
    def any_touched(self) -> bool:
        """Whether a record has newly missing values."""
        return bool(self.suppressed)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Variables of the original that the safe file does not have."""
        return tuple(name for name in self.metadata.names if name not in self.layout)

    def record(self, place: int) -> int:
        """The record of the original that stands at `place` of the safe file: parts are written as they stand."""
        return place

    def place(self, record: int) -> int:
        """Where in the safe file a record of the original stands."""
        return record

    def is_suppressed(self, name: str, place: int) -> bool:
        """Whether the value of a variable at `place` is newly missing; not before its part is open."""
        flags = self.suppressed.get(name)
        at = self.at(place) if flags is not None else None
        return flags is not None and at is not None and bool(flags[at[0].rows[at[1]]])

    def opened(self, number: int, progress: Progress = SILENT) -> PartBeside:
        """A part of both files, opened; takes as long as reading them.

        Raises
        ------
        DataError
            What cannot be read, with file and line; one of the two is no longer what it was.
        """
        source, target = self.sources[number], self._targets[number]
        rows = self._rows(self._read(number, "", self._plan.names_of_rows, progress), number, progress)
        original = open_part(source, self.metadata, progress)
        try:
            safe = _opened_as_written(target, self._as_written, progress)
        except BaseException:
            original.close()
            raise
        return PartBeside(original, safe, rows)

    def touched_in(self, number: int) -> RecordSet | None:
        """The records of a part that have newly missing values; None: it was not searched yet."""
        return self._touched.get(number)

    def found(
        self, number: int, text: str, touched_only: bool, codes: Codes, progress: Progress = SILENT
    ) -> FoundInPart:
        """The records of a part that `text`, which may be empty, finds in the original.

        Parameters
        ----------
        touched_only : only those with newly missing values
        codes : labels of the original by variable and code

        Raises
        ------
        DataError
            The part cannot be read, or is no longer what it was.
        """
        known = self._touched.get(number)
        if known is None and (own := self._open.get(number)) is not None:
            known = self._with_touched(number, own.rows)
        if known is not None and not text:
            return FoundInPart(known, known)
        read = self._read(number, text, self._plan.names_of_rows if known is None else (), progress)
        if known is None:
            known = self._with_touched(number, self._rows(read, number, progress))
        if not text:
            return FoundInPart(known, known)
        hits = self._matching(read, text, codes, progress)
        both = RecordSet(hits[known.mask()[hits]], self.records_of(number))
        return FoundInPart(both if touched_only else RecordSet(hits, self.records_of(number)), both)

    def _with_touched(self, number: int, rows: NDArray[np.uint32]) -> RecordSet:
        found = self._touched[number] = RecordSet(np.flatnonzero(self._touched_rows[rows]), len(rows))
        return found

    def _rows(self, part: Microdata, number: int, progress: Progress) -> NDArray[np.uint32]:
        return self._plan.places.of_records(part, self.first_of(number), progress)


def beside(result: Result, written: Path, progress: Progress = SILENT) -> SideBySide | PartsBeside:
    """The original of a run and its safe file `written`, to look at; of a file in parts the first part is open.

    Raises
    ------
    DataError
        One of the files is gone, has changed, or cannot be read.
    """
    assert result.protection is not None, "a safe file was written"
    if not isinstance(result, PartsResult) or result.written is None:
        return side_by_side(result.protection, written, progress)
    found = PartsBeside(result.written, result.protection)
    found.keep(0, found.opened(0, progress))
    return found


def _opened_as_written(target: Source, layout: Metadata, progress: Progress) -> Browser:
    try:
        return open_part(target, layout, progress)
    except DataError as error:
        if error.id != "data-changed":
            raise
        raise changed(target.path) from None  # reading the data again would not help
