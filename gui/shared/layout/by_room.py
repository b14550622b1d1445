"""Arranging what stands on a page by the room there is, in place of a `resizeEvent` of its own.

::

    room = ByRoom(self)
    room.width(_TWO_COLUMNS, self._stand_beside)  # logical pixels: _stand_beside(True) from this width on
    room.width(self._needed, self._stand_beside)  # or what size hints say each time
    room.height(_LOW, self._show_sentences)
    room.watch(self.form)  # what it needs may become more
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, QTimer
from PySide6.QtWidgets import QWidget

from gui.theme import scaled

Least = int | Callable[[], int]
"""Least room: logical pixels at text of ten points, or what is found anew, in pixels, whenever there is other room."""


@dataclass
class Rule:
    """`arrange` is told whether there is room: at the first look, and whenever that changes."""

    size: Callable[[], QSize]
    side: Callable[[QSize], int]
    least: Least
    arrange: Callable[[bool], None]
    told: bool | None = None

    @property
    def has_room(self) -> bool:
        """Whether there is, now."""
        return self.side(self.size()) >= (self.least() if callable(self.least) else scaled(self.least))

    def look(self) -> None:
        """Tell what changed."""
        has_room = self.has_room
        if has_room != self.told:
            self.told = has_room
            self.arrange(has_room)


class ByRoom(QObject):
    """Looks at the room, and tells its rules, whenever `place` has another size.

    Parameters
    ----------
    place : what is arranged
    size : the room that counts where it is not the size of `place`: of its window, or what is in sight of it
    is_late : it looks once `place` is laid out, as splitters in splitters need it
    """

    def __init__(self, place: QWidget, size: Callable[[], QSize] | None = None, is_late: bool = False) -> None:
        super().__init__(place)
        self._place, self._size = place, size or place.size
        self._rules: list[Rule] = []
        self._always: list[Callable[[], None]] = []
        self._watched: list[QWidget] = []
        self._is_late, self._waits = is_late, False
        place.installEventFilter(self)

    def width(self, least: Least, arrange: Callable[[bool], None]) -> Rule:
        """Say whether there is this width."""
        return self._rule(QSize.width, least, arrange)

    def height(self, least: Least, arrange: Callable[[bool], None]) -> Rule:
        """Say whether there is this height."""
        return self._rule(QSize.height, least, arrange)

    def _rule(self, side: Callable[[QSize], int], least: Least, arrange: Callable[[bool], None]) -> Rule:
        self._rules.append(Rule(self._size, side, least, arrange))
        return self._rules[-1]

    def always(self, arrange: Callable[[], None]) -> None:
        """Do this at every look, after the rules: for what has a size of its own at each."""
        self._always.append(arrange)

    def watch(self, *parts: QWidget) -> None:
        """Look, too, when these ask for other room than before."""
        for part in parts:
            part.installEventFilter(self)
        self._watched += parts

    def look(self) -> None:
        """Look at the room there is."""
        self._waits = False
        for rule in self._rules:
            rule.look()
        for arrange in self._always:
            arrange()

    def look_soon(self) -> None:
        """Look as soon as nothing is laid out: while a layout is at work it forgets that others changed."""
        if not self._waits:
            self._waits = True
            QTimer.singleShot(0, self, self.look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._place:
            (self.look_soon if self._is_late else self.look)()
        elif event.type() == QEvent.Type.LayoutRequest and watched in self._watched:
            self.look_soon()
        return False
