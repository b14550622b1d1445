"""What charts count, in words that fit the number."""

from __future__ import annotations

from typing import NamedTuple

from core.base.texts import by_count, mark, translate
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
        return translate(by_count(count, self.one, self.many)).format(n=format_count(count))


RECORDS = Counted(mark("records"), mark("1 record"), mark("{n} records"))
HOUSEHOLDS = Counted(mark("households"), mark("1 household"), mark("{n} households"))
COMBINATIONS = Counted(mark("combinations"), mark("1 combination"), mark("{n} combinations"))
