"""The controls of Global Recode, where they stand, and whose undo Ctrl+Z is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout

from core.texts import translate
from gui.document import Document
from gui.widgets.code_editor import CodeEditor, button_of
from gui.widgets.data_table import DataTable
from gui.widgets.recode_preview import RecodePreview
from gui.widgets.recode_text import RecodeText
from gui.windows.base import ToolWindow


class RecodeControls(ToolWindow):
    """`variables`, `codes`, `text`, `preview`; buttons `apply`, `undo_recode`, `drop`."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(1020, 520)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        self.variables = DataTable("recodeVariables", translate("Variables"))
        self.variables.stretch(0)
        self.codes = CodeEditor()
        self.text = RecodeText()
        self.preview = RecodePreview(self.document)
        self.apply = button_of("apply", translate("A&pply"), translate("Make this recode one step of the session"))
        self.apply.setDefault(True)
        self.undo_recode = button_of(
            "undoRecode", translate("&Undo recode"), translate("Back to the original codes; the text stays")
        )
        self.drop = button_of("dropDraft", translate("D&rop changes"), translate("Back to what the session has"))

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal, objectName="recodeSplitter")
        for pane, stretch, least in ((self.variables, 2, 230), (self.codes, 5, 470), (self.text, 3, 260)):
            splitter.addWidget(pane)
            splitter.setStretchFactor(splitter.count() - 1, stretch)
            pane.setMinimumWidth(least)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(14)
        splitter.setSizes([290, 560, 360])
        self.content.addWidget(splitter, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.preview, 1)
        buttons = QVBoxLayout()
        buttons.addStretch(1)
        for button in (self.drop, self.undo_recode, self.apply):
            buttons.addWidget(button)
        bottom.addLayout(buttons)
        self.content.addLayout(bottom)

    def event(self, event: QEvent) -> bool:
        """Ctrl+Z undoes steps of the draft as long as there are any, then steps of the session."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._undoes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._undoes(event):
            edit = self.text.edit
            (edit.undo if event.matches(QKeySequence.StandardKey.Undo) else edit.redo)()
            return
        super().keyPressEvent(event)

    def _undoes(self, event: QKeyEvent) -> bool:
        text = self.text.edit.document()
        return (event.matches(QKeySequence.StandardKey.Undo) and text.isUndoAvailable()) or (
            event.matches(QKeySequence.StandardKey.Redo) and text.isRedoAvailable()
        )
