"""Page of the main window while no file is open: how to begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.theme import heading, muted, pixmap, theme


class EmptyPage(QWidget):
    """`emptyPage` with `openMicrodataButton`, `openSessionButton`, `tryDemonstration` and recent sessions."""

    def __init__(self, actions: Sequence[QAction], open_path: Callable[[Path], None]) -> None:
        super().__init__(objectName="emptyPage")
        self._open_path = open_path
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addLayout(self._head())
        column.addSpacing(14)
        names = ("openMicrodataButton", "openSessionButton", "tryDemonstration")
        buttons = [_button_for(action, name) for name, action in zip(names, actions, strict=True)]
        self.first = buttons[0]
        """Where work starts."""
        for button in buttons:
            column.addWidget(button)
        drop = QLabel(translate(mark("or drop a data or session file on this window")))
        muted(drop)
        column.addWidget(drop)
        column.addSpacing(14)
        self._recent_title = QLabel(translate(mark("Recent sessions")))
        heading(self._recent_title, 1.0)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        box = QFrame()
        box.setLayout(column)
        box.setFixedWidth(460)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addWidget(box, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(3)
        theme.changed.connect(self._dress)
        self._dress()

    def _head(self) -> QHBoxLayout:
        """The program's mark and name, and what it is for."""
        self._mark = QLabel()
        title = QLabel(translate(mark("Pavo")))
        heading(title, 2.0)
        subtitle = QLabel(translate(mark("Safe microdata: see the risk of recognition, and lower it.")))
        muted(subtitle)
        titles = QVBoxLayout()
        titles.setSpacing(0)
        titles.addWidget(title)
        titles.addWidget(subtitle)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self._mark)
        head.addLayout(titles, 1)
        return head

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Offer these sessions."""
        while (item := self._recent.takeAt(0)) is not None:
            _discard(item.widget())
        self._recent_title.setVisible(bool(paths))
        for place, path in enumerate(paths[:5], 1):
            button = QToolButton(autoRaise=True, toolTip=str(path))
            button.setObjectName(f"recentSession{place}")
            text = f"{path.stem}   —   {path.parent}"
            button.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, 430))
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, path=path: self._open_path(path))
            self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _dress(self) -> None:
        self._mark.setPixmap(pixmap("pavo", 64, theme.scheme.accent, self.devicePixelRatioF()))


def _button_for(action: QAction, name: str) -> QPushButton:
    button = QPushButton(action.text().replace("&", ""), objectName=name)
    button.setMinimumHeight(34)
    button.setEnabled(action.isEnabled())
    button.setToolTip(action.toolTip() if not action.isEnabled() else "")
    button.clicked.connect(action.trigger)
    return button


def _discard(widget: QWidget | None) -> None:
    if widget is not None:
        widget.hide()
        widget.deleteLater()
