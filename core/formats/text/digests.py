"""Digests of the fields of a text file's records: for comparing two files without keeping their texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...base.progress import SILENT, Progress
from ...data.variables import Metadata
from ...kernels.digest import digest_fields
from .block_file import BlockFile
from .delimited import DelimitedRecords
from .fixed import FixedRecords
from .reading import Records

DIGEST_START = np.uint64(0xCBF29CE484222325)


def open_records(
    path: Path, metadata: Metadata, names: Collection[str], progress: Progress = SILENT, delimiter: str | None = None
) -> Records:
    """The records of a file in any format; for a typed file `delimiter` is that of the text to be made of them."""
    if metadata.format == "fixed":
        return FixedRecords(path, metadata, names)
    if metadata.format == "delimited":
        return DelimitedRecords(path, metadata, names)
    from ..typed.reading import TypedRecords

    return TypedRecords(path, metadata, names, delimiter, progress)


def record_digests(
    path: Path, metadata: Metadata, names: Collection[str], progress: Progress = SILENT
) -> Iterator[NDArray[np.uint64]]:
    """A digest of the fields `names` of each record, blanks around them aside; some records at a time.

    Yields
    ------
    (n,) uint64
        Equal for equal fields; for different ones equal with a chance of about 2**-64.

    Raises
    ------
    DataError
        What `core.formats.registry.read` refuses of the file's form.
    """
    records = open_records(path, metadata, names, progress)
    with BlockFile(path, hashed=False) as file:
        for block in records.blocks(file):
            digests = np.full(len(block), DIGEST_START)
            for name in names:
                progress.check()
                digest_fields(block.data, *block.field(records.slots[name]), digests)
            yield digests
