"""Open Microdata: one chooser for every format, with the first records as they will be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QWidget

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.formats.argus.text_files import is_file as is_existing_file
from core.metadata.opening import Look, Objection
from core.recipe import edits_protection
from core.recipe.in_parts import is_in_parts
from core.recipe.model import FORMATS, Input
from gui import dialogs
from gui.dialogs import METADATA
from gui.document.document import Document
from gui.document.session_files import metadata_beside
from gui.open_microdata.detected_box import DetectedBox, read_character, read_word
from gui.open_microdata.preview_table import PreviewTable, what_is_shown
from gui.open_microdata.typed_data import data_text, typed_data
from gui.places import typed_folder, typed_path
from gui.settings import CHECK_AFTER, settings
from gui.shared.parts.buttons import allow
from gui.shared.problem_list import ProblemList
from gui.shared.tool_window import ToolWindow
from gui.theme import muted, theme

_LOOK_AFTER_MS = 200
_BOX = 130
_LOOK = "open microdata: look"
_FORMATS = {
    "fixed": mark("Fixed positions"),
    "delimited": mark("Delimited (csv)"),
    "spss": mark("SPSS"),
    "stata": mark("Stata"),
    "sas": mark("SAS"),
    "parquet": mark("Parquet"),
    "excel": mark("Excel"),
}
_CHOOSE = mark("Choose a data file: its first records are shown here as they will be read.")
_SEVERITY = {"refused": "error", "repair": "warning", "warning": "warning", "note": "notice"}


def look(source: Input, progress: Progress = SILENT) -> Look:
    from core.parts.opening import look_at  # in the compute thread: it imports much

    return look_at(source, progress)


class OpenMicrodata(ToolWindow):
    """`openMicrodata`: looks at a file while its path is typed; *Open* starts a new session on it."""

    name = "openMicrodata"
    first = "dataPath"
    title = mark("Open Microdata")
    default_size = (860, 580)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(700, 420)
        self.setAcceptDrops(True)
        self._look: Look | None = None
        self._own_metadata = False
        self._open_when_looked: Input | None = None
        self._looking = False
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_AFTER_MS)
        self._timer.timeout.connect(self._start_look)
        self._make_controls()
        self._lay_out()
        self._connect()
        self._fill_in(document.recipe.input)

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.data = QLineEdit(objectName="dataPath", clearButtonEnabled=True)
        self.data.setPlaceholderText(translate("Path of the data file or of a folder of parts, or drop one here"))
        self.metadata = QLineEdit(objectName="metadataPath", clearButtonEnabled=True)
        self.metadata.setPlaceholderText(translate("Not needed where the data file names its columns"))
        self.browse_data = QPushButton(translate("&Browse…"), objectName="browseData")
        self.browse_parts = QPushButton(translate("&Parts…"), objectName="browseParts")
        self.browse_parts.setToolTip(translate("Several files of one layout, which are the parts of one data set"))
        menu = QMenu(self.browse_parts)
        menu.addAction(translate("A &folder of parts…"), self._browse_folder)
        menu.addAction(translate("&Several files…"), self._browse_files)
        self.browse_parts.setMenu(menu)
        self.browse_metadata = QPushButton(translate("B&rowse…"), objectName="browseMetadata")
        self.data_message, self.metadata_message = (
            QLabel(objectName=name, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            for name in ("dataPathMessage", "metadataPathMessage")
        )
        self.format = DetectedBox("formatBox", [(key, translate(_FORMATS[key])) for key in FORMATS])
        self.delimiter = DetectedBox("delimiterBox", [
            (",", translate("comma")), (";", translate("semicolon")), ("\t", translate("tab")),
            ("|", translate("bar |")),
        ], read_character)  # fmt: skip
        self.header = DetectedBox("headerBox", [
            (True, translate("names")), (False, translate("a record")),
        ])  # fmt: skip
        self.encoding = DetectedBox("encodingBox", [(each, each) for each in ("utf-8", "cp1252", "latin-1")], read_word)
        self.decimal = DetectedBox("decimalBox", [(".", translate("point")), (",", translate("comma"))])
        self._detected = self.format, self.delimiter, self.header, self.encoding, self.decimal
        self.preview = PreviewTable(self)
        self.state = QLabel(objectName="openState", wordWrap=True)
        self.problems = ProblemList("openProblems", translate("Problems"))
        self.problems.setMaximumHeight(110)
        self.check = QCheckBox(translate("Chec&k my file after opening"), objectName="checkAfterOpening")
        self.check.setToolTip(
            translate("Undeclared missing codes, odd weights, likely identifiers and keys, constant and empty columns")
        )
        self.check.setChecked(settings.get(CHECK_AFTER))
        self.cancel = QPushButton(translate("Cancel"), objectName="cancel")
        self.accept = QPushButton(translate("&Open"), objectName="accept")
        self.accept.setDefault(True)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setVerticalSpacing(4)
        for row, (text, box, browse, message) in enumerate((
            (translate("&Microdata"), self.data, self.browse_data, self.data_message),
            (translate("Me&tadata"), self.metadata, self.browse_metadata, self.metadata_message),
        )):  # fmt: skip
            label = QLabel(text)
            label.setBuddy(box)
            box.setAccessibleName(text.replace("&", ""))
            grid.addWidget(label, 2 * row, 0)
            grid.addWidget(box, 2 * row, 1)
            grid.addWidget(browse, 2 * row, 2)
            grid.addWidget(message, 2 * row + 1, 1, 1, 3)
            message.hide()
        grid.addWidget(self.browse_parts, 0, 3)
        grid.setColumnStretch(1, 1)
        self.content.addLayout(grid)
        self.content.addLayout(self._settings_grid())
        self.content.addWidget(self.preview, 1)
        self.content.addWidget(self.state)
        self.content.addWidget(self.problems)
        bottom = QHBoxLayout()
        bottom.addWidget(self.check)
        bottom.addStretch(1)
        bottom.addWidget(self.cancel)
        bottom.addWidget(self.accept)
        self.content.addLayout(bottom)

    def _settings_grid(self) -> QGridLayout:
        """How the file is read: of every text file in the first row, of delimited ones in the second."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        self._of_delimited: list[QWidget] = []
        self._of_text: list[QWidget] = []
        for row, column, text, box in (
            (0, 0, translate("&Format"), self.format), (0, 2, translate("&Encoding"), self.encoding),
            (0, 4, translate("Decimal mar&k"), self.decimal), (1, 0, translate("&Delimiter"), self.delimiter),
            (1, 2, translate("First &line is"), self.header),
        ):  # fmt: skip
            label = QLabel(text)
            label.setBuddy(box)
            muted(label)
            box.setAccessibleName(text.replace("&", ""))
            if (line := box.lineEdit()) is not None:
                line.setAccessibleName(text.replace("&", ""))
            box.setSizeAdjustPolicy(DetectedBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(_BOX)
            grid.addWidget(label, row, column)
            grid.addWidget(box, row, column + 1)
            (self._of_delimited if row else self._of_text).extend([label, box])
        grid.setColumnStretch(6, 1)
        return grid

    def _connect(self) -> None:
        self.data.textChanged.connect(self._data_changed)
        self.metadata.textChanged.connect(lambda _text: self._timer.start())
        self.metadata.textEdited.connect(self._metadata_edited)
        for box in (self.data, self.metadata):
            box.returnPressed.connect(self._accept)
        for detected in self._detected:
            detected.chosen.connect(self._start_look)
        self.browse_data.clicked.connect(self._browse_data)
        self.browse_metadata.clicked.connect(self._browse_metadata)
        self.problems.chosen.connect(self._go_to)
        self.check.toggled.connect(lambda on: settings.set(CHECK_AFTER, on))
        self.document.progressed.connect(self._say_before)
        self.cancel.clicked.connect(self.close)
        self.accept.clicked.connect(self._accept)

    # What is asked for -------------------------------------------------------------------------------------------

    def _fill_in(self, current: Input) -> None:
        """Begin with the files of the open session."""
        if current.place is None:
            self._show_nothing(translate(_CHOOSE))
            return
        values = current.format, current.delimiter, current.header, current.encoding, current.decimal
        for box, value in zip(self._detected, values, strict=True):
            box.set_value(value)
        self._own_metadata = current.metadata != metadata_beside(current.place)
        self.metadata.setText(str(current.metadata or ""))
        self.data.setText(data_text(current))
        self._start_look()

    def asked(self) -> Input:
        """The input as the boxes say it."""
        data, parts = typed_data(self.data.text())
        return Input(
            data=data,
            parts=parts,
            metadata=typed_path(self.metadata.text()),
            format=self.format.value,
            delimiter=self.delimiter.value,
            header=self.header.value,
            encoding=self.encoding.value,
            decimal=self.decimal.value,
        )

    def _data_changed(self, text: str) -> None:
        self._open_when_looked = None
        path, parts = typed_data(text)
        named = Input(data=path, parts=parts)
        is_file = is_in_parts(named) or (path is not None and is_existing_file(path))
        if self._look is not None and (self._look.input.data, self._look.input.parts) != (path, parts):
            if is_file:
                self._forget_settings()
            self._show_nothing(translate("Looking at the file…") if is_file else "")
        if not self._own_metadata:
            beside = metadata_beside(named.place) if is_file and named.place is not None else None
            self.metadata.setText(str(beside or ""))
        allow(self.accept, "" if is_file else translate("Choose a file first."))
        self._timer.start()

    def _metadata_edited(self, text: str) -> None:
        self._open_when_looked = None
        self._own_metadata = bool(text.strip()) or typed_path(self.data.text()) is not None

    def _browse_data(self) -> None:
        path = dialogs.open_file(self, translate("Open microdata"), dialogs.MICRODATA, typed_folder(self.data.text()))
        if path is not None:
            self._take(path)

    def _browse_folder(self) -> None:
        path = dialogs.open_folder(self, translate("Open a folder of parts"), typed_folder(self.data.text()))
        if path is not None:
            self._take(path)

    def _browse_files(self) -> None:
        start = typed_folder(self.data.text())
        paths = dialogs.open_files(self, translate("Open the parts of a data set"), dialogs.MICRODATA, start)
        if paths:
            self._take(*paths)

    def _take(self, *paths: Path) -> None:
        """Look at another file, a folder, or several files."""
        self._forget_settings()
        self.data.setText(data_text(Input(parts=paths) if len(paths) > 1 else Input(data=paths[0])))
        self._start_look()

    def _forget_settings(self) -> None:
        """Another file was chosen: nothing of what was said of the old one holds."""
        self._own_metadata = False
        for box in self._detected:
            box.set_value(None)

    def _browse_metadata(self) -> None:
        start = typed_folder(self.metadata.text() or self.data.text())
        path = dialogs.open_file(self, translate("Metadata"), METADATA, start)
        if path is not None:
            self._own_metadata = True
            self.metadata.setText(str(path))
            self._start_look()

    # Looking -----------------------------------------------------------------------------------------------------

    def _start_look(self) -> None:
        self._timer.stop()
        asked = self.asked()
        if asked.place is None:
            self._show_nothing(translate(_CHOOSE))
            return
        self._looking = True
        self.preview.setEnabled(False)  # what it shows may be read otherwise
        self.document.compute(
            _LOOK, look, asked, done=self._looked, failed=self._look_failed, cancelled=self._look_stopped, lasting=True
        )

    def _say_before(self, _fraction: float, text: str) -> None:
        """While the file must wait: what is done first (preparing the calculations takes a minute once)."""
        if self._looking and text:
            self.state.setText(translate("{text}…").format(text=text))
        if self._looking and text and self._look is None:
            self.preview.show_empty(translate("The first records are shown here as soon as that is done."))

    def _look_failed(self, error: PavoError) -> None:
        self._look_stopped()
        self.state.clear()
        self.show_error(error)

    def _look_stopped(self) -> None:
        self._look, self._open_when_looked, self._looking = None, None, False
        self.preview.setEnabled(True)
        self.state.setText(translate("Looking at the file was stopped."))

    def _looked(self, found: Look) -> None:
        self._look, self._looking = found, False
        self.messages.clear()
        self._show_layout(found)
        self.preview.setEnabled(True)
        self.preview.show_preview(found.preview, found.undescribed)
        self._show_objections(found)
        self.state.setText(what_is_shown(found))
        allow(self.accept, translate("What stands against the file is listed here.") if found.refused else "")
        wanted, self._open_when_looked = self._open_when_looked, None
        if wanted == found.input:  # not what was chosen after Open was pressed
            self._accept()

    def _show_nothing(self, text: str) -> None:
        self._look, self._open_when_looked, self._looking = None, None, False
        self.document.tasks.drop(_LOOK)
        for box in self._detected:
            box.show_detected(None)
        self.preview.setEnabled(True)
        if self.asked().data is None:
            self.preview.say_what_comes(self.browse_data.click)
        else:
            self.preview.show_preview(None, False)
        self.problems.show_items([])
        for widget in (self.problems, self.data_message, self.metadata_message, *self._of_delimited):
            widget.hide()
        self.state.setText(text)
        allow(self.accept, translate("Choose a file first."))

    def _show_layout(self, found: Look) -> None:
        metadata = found.metadata
        delimited = any(o.field in ("delimiter", "header") for o in found.objections)
        delimited |= metadata is not None and metadata.format == "delimited"
        for widget in self._of_delimited:
            widget.setVisible(delimited)
        for widget in self._of_text[2:]:  # the format itself is always shown
            widget.setVisible(metadata is None or metadata.format in ("fixed", "delimited"))
        for box, key in zip(self._detected, ("format", "delimiter", "header", "encoding", "decimal"), strict=True):
            box.show_detected(found.detected(key))

    def _show_objections(self, found: Look) -> None:
        beside = {"data": self.data_message, "format": self.data_message, "metadata": self.metadata_message}
        refusals = [o for o in found.objections if o.severity == "refused"]
        for label in (self.data_message, self.metadata_message):
            label.setText("\n".join(o.text for o in refusals if beside.get(o.field) is label))
            label.setVisible(bool(label.text()))
            label.setStyleSheet(f"color: {theme.scheme.refused};")
        told = [o for o in found.objections if not (o.severity == "refused" and o.field in beside)]
        self.problems.show_items([(_SEVERITY[o.severity], o.text, o) for o in told])
        self.problems.setVisible(bool(told))

    # Opening -----------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        """Open what was looked at; what is asked for now is looked at first."""
        asked = self.asked()
        if asked.place is None:
            self.messages.show_text(translate("Type the path of a data file, or choose one with Browse."))
            self.data.setFocus()
        elif self._look is None or self._look.input != asked or self._timer.isActive():
            self._open_when_looked = asked
            self._start_look()
        elif self._look.refused:
            self._go_to_refusal(next(o for o in self._look.objections if o.severity == "refused"))
        elif self.document.may_discard():
            self._open(self._look)

    def _go_to_refusal(self, refusal: Objection) -> None:
        if refusal.field not in ("data", "format", "metadata"):  # beside their boxes it is said already
            self.messages.show_text(refusal.text)
        self._go_to(refusal)

    def _go_to(self, objection: Objection) -> None:
        """To the box that can mend it."""
        name = {"data": "dataPath", "metadata": "metadataPath"}.get(objection.field, f"{objection.field}Box")
        box = self.findChild(QWidget, name)
        if box is not None:
            box.setFocus()
        if isinstance(box, QLineEdit):
            box.selectAll()

    def _open(self, found: Look) -> None:
        data = found.input.place
        assert data is not None, "looked at"
        document, repair = self.document, any(o.severity == "repair" for o in found.objections)
        recipe = edits_protection.new_recipe(found.input)
        document.start(lambda: translate("Open {file}").format(file=data.name), recipe)
        if found.undescribed:
            self.open_window("specifyMetadata", describe=True)
        elif repair or self.check.isChecked():
            self.open_window("specifyMetadata", check=not repair)
        self.close()

    def end(self) -> None:
        super().end()
        self._timer.stop()
        self.document.progressed.disconnect(self._say_before)
        self.document.tasks.drop(_LOOK)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens what is typed, also where the focus went on to a Browse button; Space presses that."""
        browsing = self.focusWidget() in (self.browse_data, self.browse_metadata) and self.data.text().strip()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and browsing:
            self._accept()
            return
        super().keyPressEvent(event)

    def came_forward(self) -> None:
        """A path that nobody is typing is selected, so that typing replaces it."""
        box = self.focusWidget()
        if isinstance(box, QLineEdit) and not box.isModified():
            box.selectAll()

    # Dropping a file ---------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_for(paths=[Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()

    def show_for(self, paths: Sequence[Path] = (), **_: Any) -> None:
        """Look at files that were dropped: data, or several parts of them, and metadata."""
        metadata = next((path for path in paths if path.suffix.lower() == ".rda"), None)
        data = [path for path in paths if path != metadata]
        if data:
            self._take(*data)
        if metadata is not None:
            self._own_metadata = True
            self.metadata.setText(str(metadata))
