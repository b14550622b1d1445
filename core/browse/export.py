"""Records of a file as CSV, as they are found and sorted: for whoever wants to look at them elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import Notice
from ..base.outputs import Outputs
from ..base.progress import SILENT, Progress
from ..base.texts import mark, translate
from ..data.variables import Metadata
from .records import Browser, open_browser

_BLOCK = 1 << 16
_LOOK_UP = 512
"""Records between two looks at Cancel."""


@dataclass(frozen=True)
class Extract:
    """What is written of a file.

    Attributes
    ----------
    path, metadata : the file
    names : variables, in the order of the columns
    rows : (n,) records (0-based) in the order in which they are written; None: all as they stand
    labels : by variable, what is written in place of a code; codes without a label are written as they are
    """

    path: Path
    metadata: Metadata
    names: tuple[str, ...]
    rows: NDArray[np.int64] | None = None
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def export_records(
    extract: Extract, target: Path, inputs: Iterable[Path], progress: Progress = SILENT
) -> tuple[int, tuple[Notice, ...]]:
    """Write records as comma-separated text in UTF-8, the first line with the names.

    The file appears complete or not at all. Records are read in blocks, those of a block in the order of the file, so
    that a sorted export does not read a block of the file for every record.

    Returns
    -------
    The number of records, and former files that are still there.

    Raises
    ------
    OutputError
        `target` is one of the `inputs`, or cannot be written.
    DataError
        The file cannot be read.
    """
    browser = open_browser(extract.path, extract.metadata, progress)
    try:
        with Outputs({"data": target}, [extract.path, *inputs]) as outputs:
            with outputs.open("data") as out:
                out.write(_line(extract.names).encode())
                for text in _blocks(browser, extract, progress):
                    out.write(text.encode())
            left = outputs.commit()
            left = (*outputs.left, *left)
    finally:
        browser.close()
    return browser.records if extract.rows is None else len(extract.rows), left


def _blocks(browser: Browser, extract: Extract, progress: Progress) -> Iterator[str]:
    slots = [browser.names.index(name) for name in extract.names]
    labels = [extract.labels.get(name, {}) for name in extract.names]
    total = browser.records if extract.rows is None else len(extract.rows)
    for first in range(0, total, _BLOCK):
        end = min(first + _BLOCK, total)
        wanted = np.arange(first, end) if extract.rows is None else np.asarray(extract.rows[first:end])
        lines = [""] * len(wanted)
        for done, place in enumerate(np.argsort(wanted, kind="stable").tolist()):
            if done % _LOOK_UP == 0:
                progress.check()
                progress.report(first + done, total, translate(mark("Writing records")))
            codes = browser.row(int(wanted[place]), slots)
            lines[place] = _line([told.get(code, code) for told, code in zip(labels, codes, strict=True)])
        yield "".join(lines)


def _line(fields: Sequence[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(fields)
    return out.getvalue()
