"""What is counted, in words that fit the number, and texts of a file shown letter by letter."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from PySide6.QtGui import Qt

from core.base.texts import mark, mark_plural, plural, translate
from gui.numbers import format_count


class Counted(NamedTuple):
    """Something that is counted: its marked name, and what is said of one and of more, "{n}" of them."""

    marked_name: str
    one: str
    many: str

    @property
    def name(self) -> str:
        """As axes and columns are called."""
        return translate(self.marked_name)

    def told(self, count: int) -> str:
        """So many of them."""
        return translate(plural(count, self.one, self.many)).format(n=format_count(count))


RECORDS = Counted(mark("records"), *mark_plural("1 record", "{n} records"))
HOUSEHOLDS = Counted(mark("households"), *mark_plural("1 household", "{n} households"))
COMBINATIONS = Counted(mark("combinations"), *mark_plural("1 combination", "{n} combinations"))


_LONGEST = 1000


def as_tip(text: str) -> str:
    """`text` as a tool tip that shows it letter by letter; the end of a very long one is left out."""
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    if not Qt.mightBeRichText(shown):
        return shown
    return f"<qt>{escape(shown)}</qt>".replace("\n", "<br>")
