"""Texts longer than their place in a list or table: cut in the middle or set in lines, and whole as a tool tip."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QPainter, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from gui.texts import as_tip
from gui.theme import scaled
from gui.theme.tokens import ROW

Index = QModelIndex | QPersistentModelIndex
MIDDLE = Qt.TextElideMode.ElideMiddle
"""Long names often differ at their ends, and the last variables of a combination tell tables apart."""
_BETWEEN = " × "
"""Between the variables of a combination."""
_STAYS, _BREAKS = "\u00a0", "\u200b"
"""Blanks at which a line is never broken, and may be broken without a blank."""
_MARGIN = 10
"""Left and right of a cell's text, as the style has it."""


class ElidedTexts(QStyledItemDelegate):
    """Cells of a view are cut in the middle where they have no room, and tell their whole text then."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.view = view
        view.setTextElideMode(MIDDLE)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """The model's own tool tip, else the text where it is cut."""
        if index.isValid() and not index.data(Qt.ItemDataRole.ToolTipRole) and self.is_cut(option, index):
            QToolTip.showText(event.globalPos(), as_tip(str(index.data())), view)
            return True
        return super().helpEvent(event, view, option, index)

    def is_cut(self, option: QStyleOptionViewItem, index: Index) -> bool:
        """Whether a cell has less width than its text."""
        return self.sizeHint(option, index).width() > self.view.visualRect(index).width()  # type: ignore[arg-type]


class WrappedTexts(ElidedTexts):
    """Cells whose text is set in as many lines as it needs; who owns the view gives the rows their `height`."""

    def height(self, text: str, width: int) -> int:
        """Height of a row with `text` in a column this wide."""
        font = self.view.font()
        lines = len(lines_of(text, font, width - 2 * _MARGIN))
        spacing = QFontMetricsF(font).lineSpacing()
        return max(scaled(ROW), round(lines * spacing) + scaled(ROW) - round(spacing))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        width = self.view.visualRect(index).width()  # type: ignore[arg-type]
        return QSize(min(hint.width(), width), self.height(str(index.data() or ""), width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""  # type: ignore[attr-defined]
        self.view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, self.view)
        painter.save()
        painter.setFont(option.font)  # type: ignore[attr-defined]
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))  # type: ignore[attr-defined]
        place = QRectF(option.rect).adjusted(_MARGIN, 0, -_MARGIN, -1)  # type: ignore[attr-defined]
        lines = lines_of(text, option.font, int(place.width()))  # type: ignore[attr-defined]
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, alignment, "\n".join(lines))
        painter.restore()


def lines_of(text: str, font: QFont, width: int) -> list[str]:
    """The lines of a text in a column so wide, in pixels.

    A combination is broken between its variables, and only a name that is longer than a line within itself.
    """
    metrics = QFontMetricsF(font)
    found: list[str] = []
    parts = text.split(_BETWEEN)
    for place, part in enumerate(parts):
        piece = part + _BETWEEN.rstrip() if place + 1 < len(parts) else part
        together = f"{found[-1]} {piece}" if found else piece
        if found and metrics.horizontalAdvance(together) <= width:
            found[-1] = together
        else:
            found += _broken(piece, font, width)
    return found


def _broken(text: str, font: QFont, width: int) -> list[str]:
    """The lines of one name: it is broken between words and behind underlines, else where it must be."""
    sign = _BETWEEN.rstrip()
    name = text.removesuffix(sign)
    breakable = re.sub("_(?=.)", f"_{_BREAKS}", name) + text[len(name) :].replace(" ", _STAYS)
    layout = QTextLayout(breakable, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    found = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        part = breakable[line.textStart() : line.textStart() + line.textLength()]
        found.append(part.replace(_BREAKS, "").replace(_STAYS, " ").strip())
    layout.endLayout()
    return found or [""]
