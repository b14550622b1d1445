"""Page of Specify Metadata while no variable is described."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.texts import translate
from core.metadata.description import Description
from gui.theme import heading, muted


class EmptyMetadata(QWidget):
    """Says what will be here, with `describeColumnsFirst` and `readMetadataFirst` to fill it."""

    def __init__(self) -> None:
        super().__init__()
        self._title = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        heading(self._title, 1.2)
        self._text = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        muted(self._text)
        self.describe = QPushButton(translate("Describe &columns…"), objectName="describeColumnsFirst")
        self.read = QPushButton(translate("&Read metadata…"), objectName="readMetadataFirst")
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.describe)
        row.addWidget(self.read)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addStretch(2)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addLayout(row)
        layout.addStretch(3)

    def show_state(self, data: Path | None, description: Description | None, failed: bool) -> None:
        """Show whether the description is being read, cannot be read, or does not exist."""
        fixed = description is not None and description.metadata.format == "fixed"
        self._text.clear()
        if description is not None:
            name = data.name if data is not None else ""
            self._title.setText(translate("Nothing describes the fields of {file} yet.").format(file=name))
            self._text.setText(translate("Find them by eye, or read a metadata file (.rda)."))
        elif failed:
            self._title.setText(translate("The variables cannot be shown."))
        else:
            self._title.setText(translate("Reading the description…"))
        self.describe.setVisible(fixed)
        self.read.setVisible(description is not None or failed)
