"""Keys of labels and buttons (Alt and a letter) that do not take those of the menus."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

_MARKED = re.compile(r"&([^&\s])")


def letter_of(text: str) -> str:
    """The letter that is pressed with Alt, in capitals; empty where a text has none."""
    found = _MARKED.search(text.replace("&&", "  "))
    return found[1].upper() if found else ""


def with_free_letter(text: str, taken: Iterable[str]) -> str:
    """`text` with another of its letters marked, one that is not `taken` (capitals); without a mark where none is free.

    A text whose letter is free, or that has none, stays as it is.
    """
    used = set(taken)
    if letter_of(text) not in used or not letter_of(text):
        return text
    plain = _MARKED.sub(r"\1", text, count=1)
    for place, letter in enumerate(plain):
        if letter.isalpha() and letter.upper() not in used:
            return f"{plain[:place]}&{plain[place:]}"
    return plain


def keep_clear(place: QWidget, taken: Iterable[str]) -> None:
    """Give what stands in `place` letters of its own where it has those that are `taken` (capitals)."""
    menus = set(taken)
    marked = [
        widget
        for widget in place.findChildren(QWidget)
        if (isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy() is not None))
        and letter_of(widget.text())
    ]
    used = menus | {letter_of(widget.text()) for widget in marked}
    for widget in marked:
        if letter_of(widget.text()) in menus:
            widget.setText(with_free_letter(widget.text(), used))
            used.add(letter_of(widget.text()))
