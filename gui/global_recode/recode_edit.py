"""The box in which a recode is written: marks what is wrong, and leaves undo to the session when it has none."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from core.base.texts import translate
from gui.theme import theme


class RecodeEdit(QPlainTextEdit):
    """`recodeText`. Undo and redo belong to it only while it has something to undo or redo."""

    def __init__(self) -> None:
        super().__init__(objectName="recodeText")
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setAccessibleName(translate("Recode as text"))
        self.setPlaceholderText(translate("For example:\n1: 1-10\n2: 11-20, 25\n3: 26-\n<MISSING> 98, 99"))

    def replace(self, text: str) -> None:
        """Put other text there as one step that can be undone; the caret stays on its line."""
        if text == self.toPlainText():
            return
        line = self.textCursor().blockNumber()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(min(line, self.blockCount() - 1))))

    def mark(self, line: int, column: int) -> None:
        """Underline from this place (1-based) to the end of what stands there; line 0 takes the mark away."""
        if line < 1:
            self.setExtraSelections([])
            return
        block = self.document().findBlockByNumber(min(line, self.blockCount()) - 1)
        whole = QTextEdit.ExtraSelection()
        whole.cursor = QTextCursor(block)  # type: ignore[attr-defined]
        back = QTextCharFormat()
        back.setBackground(QColor(theme.scheme.attention_back))
        back.setProperty(QTextFormat.Property.FullWidthSelection, True)
        whole.format = back  # type: ignore[attr-defined]
        place = QTextEdit.ExtraSelection()
        cursor = QTextCursor(block)
        start = min(column - 1, max(block.length() - 2, 0))
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, start)
        kept = QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(QTextCursor.MoveOperation.EndOfWord, kept)
        if not cursor.hasSelection():
            cursor.movePosition(QTextCursor.MoveOperation.Right, kept)
        place.cursor = cursor  # type: ignore[attr-defined]
        wave = QTextCharFormat()
        wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wave.setUnderlineColor(QColor(theme.scheme.unsafe_text))
        wave.setForeground(QColor(theme.scheme.unsafe_text))
        place.format = wave  # type: ignore[attr-defined]
        self.setExtraSelections([whole, place])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            document = self.document()
            if (event.matches(undo) and not document.isUndoAvailable()) or (
                event.matches(redo) and not document.isRedoAvailable()
            ):
                event.ignore()
                return False
        return super().event(event)
