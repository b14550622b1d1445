"""Going round the parts of the main window by a key: rail, page, second page, status line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

Part = tuple[QWidget, Callable[[], object]]
"""A part, and what lets it have the focus; False where it cannot."""


def go_round(parts: Sequence[Part], focus: QWidget | None, by: int) -> None:
    """Let the part that is `by` after the one with the focus have it; a part that cannot take it is passed over."""
    here = next((i for i, (part, _) in enumerate(parts) if focus is not None and part.isAncestorOf(focus)), 0)
    for step in range(1, len(parts) + 1):
        part, take = parts[(here + by * step) % len(parts)]
        if part.isVisible() and take() is not False:
            return
