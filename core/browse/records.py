"""Opening a file to look at its records, and choosing which of them in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import MetadataError
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Microdata
from ..data.variables import Metadata
from ..formats.registry import read_numbers
from ..formats.text.writing import check_unchanged
from ..recoding.labels import labels
from .text import TextBrowser, index_records

Records = NDArray[np.int64]


class Browser(Protocol):
    """Texts of the records of a file, read when they are asked for; see `core.browse.text.TextBrowser`."""

    names: tuple[str, ...]
    records: int

    def text(self, record: int, slot: int) -> str:
        """The value of variable ``names[slot]`` in a record (0-based)."""

    def row(self, record: int, slots: Sequence[int] | None = None) -> tuple[str, ...]:
        """The values of several variables in a record."""

    def close(self) -> None:
        """Give free what is held."""


def open_browser(path: Path, metadata: Metadata, progress: Progress = SILENT) -> Browser:
    """Open a file of any format to look at its records.

    Raises
    ------
    DataError
        What cannot be read, with file and line.
    """
    if metadata.format in ("fixed", "delimited"):
        return TextBrowser(index_records(path, metadata, progress), metadata)
    from .columns import ColumnsBrowser

    return ColumnsBrowser(path, metadata, progress)


def open_labelled(
    path: Path, metadata: Metadata, progress: Progress = SILENT
) -> tuple[Browser, dict[str, dict[str, str]]]:
    """`open_browser`, and the labels of the file's codes by variable; without those that cannot be read."""
    return open_browser(path, metadata, progress), labels(metadata, {})


@dataclass(frozen=True)
class RecordQuery:
    """Which records in which order: a text to find, and the variable to sort by; empty ones say nothing."""

    text: str = ""
    by: str = ""
    descending: bool = False


def choose_records(
    choice: RecordQuery, source: Microdata, codes: Mapping[str, Mapping[str, str]], progress: Progress = SILENT
) -> Records | None:
    """The records of a choice; None: all, as they stand.

    Parameters
    ----------
    source : the original file, without recodings
    codes : labels by variable and code

    Raises
    ------
    MetadataError
        ``cannot-sort``: the variable is neither categorical nor numerical.
    DataError
        ``data-changed``: what is sorted by is no longer what was read.
    """
    found = matching_records(source.columns, codes, choice.text, progress) if choice.text.strip() else None
    if not choice.by:
        return found
    if choice.by in source.columns:
        return sorted_records(source.columns[choice.by], found, choice.descending)
    if choice.by in source.metadata and source.metadata[choice.by].numeric:
        path = source.source.path
        order = sorted_by_number(path, source.metadata, choice.by, found, choice.descending, progress)
        check_unchanged(source.source, progress)
        return order
    raise MetadataError(
        "cannot-sort",
        mark("{variable} is neither categorical nor numerical, so records cannot be sorted by it."),
        mark("Say in Specify Metadata what it is."),
        variable=choice.by,
    )


def matching_records(
    columns: Mapping[str, EncodedColumn],
    codes: Mapping[str, Mapping[str, str]],
    text: str,
    progress: Progress = SILENT,
) -> Records:
    """Records (0-based) that `text` finds, ascending.

    ``VARIABLE=code`` finds the records with exactly that code; any other text the records in which a code or a label
    of any of the `columns` contains it, without regard to case.
    """
    code = text.partition("=")[2].strip()
    wanted = text.strip().casefold()
    exact = asked_variable(columns, text)
    found: NDArray[np.bool_] | None = None
    for column in columns.values() if exact is None else (columns[exact],):
        progress.check()
        told = codes.get(column.name, {})
        if exact is not None:
            hits = [other == code for other in column.codes]
        else:
            hits = [wanted in other.casefold() or wanted in told.get(other, "").casefold() for other in column.codes]
        if found is None:
            found = np.zeros(len(column.values), np.bool_)
        if any(hits):
            found |= np.array(hits)[column.values]
    return np.flatnonzero(found) if found is not None else np.empty(0, np.int64)


def asked_variable(names: Iterable[str], text: str) -> str | None:
    """Which of `names` a ``VARIABLE=code`` is about; None: none, or it is another text."""
    name, equals, _ = text.partition("=")
    return {other.casefold(): other for other in names}.get(name.strip().casefold()) if equals else None


def sorted_records(column: EncodedColumn, among: Records | None, descending: bool = False) -> Records:
    """Records (0-based) by the codes of a column, missing ones last; equal ones as in the file.

    Parameters
    ----------
    among : the records to sort, ascending; None: all
    """
    values = column.values if among is None else column.values[among]
    rank = np.arange(len(column.codes), dtype=np.int64)
    if descending:
        rank[: column.n_valid] = rank[: column.n_valid][::-1]
    order = np.argsort(rank[values].astype(_narrow(len(rank))), kind="stable")
    return order if among is None else among[order]


def sorted_by_number(
    path: Path, metadata: Metadata, name: str, among: Records | None, descending: bool, progress: Progress = SILENT
) -> Records:
    """As `sorted_records`, by a numerical variable read from the file."""
    (values,) = read_numbers(path, metadata, [name], progress)
    values = values if among is None else values[among]
    order = np.argsort(-values if descending else values, kind="stable")
    return order if among is None else among[order]


def _narrow(size: int) -> np.dtype[Any]:
    return np.min_scalar_type(max(size - 1, 0))
