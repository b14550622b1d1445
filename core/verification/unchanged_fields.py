"""The check that variables which nothing was decided about stand in the written file as in the original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.variables import Metadata
from core.formats.text.block_file import changed
from core.formats.text.digests import record_digests


def differences(
    original: Path,
    metadata: Metadata,
    written: Path,
    layout: Metadata,
    names: Sequence[str],
    order: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> tuple[Notice, ...]:
    """What differs between two files in variables that were only copied; blanks around a value do not count.

    Parameters
    ----------
    metadata, layout : how the original and the written file are laid out
    names : variables to compare
    order : (n,) original record (0-based) of each written record; None: the same order
    """
    if not names or not len(_different(original, metadata, written, layout, names, order, progress)):
        return ()
    found = []
    for name in names:
        records = _different(original, metadata, written, layout, (name,), order, progress)
        if len(records):
            found.append(
                Notice.of(
                    "copied-values-differ",
                    mark(
                        "{values} values of {variable} in the written file are not those of the original, the first in "
                        "record {record}."
                    ),
                    where=name,
                    values=len(records),
                    variable=name,
                    record=int(records[0]) + 1,
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
) -> NDArray[np.intp]:
    """Places (0-based) of written records that differ from the original's."""
    digests = record_digests if metadata.format == layout.format else _code_digests
    before = digests(original, metadata, names, progress)
    now = digests(written, layout, names, progress)
    if len(before) != len(now):
        raise changed(original)  # for the written file's records are counted before
    return np.flatnonzero((before if order is None else before[order]) != now)


def _code_digests(
    path: Path, metadata: Metadata, names: Sequence[str], progress: Progress = SILENT
) -> NDArray[np.uint64]:
    """Digests that can be compared between formats."""
    from core.formats.convert import code_digests

    return code_digests(path, metadata, names, progress)
