"""A recode as .grc text, with its missing codes and its codelist; what is wrong is marked where it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontDatabase, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.formats.argus.recode_scheme import missing_text, parse_missing, read_otherwise, scheme_text
from core.formats.argus.text_files import read_text
from core.recoding.draft import Draft
from core.recoding.grouping import EMPTY
from gui import dialogs
from gui.document.session_files import write_atomically
from gui.global_recode.model import shown_code
from gui.shared.labels import ElidedLabel
from gui.theme import heading, muted, theme


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
        back.setBackground(QColor(theme.scheme.amber_ground))
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


_SCHEMES = mark("Recode schemes (*.grc);;All files (*)")
_CODELISTS = mark("Codelists (*.cdl);;All files (*)")

_AT_ONCE = 20_000
"""Longer texts are read when typing pauses."""
_PAUSE_MS = 250


@dataclass(frozen=True)
class Written:
    """The edit that puts another text in place of the one that is there."""

    text: str

    def __call__(self, draft: Draft) -> Draft:
        return draft.written(self.text)


class RecodeText(QWidget):
    """`recodeText`, `recodeError`, `recodeWarnings`, `newMissing` with `newMissingMessage`, `newCodelist`,
    `readRecode`, `writeRecode`.

    `refused` : whether new missing codes are typed that cannot be read; they stay to be mended.

    Signals
    -------
    edited(Callable[[Draft], Draft]) : the user wrote another text, other missing codes or codelist, or read a file.
    failed(PavoError), said(str), warned(str) : a file cannot be read or written; it was written; it was, but something
        is to be said of it.
    missing_read() : what is typed as new missing codes was read; `refused` says with what outcome.
    """

    edited = Signal(object)
    failed = Signal(object)
    said = Signal(str)
    warned = Signal(str)
    missing_read = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = False
        self._draft: Draft | None = None
        self.refused = False
        self.edit = RecodeEdit()
        self.error = QLabel(objectName="recodeError")
        self.warnings = QLabel(objectName="recodeWarnings")
        self.missing_message = QLabel(objectName="newMissingMessage")
        for label in (self.error, self.warnings, self.missing_message):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.hide()
        self.missing = QLineEdit(objectName="newMissing")
        self.codelist = QLineEdit(objectName="newCodelist")
        self.choose = QToolButton(objectName="chooseCodelist", text="…")
        self.choose.setAccessibleName(translate("Choose a codelist"))
        self.read = QPushButton(translate("Rea&d .grc…"), objectName="readRecode")
        self.write = QPushButton(translate("&Write .grc…"), objectName="writeRecode")
        self.source = ElidedLabel("", "recodeSource")
        muted(self.source)
        self._lay_out()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.edit.textChanged.connect(self._changed)
        self.missing.editingFinished.connect(self._missing_edited)
        self.codelist.editingFinished.connect(self._codelist_edited)
        self.choose.clicked.connect(self._choose_codelist)
        self.read.clicked.connect(self._read)
        self.write.clicked.connect(self._write)
        theme.changed.connect(self._dress)
        self._dress()

    def _lay_out(self) -> None:
        title = QLabel(translate("As te&xt"))
        title.setBuddy(self.edit)
        heading(title, 1.05)
        layout, top, grid = QVBoxLayout(self), QHBoxLayout(), QGridLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(top)
        top.addWidget(title)
        top.addStretch(1)
        top.addWidget(self.read)
        top.addWidget(self.write)
        for button in (self.read, self.write):
            button.setAutoDefault(False)
        layout.addWidget(self.source)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.error)
        layout.addWidget(self.warnings)
        layout.addLayout(grid)
        grid.setVerticalSpacing(4)
        boxes = (0, translate("New missin&g codes"), self.missing), (3, translate("New code&list"), self.codelist)
        for row, text, box in boxes:
            label = QLabel(text)
            label.setBuddy(box)
            box.setAccessibleName(text.replace("&", ""))
            grid.addWidget(label, row, 0, 1, 2)
            grid.addWidget(box, row + 1, 0, 1, 2 if box is self.missing else 1)
        grid.addWidget(self.missing_message, 2, 0, 1, 2)
        grid.addWidget(self.choose, 4, 1)
        self.missing.setToolTip(
            translate("Codes that mean “missing” after recoding; the first is what suppression writes")
        )
        self.codelist.setToolTip(
            translate("The file with the labels of the new codes; without one, labels are made from the recode")
        )
        self.error.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_draft(self, draft: Draft, warnings: str, fresh: bool = False) -> None:
        """Show a draft. `fresh`: of another variable, so that there is nothing to undo; else as one undo step."""
        self._draft = draft
        if fresh or not self._pause.isActive():  # what is typed and not read yet stays
            self._fill(draft.text, fresh)
        self._show_error(draft.error)
        self.warnings.setText("" if draft.error is not None else warnings)
        self.warnings.setVisible(bool(self.warnings.text()))
        if fresh or draft.is_empty or not self.refused:
            self.missing.setText(missing_text(draft.scheme.missing))
            self._refuse_missing("")
        original = draft.column.codes[draft.column.n_valid :]
        self.missing.setPlaceholderText(
            translate("as they are: {codes}").format(codes=" ".join(map(shown_code, original)))
            if original
            else translate("none")
        )
        self.codelist.setText(draft.scheme.codelist or "")
        self.codelist.setPlaceholderText(translate("none: labels are made"))
        for widget in (self.missing, self.codelist, self.choose, self.write):
            widget.setEnabled(not draft.is_empty and draft.error is None)

    def show_nothing(self) -> None:
        """Another draft is on its way."""
        self._draft = None
        self._fill("", fresh=True)
        self._show_error(None)
        self.warnings.hide()
        self._refuse_missing("")
        for box in (self.missing, self.codelist):
            box.clear()

    def _fill(self, text: str, fresh: bool) -> None:
        self._pause.stop()
        self._filling = True
        if fresh:
            self.edit.setPlainText(text)
        else:
            self.edit.replace(text)
        self._filling = False

    def flush(self) -> None:
        """Take text that is typed and not read yet."""
        if self._pause.isActive() or (self._draft is not None and self.edit.toPlainText() != self._draft.text):
            self._pause.stop()
            self._typed()

    def stop(self) -> None:
        """Read nothing more: the window closes."""
        self._pause.stop()

    def _typed(self) -> None:
        if self._draft is not None:
            self.edited.emit(Written(self.edit.toPlainText()))

    def _changed(self) -> None:
        if self._filling:
            return
        if self.edit.document().characterCount() < _AT_ONCE:
            self._typed()
        else:
            self._pause.start()

    def _show_error(self, error: PavoError | None) -> None:
        self.error.setText("" if error is None else str(error))
        self.error.setVisible(error is not None)
        self.edit.setAccessibleDescription(self.error.text())
        values = {} if error is None else error.values
        self.edit.mark(int(values.get("line", 0)), int(values.get("column", 1)))

    def _missing_edited(self) -> None:
        text, draft = self.missing.text().strip(), self._draft
        if draft is None:
            return
        try:
            missing = parse_missing(text)
        except PavoError as error:
            place = translate("The quote at position {column} is not closed.")
            self._refuse_missing(place.format(column=error.values["column"]))
            self.missing_read.emit()
            return
        self._refuse_missing("")
        self.missing_read.emit()
        if missing != draft.scheme.missing:
            self._edit(missing=missing)

    def _refuse_missing(self, why: str) -> None:
        """Say beside the box why what is typed there is not taken; nothing where it is."""
        self.refused = bool(why)
        self.missing_message.setText(why)
        self.missing_message.setVisible(self.refused)
        self.missing.setAccessibleDescription(why)

    def _codelist_edited(self) -> None:
        name = self.codelist.text().strip() or None
        if self._draft is not None and name != self._draft.scheme.codelist:
            self._edit(codelist=name)

    def _edit(self, **values: Any) -> None:
        """The same recode with other missing codes or codelist; a truncation stays one."""

        def edit(draft: Draft) -> Draft:
            return replace(draft.with_scheme(replace(draft.scheme, **values)), truncate=draft.truncate)

        self.edited.emit(edit)

    def _choose_codelist(self) -> None:
        draft = self._draft
        if draft is None:
            return
        path = dialogs.open_file(self, translate("Codelist of the new codes"), _CODELISTS, draft.codelist)
        if path is not None:
            beside = draft.folder is not None and path.parent == draft.folder
            self._edit(codelist=path.name if beside else str(path))

    def _read(self) -> None:
        path = dialogs.open_file(self, translate("Read a recode scheme"), _SCHEMES)
        if path is None or self._draft is None:
            return
        try:
            text = read_text(path, empty_allowed=False)
        except PavoError as error:
            self.failed.emit(error)
            return
        folder = path.absolute().parent
        self.edited.emit(lambda draft: replace(draft, folder=folder, scheme=EMPTY, truncate=None).written(text))

    def _write(self) -> None:
        draft = self._draft
        if draft is None:
            return
        proposed = dialogs.last_folder() / f"{draft.column.name}.grc"
        path = dialogs.save_file(self, translate("Write the recode scheme"), proposed, _SCHEMES)
        if path is None:
            return
        path = path if path.suffix else path.with_suffix(".grc")
        try:
            scheme = draft.scheme_for(path.parent)
            write_atomically(path, scheme_text(scheme).encode("utf-8"))
        except PavoError as error:
            self.failed.emit(error)
            return
        written, odd = translate("Written: {file}").format(file=path), read_otherwise(scheme)
        if odd:
            self.warned.emit(". ".join([written, " ".join(notice.text for notice in odd)]))
        else:
            self.said.emit(written)

    def _dress(self) -> None:
        for label in (self.error, self.missing_message):
            label.setStyleSheet(f"color: {theme.scheme.refused};")
        if self._draft is not None:
            self._show_error(self._draft.error)
