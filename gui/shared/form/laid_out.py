"""How pages with a list, a form and a result are laid out, and what they say of what the form is about."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.base.texts import translate
from core.recipe.declared import Guide


def pane(place: QWidget, *parts: QWidget | QHBoxLayout) -> QWidget:
    """A pane on `place`: parts below each other, of which the first takes what room there is."""
    made = QWidget(place)
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    for number, part in enumerate(parts):
        if isinstance(part, QWidget):
            column.addWidget(part, 0 if number else 1)
        else:
            column.addLayout(part)
    return made


def assumptions(guide: Guide) -> str:
    """What is assumed, and what it is not for."""
    told = translate("It assumes: {assumes}\n\nNot for: {not_for}")
    return told.format(
        assumes=without_marks(translate(guide.assumes)), not_for=without_marks(translate(guide.not_for))
    )  # fmt: skip


def without_marks(text: str) -> str:
    """A sentence of the guide without its marks."""
    return text.replace("`", "").replace("*", "")
