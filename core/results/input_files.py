"""The files that a session has read: what they were then, so that a change on disk is noticed and never slips in."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import MetadataError
from ..base.plain_file import checksum_of, read_plain
from ..base.progress import SILENT, Progress
from ..base.texts import mark

if TYPE_CHECKING:
    from .results import RecodedData


Checksums = tuple[tuple[Path, str], ...]
"""Files by the paths that a recipe says, and their SHA-256 in hexadecimal digits."""


class Stamp(NamedTuple):
    """State of a file when the session first needed it; all zero where it could not be read."""

    size: int
    mtime_ns: int
    sha256: str = ""


class InputFiles:
    """Stamps of the session's files, taken once each. Small files are stamped by content, the data by size and time."""

    def __init__(self) -> None:
        self._small: dict[Path, Stamp] = {}
        self._data: dict[Path, Stamp] = {}
        self._others: dict[Path, str] = {}

    def small(self, path: Path | None) -> Stamp | None:
        """Stamp of a metadata, codelist or scheme file."""
        if path is None:
            return None
        if path not in self._small:
            self._small[path] = _stamp(path, content=True)
        return self._small[path]

    def check_unchanged(self, *paths: Path | None) -> None:
        """Before small files are read once more: refuse those that are no longer what they were.

        Raises
        ------
        MetadataError
            Naming the file.
        """
        for path in paths:
            known = self.small(path)
            if path is not None and known is not None and _stamp(path, content=True).sha256 != known.sha256:
                raise _changed(path)

    def checksum(self, path: Path, progress: Progress = SILENT) -> str:
        """SHA-256 of any file but the data when it was first asked for; empty where it could not be read."""
        if path in self._small:
            return self._small[path].sha256
        if path not in self._others:
            self._others[path] = _checksum(path, progress)
        return self._others[path]

    def check_others_unchanged(self, progress: Progress = SILENT) -> None:
        """Refuse files of `checksum` that are no longer what they were: `MetadataError` as `check_unchanged`."""
        for path, known in self._others.items():
            if _checksum(path, progress) != known:
                raise _changed(path)

    def data(self, path: Path) -> Stamp:
        """Stamp of a data file; its checksum is taken where it is read."""
        if path not in self._data:
            self._data[path] = _stamp(path, content=False)
        return self._data[path]

    def are_changed(self) -> bool:
        """Whether one of the files is no longer what it was."""
        return (
            any(_stamp(path, content=True).sha256 != stamp.sha256 for path, stamp in self._small.items())
            or any(_stamp(path, content=False) != stamp for path, stamp in self._data.items())
            or any(_checksum(path) != known for path, known in self._others.items())
        )


def small_files(derived: RecodedData) -> tuple[Path | None, ...]:
    """The metadata, codelists and schemes that results follow from."""
    recipe = derived.recipe
    named = [variable.codelist for variable in derived.metadata.variables]
    named += [path for r in recipe.recodes for path in (r.scheme_file, derived.recodings[r.variable].codelist)]
    return recipe.input.metadata, *named


def _changed(path: Path) -> MetadataError:
    return MetadataError(
        "input-file-changed",
        mark("{file} has changed since it was read."),
        mark("Read it again (in the main window: Calculate Again) to work with it as it is now."),
        file=str(path),
    )


def _checksum(path: Path, progress: Progress = SILENT) -> str:
    try:
        return checksum_of(path, progress)
    except OSError:
        return ""


def _stamp(path: Path, *, content: bool) -> Stamp:
    try:
        status = path.stat()
        digest = hashlib.sha256(read_plain(path)).hexdigest() if content else ""
    except OSError:
        return Stamp(0, 0)
    return Stamp(status.st_size, status.st_mtime_ns, digest)
