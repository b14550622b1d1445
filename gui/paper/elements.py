"""What is on paper to a screen reader: a tree of headings, paragraphs and tables, filled as pages are painted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QRectF, Qt

_LEFT = -900
"""Where marks are drawn, which `gui.paper.tagged` turns into tags: beside the page, one pixel a mark."""


@dataclass(eq=False)
class Element:
    """A part of the document.

    Attributes
    ----------
    role : a standard structure type of PDF (ISO 32000-1, 14.8.4): ``H1``, ``P``, ``Table``
    alt : what it shows, for those who cannot see it
    scope : of a header cell: ``Column`` or ``Row``
    title : of a section: what the outline calls it
    kids : elements, and (page, number of the marked content on it), from 0 on, in the order of reading
    """

    role: str
    alt: str = ""
    scope: str = ""
    title: str = ""
    kids: list[Element | tuple[int, int]] = field(default_factory=list)

    def child(self, role: str, alt: str = "", scope: str = "", title: str = "") -> Element:
        """A new part of this one, its last."""
        made = Element(role, alt, scope, title)
        self.kids.append(made)
        return made


class Marks:
    """Says while pages are painted whose what follows is; None: nobody's, such as rules and what is said once more."""

    def __init__(self) -> None:
        self.pages: list[list[Element | None]] = []
        """Of each page what its marks begin."""
        self._element: Element | None = None

    def begin_page(self) -> None:
        """A new page, on which nothing is marked yet."""
        self.pages.append([])

    def switch(self, painter: Any, element: Element | None) -> None:
        """What is painted from here on is `element`'s."""
        begun = self.pages[-1]
        if begun and element is self._element:
            return
        self._element = element
        begun.append(element)
        painter.fillRect(QRectF(_LEFT, -len(begun), 1, 1), Qt.GlobalColor.black)
