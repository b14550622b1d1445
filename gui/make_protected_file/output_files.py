"""Output files: the safe file and those beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from core.base.texts import mark, plural, translate
from core.recipe.edits_protection import COMPANIONS, Companion
from core.recipe.model import Output
from gui import dialogs
from gui.numbers import format_count
from gui.places import typed_path
from gui.shared.labels import ElidedLabel
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.texts import as_tip
from gui.theme import theme

_TITLES: dict[Companion, tuple[str, str]] = {
    "metadata": (mark("Meta&data"), mark("The description of the safe file, for Pavo and μ-ARGUS.")),
    "report": (mark("R&eport"), mark("What was done and what is left of the risk, to read and to print.")),
    "report_pdf": (mark("Report as &PDF"), mark("The same report, with the same figures, on pages of A4.")),
    "summary": (mark("S&ummary"), mark("All figures, for programs.")),
    "records": (
        mark("Risks &by record"),
        mark("One row for each record of the original: for use inside the house only."),
    ),
    "ddi": (
        mark("DDI &codebook"),
        mark("Names, labels and codes of the safe file, for archives and catalogues of data."),
    ),
    "table_schema": (mark("Table sc&hema"), mark("The same of a delimited file, for programs that read csv.")),
}


class OutputFiles(Card):
    """`outputPath`, `outputPathBrowse`, `outputPathMessage`, and a box for each file beside: ``write_<role>``.

    Signals
    -------
    path_entered(Path or None) : another place for the safe file; None for an empty box
    companion_chosen(role, wanted)
    details_wanted() : the report's details
    """

    path_entered = Signal(object)
    companion_chosen = Signal(str, bool)
    details_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Where it is written"), "filesCard", parent=parent)
        self._base = Path()
        self.path = QLineEdit(objectName="outputPath")
        self.path.setAccessibleName(translate("Safe file"))
        self.path.setPlaceholderText(translate("Path of the safe file"))
        self.browse = QPushButton(translate("Bro&wse…"), objectName="outputPathBrowse")
        self.browse.setAutoDefault(False)
        self.message = QLabel(objectName="outputPathMessage")
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.hide()
        self.details = role_button(translate("Report de&tails…"), "reportDetailsButton", "quiet")
        self.boxes = {role: QCheckBox(translate(_TITLES[role][0]), objectName=f"write_{role}") for role in COMPANIONS}
        self.names = {role: ElidedLabel("", f"file_{role}") for role in COMPANIONS}
        self.outside = QLabel(objectName="outputOutside")
        self.outside.setWordWrap(True)
        self.outside.setTextFormat(Qt.TextFormat.PlainText)
        self.outside.hide()
        self._output, self._outside = Output(), frozenset[Path]()
        self._lay_out()
        self.path.textEdited.connect(lambda _text: self.path_entered.emit(self.typed))
        self.browse.clicked.connect(self._choose)
        self.details.clicked.connect(self.details_wanted)
        for role, box in self.boxes.items():
            box.toggled.connect(lambda on, role=role: self.companion_chosen.emit(role, on))

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setVerticalSpacing(6)
        self.body.addLayout(grid)
        label = QLabel(translate("Safe &file"))
        label.setBuddy(self.path)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        grid.addLayout(row, 0, 0, 1, 3)
        grid.addWidget(self.message, 1, 0, 1, 3)
        for number, (role, box) in enumerate(self.boxes.items(), start=2):
            box.setToolTip(translate(_TITLES[role][1]))
            grid.addWidget(box, number, 0)
            grid.addWidget(self.names[role], number, 1)
            if role == "report":
                grid.addWidget(self.details, number, 2)
        grid.addWidget(self.outside, len(self.boxes) + 2, 0, 1, 3)
        grid.setColumnStretch(1, 1)

    @property
    def typed(self) -> Path | None:
        """The path in the box, absolute; None where it is empty."""
        return typed_path(self.path.text(), self._base)

    def show_output(self, output: Output, base: Path) -> None:
        """Show what is chosen; relative paths are those beside `base`."""
        self._base = base
        if self.typed != output.data:
            self.path.setText("" if output.data is None else str(output.data))
            self.path.setCursorPosition(len(self.path.text()))
        self.path.setToolTip(as_tip(self.path.text()))
        for role, box in self.boxes.items():
            path: Path | None = getattr(output, role)
            box.blockSignals(True)
            box.setChecked(path is not None)
            box.setEnabled(output.data is not None or path is not None)
            box.blockSignals(False)
        self._output = output
        self._show_names()
        self.details.setEnabled(output.report is not None)

    def _show_names(self) -> None:
        for role, name in self.names.items():
            path: Path | None = getattr(self._output, role)
            told = _short(path, self._output.data)
            if path in self._outside:
                told = translate("Outside: {file}").format(file=told)
            name.setText(told)

    def mark_outside(self, outside: Mapping[Path, Path], given: bool) -> None:
        """Mark the outputs outside the session's folder, with where links lead to; `given`: one was so when opened."""
        self._outside = frozenset(outside)
        self._show_names()
        names = ", ".join(dict.fromkeys(str(place.parent) for place in outside.values()))
        text = plural(
            len(outside),
            "{n} file is outside the session's folder, in {folders}.",
            "{n} files are outside the session's folder, in {folders}.",
        )
        told = translate(text).format(n=format_count(len(outside)), folders=names)
        asked = translate("Pavo asks before it writes to places that the opened session names.")
        self.outside.setText((f"{told} {asked}" if given else told) if outside else "")
        scheme = theme.scheme
        self.outside.setStyleSheet(f"color: {scheme.refused if given else scheme.muted};")
        self.outside.setVisible(bool(outside))

    def say(self, text: str, refused: bool = True) -> None:
        """What is wrong with the path, or has to be known of it."""
        scheme = theme.scheme
        self.message.setStyleSheet(f"color: {scheme.refused if refused else scheme.muted};")
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.path.setAccessibleDescription(text)

    def _choose(self) -> None:
        start = self.typed or self._base / "safe"
        path = dialogs.save_file(self, translate("Make protected file"), start, translate(mark("All files (*)")))
        if path is not None:
            self.path.setText(str(path))
            self.path_entered.emit(self.typed)


def _short(path: Path | None, data: Path | None) -> str:
    """The file's name; its folder too where it is not the safe file's."""
    if path is None:
        return ""
    return path.name if data is not None and path.parent == data.parent else str(path)
