"""What an entry of the recipe may be (a measure, a method) in groups, each with its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.base.texts import translate
from core.recipe.declared import Declaration
from gui.theme import theme

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ACROSS, _DOWN, _BAR = 10, 6, 3
_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


@dataclass(frozen=True)
class _Row:
    """A declaration, or a group where `name` is empty."""

    name: str
    title: str
    sentence: str = ""


class DeclarationModel(QAbstractListModel):
    """Groups, which cannot be chosen, each above what it holds. ``UserRole`` gives the name of a declaration."""

    def __init__(self, declarations: Sequence[Declaration], first: Sequence[str]) -> None:
        super().__init__()
        groups = dict.fromkeys((*first, *(each.group for each in declarations)))
        self._rows: list[_Row] = []
        for group in groups:
            held = [each for each in declarations if each.group == group]
            if held:
                self._rows.append(_Row("", translate(group)))
                self._rows += [_Row(each.name, translate(each.title), translate(each.sentence)) for each in held]

    def place_of(self, name: str) -> int:
        """The row of a declaration; -1 where there is none."""
        return next((place for place, row in enumerate(self._rows) if row.name and row.name == name), -1)

    def sentence(self, row: int) -> str:
        """What the declaration of a row says; empty for a group."""
        return self._rows[row].sentence

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        can_be_chosen = index.isValid() and self._rows[index.row()].name
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if can_be_chosen else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.sentence}" if row.sentence else row.title
        return row.name if role == Qt.ItemDataRole.UserRole else None


class _Delegate(QStyledItemDelegate):
    """A title, and its sentence in lines below it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view, model = option.widget, index.model()
        assert isinstance(view, QListView) and isinstance(model, DeclarationModel), "made for it"
        # the bar's room is kept: it comes and goes by the heights that are asked for here
        bar = view.verticalScrollBar()
        width = view.viewport().width() - (0 if bar.isVisible() else bar.sizeHint().width())
        room = QRect(0, 0, max(width - 2 * _ACROSS, 60), 10_000)
        title = _title_metrics(view).boundingRect(room, _WRAPPED, index.data()).height()
        sentence = model.sentence(index.row())
        if not sentence:
            return QSize(width, title + 2 * _DOWN + 2)
        return QSize(width, title + view.fontMetrics().boundingRect(room, _WRAPPED, sentence).height() + 2 * _DOWN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, model = option.widget, index.model()
        assert isinstance(view, QListView) and isinstance(model, DeclarationModel), "made for it"
        place: QRect = option.rect  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        sentence = model.sentence(index.row())
        painter.save()
        if sentence and state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(theme.scheme.soft))
            painter.fillRect(place.x(), place.y(), _BAR, place.height(), QColor(theme.scheme.accent))
        elif sentence and state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, QColor(theme.scheme.sunken))
        inside = place.adjusted(_ACROSS, _DOWN, -_ACROSS, -_DOWN)
        painter.setFont(_title_font(view))
        painter.setPen(QColor(theme.scheme.text if sentence else theme.scheme.accent))
        title = painter.drawText(inside, _WRAPPED, index.data())
        if sentence:
            painter.setFont(view.font())
            painter.setPen(QColor(theme.scheme.muted))
            painter.drawText(inside.adjusted(0, title.height(), 0, _DOWN), _WRAPPED, sentence)
        painter.restore()


def _title_metrics(view: QWidget) -> QFontMetrics:
    return QFontMetrics(_title_font(view))


def _title_font(view: QWidget) -> QFont:
    font = QFont(view.font())
    font.setWeight(QFont.Weight.DemiBold)
    return font


class DeclarationList(QListView):
    """`chosen(name)`: another declaration is the current one.

    Parameters
    ----------
    first : groups that come before all others, in this order
    """

    chosen = Signal(str)

    def __init__(self, name: str, title: str, declarations: Sequence[Declaration], first: Sequence[str]) -> None:
        super().__init__(objectName=name)
        self.setAccessibleName(title)
        self.declared = DeclarationModel(declarations, first)
        self.setModel(self.declared)
        self.setItemDelegate(_Delegate(self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        theme.changed.connect(self.viewport().update)
        self.selectionModel().currentChanged.connect(self._changed)

    @property
    def current(self) -> str:
        """Name of the declaration that is chosen; empty for none."""
        return self.currentIndex().data(Qt.ItemDataRole.UserRole) or ""

    def choose(self, name: str) -> None:
        """Choose a declaration by its name."""
        place = self.declared.place_of(name)
        if place >= 0:
            self.setCurrentIndex(self.declared.index(place))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sentences break otherwise."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _changed(self, *_: object) -> None:
        if self.current:
            self.chosen.emit(self.current)
