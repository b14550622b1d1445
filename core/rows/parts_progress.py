"""How far the work on the parts of a file is: in records and bytes, and how long it will still take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ..base.progress import Progress
from ..base.texts import mark, plural, translate, with_marks

_SOON = 2.0
"""Seconds of work after which the time left can be told from them."""
_MEGABYTE = 1_000_000


class PartsProgress:
    """Tells a `Progress` how much of the parts `paths` is done.

    Parameters
    ----------
    text : what is done, translated
    """

    def __init__(self, progress: Progress, paths: Sequence[Path], text: str) -> None:
        self._progress, self._text = progress, text
        self._sizes = [path.stat().st_size if path.is_file() else 0 for path in paths]
        self._done = self._records = 0
        self._bytes, self._began = 0.0, time.monotonic()

    def within(self, share: float) -> None:
        """So much (0 to 1) of the part that is next is done."""
        size = self._sizes[self._done] if self._done < len(self._sizes) else 0
        self._tell(self._bytes + size * min(max(share, 0.0), 1.0))

    def part(self, records: int) -> None:
        """One more part is done, with so many records."""
        self._bytes += self._sizes[self._done]
        self._done += 1
        self._records += records
        self._tell(self._bytes)

    def _tell(self, done: float) -> None:
        total = float(sum(self._sizes))
        self._progress.report(
            done,
            total,
            self._sentence(done, total).format(
                what=self._text,
                records=with_marks(str(self._records)),
                done=with_marks(str(round(done / _MEGABYTE))),
                total=with_marks(str(max(round(total / _MEGABYTE), 1))),
                count=self._minutes(done, total),
            ),
        )

    def _minutes(self, done: float, total: float) -> int:
        """Whole minutes that are left; -1: too little is done to tell."""
        passed = time.monotonic() - self._began
        if passed < _SOON or not 0 < done < total:
            return -1
        return int(passed * (total - done) / done / 60)

    def _sentence(self, done: float, total: float) -> str:
        minutes = self._minutes(done, total)
        if minutes < 0:
            return translate(mark("{what}: {records} records, {done} of {total} MB"))
        if minutes == 0:
            return translate(mark("{what}: {records} records, {done} of {total} MB, less than a minute left"))
        return translate(
            plural(
                minutes,
                "{what}: {records} records, {done} of {total} MB, about {count} minute left",
                "{what}: {records} records, {done} of {total} MB, about {count} minutes left",
            )
        )


class OfOnePart:
    """The progress of the work on one part, told as a share of all of them."""

    def __init__(self, told: PartsProgress, progress: Progress) -> None:
        self._told, self.check = told, progress.check

    def report(self, done: float, total: float, text: str) -> None:
        """As `Progress.report`; what step of the part it is is not told."""
        if total > 0:
            self._told.within(done / total)
