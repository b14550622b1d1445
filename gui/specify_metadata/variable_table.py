"""The table of variables, edited in place and over a selection of rows; a use is chosen by its sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtCore import QPersistentModelIndex as Persistent
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.base.texts import mark, translate
from core.data.variable_uses import USE_NAMES, USES, Use, uses_of
from core.data.variables import Variable
from core.metadata.profile import Profile
from gui.shared.list_rows import Row, replace_rows
from gui.shared.shortcuts import on_key
from gui.shared.table.data_table import DataTable
from gui.shared.wheel import ComboBox
from gui.specify_metadata.variable_model import (
    NAME,
    TYPE,
    TYPE_NAMES,
    USE,
    USE_SENTENCES,
    VariablesModel,
    codes_text,
    variable_columns,
)

_SIGN = 22
_POPUP_MARGIN = 14
_SLACK = 4


class _TwoLines(QStyledItemDelegate):
    """A check mark, the name, and below it the sentence."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, 2 * option.fontMetrics.height() + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        name, sentence, chosen = index.data(Qt.ItemDataRole.UserRole + 1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        palette = option.palette
        if selected:
            painter.fillRect(option.rect, palette.highlight())
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        painter.save()
        painter.setPen(palette.color(role))
        line = option.fontMetrics.height()
        top = option.rect.top() + 3
        left, width = option.rect.left() + 6, option.rect.width() - 12
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if chosen:
            painter.drawText(QRect(left, top, _SIGN, line), flags, "✓")
        font = option.font
        font.setBold(True)
        painter.setFont(font)
        painter.drawText(QRect(left + _SIGN, top, width - _SIGN, line), flags, name)
        font.setBold(False)
        painter.setFont(font)
        if not selected:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QRect(left + _SIGN, top + line, width - _SIGN, line), flags, sentence)
        painter.restore()


