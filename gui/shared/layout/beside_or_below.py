"""Panes beside each other, or below each other where there is little width."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from gui.shared.layout.by_room import ByRoom, Least


class BesideOrBelow(QSplitter):
    """It needs no more width than its widest pane.

    Parameters
    ----------
    least : its width from which panes stand beside each other; that which they need, where it is not given
    sizes : the panes' sizes once they stand beside each other (True) or below; they keep their shares without
    """

    def __init__(
        self, parent: QWidget | None = None, name: str = "", least: Least | None = None,
        sizes: Callable[[bool], Sequence[int]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(Qt.Orientation.Horizontal, parent, objectName=name)
        self.setChildrenCollapsible(False)
        self._sizes = sizes
        ByRoom(self).width(self._beside if least is None else least, self.turn)

    def turn(self, beside: bool) -> None:
        """Let the panes stand beside each other, or below."""
        wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            if self._sizes is not None:
                self.setSizes(list(self._sizes(beside)))
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        widths, heights = ([side(each) for each in self._needs] for side in (QSize.width, QSize.height))
        is_below = self.orientation() == Qt.Orientation.Vertical
        return QSize(max(widths, default=0), self._in_line(heights) if is_below else max(heights, default=0))

    def _beside(self) -> int:
        return self._in_line([each.width() for each in self._needs])

    def _in_line(self, sizes: list[int]) -> int:
        return sum(sizes) + self.handleWidth() * max(len(sizes) - 1, 0)

    @property
    def _needs(self) -> list[QSize]:
        panes = (self.widget(place) for place in range(self.count()))
        return [least_of(pane) for pane in panes if pane is not None and not pane.isHidden()]


def least_of(part: QWidget) -> QSize:
    """Without this much of it something would be cut off."""
    return part.minimumSizeHint().expandedTo(part.minimumSize())
