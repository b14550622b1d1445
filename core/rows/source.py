"""The parts of a file, in the order of their records; a file by itself is the only part of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ..base.errors import DataError
from ..base.progress import SILENT, Progress
from ..data.columns import Microdata, Source
from ..data.variables import Metadata
from ..formats.registry import read
from ..formats.text.block_file import changed
from ..formats.text.writing import check_unchanged

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class FilePart:
    """One part of a file.

    Attributes
    ----------
    number : its place among all parts, from 0
    path : where it stands
    first : how many records stand before it in the whole file; 0 while they were not counted
    known : the part as it was read first; None: it was not read yet
    stamp : size in bytes and time of its last change in ns, when it was needed first; None: whatever they are
    """

    number: int
    path: Path
    first: int = 0
    known: Source | None = None
    stamp: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class PartRows:
    """The records of a part as they were read, and what several tasks make of them, which is made once."""

    part: FilePart
    data: Microdata
    _made: dict[int, tuple[object, Any]] = field(default_factory=dict)

    def once(self, of: object, make: Callable[[], Made]) -> Made:
        """What `make` gives, which follows from `of` and from these records alone."""
        if id(of) not in self._made:
            self._made[id(of)] = of, make()  # which keeps it: no other object may come to have its number
        found: Made = self._made[id(of)][1]
        return found


@dataclass(frozen=True, eq=False)
class FileParts:
    """The parts of a file as they are on disk.

    Attributes
    ----------
    metadata : of each of them
    parts : in the order of their records
    """

    metadata: Metadata
    parts: tuple[FilePart, ...]

    @classmethod
    def unread(cls, metadata: Metadata, paths: Iterable[Path]) -> FileParts:
        """Parts that are read for the first time."""
        return cls(metadata, tuple(FilePart(number, path) for number, path in enumerate(paths)))

    @classmethod
    def known(cls, metadata: Metadata, sources: Iterable[Source]) -> FileParts:
        """Parts that were read before, and have to be what they were."""
        first, parts = 0, list[FilePart]()
        for number, source in enumerate(sources):
            parts.append(FilePart(number, source.path, first, source))
            first += source.records
        return cls(metadata, tuple(parts))

    def read(self, part: FilePart, names: Collection[str], progress: Progress = SILENT) -> PartRows:
        """The columns `names` of a part, the weight among them as codes, and its weights.

        Raises
        ------
        DataError
            What `core.formats.registry.read` refuses; ``data-changed``: the part is no longer what it was.
        """
        weight, metadata = self.metadata.weight, self.metadata
        wanted = dict.fromkeys(names)
        if weight is not None and weight.name in wanted:
            variables = (replace(v, categorical=True) if v is weight else v for v in metadata.variables)
            metadata = replace(metadata, variables=tuple(variables))
        wanted |= {} if weight is None else {weight.name: None}
        with as_it_was(part.known, progress):
            data = read(part.path, metadata, tuple(wanted), progress)
        found = data.source
        if part.known is not None and found.sha256 != part.known.sha256:
            raise changed(part.path)
        if part.stamp is not None and (found.size, found.mtime_ns) != part.stamp:
            raise changed(part.path)
        return PartRows(part, data)


@contextlib.contextmanager
def as_it_was(source: Source | None, progress: Progress = SILENT) -> Iterator[None]:
    """Whatever is found to be wrong with a part that changed since it was read, say that it changed.

    Raises
    ------
    DataError
        ``data-changed``
    """
    try:
        yield
    except DataError:
        if source is not None:
            check_unchanged(source, progress)
        raise
