"""Page of the main window while no file is open: how to begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import mark, translate
from gui.main_window.demonstration import Example
from gui.main_window.recent_sessions import standing_of
from gui.numbers import format_count
from gui.shared.parts.buttons import Role, role_button
from gui.shared.parts.card import Card, add_rule, empty_layout
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import dress_as, muted, pixmap, scaled, theme
from gui.theme.tokens import GAP

_WIDTH, _MARK = 760, 56
_MOST = 5
_TEXT = Qt.AlignmentFlag.AlignVCenter
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EmptyPage(QScrollArea):
    """`emptyPage` with `openMicrodataButton`, buttons of examples, `openSessionButton` and recent sessions."""

    def __init__(
        self,
        begin: tuple[QAction, QAction],
        examples: Sequence[tuple[Example, QAction]],
        open_path: Callable[[Path], None],
    ) -> None:
        super().__init__(objectName="emptyPage", widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._open_path = open_path
        data, session = begin
        self.first = _button_for(data, "openMicrodataButton", "filled")
        """Where work starts."""
        column = QVBoxLayout()
        column.setSpacing(GAP)
        column.addLayout(self._head())
        column.addWidget(WrappedLabel(
            translate(mark("Pavo finds the persons who could be recognised, helps to lower that risk with the least "
                           "loss, and writes the safe file and its report.")), is_muted=True,
        ))  # fmt: skip
        column.addSpacing(4)
        column.addWidget(self._begin())
        column.addWidget(_examples(examples))
        column.addWidget(self._sessions(session))
        self._place_middle(column)
        theme.changed.connect(self._dress)
        self._dress()

    def _place_middle(self, column: QVBoxLayout) -> None:
        place = QWidget()
        across = QHBoxLayout(place)
        middle, box = QVBoxLayout(), QWidget()
        box.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        box.setMaximumWidth(scaled(_WIDTH))
        middle.addStretch(2)
        middle.addWidget(box)
        middle.addStretch(3)
        across.addStretch(1)
        across.addLayout(middle, 1000)  # as wide as it may be; what is left goes to both sides
        across.addStretch(1)
        self.setWidget(place)
        for ground in (place, self.viewport()):
            ground.setAutoFillBackground(False)

    def _head(self) -> QHBoxLayout:
        """The program's mark, and what it is for."""
        self._mark = QLabel(accessibleName="Pavo")
        title = WrappedLabel(translate(mark("Make survey microdata safe to release")), role="display")
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self._mark)
        head.addWidget(title, 1)
        return head

    def _begin(self) -> Card:
        title = translate(mark("Begin with your data file"))
        said = translate(mark("Fixed columns, CSV, SPSS, Stata, SAS, Excel or Parquet. Drop it anywhere in this "
                              "window, or choose it. It is only read, never changed."))  # fmt: skip
        card = Card(name="beginCard")
        card.body.addLayout(_offer(title, said, self.first, "head"))
        return card

    def _sessions(self, session: QAction) -> Card:
        """Sessions: where they are opened from, and the recent ones."""
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        card = Card(name="recentSessions")
        said = translate(mark("Open a session, or drop it on this window."))
        title = translate(mark("Worked with Pavo before?"))
        card.body.addLayout(_offer(title, said, _button_for(session, "openSessionButton")))
        card.body.addLayout(self._recent)
        return card

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Offer these sessions: what comes next in each, how many records are unsafe, when it was kept last."""
        empty_layout(self._recent)
        if not paths:
            return
        place = QWidget()
        grid = QGridLayout(place)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        titles = mark("Session"), mark("Next step"), mark("Unsafe"), mark("Last kept")
        for column, title in enumerate(titles):
            head = QLabel(translate(title))
            muted(head)
            grid.addWidget(head, 0, column, _NUMBER if column > 1 else _TEXT)
        grid.setRowMinimumHeight(0, scaled(26))
        rule = QVBoxLayout()
        add_rule(rule)
        grid.addLayout(rule, 1, 0, 1, len(titles))
        for row, path in enumerate(paths[:_MOST], 1):
            self._add_row(grid, row, path)
        self._recent.addWidget(place)

    def _add_row(self, grid: QGridLayout, row: int, path: Path) -> None:
        button = QToolButton(autoRaise=True, toolTip=as_tip(str(path)), objectName=f"recentSession{row}")
        dress_as(button, role="quiet")
        button.setText(self.fontMetrics().elidedText(path.stem, Qt.TextElideMode.ElideMiddle, scaled(280)))
        button.setAccessibleDescription(str(path))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda _=False, path=path: self._open_path(path))
        standing = standing_of(path)
        step, unsafe, kept = QLabel(standing.title if standing else ""), QLabel(), QLabel(_last_kept(path))
        if standing is not None and standing.unsafe >= 0:
            told = translate(mark("{unsafe} of {records}"))
            counts = {"unsafe": format_count(standing.unsafe), "records": format_count(standing.records)}
            unsafe.setText(told.format(**counts))
        for label in (step, kept):
            label.setTextFormat(Qt.TextFormat.PlainText)
            muted(label)
        grid.addWidget(button, row + 1, 0)
        grid.addWidget(step, row + 1, 1)
        for column, number in enumerate((unsafe, kept), 2):
            grid.addWidget(number, row + 1, column, _NUMBER)
        grid.setRowMinimumHeight(row + 1, scaled(29))

    def _dress(self) -> None:
        self._mark.setPixmap(pixmap("pavo", scaled(_MARK), theme.scheme.accent, self.devicePixelRatioF()))


def _offer(title: str, sentence: str, button: QPushButton, role: str = "section") -> QHBoxLayout:
    """What is offered, in words, and its button at the right."""
    head = WrappedLabel(title, role=role)
    words = QVBoxLayout()
    words.setSpacing(2)
    words.addWidget(head)
    words.addWidget(WrappedLabel(sentence, is_muted=True))
    row = QHBoxLayout()
    row.setSpacing(16)
    row.addLayout(words, 1)
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
    return row


def _examples(examples: Sequence[tuple[Example, QAction]]) -> Card:
    """Worked examples: what each teaches, with buttons of equal width."""
    card = Card(name="examples")
    card.body.setSpacing(12)
    card.body.addWidget(WrappedLabel(translate(mark("No file at hand? Learn by an invented one")), role="head"))
    buttons = [_button_for(action, example.button) for example, action in examples]
    for (example, _), button in zip(examples, buttons, strict=True):
        button.setMinimumWidth(max(each.sizeHint().width() for each in buttons))
        card.body.addLayout(_offer(translate(example.title), translate(example.sentence), button))
    return card


def _last_kept(path: Path) -> str:
    """Day on which the file was written last; empty where that cannot be said."""
    try:
        day = datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()
    except (OSError, OverflowError, ValueError):
        return ""
    return QLocale().toString(day, QLocale.FormatType.ShortFormat)


def _button_for(action: QAction, name: str, role: Role = "plain") -> QPushButton:
    button = role_button(action.text().replace("&", ""), name, role)
    button.setEnabled(action.isEnabled())
    button.setToolTip(action.toolTip() if not action.isEnabled() else "")
    button.clicked.connect(action.trigger)
    return button
