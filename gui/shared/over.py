"""Size of a dialog: never more than what the window under it leaves in sight."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

_MOST = 0.9


def resize_over(dialog: QDialog, width: int, height: int) -> None:
    """Give a dialog this size in points, at most as wide as its parent's window and nine tenths as high.

    Without a parent in sight the screen counts. Qt puts the dialog over the middle of that window.
    """
    parent = dialog.parentWidget()
    window = parent.window() if parent is not None else None
    under = window.size() if window is not None and window.isVisible() else dialog.screen().availableGeometry().size()
    dialog.resize(QSize(width, height).boundedTo(QSize(under.width(), round(_MOST * under.height()))))
