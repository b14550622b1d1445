"""The controls of Global Recode, where they stand, and whose undo Ctrl+Z is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout

from core.base.texts import translate
from gui.document.document import Document
from gui.global_recode.code_editor import CodeEditor, button_of
from gui.global_recode.preview import RecodePreview
from gui.global_recode.scheme_text import RecodeText
from gui.paint_queue import paint_apart
from gui.shared.table.data_table import DataTable
from gui.shared.tool_window import ToolWindow


class RecodeControls(ToolWindow):
    """`variables`, `codes`, `text`, `preview`; buttons `apply`, `undo_recode`, `drop`."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(940, 500)
        self._make_panes()
        self._make_foot()

    def _make_panes(self) -> None:
        # each made where it stands: what is moved with all that it holds is styled a second time
        splitter = QSplitter(Qt.Orientation.Horizontal, self, objectName="recodeSplitter")
        self.content.addWidget(splitter, 1)
        self.variables = DataTable("recodeVariables", translate("Variables"), splitter)
        self.variables.stretch(0)
        self.variables.keep_in_sight(translate("unsafe"))
        self.variables.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names often differ at their ends
        self.codes = CodeEditor(splitter)
        self.text = RecodeText(splitter)
        for pane, stretch, least in ((self.variables, 2, 230), (self.codes, 5, 420), (self.text, 3, 235)):
            splitter.addWidget(pane)
            splitter.setStretchFactor(splitter.count() - 1, stretch)
            pane.setMinimumWidth(least)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(14)
        splitter.setSizes([290, 560, 360])

    def _make_foot(self) -> None:
        self.preview = RecodePreview(self.document, self)
        self.apply = button_of("apply", translate("A&pply"), translate("Make this recode one step of the session"))
        self.apply.setDefault(True)
        self.undo_recode = button_of(
            "undoRecode", translate("&Undo recode"), translate("Back to the original codes; the text stays")
        )
        self.drop = button_of("dropDraft", translate("D&rop changes"), translate("Back to what the session has"))
        bottom, buttons = QHBoxLayout(), QVBoxLayout()
        self.content.addLayout(bottom)
        bottom.addWidget(self.preview, 1)
        bottom.addLayout(buttons)
        buttons.addStretch(1)
        for button in (self.drop, self.undo_recode, self.apply):
            buttons.addWidget(button)

    def _ask_columns(self) -> None:
        """Read what is to be recoded."""
        raise NotImplementedError

    def say_stopped(self) -> None:
        """Reading the file was stopped; it can be begun anew."""
        self.variables.show_empty(
            translate("Reading the file was stopped."), translate("Read again"), self._ask_columns
        )

    def enable(self, button: QPushButton, enabled: bool) -> None:
        """Enable a button or not; where it had the focus, that goes to the codes, on which one works on."""
        if not enabled and self.focusWidget() is button:
            self.codes.table.take_focus()
        button.setEnabled(enabled)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for pane in (self.variables, self.codes, self.text, self.preview):
            paint_apart(pane, 0)

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
