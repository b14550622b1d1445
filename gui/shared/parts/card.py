"""A white card on the ground of a page: a heading, what is being counted at its right, and what belongs together."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from core.base.texts import translate
from gui.shared.accessible import GROUPING, as_heading
from gui.shared.labels import ElidedLabel
from gui.theme import dress_as, muted, write_as
from gui.theme.tokens import CARD_PADDING

STALE_AFTER_MS = 150
"""Quick answers do not flicker."""

Tone = Literal["plain", "guidance", "effect", "refused", "hint"]


class Card(QFrame):
    """`body` is the layout for what stands in it; a title is also the card's accessible name.

    Parameters
    ----------
    title : heading in the weight of sections; empty for none
    name : object name; the note at the right of the heading is called ``<name>HeadingNote``
    """

    spoken_as = GROUPING

    def __init__(self, title: str = "", name: str = "", tone: Tone = "plain", parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName=name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        across, down = CARD_PADDING
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(across, down, across, down)
        self.body.setSpacing(8)
        self.heading = ElidedLabel(title, f"{name}Heading")
        self.heading_note = QLabel(objectName=f"{name}HeadingNote", textFormat=Qt.TextFormat.PlainText)
        self._waits = QTimer(self, singleShot=True, interval=STALE_AFTER_MS)
        self._waits.timeout.connect(lambda: self.heading_note.setText(translate("being counted …")))
        self.heading.setProperty("stays", True)
        self.heading_note.setProperty("stays", True)
        write_as(self.heading, "section")
        as_heading(self.heading)
        muted(self.heading_note)
        self.head = QHBoxLayout()
        self.head.addWidget(self.heading, 1)
        self.head.addWidget(self.heading_note)
        if title:
            self.body.addLayout(self.head)
        else:
            for label in (self.heading, self.heading_note):  # without a parent they would outlive the card
                label.setParent(self)
                label.setObjectName("")
                label.hide()
        self.set_title(title)
        self.set_tone(tone)

    def event(self, event: QEvent) -> bool:
        """Say that its figures are being counted, once that takes long enough to be seen."""
        if event.type() == QEvent.Type.DynamicPropertyChange and hasattr(self, "_waits"):
            if self.property("greyed"):
                self._waits.start()
            else:
                self._waits.stop()
                self.heading_note.clear()
        return bool(super().event(event))

    def set_title(self, title: str) -> None:
        """Change the heading."""
        self.heading.setText(title)
        self.setAccessibleName(title)

    def set_tone(self, tone: Tone) -> None:
        """Ground and edge: plain, of guidance, of an effect, of what was refused, or of a hint."""
        dress_as(self, tone=tone)


def add_rule(layout: QVBoxLayout) -> QFrame:
    """A hairline between two sections of a card."""
    rule = QFrame()
    rule.setFixedHeight(1)
    rule.setProperty("rule", True)
    layout.addWidget(rule)
    return rule


def add_upright_rule(layout: QHBoxLayout) -> QFrame:
    """A hairline between two columns of a card."""
    rule = QFrame()
    rule.setFixedWidth(1)
    rule.setProperty("rule", True)
    layout.addWidget(rule)
    return rule


def empty_layout(layout: QLayout) -> None:
    """Take everything out of a layout; its widgets end."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.setObjectName("")  # whoever looks for its name finds what comes in its place
            widget.deleteLater()
        elif inner is not None:
            empty_layout(inner)
