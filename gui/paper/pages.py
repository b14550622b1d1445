"""Rows on pages: what stays together, what is repeated, what stands on a page turned to landscape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gui.paper.elements import Element

Draw = Callable[[Any, float, float], None]
"""Draws a row with a painter, at its left and its top."""


@dataclass(frozen=True)
class Row:
    """The least that is never cut: a line of text, a line of a table, a picture.

    Attributes
    ----------
    height : in the unit of the page
    draw : at (painter, left, top)
    space : above it, but on top of a page
    keep : whether the next row has to stand on the same page
    head : repeated above it where a page begins with it: a table's header
    wide : whether it needs a page in landscape
    anchor : id of the section that begins with it
    element : what it is to a screen reader
    pieces : where that is several things, each with how it is drawn; together they are what `draw` draws
    """

    height: float
    draw: Draw
    space: float = 0.0
    keep: bool = False
    head: tuple[Row, ...] = ()
    wide: bool = False
    anchor: str = ""
    element: Element | None = None
    pieces: tuple[tuple[Element | None, Draw], ...] = ()

    def drawn(self) -> tuple[tuple[Element | None, Draw], ...]:
        """What is drawn, and whose it is."""
        return self.pieces or ((self.element, self.draw),)


@dataclass
class Page:
    """Rows with their tops, from the top of the text on; the first `repeated` are said once more."""

    wide: bool
    repeated: int = 0
    rows: list[tuple[float, Row]] = field(default_factory=list)
    end: float = 0.0


def pages_of(rows: Sequence[Row], height: float, wide_height: float) -> list[Page]:
    """Place rows on pages.

    Parameters
    ----------
    rows : in their order
    height, wide_height : of the text on a page in portrait and in landscape

    Returns
    -------
    list of Page
        No row is cut. Rows that are kept together stand on one page unless they are higher than one.
    """
    pages: list[Page] = []
    for chunk in _chunks(rows):
        wide = any(row.wide for row in chunk)
        limit = wide_height if wide else height
        if not pages or pages[-1].wide is not wide or pages[-1].end + _height(chunk) > limit:
            pages.append(Page(wide))
        for row in chunk:
            if pages[-1].rows and pages[-1].end + row.space + row.height > limit:  # together they are too high
                pages.append(Page(wide))
            _put(pages[-1], row)
    return pages


def _chunks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """What stays together, one after the other."""
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if not row.keep:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _height(chunk: Sequence[Row]) -> float:
    return sum(row.space + row.height for row in chunk)


def _put(page: Page, row: Row) -> None:
    begins = not page.rows
    if begins:
        page.repeated = len(row.head)
    for each in (*(row.head if begins else ()), row):
        top = page.end + (0.0 if begins else each.space)
        page.rows.append((top, each))
        page.end = top + each.height
