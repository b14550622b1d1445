"""A box for one number that is never rounded by the box, with a label beside it for what is wrong or was adjusted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QWidget

from core.base.texts import mark, translate
from gui.numbers import Understood, format_typed, parse_count, parse_number, why_refused
from gui.shared.accessible import announce
from gui.shared.labels import ElidedLabel
from gui.theme import dress_as, theme

_UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class _Message(ElidedLabel):
    """Message about a number: in as many lines as it takes, or in the one that is kept for it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wordWrap():
            QLabel.paintEvent(self, event)
        else:
            super().paintEvent(event)


class NumberBox(QLineEdit):
    """Shows a number, takes a typed one on Enter or on leaving; Esc puts back what was there.

    `entered(float)` is emitted for a number that differs from the one shown. The owner then calls `set_value` with
    what was made of it, `say` where that is not what was typed, or `refuse` with a sentence: the last good state
    stays and the typed text too, until it is mended.

    Parameters
    ----------
    name : str
        Object name; the message label is called ``<name>Message``.
    show : callable
        Number to text, in the user's locale.
    read : callable
        Text to `Understood`; ValueError where it is not a number.
    """

    entered = Signal(float)

    def __init__(
        self,
        name: str,
        show: Callable[[float], str] = format_typed,
        read: Callable[[str], Understood] = parse_number,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.message = _Message(objectName=f"{name}Message")
        self.message.setWordWrap(True)
        self.message.hide()
        self._show, self._read, self._whole = show, read, read is parse_count
        self._value: float | None = None
        self._shown = ""
        self._refused = False
        self._sentence: QWidget | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.returnPressed.connect(lambda: self._take(typed=self.isModified()))
        self.textEdited.connect(self._on_edited)
        self.textChanged.connect(self._on_changed)

    @property
    def value(self) -> float | None:
        """The last good number; None where there is none."""
        return self._value

    @property
    def has_typing(self) -> bool:
        """Whether the text is typed and not taken yet."""
        return self.text() != self._shown

    @property
    def is_refused(self) -> bool:
        """Whether the text was typed, and refused."""
        return self._refused

    @property
    def refused(self) -> bool:
        """Whether the text was refused and not mended yet."""
        return self._refused

    def reserve_line(self) -> None:
        """Keep one line for the message, so that nothing moves when one comes or goes."""
        self.message.setWordWrap(False)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.message.setSizePolicy(policy)
        self.message.setFixedHeight(self.message.fontMetrics().height())

    def explain_by(self, sentence: QWidget) -> None:
        """A sentence of what the number means; what is said of the number stands in its place."""
        self._sentence = sentence

    def set_value(self, value: float | None, keep_message: bool = False) -> None:
        """Show a number. Text that is being typed is replaced, a message taken away unless kept."""
        self._value = value
        self._shown = "" if value is None else self._show(value)
        self._refused = False
        is_selected = self.hasSelectedText() and self.selectedText() == self.text()
        self.setText(self._shown)
        if is_selected:  # typing goes on replacing the number
            self.selectAll()
        if not keep_message:
            self.say("")

    def follow(self, value: float | None) -> None:
        """Show a number that nobody typed; text that is being typed stays, and what is said of the same number.

        Text that was refused stays as long as the number does: beside another one its message would be of the past.
        """
        changed = value != self._value
        if self._refused and changed:
            self.set_value(value)
        elif self.has_typing or self._refused:
            self._value = value
            self._shown = "" if value is None else self._show(value)
        else:
            self.set_value(value, keep_message=not changed)

    def set_show(self, show: Callable[[float], str]) -> None:
        """Show numbers otherwise from now on (more decimals); the value stays, to its last bit."""
        self._show = show
        if not (self.has_typing or self._refused):
            self.set_value(self._value, keep_message=True)

    def say(self, text: str) -> None:
        """Show a remark beside the box; it is no refusal."""
        self._message(text, theme.scheme.muted)

    def refuse(self, text: str) -> None:
        """Say why the typed text is not taken; it stays to be mended."""
        self._refused = True
        self._message(text, theme.scheme.refused)

    def judge_again(self) -> None:
        """What stood against the typed number may have gone."""
        if self._refused:
            self._refused = False
            self.say("")
            self._take(typed=True)

    def drop_typing(self) -> None:
        """Put back the last good number."""
        self.set_value(self._value)

    def _message(self, text: str, colour: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        if self._sentence is not None:
            self._sentence.setVisible(not text)
        dress_as(self, refused=self._refused)
        self.message.setStyleSheet(f"color: {colour};")
        self.setAccessibleDescription(text)
        announce(self, text)

    def _on_edited(self) -> None:
        if self._refused:
            self._refused = False
            self.say("")

    def _on_changed(self) -> None:
        """An assistive tool may write without the focus, so that the box is never left: that is taken at once."""
        if QAccessible.isActive() and not self.hasFocus() and self.has_typing:
            self._on_edited()
            QTimer.singleShot(0, self, self._take)

    def _take(self, typed: bool = False) -> None:
        """Read the text; `typed`: also where it is the text that was shown, perhaps of a number with more digits."""
        if self._refused or not (typed or self.has_typing):
            return
        text = self.text()
        try:
            understood = self._read(text)
        except ValueError:
            self.refuse(why_refused(text, self._whole))
            return
        before, self._shown = self._shown, text
        self.setModified(False)
        if understood.value != self._value:
            self.entered.emit(understood.value)
        else:
            self.set_value(self._value)
        if self._refused:  # typed and not taken: the same text is judged again when it is typed again
            self._shown = before
        if understood.as_program and not self._refused and not self.message.text():
            self.say(translate(mark("Understood as {number}.")).format(number=self._show(understood.value)))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._take()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.has_typing or self._refused):
            self.drop_typing()
            event.accept()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Undo and redo belong to the box only while it holds typing that was not taken."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and any(event.matches(key) for key in _UNDO_KEYS)
            and not self.has_typing
        ):
            event.ignore()
            return False
        return super().event(event)
