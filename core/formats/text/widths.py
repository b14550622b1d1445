"""How wide the fields of a text file are: what a reader must make room for where no length was declared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...base.progress import SILENT, Progress
from ...base.texts import mark, translate
from ...data.variables import Metadata
from .block_file import BlockFile
from .delimited import DelimitedRecords


def with_true_widths(path: Path, metadata: Metadata, progress: Progress = SILENT) -> Metadata:
    """`metadata` of the delimited file at `path` with no length below that of the variable's longest field.

    Lengths are bytes, without quotes; a longer one that was declared stays.

    Raises
    ------
    DataError
        What `core.formats.registry.read` refuses of the file's form.
    """
    names = metadata.names
    longest = dict.fromkeys(names, 0)
    records = DelimitedRecords(path, metadata, names)
    with BlockFile(path, hashed=False) as file:
        for block in records.blocks(file):
            for name in names:
                progress.check()
                _starts, lengths = block.field(records.slots[name])
                longest[name] = max(longest[name], int(lengths.max(initial=0)))
            progress.report(file.read, max(file.size, 1), translate(mark("Measuring the safe file's fields")))
    variables = (replace(v, length=max(v.length, longest[v.name])) for v in metadata.variables)
    return replace(metadata, variables=tuple(variables))
