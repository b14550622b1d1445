"""How pages with a list, a form and a result are laid out, and what they say of what the form is about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QWidget

from core.base.texts import translate
from core.recipe.declared import Guide
from gui.shared.parts.panes import pane
from gui.shared.work_row import WorkRow


def form_pane(place: QWidget, asked: QWidget, *buttons: QWidget) -> QWidget:
    """The pane of the form: the form, and its buttons in one line below it, as wide as each other."""
    asked.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    below = QHBoxLayout()
    for button in buttons:
        below.addWidget(button, 1)
    return pane(place, asked, below)


def result_pane(place: QWidget, shown: Sequence[QWidget], work: WorkRow, least: int) -> QWidget:
    """The pane of the result: what is shown, and below it how far the work is; at least so many pixels wide."""
    below = QHBoxLayout()
    below.addWidget(work, 1)
    below.addWidget(work.stop)
    work.stop.hide()
    made = pane(place, *shown, below)
    made.setMinimumWidth(least)
    return made


def share_out(panes: QSplitter, shares: Sequence[int], sizes: Sequence[int]) -> None:
    """Give the panes their sizes, and what the page has beyond them by shares."""
    panes.setChildrenCollapsible(False)
    panes.setHandleWidth(16)
    for number, share in enumerate(shares):
        panes.setStretchFactor(number, share)
    panes.setSizes(list(sizes))


def assumptions(guide: Guide) -> str:
    """What is assumed, and what it is not for."""
    told = translate("It assumes: {assumes}\n\nNot for: {not_for}")
    return told.format(
        assumes=without_marks(translate(guide.assumes)), not_for=without_marks(translate(guide.not_for))
    )  # fmt: skip


def without_marks(text: str) -> str:
    """A sentence of the guide without its marks."""
    return text.replace("`", "").replace("*", "")
