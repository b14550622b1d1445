"""Every variable of a file looked at once: profiles, households, and what no variable describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.households import Households, households_of, within
from ..data.variables import Metadata, Variable
from ..formats.preview import preview
from ..formats.registry import read
from ..formats.text.block_file import changed
from ..recipe.model import TYPED
from ..recipe.model import HouseholdSettings as Settings
from .guess_use import is_household_id, may_be_household_id
from .nested import followed
from .profile import Profile, profile
from .undescribed import undescribed_columns

PASS_BYTES = 1 << 29
"""Memory for the columns that are read in one pass over the file."""
BATCH = 12
"""Columns of a pass whatever they take."""
TYPED_BATCH = 96
"""The same for files whose every reading takes long."""
_MANY_BYTES, _FEW_BYTES = 112, 6
"""Bytes a record for a column in which every value is another one, and for one of few different values."""
_SAMPLE, _FEW = 1000, 100
"""Variables with at most so many different values in so many first records are taken as having few."""


@dataclass(frozen=True, eq=False)
class Survey:
    """Contents of a file's variables, as far as the description lets them be read.

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
    identifier : str
        The household identifier, else the variable that is likely to be it; empty where there is neither.
    unidentified : int
        Records without an identifier.
    followed : mapping
        By variable the finer ones that it follows from, of those that were read together with it.
    """

    records: int
    profiles: Mapping[str, Profile]
    undescribed: tuple[str, ...] = ()
    scattered: int = 0
    households: int = 0
    identifier: str = ""
    unidentified: int = 0
    keys: Mapping[str, Hashable] | None = None
    file: str = ""
    followed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
        The file cannot be read: absent, ragged, not in its encoding, or changed in between.
    """
    first = preview(path, metadata, 1)
    record_length = _record_length(path, metadata) if metadata.format == "fixed" else 0
    readable = _readable(metadata, first.header, record_length)
    plain = replace(metadata, variables=tuple(_as_codes(v) for v in readable))
    groups = _groups(path, metadata, plain, progress)
    keys = {v.name: _key(v, metadata, groups.identifier) for v in readable}
    stays = known is not None and known.file == groups.sha256 and known.keys is not None
    profiles = {n: known.profiles[n] for n in keys if known and stays and (known.keys or {}).get(n) == keys[n]}
    lacking = [name for name in keys if name not in profiles]
    nested = dict(known.followed) if known and stays else {}
    begin = 0
    for names in passes(path, plain, lacking, groups.records):
        microdata = read(path, plain, names, _Part(progress, begin, len(names), len(lacking)))
        if microdata.source.sha256 != groups.sha256:
            raise changed(path)
        begin += len(names)
        for name in names:
            column, found = microdata.columns[name], groups.households
            inside = within(found, column, progress) if found is not None and name != groups.name else None
            profiles[name] = profile(column, metadata.decimal, inside, progress)
        nested |= followed({name: microdata.columns[name] for name in names}, progress)
    fixed = metadata.format == "fixed"
    return Survey(
        groups.records,
        {name: profiles[name] for name in keys},
        _free_positions(metadata, record_length) if fixed else undescribed_columns(path, metadata),
        groups.households.scattered if groups.households is not None else 0,
        groups.count,
        groups.name,
        groups.unidentified,
        keys,
        groups.sha256,
        {name: tuple(each for each in finer if each in keys) for name, finer in nested.items() if name in keys},
    )


@dataclass(frozen=True, eq=False)
class _Groups:
    """The households of a file, and what reading their identifier told about it."""

    records: int
    sha256: str
    identifier: Variable | None = None
    households: Households | None = None
    unidentified: int = 0

    @property
    def name(self) -> str:
        return self.identifier.name if self.identifier is not None else ""

    @property
    def count(self) -> int:
        return len(self.households) - self.unidentified if self.households is not None else 0


def _groups(path: Path, metadata: Metadata, plain: Metadata, progress: Progress) -> _Groups:
    """Households by the identifier declared, else by the first variable that is likely to be one."""
    declared = metadata.household_id
    if declared is not None:
        candidates = [v for v in plain.variables if v.name == declared.name]
    else:
        free = {v.name for v in metadata.variables if v.role == "other" and not v.removed}
        candidates = [v for v in plain.variables if v.name in free and may_be_household_id(v)]
    microdata = read(path, plain, [v.name for v in candidates], progress)
    empty = _Groups(microdata.records, microdata.source.sha256)
    for variable in candidates:
        column = microdata.columns[variable.name]
        if declared is None and is_household_id(variable, profile(column, metadata.decimal)) is None:
            continue
        absent = [i for i, code in enumerate(column.codes) if i >= column.n_valid or not code]
        found = households_of(column, Settings("own-household"), progress)
        return replace(empty, identifier=variable, households=found, unidentified=int(column.counts[absent].sum()))
    return empty


def passes(path: Path, metadata: Metadata, names: Sequence[str], records: int) -> Iterator[list[str]]:
    """The variables `names` by passes over the file, as many in each as memory allows.

    Parameters
    ----------
    records : n, by which memory is reckoned
    """
    least = TYPED_BATCH if metadata.format in TYPED else BATCH
    few: set[str] = set()
    if len(names) > least and len(names) * records * _MANY_BYTES > PASS_BYTES:
        first = preview(path, replace(metadata, variables=tuple(metadata[name] for name in names)), _SAMPLE)
        texts = zip(first.header, zip(*first.rows, strict=False), strict=False)
        few = {name for name, values in texts if len(set(values)) <= _FEW}
    taken: list[str] = []
    free = PASS_BYTES
    for name in names:
        free -= records * (_FEW_BYTES if name in few else _MANY_BYTES)
        if free < 0 and len(taken) >= least:
            yield taken
            taken, free = [], PASS_BYTES - records * (_FEW_BYTES if name in few else _MANY_BYTES)
        taken.append(name)
    if taken:
        yield taken


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


def _key(variable: Variable, metadata: Metadata, holder: Variable | None) -> Hashable:
    place = variable.start, variable.length, variable.column
    form = metadata.format, metadata.delimiter, metadata.header, metadata.encoding, metadata.decimal
    household = (holder.name, holder.start, holder.length, holder.column, holder.missing) if holder else None
    return variable.name, place, variable.missing, variable.missing_ranges, form, household


def _record_length(path: Path, metadata: Metadata) -> int:
    """Bytes of the first record."""
    whole = preview(path, replace(metadata, variables=(), encoding="latin-1"), 1)
    return len(whole.rows[0][0]) if whole.rows else 0


def _readable(metadata: Metadata, header: Sequence[str], record_length: int) -> list[Variable]:
    """Variables that have a place in the file and a name of their own."""
    times = Counter(v.name for v in metadata.variables)
    found = [v for v in metadata.variables if v.name and times[v.name] == 1]
    if metadata.format == "fixed":
        return [v for v in found if v.start > 0 and v.length > 0 and v.start + v.length - 1 <= record_length]
    if metadata.header:
        present = set(header)
        return [v for v in found if v.name in present]
    return [v for v in found if 0 < v.column]


def _free_positions(metadata: Metadata, record_length: int) -> tuple[str, ...]:
    covered = np.zeros(record_length + 1, dtype=bool)
    for variable in metadata.variables:
        covered[max(variable.start, 1) : max(variable.start, 1) + max(variable.length, 0)] = True
    free = np.flatnonzero(~covered[1:]) + 1
    runs = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1) if len(free) else []
    return tuple(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
