"""The first records of a typed file as codes."""

from __future__ import annotations

from pathlib import Path

from core.data.variables import Metadata
from core.formats.text.block_file import BlockFile
from core.formats.typed.columns import text_dictionary
from core.formats.typed.reading import typed_format


def typed_preview(path: Path, metadata: Metadata, n: int) -> tuple[tuple[str, ...], ...]:
    """The codes of the first `n` records, in the order of the metadata's variables; empty for one that is not there."""
    with BlockFile(path):  # says what is wrong with a file that cannot be opened
        pass
    reader = typed_format(metadata.format)
    described = reader.describe(path)
    names = [name for name in metadata.names if name in described]
    batches = reader.batches(path, described, names)
    batch = next(iter(batches), None) if names else None
    if batch is None:
        return ()
    by_name = {}
    for name, column in zip(names, batch.slice(0, n).columns, strict=True):
        texts, index = text_dictionary(described[name], column)
        listed = texts.to_pylist()
        by_name[name] = [listed[i] for i in index.tolist()]
    rows = zip(*(by_name.get(name, [""] * min(n, batch.num_rows)) for name in metadata.names), strict=True)
    return tuple(rows)
