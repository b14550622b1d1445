"""Every variable of a file looked at once: profiles, households, and what no variable describes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.io.files import read
from core.io.preview import preview
from core.microdata.columns import EncodedColumn
from core.microdata.describe import TYPED
from core.microdata.profile import Profile, profile
from core.microdata.variables import Metadata, Variable
from core.progress import SILENT, Progress
from core.texts import mark, translate

BATCH = 12
"""Columns held in memory at a time."""

TYPED_BATCH = 96
"""The same for files whose every reading takes long."""


@dataclass(frozen=True, eq=False)
class Survey:
    """What the variables of a file hold, as far as the description lets them be read.

    Attributes
    ----------
    records : int
        n; 0 where nothing could be read.
    profiles : mapping
        By variable; those whose place in the file is wrong have none.
    undescribed : tuple of str
        Columns (names or numbers) or positions of the file that no variable describes.
    scattered : int
        Households whose members do not stand together; 0 without an identifier.
    households : int
        Different identifiers; 0 without one.
    """

    records: int
    profiles: Mapping[str, Profile]
    undescribed: tuple[str, ...] = ()
    scattered: int = 0
    households: int = 0
    keys: Mapping[str, Hashable] | None = None
    file: str = ""


def survey(path: Path, metadata: Metadata, known: Survey | None = None, progress: Progress = SILENT) -> Survey:
    """Read the variables of `metadata` that can be read, a few at a time.

    Parameters
    ----------
    path : Path
    metadata : Metadata, contradictions included
    known : Survey of the same file before; what it knows of unchanged variables is not read again
    progress : Progress

    Raises
    ------
    DataError
        The file cannot be read: absent, ragged, not in its encoding.
    """
    first = preview(path, metadata, 1)
    record_length = _record_length(path, metadata) if metadata.format == "fixed" else 0
    readable = _readable(metadata, first.header, record_length)
    plain = replace(metadata, variables=tuple(_as_codes(v) for v in readable))
    keys = {v.name: _key(v, metadata) for v in readable}
    identifier = metadata.household_id
    ids: EncodedColumn | None = None
    microdata = read(path, plain, [identifier.name] if identifier and identifier.name in keys else [], progress)
    if identifier and identifier.name in keys:
        ids = microdata.columns[identifier.name]
    order, starts = _groups(ids)
    stays = known is not None and known.file == microdata.source.sha256 and known.keys is not None
    profiles = {n: known.profiles[n] for n in keys if known and stays and (known.keys or {}).get(n) == keys[n]}
    lacking = [name for name in keys if name not in profiles]
    batch = TYPED_BATCH if metadata.format in TYPED else BATCH
    for begin in range(0, len(lacking), batch):
        names = lacking[begin : begin + batch]
        columns = read(path, plain, names, _Part(progress, begin, len(names), len(lacking))).columns
        for name in names:
            varying = _varying(columns[name], order, starts) if ids is not None else None
            profiles[name] = profile(columns[name], metadata.decimal, varying, progress)
    scattered, households = _scattered(ids)
    header = _own_names(path, metadata) if metadata.format in TYPED else first.header
    undescribed = _undescribed(metadata, header, record_length)
    ordered = {name: profiles[name] for name in keys}
    return Survey(microdata.records, ordered, undescribed, scattered, households, keys, microdata.source.sha256)


class _Part:
    """Progress of one batch as part of all of them."""

    def __init__(self, progress: Progress, begin: int, count: int, total: int) -> None:
        self._progress, self._begin, self._count, self._total = progress, begin, count, total

    def report(self, done: float, total: float, text: str) -> None:
        share = self._count * done / max(total, 1)
        self._progress.report(self._begin + share, self._total, translate(mark("Looking at the variables")))

    def check(self) -> None:
        self._progress.check()


def _as_codes(variable: Variable) -> Variable:
    """The variable read as codes, whatever it is: a weight that is no number is to be seen, not refused."""
    return replace(variable, categorical=True, role="other")


def _key(variable: Variable, metadata: Metadata) -> Hashable:
    place = variable.start, variable.length, variable.column
    form = metadata.format, metadata.delimiter, metadata.header, metadata.encoding, metadata.decimal
    holder = metadata.household_id
    household = (holder.name, holder.start, holder.length, holder.column, holder.missing) if holder else None
    return variable.name, place, variable.missing, variable.missing_ranges, form, household


def _record_length(path: Path, metadata: Metadata) -> int:
    """Bytes of the first record."""
    whole = preview(path, replace(metadata, variables=(), encoding="latin-1"), 1)
    return len(whole.rows[0][0]) if whole.rows else 0


def _readable(metadata: Metadata, header: Sequence[str], record_length: int) -> list[Variable]:
    """Variables that have a place in the file and a name of their own."""
    names = [v.name for v in metadata.variables]
    found = [v for v in metadata.variables if v.name and names.count(v.name) == 1]
    if metadata.format == "fixed":
        return [v for v in found if v.start > 0 and v.length > 0 and v.start + v.length - 1 <= record_length]
    if metadata.header:
        return [v for v in found if v.name in header]
    return [v for v in found if 0 < v.column]


def _own_names(path: Path, metadata: Metadata) -> tuple[str, ...]:
    """Names of all columns of a file that names them itself."""
    from core.microdata.typed_description import file_variables

    return tuple(variable.name for variable in file_variables(path, metadata.format))


def _undescribed(metadata: Metadata, header: Sequence[str], record_length: int) -> tuple[str, ...]:
    if metadata.format != "fixed":
        if metadata.header:
            return tuple(name for name in header if name not in metadata)
        return ()
    covered = np.zeros(record_length + 1, dtype=bool)
    for variable in metadata.variables:
        covered[max(variable.start, 1) : max(variable.start, 1) + max(variable.length, 0)] = True
    free = np.flatnonzero(~covered[1:]) + 1
    runs = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1) if len(free) else []
    return tuple(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _groups(ids: EncodedColumn | None) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Records household by household, and where each household begins among them; missing identifiers left out."""
    if ids is None:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    order = np.argsort(ids.values, kind="stable")
    order = order[ids.values[order] < ids.n_valid]
    sorted_ids = ids.values[order]
    starts = np.flatnonzero(np.concatenate([[True], sorted_ids[1:] != sorted_ids[:-1]])) if len(order) else order
    return order, starts


def _varying(column: EncodedColumn, order: NDArray[np.intp], starts: NDArray[np.intp]) -> int:
    if not len(starts):
        return 0
    values = column.values[order]
    return int(np.count_nonzero(np.minimum.reduceat(values, starts) != np.maximum.reduceat(values, starts)))


def _scattered(ids: EncodedColumn | None) -> tuple[int, int]:
    """Households whose members do not stand together, and all households."""
    if ids is None or not len(ids.values):
        return 0, 0
    values = ids.values
    begins = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    runs = np.bincount(values[begins], minlength=len(ids.codes))[: ids.n_valid]
    return int(np.count_nonzero(runs > 1)), int(np.count_nonzero(runs))
