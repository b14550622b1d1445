"""The check that variables which nothing was decided about stand in the written file as in the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.variables import Metadata
from ..formats.text.block_file import changed
from ..formats.text.digests import record_digests
from ..formats.text.records import ahead


def differences(
    original: Path,
    metadata: Metadata,
    written: Path,
    layout: Metadata,
    names: Sequence[str],
    order: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
    records: int = 0,
) -> tuple[Notice, ...]:
    """What differs between two files in variables that were only copied; blanks around a value do not count.

    Parameters
    ----------
    metadata, layout : how the original and the written file are laid out
    names : variables to compare
    order : (n,) original record (0-based) of each written record; None: the same order
    records : how many there are, to tell how far it is
    """
    if not names or not len(_different(original, metadata, written, layout, names, order, progress, records)):
        return ()
    found = []
    for name in names:
        places = _different(original, metadata, written, layout, (name,), order, progress, records)
        if len(places):
            found.append(
                Notice.of(
                    "copied-values-differ",
                    mark(
                        "{values} values of {variable} in the written file are not those of the original, the first in "
                        "record {record}."
                    ),
                    where=name,
                    values=len(places),
                    variable=name,
                    record=int(places[0]) + 1,
                )
            )
    return tuple(found)


def _different(
    original: Path,
    metadata: Metadata,
    written: Path,
    layout: Metadata,
    names: Sequence[str],
    order: NDArray[np.integer[Any]] | None,
    progress: Progress,
    records: int,
) -> NDArray[np.intp]:
    """Places (0-based) of written records that differ from the original's.

    The files are gone through side by side, each text in a thread of its own.
    """
    alike = metadata.format == layout.format
    digests = record_digests if alike else _code_digests
    beside = ahead if alike and metadata.format in ("fixed", "delimited") else nullcontext
    found, done = [np.empty(0, np.intp)], 0
    with (
        beside(digests(original, metadata, names, progress)) as theirs,
        beside(digests(written, layout, names, progress)) as ours,
    ):
        before = theirs if order is None else _in_order(theirs, order, original)
        waiting = np.empty(0, np.uint64)
        for now in ours:
            progress.check()
            while len(waiting) < len(now):
                more = next(before, None)
                if more is None:
                    raise changed(original)  # for the written file's records are counted before
                waiting = np.concatenate([waiting, more])
            found.append(done + np.flatnonzero(waiting[: len(now)] != now))
            waiting, done = waiting[len(now) :], done + len(now)
            progress.report(done, max(records, done), translate(mark("Checking the safe file")))
        if len(waiting) or next(before, None) is not None:
            raise changed(original)
    return np.concatenate(found)


def _in_order(
    digests: Iterator[NDArray[np.uint64]], order: NDArray[np.integer[Any]], original: Path
) -> Iterator[NDArray[np.uint64]]:
    """The original's digests as its records were written."""
    whole = np.concatenate([np.empty(0, np.uint64), *digests])
    if len(whole) != len(order):
        raise changed(original)
    yield whole[order]


def _code_digests(
    path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> Iterator[NDArray[np.uint64]]:
    """Digests that can be compared between formats."""
    from ..formats.convert import code_digests

    return code_digests(path, metadata, names, progress)
