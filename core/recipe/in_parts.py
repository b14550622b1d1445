"""Whether a recipe's data are one file or several, which are its parts, and which files these are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Literal

from ..base.errors import DataError
from ..base.texts import mark
from .model import Input

MANIFEST = "manifest.json"
"""The file beside the written parts that names them all."""

Whole = Literal["records", "redrawn", "order", "numbers", "noisy-weight", "households"]
"""Why something needs the whole file."""

NOT_IN_PARTS: Mapping[Whole, str] = {
    "records": mark("{key} cannot be carried out on a file in parts: it needs the records of all parts at once."),
    "redrawn": mark(
        "{key} cannot be carried out on a file in parts: it draws or exchanges values among the records of all parts."
    ),
    "order": mark("{key} cannot be carried out on a file in parts: records would move from one part to another."),
    "numbers": mark(
        "{key} cannot be carried out on a file in parts: with the values of a number, nearly every record would be a "
        "combination of its own."
    ),
    "noisy-weight": mark(
        "{key} cannot be carried out on a file in parts: with noise, nearly every record has a weight of its own."
    ),
    "households": mark(
        "{key} cannot be carried out on a file in parts: one member decides for others, so each household of the file "
        "is protected separately."
    ),
}
"""What is said of all that is refused, by the reason."""

OF_CELLS = frozenset(
    {
        "frequencies",
        "key-sets",
        "subsample",
        "population",
        "l-diversity",
        "t-closeness",
        "matches",
        "suda",
    }
)
"""Measures that follow from the cells, whoever their records are."""

_PATTERN = frozenset("*?[")


def is_in_parts(source: Input) -> bool:
    """Whether ``[input] data`` names a list of files, a folder or a pattern (of which no file has the name)."""
    if source.parts:
        return True
    return source.data is not None and (source.data.is_dir() or _is_pattern(source.data))


def _is_pattern(path: Path) -> bool:
    return not _PATTERN.isdisjoint(path.name) and not os.path.lexists(path)


def of_part(source: Input, part: Path) -> Input:
    """The same input, but for one of its parts alone."""
    return replace(source, data=part, parts=())


def of_first(source: Input) -> Input:
    """An input in parts for its first part, by which the layout of all is known; any other as it is.

    Raises
    ------
    DataError
        As `paths_of_parts`.
    """
    return of_part(source, paths_of_parts(source)[0]) if is_in_parts(source) else source


def paths_of_parts(source: Input) -> tuple[Path, ...]:
    """The files that ``[input] data`` names, in the order of their names.

    In a folder hidden files, the metadata file and a manifest are none.

    Raises
    ------
    DataError
        There is none, the folder cannot be read, two have the same name, or two are one file.
    """
    named = source.parts or (path for path in _found(source.data) if path != source.metadata)
    found = sorted(named, key=lambda path: (path.name, str(path)))
    if not found:
        raise DataError(
            "parts-none",
            mark("{file} names no file."),
            mark("Name the parts of the microdata by a list, a folder or a pattern such as parts/*.csv."),
            file=str(source.data),
        )
    for path, following in pairwise(found):
        if path.name.casefold() == following.name.casefold():
            raise DataError(
                "parts-same-name",
                mark("{file} and {other} have the same name, and the parts of the safe file are called like theirs."),
                mark("Rename one of them."),
                file=str(path),
                other=str(following),
            )
    _refuse_links(found)
    return tuple(found)


def _refuse_links(parts: Iterable[Path]) -> None:
    """Refuse two names of one file: its records would count twice, and rare ones pass for safe."""
    known: dict[tuple[int, int], Path] = {}
    for path in parts:
        try:
            status = path.stat()
        except OSError:
            continue  # said by whoever reads it
        other = known.setdefault((status.st_dev, status.st_ino), path)
        if other is not path and status.st_ino:
            raise DataError(
                "parts-same-file",
                mark("{file} and {other} are the same file, whose records would count twice."),
                mark("Name it once: take the link out."),
                file=str(other),
                other=str(path),
            )


def _found(data: Path | None) -> Iterator[Path]:
    if data is None:
        return
    folder, pattern = (data, "*") if data.is_dir() else (data.parent, data.name)
    try:
        entries = list(folder.iterdir())
    except OSError as error:
        raise DataError(
            "parts-unreadable",
            mark("The folder {file} cannot be read: {reason}."),
            "",
            file=str(folder),
            reason=error.strerror or str(error),
        ) from None
    for path in entries:
        if path.name[0] not in "._" and path.name != MANIFEST and fnmatchcase(path.name, pattern) and path.is_file():
            yield path


def sum_of_parts(parts: Iterable[tuple[str, str]]) -> str:
    """SHA-256 of a file in parts: of a text with a line for each part, its checksum, two blanks and its name."""
    return hashlib.sha256("".join(f"{sha256}  {name}\n" for sha256, name in parts).encode()).hexdigest()


def place_of_parts(source: Input) -> Path | None:
    """The folder that all parts are in; of a list that of the first."""
    place = source.place
    if place is None:
        return None
    return place if not source.parts and place.is_dir() else place.parent


def names_part(source: Input, path: Path) -> bool:
    """Whether `path` is the data, or one of the parts that they name or named."""
    if path == source.data or path in source.parts:
        return True
    return is_in_parts(source) and not source.parts and path.parent == place_of_parts(source)
