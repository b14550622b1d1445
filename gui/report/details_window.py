"""Report Details: what the release report says of itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from core.base.texts import languages, mark, translate
from core.recipe.answers import question_ids
from core.recipe.changes import Changes
from core.recipe.model import Reader, Recipe, Report
from gui.document.document import Document
from gui.document.drafts import WindowDraft
from gui.language import own_name
from gui.report.answers import AnswersForm
from gui.shared.choice import Choice, Option
from gui.shared.draft_window import FollowingWindow
from gui.shared.parts.segments import Segments
from gui.shared.wheel import ComboBox
from gui.theme import muted

_READERS: tuple[Option[Reader], ...] = (
    Option(
        "internal",
        mark("Internal: for the house"),
        mark("Names files with their folders, and gives checksums and the seed of a random order."),
    ),
    Option(
        "external",
        mark("External: to go with the safe file"),
        mark("Nothing of the original that the safe file does not hold; no checksums, no seed."),
    ),
    Option(
        "users",
        mark("Users of the file: what was done to it"),
        mark("Recodes, suppressions and perturbations, and what they do to analyses; no risks."),
    ),
)
_FIELDS = (
    ("title", "reportTitle", mark("&Title")),
    ("institution", "reportInstitution", mark("&Institution")),
    ("author", "reportAuthor", mark("&Author")),
    ("release_type", "reportReleaseType", mark("T&ype of release")),
)


class DetailsDraft(WindowDraft[Report]):
    """What the report says of itself."""

    name = "reportDetails"

    def said(self, recipe: Recipe) -> Report:
        return recipe.report

    def to_plain(self) -> dict[str, Any]:
        parts = (*(part for part, _name, _label in _FIELDS), "remarks", "variant", "audience", "thresholds", "language")
        return {part: getattr(self.value, part) for part in parts} | {"answers": dict(self.value.answers)}

    def from_plain(self, plain: dict[str, Any]) -> Report:
        answers = plain.get("answers", {})
        kept = tuple((id, answers[id]) for id in question_ids() if answers.get(id))
        return replace(self.base, **(plain | {"answers": kept}))


class ReportDetails(FollowingWindow[DetailsDraft]):
    """Edits a draft of ``[report]``; *OK* commits it, *Esc* drops it."""

    name = "reportDetails"
    first = "reportTitle"
    title = mark("Report Details")
    default_size = (560, 440)
    drop_question = mark("Drop the changes to the report's details?")

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(380, 340)
        self.draft = DetailsDraft(document)
        self.boxes = {part: QLineEdit(objectName=name) for part, name, _label in _FIELDS}
        self.boxes["release_type"].setPlaceholderText(translate("for example: scientific use file"))
        self.remarks = QPlainTextEdit(objectName="reportRemarks", tabChangesFocus=True)
        self.reader: Choice[Reader] = Choice("reportVariant", translate("Written for"), _READERS, self)
        self.reader.offer([option.value for option in _READERS])
        self.thresholds = QCheckBox(translate(mark("Tell &users of the file the thresholds")))
        self.thresholds.setObjectName("reportThresholds")
        self.language = ComboBox(objectName="reportLanguage", accessibleName=translate("Language of the report"))
        self.language.addItem(translate("As the program"), "")
        for code in languages():
            self.language.addItem(own_name(code), code)
        views = [("details", translate(mark("Details"))), ("questions", translate(mark("Questions of boards")))]
        self.views = Segments("reportDetailsView", translate(mark("What is edited")), views)
        self.answers = AnswersForm()
        self.accept_details = QPushButton(translate("&OK"), objectName="accept")
        self.accept_details.setDefault(True)
        self.cancel = QPushButton(translate("&Cancel"), objectName="cancel")
        self.cancel.setAutoDefault(False)
        self._lay_out()
        for box in self.boxes.values():
            box.returnPressed.connect(self._accept)
            box.textEdited.connect(lambda _text: self._edited())
        self.remarks.textChanged.connect(self._edited)
        self.reader.box.currentIndexChanged.connect(lambda _index: self._edited())
        self.thresholds.toggled.connect(lambda _on: self._edited())
        self.language.currentIndexChanged.connect(lambda _index: self._edited())
        self.answers.edited.connect(self._edited)
        self.accept_details.clicked.connect(self._accept)
        self.cancel.clicked.connect(self._drop)
        self.load()

    def _lay_out(self) -> None:
        self._stack, details = QStackedWidget(), QWidget()
        form = QFormLayout(details)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for part, _name, label in _FIELDS:
            form.addRow(translate(label), self.boxes[part])
        form.addRow(translate("&Remarks"), self.remarks)
        form.addRow(translate("&Written for"), self.reader.box)
        form.addRow("", self.reader.meaning)
        form.addRow("", self.thresholds)
        form.addRow(translate("&Language"), self.language)
        note = QLabel(translate("They appear in the report of the next protected file that is made."))
        note.setWordWrap(True)
        muted(note)
        buttons = QHBoxLayout()
        buttons.addWidget(note, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.accept_details)
        for page in (details, self.answers):
            self._stack.addWidget(page)
        self.views.chosen.connect(lambda name: self._stack.setCurrentIndex(name == "questions"))
        self.content.addWidget(self.views)
        self.content.addWidget(self._stack, 1)
        self.content.addLayout(buttons)

    def concerns(self, changes: Changes) -> bool:
        """The same details may be others."""
        return changes.report

    def show_draft(self) -> None:
        """Show the details as they are now."""
        report = self.draft.value
        for part, box in self.boxes.items():
            box.setText(getattr(report, part))
            box.setCursorPosition(0)
        with QSignalBlocker(self.remarks):
            self.remarks.setPlainText(report.remarks)
        self.reader.show_value(report.reader)
        with QSignalBlocker(self.thresholds):
            self.thresholds.setChecked(report.thresholds)
        self._offer_thresholds()
        with QSignalBlocker(self.language):
            if self.language.findData(report.language) < 0:  # one that the recipe says and the program does not speak
                self.language.addItem(own_name(report.language), report.language)
            self.language.setCurrentIndex(self.language.findData(report.language))
        released = self.document.session.released
        self.answers.show_answers(dict(report.answers), released.report if released else None)

    def _edited(self) -> None:
        texts: dict[str, Any] = {part: box.text().strip() for part, box in self.boxes.items()}
        texts["thresholds"] = self.thresholds.isChecked()
        remarks = self.remarks.toPlainText().strip()
        texts |= {"remarks": remarks, "language": self.language.currentData()}
        details = replace(self.draft.base, **texts, answers=self.answers.answers)
        reader = self.reader.value or "internal"
        self._offer_thresholds()
        self.draft.take(details if details.reader == reader else details.written_for(reader))

    def _offer_thresholds(self) -> None:
        """The other readers are told the thresholds anyway."""
        self.thresholds.setEnabled(self.reader.value == "users")

    def _accept(self) -> None:
        recipe, details = self.document.recipe, self.draft.value
        self.draft.forget()
        self.document.commit(lambda: translate("Report details"), recipe.with_(report=details))
        self.close()

    def _drop(self) -> None:
        self.reload()
        self.close()