class UsePopup(QListWidget):
    """`usePopup`: opens below a cell; Enter or a click chooses, Esc closes.

    Signals
    -------
    chosen(str, bool)
        A use, and whether it is to be (False: it was one already and is taken away).
    """

    chosen = Signal(str, bool)

    def __init__(self, uses: Collection[Use], parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="usePopup")
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(translate(mark("Use")))
        self.setItemDelegate(_TwoLines(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self._uses = set(uses)
        replace_rows(self, map(self._row, USES))
        current = next((i for i, use in enumerate(USES) if use in self._uses), 0)
        self.setCurrentRow(current)
        self.itemClicked.connect(self._choose)
        self.itemEntered.connect(self.setCurrentItem)
        height = sum(self.sizeHintForRow(i) for i in range(self.count())) + 2 * self.frameWidth()
        texts = [translate(sentence) for sentence in USE_SENTENCES.values()]
        width = max(map(self.fontMetrics().horizontalAdvance, texts)) + _SIGN + _POPUP_MARGIN
        self.setFixedSize(width + 2 * self.frameWidth(), height)

    def _row(self, use: Use) -> Row:
        name, sentence = translate(USE_NAMES[use]), translate(USE_SENTENCES[use])
        return {
            Qt.ItemDataRole.DisplayRole: name,
            Qt.ItemDataRole.UserRole: use,
            Qt.ItemDataRole.UserRole + 1: (name, sentence, use in self._uses),
            Qt.ItemDataRole.AccessibleTextRole: f"{name}: {sentence}",
        }

    def open_at(self, place: QPoint) -> None:
        """Show with the upper left corner at a place of the screen, moved so that all of it is seen."""
        room = self.screen().availableGeometry().adjusted(_SLACK, _SLACK, -_SLACK, -_SLACK)
        x = min(place.x(), room.right() - self.width())
        y = min(place.y(), room.bottom() - self.height())
        self.move(max(x, room.left()), max(y, room.top()))
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentItem() is not None:
            self._choose(self.currentItem())
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _choose(self, item: QListWidgetItem) -> None:
        use = item.data(Qt.ItemDataRole.UserRole)
        self.chosen.emit(use, use not in self._uses or use == "keep")
        self.close()


Index = QModelIndex | Persistent
_ARROW = 12
_MARGIN, _LEAST_MARGIN = 19, 8
"""Room around a name that can be chosen, beside the arrow, and the least of it."""


class _ChoiceDelegate(QStyledItemDelegate):
    """Shows by a small arrow that a cell is chosen from a list."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        alternate = bool(option.features & QStyleOptionViewItem.ViewItemFeature.Alternate)
        palette, rect = option.palette, option.rect
        back = palette.highlight() if selected else palette.alternateBase() if alternate else palette.base()
        place = QRect(rect.right() - _ARROW, rect.top(), _ARROW, rect.height())
        painter.save()
        painter.fillRect(place, back)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.PlaceholderText
        painter.setPen(palette.color(role))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "▾")
        painter.restore()


class _TypeDelegate(_ChoiceDelegate):
    """A list of the four types."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = ComboBox(parent)
        for kind, name in TYPE_NAMES.items():
            box.addItem(translate(name), kind)
        box.activated.connect(lambda _place: self._commit(box))
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        box = cast(QComboBox, editor)
        box.setCurrentText(str(index.data()))
        box.showPopup()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(index, cast(QComboBox, editor).currentData())

    def _commit(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)


class VariableTable(DataTable):
    """`variableList`; the key of a row is the variable's place in the draft.

    Signals
    -------
    selection_changed()
        Other rows are selected.
    use_chosen(list, str, bool)
        Places, a use, and whether it is to be.
    cell_edited(list, int, object)
        Places, column, and what was typed or chosen.
    menu_wanted(QMenu)
        The context menu of the selected rows is about to be shown.
    """

    selection_changed = Signal()
    use_chosen = Signal(list, str, bool)
    cell_edited = Signal(list, int, object)
    menu_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.variables_model = VariablesModel()
        super().__init__("variableList", translate(mark("Variables")), parent, self.variables_model)
        self.variables_model.setParent(self)
        self._variables: tuple[Variable, ...] = ()
        self._pressed: list[int] = []
        self.view.setItemDelegateForColumn(USE, _ChoiceDelegate(self))
        self.view.setItemDelegateForColumn(TYPE, _TypeDelegate(self))
        self.view.pressed.connect(self._on_pressed)
        self.view.clicked.connect(self._on_clicked)
        self.activated.connect(lambda _key: self.edit_current())
        self.variables_model.edited.connect(self._on_edited)
        on_key(self.view, Qt.Key.Key_F2, self.edit_current)
        self.view.selectionModel().selectionChanged.connect(self._on_selection)

    def _room(self, metrics: QFontMetrics, column: int, title: str) -> tuple[int, int]:
        """Room for every use and type that can be chosen: columns keep their widths when another one is."""
        wanted, least = super()._room(metrics, column, title)
        names = {USE: [*USE_NAMES.values()], TYPE: [*TYPE_NAMES.values()]}.get(column, [])
        chosen = max((metrics.horizontalAdvance(translate(name)) for name in names), default=-_ARROW)
        return max(wanted, chosen + _ARROW + _MARGIN), max(least, chosen + _ARROW + _LEAST_MARGIN)

    def show_variables(
        self,
        variables: Sequence[Variable],
        profiles: Mapping[str, Profile],
        wrong: frozenset[int],
        names_are_fixed: bool,
    ) -> None:
        """Show variables; selection, sorting and filter stay where the rows are the same."""
        self._variables = tuple(variables)
        self.variables_model.names_are_fixed = names_are_fixed
        self.variables_model.typed_missing = [codes_text(variable.missing) for variable in variables]
        columns = variable_columns(variables, profiles)
        if not self.variables_model.show(columns, wrong):
            kept = self.selected_keys
            self.set_columns(columns)
            self.select_places([place for place in kept if place < len(variables)])
        self.set_title(translate(mark("Variables ({count})")).format(count=len(variables)))

    def select_places(self, places: Sequence[int]) -> None:
        """Select these variables; the first of them is the current one."""
        rows = [row for row in (self.model.row_of(place) for place in places) if row >= 0]
        if not rows:
            return
        selection = QItemSelection()
        for row in rows:
            selection.select(self.model.index(row, 0), self.model.index(row, self.model.columnCount() - 1))
        model = self.view.selectionModel()
        column = max(self.view.currentIndex().column(), 0)
        model.setCurrentIndex(self.model.index(rows[0], column), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.view.scrollTo(self.model.index(rows[0], column))

    def unsort(self) -> None:
        """Show the variables in their own order."""
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def edit_current(self) -> None:
        """Edit the current cell in place: type it, or choose from a list."""
        index = self.view.currentIndex()
        if not index.isValid() or not self.variables_model.editable(index.column()):
            return
        if self.view.state() == QAbstractItemView.State.EditingState:  # Enter that ends editing comes here too
            return
        if index.column() == USE:
            self.open_uses(index)
        else:
            self.view.edit(index)

    def open_uses(self, index: QModelIndex) -> None:
        """Offer the uses below a cell."""
        places = self.selected_keys or [self.model.key(index.row())]
        common = set(USES).intersection(*(uses_of(self._variables[place]) for place in places))
        popup = UsePopup(common, self)
        popup.chosen.connect(lambda use, wanted: self.use_chosen.emit(places, use, wanted))
        below = self.view.visualRect(index).bottomLeft()
        popup.open_at(self.view.viewport().mapToGlobal(below))

    def _on_pressed(self, _index: QModelIndex) -> None:
        """A click on one of several selected rows is to edit all of them: the release would select one."""
        self._pressed = self.selected_keys

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() not in (USE, TYPE):
            return
        if len(self._pressed) > 1 and self.model.key(index.row()) in self._pressed:
            self.select_places([self.model.key(index.row()), *self._pressed])
        elif self.selected_keys != [self.model.key(index.row())]:
            return  # a selection is being made with Ctrl or Shift
        self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.edit_current()

    def _on_edited(self, place: int, column: int, value: object) -> None:
        places = self.selected_keys
        if place not in places or column == NAME:
            places = [place]
        self.cell_edited.emit(places, column, value)

    def _on_selection(self) -> None:
        if not self._filling:
            self.selection_changed.emit()

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        uses = menu.addMenu(translate(mark("&Use")))
        uses.setToolTipsVisible(True)
        for use in USES:
            action = QAction(translate(USE_NAMES[use]), uses)
            action.setToolTip(translate(USE_SENTENCES[use]))
            action.triggered.connect(lambda _=False, use=use: self.use_chosen.emit(self.selected_keys, use, True))
            uses.addAction(action)
        kinds = menu.addMenu(translate(mark("&Type")))
        for kind, name in TYPE_NAMES.items():
            action = QAction(translate(name), kinds)
            action.triggered.connect(lambda _=False, kind=kind: self.cell_edited.emit(self.selected_keys, TYPE, kind))
            kinds.addAction(action)
        menu.addSeparator()
        self.menu_wanted.emit(menu)
        menu.addSeparator()
        menu.addAction(translate(mark("&Copy")), self.view.copy)
        menu.addAction(translate(mark("Select &All")), self.view.selectAll)
        menu.addAction(translate(mark("&Export as CSV…")), self.export_csv)
        menu.popup(self.view.viewport().mapToGlobal(place))
