"""The safe file beside the original: which record is which, and what happened to each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..base.progress import SILENT, Progress
from ..data.columns import Microdata
from ..data.variables import Metadata
from ..release.safe_file import safe_file, with_texts
from ..results.results import Protection, Results
from .records import Browser, RecordQuery, Records, choose_records, open_browser


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Two files to look at side by side.

    Attributes
    ----------
    original, safe : their records
    metadata, layout : their descriptions
    order : (n,) which record of the original (0-based) stands at each place of the safe file; None: the same
    suppressed : by variable, the newly missing values (n,) by record of the original
    touched : places in the safe file (0-based, ascending) of records with newly missing values
    redefined : by recoded variable, the codes that stand for another category than in the original
    """

    original: Browser
    safe: Browser
    metadata: Metadata
    layout: Metadata
    order: NDArray[np.int64] | None
    suppressed: Mapping[str, NDArray[np.bool_]]
    touched: Records
    redefined: Mapping[str, frozenset[str]]

    @property
    def any_touched(self) -> bool:
        """Whether a record has newly missing values."""
        return len(self.touched) > 0

    def record(self, place: int) -> int:
        """The record of the original that stands at `place` of the safe file; both 0-based."""
        return place if self.order is None else int(self.order[place])

    def place(self, record: int) -> int:
        """Where in the safe file a record of the original stands; both 0-based."""
        return record if self.order is None else int(np.flatnonzero(self.order == record)[0])

    def is_suppressed(self, name: str, place: int) -> bool:
        """Whether the value of a variable at `place` is newly missing."""
        flags = self.suppressed.get(name)
        return flags is not None and bool(flags[self.record(place)])

    @property
    def left_out(self) -> tuple[str, ...]:
        """Variables of the original that the safe file does not have."""
        return tuple(name for name in self.metadata.names if name not in self.layout)

    def close(self) -> None:
        """Give both files free."""
        self.original.close()
        self.safe.close()


def side_by_side(protection: Protection, written: Path, progress: Progress = SILENT) -> SideBySide:
    """The original of `protection` and the safe file that was written from it.

    Raises
    ------
    DataError
        One of the files is gone, or cannot be read.
    """
    derived = protection.derived
    safe = safe_file(protection, progress)
    layout = with_texts(safe.layout, {**safe.added, **safe.modified})
    suppressed = {name: flags for name, flags in protection.plan.suppressed.items() if flags.any()}
    touched = np.zeros(derived.records, np.bool_)
    for flags in suppressed.values():
        touched |= flags
    if safe.order is not None:
        touched = touched[safe.order]
    original = open_browser(derived.microdata.source.path, derived.metadata, progress)
    try:
        browser = open_browser(written, layout, progress)
    except BaseException:
        original.close()
        raise
    layout = replace(layout, variables=safe.layout.variables)
    places = np.flatnonzero(touched)
    return SideBySide(
        original, browser, derived.metadata, layout, safe.order, suppressed, places, redefined_codes(derived)
    )


def redefined_codes(derived: Results) -> dict[str, frozenset[str]]:
    """By recoded variable, the codes that the file had already and that are another category now.

    Other codes were recoded to the same one, its own records to another, or it became missing or valid.
    """
    found = {}
    for name, recoding in derived.recodings.items():
        before, now = derived.microdata.columns[name], recoding.column
        members: dict[str, set[str]] = {}
        for old, new in enumerate(recoding.lut.tolist()):
            members.setdefault(now.codes[new], set()).add(before.codes[old])
        was_missing, is_missing = set(before.codes[before.n_valid :]), set(now.codes[now.n_valid :])
        both = set(before.codes) & set(members)
        found[name] = frozenset(
            code for code in both if members[code] != {code} or (code in was_missing) != (code in is_missing)
        )
    return found


@dataclass(frozen=True, eq=False)
class ShownRecords:
    """Places of the safe file that are shown (None: all), and which of those rows have newly missing values."""

    places: Records | None
    touched: Records


def choose_places(
    beside: SideBySide,
    choice: RecordQuery,
    touched_only: bool,
    source: Microdata,
    codes: Mapping[str, Mapping[str, str]],
    progress: Progress = SILENT,
) -> ShownRecords:
    """The places of a choice, made by what the original file holds; not sorted: in the order of the safe file.

    Parameters
    ----------
    touched_only : only records with newly missing values
    source, codes : the original file and its labels, as `core.browse.records.choose_records` takes them

    Raises
    ------
    MetadataError
        ``cannot-sort``
    """
    records = choose_records(choice, source, codes, progress)
    is_touched = np.zeros(beside.safe.records, np.bool_)
    is_touched[beside.touched] = True
    if records is None:
        places = beside.touched if touched_only else None
        return ShownRecords(places, np.arange(len(beside.touched)) if touched_only else beside.touched)
    if beside.order is not None:
        place_of = np.empty(len(beside.order), np.int64)
        place_of[beside.order] = np.arange(len(beside.order))
        records = place_of[records]
    places = records if choice.by else np.sort(records)
    if touched_only:
        places = places[is_touched[places]]
    return ShownRecords(places, np.flatnonzero(is_touched[places]))
