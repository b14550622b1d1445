"""Report Details: what the release report says of itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from core.base.texts import mark, translate
from core.recipe.changes import Changes
from core.recipe.model import Report
from gui import dialogs
from gui.document.document import Document
from gui.shared.choice import Choice, Option
from gui.shared.tool_window import ToolWindow
from gui.theme import muted

Variant = Literal["internal", "external"]

_VARIANTS: tuple[Option[Variant], ...] = (
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
)
_FIELDS = (
    ("title", "reportTitle", mark("&Title")),
    ("institution", "reportInstitution", mark("&Institution")),
    ("author", "reportAuthor", mark("&Author")),
    ("release_type", "reportReleaseType", mark("T&ype of release")),
)


class ReportDetails(ToolWindow):
    """Edits a draft of ``[report]``; *OK* commits it, *Esc* drops it."""

    name = "reportDetails"
    title = mark("Report Details")
    default_size = (560, 440)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(380, 340)
        self._base = self.document.recipe.report
        self.boxes = {part: QLineEdit(objectName=name) for part, name, _label in _FIELDS}
        self.boxes["release_type"].setPlaceholderText(translate("for example: scientific use file"))
        self.remarks = QPlainTextEdit(objectName="reportRemarks", tabChangesFocus=True)
        self.variant: Choice[Variant] = Choice("reportVariant", translate("Variant"), _VARIANTS, self)
        self.variant.offer([option.value for option in _VARIANTS])
        self.accept_details = QPushButton(translate("&OK"), objectName="accept")
        self.accept_details.setDefault(True)
        self.cancel = QPushButton(translate("&Cancel"), objectName="cancel")
        self.cancel.setAutoDefault(False)
        self._lay_out()
        for box in self.boxes.values():
            box.returnPressed.connect(self._accept)
            box.textEdited.connect(lambda _text: self._keep())
        self.remarks.textChanged.connect(self._keep)
        self.variant.box.currentIndexChanged.connect(lambda _index: self._keep())
        self.accept_details.clicked.connect(self._accept)
        self.cancel.clicked.connect(self._drop)
        unfinished = document.drafts.get(self.name)
        self._load()
        if unfinished is not None:
            self._show(replace(self._base, **unfinished))

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for part, _name, label in _FIELDS:
            form.addRow(translate(label), self.boxes[part])
        form.addRow(translate("&Remarks"), self.remarks)
        form.addRow(translate("&Variant"), self.variant.box)
        form.addRow("", self.variant.meaning)
        note = QLabel(translate("They appear in the report of the next protected file that is made."))
        note.setWordWrap(True)
        muted(note)
        buttons = QHBoxLayout()
        buttons.addWidget(note, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.accept_details)
        self.content.addLayout(form, 1)
        self.content.addLayout(buttons)

    @property
    def draft(self) -> Report:
        """What the window says now."""
        texts: dict[str, Any] = {part: box.text().strip() for part, box in self.boxes.items()}
        remarks = self.remarks.toPlainText().strip()
        variant: Variant = self.variant.value or "internal"
        return replace(self._base, **texts, remarks=remarks, variant=variant)

    @property
    def touched(self) -> bool:
        """Whether the draft differs from the session."""
        return self.draft != self._base

    def recipe_changed(self, changes: Any) -> None:
        """An untouched draft follows; a touched one stays until the user says which."""
        if not self.touched or changes == Changes.all():  # the latter: another session
            self._load()
        elif changes.report:
            offers = [(translate("Reload"), self._load), (translate("Keep mine"), self._keep_mine)]
            self.messages.show_text(translate("The session changed."), offers)

    def may_close(self) -> bool:
        """A touched draft is dropped only with the user's consent."""
        if not self.touched:
            return True
        answer = dialogs.ask(
            self,
            translate("Drop the changes to the report's details?"),
            "",
            [translate("&Drop"), translate("Keep &editing")],
            1,
        )
        if answer == 0:
            self.document.drafts.pop(self.name, None)
        return answer == 0

    def _load(self) -> None:
        self.messages.clear()
        self._base = self.document.recipe.report
        self._show(self._base)

    def _show(self, report: Report) -> None:
        for part, box in self.boxes.items():
            box.setText(getattr(report, part))
            box.setCursorPosition(0)
        self.remarks.setPlainText(report.remarks)
        self.variant.show_value(report.variant)
        self._keep()

    def _keep(self) -> None:
        """Unfinished details are kept by autosave."""
        if self.touched:
            draft = self.draft
            parts = (*self.boxes, "remarks", "variant")
            self.document.drafts[self.name] = {part: getattr(draft, part) for part in parts}
        else:
            self.document.drafts.pop(self.name, None)

    def _keep_mine(self) -> None:
        mine = self.draft
        self._base = replace(self.document.recipe.report, language=mine.language)
        self.messages.clear()

    def _accept(self) -> None:
        draft = replace(self.draft, language=self.document.recipe.report.language)
        self._base = draft
        self._keep()
        self.document.commit(translate("Report details"), self.document.recipe.with_(report=draft))
        self._load()
        self.close()

    def _drop(self) -> None:
        self._load()
        self.close()
