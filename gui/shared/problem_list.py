"""List of everything that is wrong or odd, each a click away from its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import mark, translate
from core.metadata.problems import Problem
from gui.numbers import format_count
from gui.shared.layout.by_room import ByRoom
from gui.shared.list_rows import Row, replace_rows
from gui.shared.wheel import TabWidget
from gui.theme import pixmap, theme

_SPACING = 4
_UNBOUNDED = 16777215
"""What Qt takes for no largest height."""

_PREFIX = {
    "error": mark("Error: {text}"),
    "warning": mark("Warning: {text}"),
    "notice": mark("Note: {text}"),
}


class ProblemList(QListWidget):
    """A list of sentences with a sign and a word for how serious each is; `chosen(object)` when one is clicked."""

    chosen = Signal(object)

    def __init__(self, name: str, title: str) -> None:
        super().__init__(objectName=name)
        self.setAccessibleName(title)
        self.setWordWrap(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setIconSize(QSize(16, 16))
        self._shown: list[Any] = []
        self.itemClicked.connect(lambda item: self.chosen.emit(self._shown[self.row(item)]))
        self.itemActivated.connect(lambda item: self.chosen.emit(self._shown[self.row(item)]))

    def show_items(self, items: Sequence[tuple[str, str, object]]) -> None:
        """Show triples of severity (error, warning, notice), sentence and what is chosen by a click."""
        kept = self.currentRow()
        with QSignalBlocker(self):  # nobody asks for what is selected while the items change
            self._shown = [data for _, _, data in items]
            replace_rows(self, [self._row(severity, text) for severity, text, _ in items])
            if 0 <= kept < self.count():
                self.setCurrentRow(kept)
        self.itemSelectionChanged.emit()

    def _row(self, severity: str, text: str) -> Row:
        return {
            Qt.ItemDataRole.DisplayRole: translate(_PREFIX[severity]).format(text=text),
            Qt.ItemDataRole.DecorationRole: _icon(severity, self.devicePixelRatioF()),
            Qt.ItemDataRole.ToolTipRole: translate("Click to go to the field"),
        }

    @property
    def selected(self) -> list[Any]:
        """What the selected sentences stand for, from the top."""
        return [self._shown[row] for row in sorted(index.row() for index in self.selectedIndexes())]


def _icon(severity: str, ratio: float) -> QIcon:
    scheme = theme.scheme
    colours = {"error": scheme.unsafe_text, "notice": scheme.muted}
    colour = colours.get(severity, scheme.amber_text)
    sign = "attention" if severity != "notice" else "check"
    icon = QIcon(pixmap(sign, 16, colour, ratio))
    selected = scheme.text
    icon.addPixmap(pixmap(sign, 16, selected, ratio), QIcon.Mode.Selected)
    return icon


class _Offer(QPushButton):
    """Follows the proposals of the selected items of a list: `wanted(list)`."""

    wanted = Signal(list)

    def __init__(self, name: str, found: ProblemList) -> None:
        super().__init__(objectName=name)
        self._list = found
        found.itemSelectionChanged.connect(self.refresh)
        self.clicked.connect(lambda: self.wanted.emit(self._selected()))
        self.refresh()

    def _selected(self) -> list[Problem]:
        return [each for each in self._list.selected if each.proposal is not None]

    def refresh(self) -> None:
        """Say what a click would do."""
        selected = self._selected()
        self.setEnabled(bool(selected))
        if len(selected) == 1 and selected[0].proposal is not None:
            self.setText(selected[0].proposal.text)
        elif selected:
            self.setText(translate("Do what is proposed ({count})").format(count=format_count(len(selected))))
        else:
            self.setText(translate("Do what is proposed"))


def _page(found: ProblemList, offer: _Offer) -> QWidget:
    page = QWidget()
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(offer)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(_SPACING)
    column.addWidget(found, 1)
    column.addLayout(row)
    return page


class Problems(QWidget):
    """`problemTabs` with `metadataProblems` and `applyProblems`, and beside them the page `check`.

    Signals
    -------
    chosen(str, str)
        A variable and a field to go to.
    apply_wanted(list)
        Problems whose proposals are to be followed.
    filled(bool)
        The page in front has something to show from now on, or nothing: then it is no higher than what says so.
    """

    chosen = Signal(str, str)
    apply_wanted = Signal(list)
    filled = Signal(bool)

    def __init__(self, check: QWidget) -> None:
        super().__init__()
        self._counts, self._is_filled = [0, 0], True
        self.list = ProblemList("metadataProblems", translate("Problems"))
        self.list.chosen.connect(lambda problem: self.chosen.emit(problem.variable, problem.field))
        self.solve = _Offer("applyProblems", self.list)
        self.solve.wanted.connect(self.apply_wanted)
        self.tabs = TabWidget(objectName="problemTabs", documentMode=True)
        self.tabs.addTab(_page(self.list, self.solve), "")
        self.tabs.addTab(check, "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self.show_problems([])
        self.show_count(0)
        self.tabs.currentChanged.connect(self._fit)
        ByRoom(self).always(self._fit)  # a sentence may need other lines

    def changeEvent(self, event: QEvent) -> None:
        """Other type is of another height."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """A page without anything takes no room: tables above it are worth more."""
        place = self.tabs.currentIndex()
        before, self._is_filled = self._is_filled, self._counts[place] > 0
        height = _UNBOUNDED
        if not self._is_filled:
            height = self.tabs.tabBar().sizeHint().height()
            page = self.tabs.widget(place)
            if place and page is not None:
                height += max(page.heightForWidth(self.width()), 0) + _SPACING
        self.setMinimumHeight(0 if self._is_filled else height)
        self.setMaximumHeight(height)
        if self._is_filled != before:
            self.filled.emit(self._is_filled)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show all problems of the description."""
        self.list.show_items([(problem.severity, problem.text, problem) for problem in problems])
        errors = sum(1 for problem in problems if problem.severity == "error")
        title = translate("Problems ({count})").format(count=format_count(len(problems)))
        if errors:
            title = translate("Problems ({count}, errors {errors})").format(
                count=format_count(len(problems)), errors=format_count(errors)
            )
        self.tabs.setTabText(0, title if problems else translate("No problems"))
        self.solve.setHidden(all(problem.proposal is None for problem in problems))
        self.solve.refresh()
        self._counts[0] = len(problems)
        self.list.setHidden(not problems)
        self._fit()

    def show_count(self, count: int) -> None:
        """Say how long the list of *Check my file* is."""
        text = translate("Check my file ({count})") if count else translate("Check my file")
        self.tabs.setTabText(1, text.format(count=format_count(count)))
        self._counts[1] = count
        self._fit()

    def show_check(self) -> None:
        """Bring *Check my file* forward."""
        self.tabs.setCurrentIndex(1)
