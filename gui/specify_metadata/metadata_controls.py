"""The controls of Specify Metadata and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.document.document import Document
from gui.shared.problem_list import Problems
from gui.shared.tool_window import ToolWindow
from gui.specify_metadata.empty_page import EmptyMetadata
from gui.specify_metadata.variable_form import VariableForm
from gui.specify_metadata.variable_profile import VariableProfile
from gui.specify_metadata.variable_table import VariableTable


class MetadataControls(ToolWindow):
    """Table, form and profile side by side, problems and buttons below; or a page that says what is lacking."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 460)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        self.table = VariableTable()
        self.form = VariableForm()
        self.profile = VariableProfile()
        self.problems = Problems()
        self.empty = EmptyMetadata()
        self.new = _button("addVariable", translate("&New"), translate("Add a variable behind the selected one"))
        self.remove = _button("removeVariable", translate("Remove"), translate("Take the selected variables out"))
        self.describe = _button("describeColumns", translate("Describe &columns…"))
        self.up = _arrow("moveUp", "↑", translate("Move up"), "Alt+Up")
        self.down = _arrow("moveDown", "↓", translate("Move down"), "Alt+Down")
        self.read = _button("readMetadata", translate("Read metadata…"), translate("Describe the variables by a .rda"))
        self.save = _button("saveMetadataAs", translate("Save metadata &as…"))
        self.suggest = _button(
            "suggest",
            translate("Su&ggest…"),
            translate("Generate metadata: propose uses, types, missing codes, lengths and decimals from the file"),
        )
        self.check = _button("checkFile", translate("Chec&k my file"), translate("What often goes wrong in a file"))
        self.cancel = _button("cancel", translate("Cancel"))
        self.accept = QPushButton(translate("&OK"), objectName="accept")
        self.accept.setDefault(True)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table, 1)
        row = QHBoxLayout()
        for button in (self.new, self.remove, self.describe):
            row.addWidget(button)
        row.addStretch(1)
        for arrow in (self.up, self.down):
            row.addWidget(arrow)
        column.addLayout(row)
        across = QSplitter(Qt.Orientation.Horizontal)
        for widget, stretch in ((left, 5), (self.form, 3), (self.profile, 3)):
            across.addWidget(widget)
            across.setStretchFactor(across.count() - 1, stretch)
        across.setSizes([540, 380, 300])
        across.setChildrenCollapsible(False)
        down = QSplitter(Qt.Orientation.Vertical)
        down.addWidget(across)
        down.addWidget(self.problems)
        down.setStretchFactor(0, 1)
        down.setSizes([500, 120])
        self.pages = QStackedWidget()
        self.pages.addWidget(down)
        self.pages.addWidget(self.empty)
        self.content.addWidget(self.pages, 1)
        bottom = QHBoxLayout()
        for button in (self.suggest, self.check, self.read, self.save):
            bottom.addWidget(button)
        bottom.addStretch(1)
        bottom.addWidget(self.cancel)
        bottom.addWidget(self.accept)
        self.content.addLayout(bottom)

    def shortcut(self, key: QKeySequence | Qt.Key) -> QShortcut:
        """A key of the table of variables."""
        made = QShortcut(QKeySequence(key), self.table.view)
        made.setContext(Qt.ShortcutContext.WidgetShortcut)
        return made


def _button(name: str, text: str, tip: str = "") -> QPushButton:
    button = QPushButton(text, objectName=name)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button


def _arrow(name: str, text: str, says: str, keys: str) -> QToolButton:
    button = QToolButton(objectName=name, text=text)
    button.setAccessibleName(says)
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    button.setToolTip(
        translate("{says} ({keys}): the order of lists and of the saved metadata").format(says=says, keys=shown)
    )
    return button
