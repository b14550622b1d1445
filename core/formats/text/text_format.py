"""Common part of the text formats: from a class that cuts a file into records to reading and writing it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.base.progress import SILENT, Progress
from core.data.columns import Microdata
from core.data.variables import Metadata
from core.formats.text.reading import read_numbers, read_records
from core.formats.text.writing import Rewrite, WritableRecords, write_records


class TextFormat:
    """A format whose records `records` finds, read and written.

    Parameters
    ----------
    records : makes the records of a file from its path, its metadata and the variables wanted
    """

    def __init__(self, records: Callable[[Path, Metadata, Collection[str]], WritableRecords]) -> None:
        self._records = records

    def read(self, path: Path, metadata: Metadata, names: Collection[str], progress: Progress = SILENT) -> Microdata:
        """Read a file once and encode the variables named.

        Parameters
        ----------
        path : Path
        metadata : Metadata, of the module's format
        names : variables to encode; the weight variable among them becomes `Microdata.weights`
        progress : Progress

        Returns
        -------
        Microdata

        Raises
        ------
        DataError
            With file, line and variable: what cannot be read.
        """
        return read_records(self._records(path, metadata, names), names, progress)

    def read_numeric(
        self, path: Path, metadata: Metadata, name: str, progress: Progress = SILENT
    ) -> NDArray[np.float64]:
        """One numerical variable as (n,) float64, nan where it is missing or blank.

        Raises
        ------
        DataError
            ``not-a-number``, naming line and variable; and all that `read` raises.
        """
        return read_numbers(self._records(path, metadata, [name]), name, progress)

    def write(self, rewrite: Rewrite, out: BinaryIO, progress: Progress = SILENT) -> None:
        """Write the safe file.

        Fields that stay are copied as they are. In fixed format edited ones are put right-justified in their place,
        in delimited text they are quoted where they must be, or where all others of the column are. Line ends and
        header are the original's.
        Only variables of the layout are written.

        Parameters
        ----------
        rewrite : Rewrite, what is written
        out : BinaryIO, partly written where an error is raised: its owner removes it
        progress : Progress

        Raises
        ------
        DataError
            ``data-changed``: the original is not the file that was read.
        OutputError
            ``code-not-encodable``: a code cannot be written in the file's encoding.
        """
        records = self._records(rewrite.source.path, rewrite.metadata, rewrite.originals)
        write_records(records, rewrite, out, progress)
