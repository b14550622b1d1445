"""A line that folds something away: an arrow, and words that say what it holds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gui.shared.accessible import FoldPart
from gui.theme import dress_as


class FoldLine(QToolButton):
    """Checked while `content`, where it is given one, is in sight."""

    spoken_as = FoldPart

    def __init__(self, text: str, name: str, content: QWidget | None = None) -> None:
        super().__init__(objectName=name, text=text, checkable=True)
        self._content = content
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        dress_as(self, flat=True)
        self.toggled.connect(self.show_folded)
        self.show_folded(False)

    def show_folded(self, opened: bool) -> None:
        """Point the arrow down, and show the content, or the other way round."""
        self.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        if self._content is not None:
            self._content.setVisible(opened)
