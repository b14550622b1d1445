"""The check that a written file has the columns that were decided and no others: one that was to go would be found."""

from __future__ import annotations

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import Source
from core.data.variables import Metadata
from core.formats.preview import preview


def other_columns(written: Source, layout: Metadata, progress: Progress = SILENT) -> tuple[Notice, ...]:
    """What is wrong with the columns of a written file that has all those of `layout`."""
    if layout.format == "fixed":
        decided = max(v.start + v.length - 1 for v in layout.variables)
        text = mark("The records of the written file have {found} bytes, not the {decided} that were decided.")
        found = written.record_length
    else:
        decided, found = len(layout.variables), _columns(written, layout, progress)
        text = mark("The written file has {found} columns, not the {decided} that were decided.")
    return () if found == decided else (Notice.of("written-columns-differ", text, found=found, decided=decided),)


def _columns(written: Source, layout: Metadata, progress: Progress) -> int:
    """Columns of a file without fixed fields."""
    if layout.format != "delimited":
        from core.formats.typed.reading import typed_format  # slow to import

        return len(typed_format(layout.format).describe(written.path, progress).fields)
    shown = preview(written.path, layout, 1)
    return max(len(shown.header), *map(len, shown.rows))
