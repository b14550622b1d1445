"""The controls of Make Protected File, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.document.document import Document
from gui.make_protected_file.output_files import OutputFiles
from gui.make_protected_file.output_form import OutputChoices
from gui.make_protected_file.preview import ProtectionPreview
from gui.make_protected_file.protection_forecast import ProtectionForecast
from gui.make_protected_file.suppression_form import SuppressionChoices
from gui.shared.tool_window import ToolWindow
from gui.shared.work_row import WorkRow


class ProtectControls(ToolWindow):
    """`suppression`, `output`, `files`, `panel`, `work`, `reason`, and the buttons."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 460)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        self.suppression = SuppressionChoices()
        self.output = OutputChoices()
        self.files = OutputFiles()
        self.panel = ProtectionPreview()
        self.work = WorkRow(self.document)
        self.forecasts = ProtectionForecast(self.document, self)
        self.reason = QLabel(objectName="makeFileReason", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.help_out = QPushButton(translate("Open Risk Chart"), objectName="openRiskChart")
        self.combine = QPushButton(translate("Select Combinations"), objectName="openSelectCombinations")
        self.preview = QPushButton(translate("&Preview"), objectName="preview")
        self.accept_choices = QPushButton(translate("&Keep choices"), objectName="accept")
        self.accept_choices.setToolTip(translate("Keep these choices in the session, and close. Nothing is written."))
        self.leave = QPushButton(translate("Cl&ose"), objectName="closeWindow")
        self.make = QPushButton(translate("&Make file"), objectName="makeFile")
        for button in (self.help_out, self.combine, self.preview, self.accept_choices, self.leave):
            button.setAutoDefault(False)
        self.make.setDefault(True)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(10)
        for group in (self.suppression, self.output, self.files):
            column.addWidget(group)
        column.addStretch(1)
        scroll = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(left)
        scroll.setMinimumWidth(390)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(scroll)
        splitter.addWidget(self.panel)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(14)
        splitter.setSizes([450, 560])
        for place, share in enumerate((2, 3)):
            splitter.setStretchFactor(place, share)
        self._left = left
        self.content.addWidget(splitter, 1)
        self.content.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        bottom = QHBoxLayout()
        for button in (self.leave, self.accept_choices, self.work.stop):  # where no button comes when the work ends
            bottom.addWidget(button)
        for said in (self.work, self.reason):
            bottom.addWidget(said, 1)
        for button in (self.help_out, self.combine, self.preview, self.make):
            bottom.addWidget(button)
        return bottom
