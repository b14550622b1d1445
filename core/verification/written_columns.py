"""The check that a written file has the columns that were decided and no others, and labels of its own codes only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.data.columns import EncodedColumn, Source
from core.data.variables import Metadata, Variable
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


def labels_of_absent_codes(
    written: Source, columns: Mapping[str, EncodedColumn], layout: Metadata
) -> tuple[Notice, ...]:
    """What is wrong with the value labels inside a written file: one of a code that no record has tells of it.

    Parameters
    ----------
    columns : of the written file, as they were read back; labels of others are not looked at
    layout : its metadata; labels of missing codes are right, whether or not a record has them
    """
    if layout.format in ("fixed", "delimited"):
        return ()
    return tuple(_absent_labels(written, columns, layout))


def _absent_labels(written: Source, columns: Mapping[str, EncodedColumn], layout: Metadata) -> Iterator[Notice]:
    from core.formats.typed.columns import number_code  # slow to import; those by nature are labelled by a text
    from core.formats.typed.reading import typed_format

    text = mark("The written file labels codes of {variable} that no record has: {labels}.")
    for field in typed_format(layout.format).describe(written.path).fields:
        column = columns.get(field.name)
        if column is None or not field.values or field.name not in layout:
            continue
        texts = {value.strip(" ") for value, _label in field.values if isinstance(value, str) and field.is_text}
        numbers = {number_code(field, value) for value, _label in field.values if not isinstance(value, str)}
        there = {code for code, count in zip(column.codes, column.counts.tolist(), strict=True) if count}
        absent = [code for code in (texts | numbers) - there if not _is_missing(code, layout[field.name])]
        if absent:
            yield Notice.of("written-labels-of-absent-codes", text, variable=field.name, labels=len(absent))


def _is_missing(code: str, variable: Variable) -> bool:
    if code in variable.missing or not code:
        return True
    with suppress(ValueError):
        return any(low <= float(code) <= high for low, high in variable.missing_ranges)
    return False
