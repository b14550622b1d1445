"""One line at the foot of a window that says what is wrong and what to do; it never interrupts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from gui.shared.accessible import announce
from gui.theme import pixmap, theme

Offer = tuple[str, Callable[[], None]]
"""A button: its text and what it does."""


class MessageArea(QFrame):
    """Hidden while there is nothing to say. Controls: `messageText`, `messageClose`, the offered buttons."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageArea")
        self._good = False
        self._offered: tuple[Offer, ...] = ()
        self._icon = QLabel()
        self._text = QLabel(objectName="messageText")
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._offers = QHBoxLayout()
        self._close = QToolButton(objectName="messageClose", text="✕", autoRaise=True)
        self._close.setAccessibleName(translate("Close this message"))
        self._close.clicked.connect(self._dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        row.addLayout(self._offers)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; empty where nothing is."""
        return self._text.text()

    def show_error(self, error: PavoError, offers: Sequence[Offer] = ()) -> None:
        """Show an expected error: sentence, hint, and buttons that help."""
        self.show_text(str(error), offers)

    def show_text(self, text: str, offers: Sequence[Offer] = ()) -> None:
        """Show a sentence with buttons."""
        self._say(text, offers, good=False)

    def show_good(self, text: str, offers: Sequence[Offer] = ()) -> None:
        """Show that something went well, or is only to be known."""
        self._say(text, offers, good=True)

    def add_text(self, text: str, offers: Sequence[Offer] = ()) -> None:
        """Show a sentence with buttons below what is shown already."""
        self.show_text("\n".join(filter(None, (self.text, text))), [*self._offered, *offers])

    def _say(self, text: str, offers: Sequence[Offer], good: bool) -> None:
        self._good = good
        self._offered = tuple(offers)
        self._dress()
        self._clear_offers()
        self._text.setText(text)
        self.setAccessibleDescription(text)
        for number, (label, do) in enumerate(offers, start=1):
            button = QPushButton(label, objectName=f"messageOffer{number}")
            button.clicked.connect(lambda _=False, do=do: do())
            self._offers.addWidget(button)
        self.show()
        announce(self, text)

    def clear(self) -> None:
        """Take the message away."""
        self._text.clear()
        self._offered = ()
        self._clear_offers()
        self.hide()

    def _dismiss(self) -> None:
        self.clear()
        self.closed.emit()

    def _clear_offers(self) -> None:
        while (item := self._offers.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _dress(self) -> None:
        scheme = theme.scheme
        sign, colour = ("check", scheme.accent) if self._good else ("attention", scheme.amber_text)
        back = scheme.rail if self._good else scheme.amber_ground
        self._icon.setPixmap(pixmap(sign, 16, colour, self.devicePixelRatioF()))
        self.setStyleSheet(f"#messageArea {{ background: {back}; border-top: 1px solid {colour}; }}")
