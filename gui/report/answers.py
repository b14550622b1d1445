"""The questions that boards ask, with what the last report says to each and a box for the answer of a person."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from core.base.texts import translate
from core.report.blocks import AnswerField, ReportData
from core.report.questions import IDS, groups
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import write_as

_LINES = 3
"""Lines of an answer that are seen at a time."""


class AnswersForm(QScrollArea):
    """`reportAnswers` with a box ``answer_<id>`` for each question.

    Signals
    -------
    edited() : an answer was typed
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="reportAnswers", widgetResizable=True, frameShape=QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.boxes: dict[str, QPlainTextEdit] = {}
        self._known: dict[str, WrappedLabel] = {}
        place = QWidget()
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(4)
        number = 0
        for title, questions in groups():
            heading = QLabel(translate(title))
            write_as(heading, "section")
            column.addSpacing(6)
            column.addWidget(heading)
            for question in questions:
                number += 1
                self._add(column, question.id, f"{number}. {translate(question.text)}")
        column.addStretch(1)
        self.setWidget(place)
        for ground in (place, self.viewport()):
            ground.setAutoFillBackground(False)

    def _add(self, column: QVBoxLayout, id: str, text: str) -> None:
        asked, known = WrappedLabel(name=f"question_{id}"), WrappedLabel(name=f"known_{id}", is_muted=True)
        asked.setText(text)
        box = QPlainTextEdit(objectName=f"answer_{id}", tabChangesFocus=True)
        box.setAccessibleName(text)
        box.setFixedHeight(_LINES * box.fontMetrics().lineSpacing() + 12)
        box.textChanged.connect(self.edited)
        for part in (asked, known, box):
            column.addWidget(part)
        column.addSpacing(8)
        self.boxes[id], self._known[id] = box, known

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """(id, text) of what is answered, in the order of the questions."""
        typed = ((id, box.toPlainText().strip()) for id, box in self.boxes.items())
        return tuple((id, text) for id, text in typed if text)

    def show_answers(self, answers: Mapping[str, str], report: ReportData | None) -> None:
        """Show answers, and what `report` says to the questions; nothing is emitted."""
        known = _said(report)
        for id, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setPlainText(answers.get(id, ""))
            self._known[id].setText(known.get(id, ""))
            self._known[id].setVisible(bool(known.get(id)))
            box.setAccessibleDescription(known.get(id, ""))


def _said(report: ReportData | None) -> dict[str, str]:
    """What the session answers, by id, as its last report has it."""
    blocks = [
        block.known
        for section in (report.sections if report else ())
        if section.id == "questions"
        for block in section.blocks
        if isinstance(block, AnswerField)
    ]
    return dict(zip(IDS, blocks, strict=False))
