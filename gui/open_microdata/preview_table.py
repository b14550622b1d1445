"""The first records of a file as they will be read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import zip_longest

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QWidget

from core.base.texts import mark_plural, plural, translate
from core.formats.preview import Preview
from core.metadata.opening import Look
from gui import numbers
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column

_MARGIN = 16


class PreviewTable(DataTable):
    """`preview`: record number, then a column for each field; blanks are shown as they stand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("preview", translate("First records"), parent)
        self.show_empty("")

    def say_what_comes(self, choose: Callable[[], None]) -> None:
        """No file is chosen: say what will be here, and offer to choose one."""
        text = translate("The first records will be here, as they will be read. No file is chosen yet.")
        self.show_empty(text, translate("Browse…"), choose)

    def show_preview(self, preview: Preview | None, plain: bool) -> None:
        """Show records; `plain`: whole lines, because nothing describes their fields."""
        if preview is None or not preview.rows:
            self.show_empty("" if preview is None else translate("There is no record to show."))
            return
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.view.setFont(fixed if plain else QFont())
        count = max([len(preview.header), *map(len, preview.rows)])
        header = [*preview.header, *["?"] * (count - len(preview.header))]
        wrong = _other_lengths(preview)
        columns = [
            Column("#", list(range(1, len(preview.rows) + 1)), numbers.format_count, True,
                   emphasis=lambda record: record in wrong)
        ]  # fmt: skip
        fields = zip_longest(*preview.rows, [""] * count, fillvalue="")
        for name, (*values, _) in zip(header, fields, strict=True):
            columns.append(Column(name or (translate("Line") if plain else ""), values))
        self.set_columns(columns)
        if plain:
            self.view.setColumnWidth(1, self.view.sizeHintForColumn(1) + _MARGIN)


def _other_lengths(preview: Preview) -> Collection[int]:
    """Numbers of records with another number of fields than the header."""
    return {i for i, row in enumerate(preview.rows, start=1) if len(row) != len(preview.header)}


def what_is_shown(found: Look) -> str:
    """Which part of the file the preview shows, in a sentence; empty where it shows none."""
    if found.preview is None:
        return ""
    forms = mark_plural("The first record, as it will be read.", "The first {count} records, as they will be read.")
    if found.refused:
        forms = mark_plural(
            "The first record. The file cannot be read this way.",
            "The first {count} records. The file cannot be read this way.",
        )
    elif found.undescribed:
        forms = mark_plural(
            "The first line; its fields are described in the next step.",
            "The first {count} lines; their fields are described in the next step.",
        )
    elif found.parts:
        forms = mark_plural(
            "The first record of the first of {parts} parts; the others are laid out alike.",
            "The first {count} records of the first of {parts} parts; the others are laid out alike.",
        )
    count = len(found.preview.rows)
    return translate(plural(count, *forms)).format(count=count, parts=found.parts) if count else ""
