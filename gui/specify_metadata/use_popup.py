"""The uses of a variable to choose from, each with the sentence that explains it."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.base.texts import mark, translate
from core.data.variable_uses import USE_NAMES, USES, Use
from gui.shared.list_rows import Row, replace_rows
from gui.specify_metadata.variable_model import USE_SENTENCES

_SIGN = 22
_MARGIN = 14
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
        width = max(map(self.fontMetrics().horizontalAdvance, texts)) + _SIGN + _MARGIN
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
