"""A part of a window that can be folded away; whether it is, is remembered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.settings import FOLDED, settings


class Foldable(QWidget):
    """A title that shows and hides what is under it.

    Signals
    -------
    unfolded(bool)
        The content is visible from now on, or hidden.
    """

    unfolded = Signal(bool)

    def __init__(self, key: str, title: str, content: QWidget, folded: bool = False) -> None:
        super().__init__()
        self._key = key
        self.content = content
        self.toggle = QToolButton(self)
        self.toggle.setObjectName(f"{key}Fold")
        self.toggle.setText(title)
        self.toggle.setProperty("flat", True)
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.toggle)
        layout.addWidget(content, 1)
        self.toggle.toggled.connect(self._show)
        kept: dict[str, bool] = settings.get(FOLDED)
        is_folded = kept.get(key, folded)
        self.toggle.setChecked(not is_folded)
        self._show(not is_folded)

    @property
    def open(self) -> bool:
        """Whether the content is visible."""
        return self.toggle.isChecked()

    def _show(self, visible: bool) -> None:
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if visible else Qt.ArrowType.RightArrow)
        self.content.setVisible(visible)
        policy = QSizePolicy.Policy.Expanding if visible else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Expanding, policy)
        folded: dict[str, bool] = settings.get(FOLDED)
        settings.set(FOLDED, {**folded, self._key: not visible})
        self.unfolded.emit(visible)
