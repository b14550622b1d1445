"""Panes beside each other, or below each other where there is little width."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from gui.shared.layout.by_room import ByRoom, Least


class BesideOrBelow(QSplitter):
    """It needs no more width than its widest pane. One in another is turned by the room that the other is turned by.

    Parameters
    ----------
    least : its width from which panes stand beside each other; that which they need, where it is not given
    sizes : the panes' sizes once they stand beside each other (True) or below; they keep their shares where none are
    room : what turns it where that is not its own width
    """

    def __init__(
        self, parent: QWidget | None = None, name: str = "", least: Least | None = None,
        sizes: Callable[[bool], Sequence[int]] = lambda _: (), room: ByRoom | None = None,
    ) -> None:  # fmt: skip
        super().__init__(Qt.Orientation.Horizontal, parent, objectName=name)
        self.setChildrenCollapsible(False)
        self._sizes = sizes
        (room or ByRoom(self)).width(self._width_beside if least is None else least, self._turn)

    def _turn(self, beside: bool) -> None:
        """Let the panes stand beside each other, or below."""
        self.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        if sizes := self._sizes(beside):
            self.setSizes(list(sizes))
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        if isinstance(self.parentWidget(), BesideOrBelow):  # which turns it in time: as it stands now, it needs this
            return super().minimumSizeHint()
        heights = [least_of(pane).height() for pane in self.panes]
        is_below = self.orientation() == Qt.Orientation.Vertical
        return QSize(_width_below(self), self._in_line(heights) if is_below else max(heights, default=0))

    def _width_beside(self) -> int:
        return self._in_line([least_of(pane).width() for pane in self.panes])

    def _in_line(self, sizes: list[int]) -> int:
        return sum(sizes) + self.handleWidth() * max(len(sizes) - 1, 0)

    @property
    def panes(self) -> list[QWidget]:
        """Those that are shown."""
        panes = (self.widget(place) for place in range(self.count()))
        return [pane for pane in panes if pane is not None and not pane.isHidden()]


def _width_below(pane: QWidget) -> int:
    if isinstance(pane, BesideOrBelow):
        return max((_width_below(each) for each in pane.panes), default=0)
    return least_of(pane).width()


def least_of(part: QWidget) -> QSize:
    """Without this much of it something would be cut off."""
    return part.minimumSizeHint().expandedTo(part.minimumSize())
