"""The check that variables which nothing was decided about stand in the written file as in the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import Notice
from core.io.files import read
from core.microdata.columns import EncodedColumn
from core.microdata.variables import Metadata
from core.progress import SILENT, Progress
from core.texts import mark

AT_ONCE = 4
"""Variables compared in one pass over both files: their texts are all in memory."""


def differences(
    original: Path,
    metadata: Metadata,
    written: Path,
    layout: Metadata,
    names: Sequence[str],
    order: NDArray[np.integer[Any]] | None = None,
    progress: Progress = SILENT,
) -> tuple[Notice, ...]:
    """Variables whose text (blanks around it aside) differs between two files.

    Parameters
    ----------
    metadata, layout : how the original and the written file are laid out
    names : variables to compare
    order : (n,) original record (0-based) of each written record; None: the same order
    """
    found: list[Notice] = []
    for start in range(0, len(names), AT_ONCE):
        group = tuple(names[start : start + AT_ONCE])
        before = read(original, _as_texts(metadata, group), group, progress)
        now = read(written, _as_texts(layout, group), group, progress)
        for name in group:
            progress.check()
            found += _difference(before.columns[name], now.columns[name], order)
    return tuple(found)


def _as_texts(metadata: Metadata, names: tuple[str, ...]) -> Metadata:
    return replace(
        metadata,
        variables=tuple(
            replace(v, categorical=True, numeric=False, role="other", missing=()) if v.name in names else v
            for v in metadata.variables
        ),
    )


def _difference(before: EncodedColumn, now: EncodedColumn, order: NDArray[np.integer[Any]] | None) -> list[Notice]:
    expected = before.values if order is None else before.values[order]
    place = {code: number for number, code in enumerate(before.codes)}
    meaning = np.array([place.get(code, len(place)) for code in now.codes], np.int64)
    different = meaning[now.values] != expected
    if not different.any():
        return []
    return [
        Notice.of(
            "copied-values-differ",
            mark("{values} values of {variable} in the written file are not those of the original, the first in "
                 "record {record}."),
            where=before.name, values=int(different.sum()), variable=before.name, record=int(different.argmax()) + 1,
        )
    ]  # fmt: skip
