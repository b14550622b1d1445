"""Base of every page of the workspace.

A page is a widget that stands in the main window, alone or beside another, or was taken out into a window of its own;
it does not know which. It is made with the document as its only argument, is shown by `gui.shared.windows.Windows`,
and ends when it is closed: whatever it must keep goes to the recipe (commit), to `SessionState.drafts` or to settings.
Escape gives up what is unfinished, and never closes a page.

::

    class RiskChart(ToolWindow):
        name = "riskChart"  # objectName, and the key of its geometry and help page
        title = mark("Risk Chart")

        def __init__(self, document: Document) -> None:
            super().__init__(document)
            self.content.addWidget(...)  # a QVBoxLayout with the window's margins
            self.greyed(self.histogram)  # greyed while its figures are being recomputed
            self.refresh()

        def results_changed(self) -> None:  # document.derived is another one
            self.refresh()

        def recipe_changed(self, changes) -> None:  # the recipe is another one, results are not there yet
            ...

        def show_for(self, variable: str = "") -> None:  # arguments of open_window("globalRecode", variable=...)
            ...

Errors: ``self.show_error(error)`` shows a `PavoError` at the foot of the window, ``self.clear_error()`` takes it away.
Other windows: ``self.open_window("globalRecode", variable="REGION")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from gui.document.document import Document
from gui.shared.message_area import MessageArea
from gui.theme import OUT_OF_DATE, UPDATING, set_greyed

MARGIN = 12
SPACING = 8


_places: list[QWidget] = []
_in_steps: list[bool] = []


@contextmanager
def made_on(place: QWidget | None) -> Iterator[None]:
    """What is made meanwhile stands on `place` from its beginning: what is moved with all it holds is styled twice."""
    if place is not None:
        _places.append(place)
    try:
        yield
    finally:
        if place is not None:
            _places.pop()


@contextmanager
def made_in_steps() -> Iterator[None]:
    """A page that is made meanwhile leaves for later what it gives to `ToolWindow.later`."""
    _in_steps.append(True)
    try:
        yield
    finally:
        _in_steps.pop()


class ToolWindow(QWidget):
    """Base of all pages; see the module's text."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    first: ClassVar[str] = ""
    """Name of the control where work starts: it has the focus when the window opens."""
    default_size: ClassVar[tuple[int, int]] = (900, 560)

    closed = Signal(str)
    """The window was closed; its name."""
    window_requested = Signal(str, dict)
    """Open another window: its name and the arguments of its ``show_for``."""
    went_on = Signal(str)
    """The work of this window is done: what comes next may open by itself."""
    sight_wanted = Signal(str)
    """It shall be shown where it stands; its name."""

    def __init__(self, document: Document) -> None:
        super().__init__(_places[-1] if _places else None)
        self.setObjectName(self.name)
        self.document = document
        self._greyed: list[tuple[QWidget, Callable[[], bool] | None]] = []
        self._placed = False
        self._unmade: list[Callable[[], None]] = []
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.content = QVBoxLayout()
        self.content.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.content.setSpacing(SPACING)
        outer.addLayout(self.content, 1)
        self.messages = MessageArea()
        outer.addWidget(self.messages)
        self.resize(*self.default_size)
        document.changed.connect(self._on_changed)
        document.results_changed.connect(self._on_results_changed)
        document.session_changed.connect(self._set_title)
        self._set_title()

    # For subclasses ----------------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """The recipe is another one (`changes`: core.recipe.changes.Changes); its results follow later."""

    def results_changed(self) -> None:
        """`document.derived`, `document.session.error` or `document.session.released` is another one."""

    def show_for(self, **arguments: Any) -> None:
        """Show a particular thing, as ``open_window(name, **arguments)`` asks."""

    def subject(self) -> str:
        """What the title names after the window, for example the combination; empty for none."""
        return ""

    def may_close(self) -> bool:
        """Whether the window may be closed now (a draft may have to be asked about)."""
        return True

    def give_up(self) -> None:
        """Escape was pressed: give up what is unfinished; a page that has drafts asks about them."""

    def came_forward(self) -> None:
        """It was asked for, and has the focus now."""

    def is_stale(self) -> bool:
        """Whether figures shown here may be untrue for the current recipe; a window may know that its own are not."""
        return self.document.stale and self.document.recipe.input.place is not None

    def is_updating(self) -> bool:
        """Whether figures that are out of date come anew by themselves."""
        return self.document.stale and self.document.session.error is None

    def greyed(self, *widgets: QWidget, when: Callable[[], bool] | None = None) -> None:
        """Grey these widgets whenever the page `is_stale`, or when their own figures are."""
        self._greyed.extend((widget, when) for widget in widgets)
        self._grey()

    def show_error(self, error: PavoError) -> None:
        """Show an expected error at the foot of this window."""
        self.messages.show_error(error)

    def clear_error(self) -> None:
        """Take the message away."""
        self.messages.clear()

    def open_window(self, name: str, **arguments: Any) -> None:
        """Open another window by its name; nothing happens where it cannot be opened now."""
        self.window_requested.emit(name, arguments)

    def go_on(self) -> None:
        """Say that the work of this window is done."""
        self.went_on.emit(self.name)

    def end(self) -> None:
        """Be no page of the session any longer; nothing is asked."""
        self.document.changed.disconnect(self._on_changed)
        self.document.results_changed.disconnect(self._on_results_changed)
        self.document.session_changed.disconnect(self._set_title)
        self.closed.emit(self.name)

    # How it is made ----------------------------------------------------------------------------------------------

    def later(self, step: Callable[[], None]) -> None:
        """A step of making this page: done at once, or by `go_on_making` where it is made in steps.

        Nothing that calls the page comes before it: neither is it in sight yet, nor told what the document says.
        """
        if _in_steps:
            self._unmade.append(step)
        else:
            step()

    @property
    def is_complete(self) -> bool:
        """Whether no step is left."""
        return not self._unmade

    def go_on_making(self) -> None:
        """Do the next step that was left for later."""
        self._unmade.pop(0)()

    def complete(self) -> None:
        """Do all that was left for later."""
        while self._unmade:
            self.go_on_making()

    # Qt ----------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Come into sight, in the main window or in a window of its own."""
        super().show()
        if not self.isWindow():
            self.sight_wanted.emit(self.name)

    def resize(self, *size: Any) -> None:
        """Have the page this large (QSize, or width and height): the window that it stands in follows."""
        if self.isWindow() or not self.isVisible():
            super().resize(*size)
            return
        wanted = size[0] if len(size) == 1 else QSize(*size)
        for _ in range(3):  # another size of the window may arrange it otherwise
            window = self.window()
            window.resize(window.size() + wanted - self._in_sight())

    def _in_sight(self) -> QSize:
        """Size of the part that can be seen at once: of a page that scrolls it is less than the page's."""
        place = self.parentWidget()
        while place is not None and not isinstance(place, QScrollArea):
            place = place.parentWidget()
        return self.size() if place is None else self.size().boundedTo(place.viewport().size())

    def showEvent(self, event: QShowEvent) -> None:
        if not self._placed:
            self._placed = True
            for label in self.findChildren(QLabel):  # names and codes in them are no HTML
                if label.textFormat() == Qt.TextFormat.AutoText:
                    label.setTextFormat(Qt.TextFormat.PlainText)
            self.begin_by_keyboard()
        super().showEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.complete()
        if not self.may_close():
            event.ignore()
            return
        event.accept()
        self.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.give_up()
        elif event.key() == Qt.Key.Key_F1:
            self.open_window("help", page=self.name)
        elif not press_by_enter(self, event):
            super().keyPressEvent(event)

    def begin_by_keyboard(self) -> None:
        """Work starts without the mouse; Ctrl+Enter does what the window is for, and says so."""
        first = self.findChild(QWidget, self.first) if self.first else None
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)
        if isinstance(first, QLineEdit):
            first.selectAll()  # typing replaces what stands there
        main = default_button(self)
        if main is not None and not main.toolTip():
            main.setToolTip(translate("Ctrl+Enter"))

    def _set_title(self) -> None:
        title = translate(self.title)
        if self.subject():
            title += f" · {self.subject()}"
        if self.document.session.name:
            title += f" — {self.document.session.name}"
        self.setWindowTitle(title)

    def _on_changed(self, changes: Any) -> None:
        self.complete()
        self._grey()
        self.recipe_changed(changes)

    def _on_results_changed(self) -> None:
        self.complete()
        self.results_changed()
        self._grey()

    def _grey(self) -> None:
        stale, said = self.is_stale(), UPDATING if self.is_updating() else OUT_OF_DATE
        for widget, when in self._greyed:
            set_greyed(widget, stale if when is None else when(), said)


def page_of(widget: QWidget) -> QWidget:
    """The page that a widget stands on: a dialog about the widget is the page's; its window where it is on none."""
    place: QWidget | None = widget
    while place is not None and not isinstance(place, ToolWindow):
        place = place.parentWidget()
    return place if place is not None else widget.window()


def default_button(window: QWidget) -> QPushButton | None:
    """The button that does what a window is for; None where it has none."""
    return next((button for button in window.findChildren(QPushButton) if button.isDefault()), None)


def press_by_enter(window: QWidget, event: QKeyEvent) -> bool:
    """Enter presses the button that has the focus, Ctrl+Enter the default one; False for any other key.

    Qt does this in dialogs only. Enter alone never presses the default button: it belongs to the box typed in.
    """
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    focus = window.focusWidget()
    button = default_button(window) if held == Qt.KeyboardModifier.ControlModifier else focus
    if isinstance(button, QPushButton) and button.isEnabled() and button.isVisible():
        button.click()
    return True
