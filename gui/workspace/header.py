"""Head of a page: what it is, what can stand beside it, and what comes next; it never scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.shared.accessible import as_heading
from gui.shared.labels import ElidedLabel
from gui.texts import as_tip
from gui.theme import muted

Place = Literal["alone", "pair", "out"]
"""The only page in sight, one of two, or in a window of its own."""

_TITLE, _LOW_TITLE = 1.6, 1.2
"""Sizes of the title in those of the text: alone, and in a pane or a low window."""


@dataclass(frozen=True)
class Offer:
    """Something that a header leads to: the page's name, what it is called, and why it cannot be opened."""

    name: str
    title: str
    reason: str = ""


class PageHeader(QWidget):
    """`pageTitle`, `pageSentence`, `viewBeside`, `takeOut`, `putBack`, `closePage` and `continueTo`."""

    beside_wanted = Signal(str)
    taken_out = Signal()
    put_back = Signal()
    closed = Signal()
    continued = Signal(str)

    def __init__(self, title: str, sentence: str, *, can_be_taken_out: bool = True, is_step: bool = True) -> None:
        super().__init__(objectName="pageHeader")
        self._movable, self._is_step = can_be_taken_out, is_step
        self._beside: tuple[Offer, ...] = ()
        self._next: Offer | None = None
        self._place: Place = "alone"
        self._low = False
        self._base = QFont(self.font())
        self.title = ElidedLabel(title, "pageTitle")
        self.title.setProperty("role", "title")
        as_heading(self.title)
        self.sentence = ElidedLabel(sentence, "pageSentence")
        self.sentence.setProperty("role", "muted")
        muted(self.sentence)
        self._make_buttons()
        self._lay_out()
        self._dress()

    def _make_buttons(self) -> None:
        self.view_beside = QToolButton(objectName="viewBeside", text=translate(mark("View beside")))
        self.view_beside.setProperty("role", "plain")
        self.view_beside.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.view_beside.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view_beside.setToolTip(translate(mark("Another page beside this one, or this one in its own window")))
        self.menu = QMenu(self.view_beside)
        self.view_beside.setMenu(self.menu)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.take_out = _quiet("takeOut", translate(mark("Take out")), translate(mark("Into a window of its own")))
        self.back = _quiet("putBack", translate(mark("Put back")), translate(mark("Into the main window")))
        self.close_page = _quiet("closePage", translate(mark("Close")), translate(mark("Close this page")))
        self.go_on = QPushButton(objectName="continueTo")
        self.go_on.setAutoDefault(False)
        self.take_out.clicked.connect(self.taken_out)
        self.back.clicked.connect(self.put_back)
        self.close_page.clicked.connect(self.closed)
        self.go_on.clicked.connect(self._continue)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        self._row = row = QHBoxLayout(self)
        row.setSpacing(8)
        row.addLayout(words, 1)
        for button in (self.take_out, self.back, self.view_beside, self.close_page, self.go_on):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def lead_with(self, widget: QWidget) -> None:
        """Let `widget` stand before the title: the box of steps, where there is no rail."""
        self._row.insertWidget(0, widget, 0, Qt.AlignmentFlag.AlignTop)

    def offer(self, beside: Sequence[Offer], next_step: Offer | None) -> None:
        """Offer these pages beside this one, and this step as the next."""
        self._beside, self._next = tuple(beside), next_step
        if next_step is not None:
            self.go_on.setText(translate(mark("Continue to {step}")).format(step=next_step.title))
            self.go_on.setEnabled(not next_step.reason)
            self.go_on.setToolTip(as_tip(next_step.reason))
        self._dress()

    def arrange(self, place: Place, low: bool) -> None:
        """Where the page stands, and whether there is little height."""
        if (place, low) != (self._place, self._low):
            self._place, self._low = place, low
            self._dress()

    def fill_menu(self) -> None:
        """List what can stand beside the page; done whenever the menu opens."""
        self.menu.clear()
        for offer in self._beside:
            action = self.menu.addAction(offer.title, partial(self.beside_wanted.emit, offer.name))
            action.setObjectName(f"beside_{offer.name}")
            action.setEnabled(not offer.reason)
            action.setToolTip(as_tip(offer.reason))
        self.menu.setToolTipsVisible(True)
        self.menu.addSeparator()
        out = self.menu.addAction(translate(mark("Take out into a window")), self.taken_out.emit)
        out.setObjectName("besideTakeOut")

    def _continue(self) -> None:
        if self._next is not None:
            self.continued.emit(self._next.name)

    def _dress(self) -> None:
        small = self._low or self._place == "pair"
        font = QFont(self._base)
        font.setPointSizeF(self._base.pointSizeF() * (_LOW_TITLE if small else _TITLE))
        font.setWeight(QFont.Weight.DemiBold)
        self.title.setFont(font)
        alone = self._place == "alone"
        self.sentence.setVisible(not small and bool(self.sentence.text()))
        self.view_beside.setVisible(alone and self._movable)
        self.take_out.setVisible(self._place == "pair" and self._movable)
        self.back.setVisible(self._place == "out")
        self.close_page.setVisible(self._movable and (self._place == "pair" or (alone and not self._is_step)))
        self.go_on.setVisible(self._place != "pair" and self._next is not None)
        beside = 12 if self._low else 24 if alone else 16
        self._row.setContentsMargins(beside, 6 if self._low else 14, beside, 2 if self._low else 4)


def _quiet(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton(objectName=name, text=text, toolTip=as_tip(tip), autoRaise=True)
    button.setProperty("role", "quiet")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
