"""The check that a written file has the columns that were decided and no others, and labels of its own codes only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ..base.errors import Notice
from ..base.progress import SILENT, Progress
from ..base.texts import mark
from ..data.columns import EncodedColumn, Source
from ..data.variables import Metadata, Variable
from ..formats.preview import preview


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
        from ..formats.typed.reading import typed_format  # slow to import

        return len(typed_format(layout.format).describe(written.path, progress).fields)
    shown = preview(written.path, layout, 1)
    return max(len(shown.header), *map(len, shown.rows))


@dataclass(frozen=True)
class LabelledCodes:
    """Codes that are labelled inside a written file, and codes that its records have, both by labelled variable.

    Labels of missing codes are right, whether or not a record has them, and are not among these.
    """

    labelled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, written: Source, columns: Mapping[str, EncodedColumn], layout: Metadata) -> LabelledCodes:
        """Those of one file.

        Parameters
        ----------
        columns : of the written file, as they were read back; labels of others are not looked at
        layout : its metadata
        """
        if layout.format in ("fixed", "delimited"):
            return cls()
        labelled = dict(_labelled(written, columns, layout))
        return cls(labelled, {name: frozenset(_held(columns[name])) for name in labelled})

    def __or__(self, other: LabelledCodes) -> LabelledCodes:
        """Those of two parts of one file: a part labels the codes of the whole."""
        return LabelledCodes(_united(self.labelled, other.labelled), _united(self.held, other.held))

    def problems(self) -> tuple[Notice, ...]:
        """What is wrong: a label of a code that no record has tells of it."""
        text = mark("The written file labels codes of {variable} that no record has: {labels}.")
        absent = ((name, len(codes - self.held[name])) for name, codes in self.labelled.items())
        return tuple(
            Notice.of("written-labels-of-absent-codes", text, variable=name, labels=count)
            for name, count in absent
            if count
        )


def _labelled(
    written: Source, columns: Mapping[str, EncodedColumn], layout: Metadata
) -> Iterator[tuple[str, frozenset[str]]]:
    from ..formats.typed.columns import number_code  # slow to import; those by nature are labelled by a text
    from ..formats.typed.reading import typed_format

    for each in typed_format(layout.format).describe(written.path).fields:
        if each.name not in columns or not each.values or each.name not in layout:
            continue
        texts = {value.strip(" ") for value, _label in each.values if isinstance(value, str) and each.is_text}
        numbers = {number_code(each, value) for value, _label in each.values if not isinstance(value, str)}
        variable = layout[each.name]
        yield each.name, frozenset(code for code in texts | numbers if not _is_missing(code, variable))


def _held(column: EncodedColumn) -> Iterator[str]:
    return (code for code, count in zip(column.codes, column.counts.tolist(), strict=True) if count)


def _united(some: Mapping[str, frozenset[str]], others: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    nothing = frozenset[str]()
    return {name: some.get(name, nothing) | others.get(name, nothing) for name in {**some, **others}}


def _is_missing(code: str, variable: Variable) -> bool:
    if code in variable.missing or not code:
        return True
    with suppress(ValueError):
        return any(low <= float(code) <= high for low, high in variable.missing_ranges)
    return False
