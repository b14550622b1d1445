"""Questions that the laboratory answers, for who does not know the names of measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.theme import scaled


@dataclass(frozen=True)
class Question:
    """A question with the measure that answers it; `of`: whether on the ticked key variables, or on each that there is.

    `parameters` are those of the measure that are no defaults.
    """

    text: str
    kind: str
    of: Literal["ticked", "all"] = "ticked"
    parameters: tuple[tuple[str, Any], ...] = ()


QUESTIONS = (
    Question(mark("Which of my variables make people unique?"), "suda"),
    Question(mark("Which sets of variables single out most people?"), "key-sets"),
    Question(mark("Who stands out by one variable alone, say income?"), "key-sets", "all", (("max_size", 1),)),
    Question(mark("Are those who are alone also alone in the population?"), "population"),
)
_LEAST = 160


class QuestionList(QWidget):
    """`question1` and so on. `asked(Question)`: one shall be answered."""

    asked = Signal(object)

    def __init__(self, questions: Sequence[Question] = QUESTIONS) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        head = WrappedLabel(translate("Or start from a question:"), is_muted=True)
        head.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(head)
        for number, question in enumerate(questions, 1):
            button = role_button(translate(question.text), f"question{number}", "quiet")
            button.clicked.connect(lambda _on=False, question=question: self.asked.emit(question))
            button.setMinimumWidth(scaled(_LEAST))  # a narrow pane is not made wider by it
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignCenter)
