"""The main window's two tables side by side, and below them what to do next, with the buttons that do it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.main_window.overview_model import code_columns, variable_columns, variable_title
from gui.main_window.remarks import Remarks
from gui.main_window.workflow import Next, uncounted, worst_combination
from gui.paint_queue import paint_apart
from gui.shared.advice import AdviceOnCard, AskedAdvice
from gui.shared.layout.by_room import ByRoom
from gui.shared.margins_counted import MarginsRow
from gui.shared.parts.guidance import GuidanceCard
from gui.shared.parts.warnings_card import WarningsCard
from gui.shared.table.data_table import DataTable
from gui.texts import as_tip
from gui.theme import OUT_OF_DATE, UPDATING, heading, set_greyed


class NextBar(QFrame):
    """`nextBar` with `nextSentence`; its buttons are called ``next_<window>``. `chosen(window)`."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__(objectName="nextBar")
        self._has_sentence = self._is_low = self._tells_unsafe = False
        self._says_unsafe = True
        self._label = QLabel(translate(mark("Next:")))
        heading(self._label, 1.0)
        self._label.setProperty("stays", True)
        self._sentence = QLabel(objectName="nextSentence", textFormat=Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons = QHBoxLayout()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.addWidget(self._label)
        row.addWidget(self._sentence, 100)
        row.addStretch(1)  # where the guidance says the sentence
        row.addLayout(self._buttons)

    def set_low(self, is_low: bool) -> None:
        """Nothing is said where there is little height: the guidance and the header lead on there, too."""
        self._is_low = is_low
        self.setVisible(self._has_sentence and not is_low)

    def say_unsafe(self, says: bool) -> None:
        """Whether to say how many records are unsafe: not where the guidance does."""
        self._says_unsafe = says
        self._sentence.setVisible(says or not self._tells_unsafe)

    def show_next(self, thing: Next, reason_against: Callable[[str], str]) -> None:
        """Show a sentence and its buttons; those that cannot be used now say why."""
        self._has_sentence, self._tells_unsafe = bool(thing.sentence), thing.tells_unsafe
        self.say_unsafe(self._says_unsafe)
        self.setVisible(self._has_sentence and not self._is_low)
        self._sentence.setText(thing.sentence)
        had_focus = self.focusWidget() is not None and self.focusWidget().hasFocus()
        while (item := self._buttons.takeAt(0)) is not None:
            _discard(item.widget())
        for text, window in thing.offers:
            button = QPushButton(text, objectName=f"next_{window}")
            reason = reason_against(window)
            button.setEnabled(not reason)
            button.setToolTip(as_tip(reason))
            button.clicked.connect(lambda _=False, window=window: self.chosen.emit(window))
            self._buttons.addWidget(button)
        if had_focus:
            self.take_focus()

    def take_focus(self) -> bool:
        """Let Enter do the next thing; False where nothing can be done now."""
        for place in range(self._buttons.count()):
            item = self._buttons.itemAt(place)
            button = item.widget() if item is not None else None
            if button is not None and button.isEnabled():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False


def _discard(widget: QWidget | None) -> None:
    if widget is not None:
        widget.hide()
        widget.setObjectName("")  # its name is its successor's from now on
        widget.deleteLater()


_NOTE = mark("A missing code: it is no value, and suppression writes the first of them.")


_LIST_FROM = 620
"""Height of the window from which the ways to lower the risk are listed at once."""


_HIGH = 460
"""Height of the window from which the guidance is more than one line, and the next thing is told below it, too."""


class OverviewPage(QWidget):
    """`guidance`, `overviewVariables` and `overviewCodes`. `window_requested(name, variable)`; it may be empty."""

    window_requested = Signal(str, str)

    def __init__(self, document: Document) -> None:
        super().__init__(objectName="overviewPage")
        self._document = document
        self._shown: object = None
        self.variables = DataTable("overviewVariables", translate(mark("Unsafe combinations")))
        self.codes = DataTable("overviewCodes", translate(mark("Codes")))
        self.variables.stretch(0)
        self.variables.keep_in_sight(translate("contributes"), translate("records"))
        self.codes.stretch(1)
        self.margins = MarginsRow(document)
        self.next = NextBar()
        self.guidance = GuidanceCard()
        self.guidance.hide()
        self.advice = AskedAdvice(document, "overview advice", self)
        self.guide = AdviceOnCard(
            self.guidance,
            self.advice,
            lambda: self.window_requested.emit("makeProtectedFile", ""),
            lambda name: self.window_requested.emit("globalRecode", name),
            is_open=True,
        )
        self.to_look_at = WarningsCard()
        self.remarks = Remarks(document, self.to_look_at, self.window_requested.emit)
        self.advice.known.connect(self._show_advice)
        self.variables.current_changed.connect(self._show_codes)
        self.variables.activated.connect(lambda name: self.window_requested.emit("globalRecode", name))
        self.next.chosen.connect(lambda name: self.window_requested.emit(name, self._variable_for(name)))
        splitter = QSplitter(Qt.Orientation.Horizontal, objectName="overviewSplitter")
        splitter.addWidget(self.variables)
        splitter.addWidget(self.codes)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(14)
        splitter.setSizes([460, 520])
        room = ByRoom(self, lambda: self.window().size())  # the page may be higher than what is in sight of it
        self._is_high, self._lists = room.height(_HIGH, self._arrange_low), room.height(_LIST_FROM, self._list_ways)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(self.guidance)
        layout.addWidget(self.remarks.keys)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.margins)
        layout.addWidget(self.to_look_at)
        layout.addWidget(self.next)

    def refresh(self) -> None:
        """Show the document's results, greyed where they belong to another recipe."""
        for table in (self.variables, self.codes):
            paint_apart(table, 0)
        derived = self._document.derived
        waiting = "" if derived is not None and derived.overview.variables else uncounted(self._document)
        if self._shown != (derived, waiting):
            self._shown = derived, waiting
            self._fill()
        self.margins.refresh()
        self._ask_advice()
        self._grey()
        self.remarks.refresh()

    def _grey(self) -> None:
        """Grey what is of another recipe; advice takes longer than the tables."""
        document = self._document
        stale = document.stale and document.derived is not None
        said = UPDATING if document.session.error is None else OUT_OF_DATE
        for widget in (self.variables, self.codes, self.next):
            set_greyed(widget, stale, said)
        set_greyed(self.guidance, stale or (self.advice.advice is not None and not self.advice.is_true), said)

    def _list_ways(self, has_room: bool) -> None:
        """Ways that are listed go where the tables need the room; they come with the next advice."""
        if not has_room and not self.guidance.isHidden():
            self.guide.show(can_list=False)

    def _arrange_low(self, is_high: bool) -> None:
        self.guidance.set_low(not is_high)
        self.next.set_low(not is_high and not self.guidance.isHidden())

    def _ask_advice(self) -> None:
        """Have advice on the combination by which most records are unsafe; old advice stays, greyed, meanwhile."""
        if self._document.derived is None or not self._document.recipe.combinations:
            self.advice.forget()
            self.guidance.hide()
            self._arrange_low(self._is_high.has_room)
            self.next.say_unsafe(True)
        elif not self._document.stale and self._document.session.error is None and self._has_margins:
            self.advice.ask(worst_combination(self._document))

    @property
    def _has_margins(self) -> bool:
        """Whether the tables are counted as far as they are: advice on a table with very many margins takes longer."""
        derived, session = self._document.derived, self._document.session
        return derived is not None and (derived.overview.is_whole or session.margins_of is derived)

    def _show_advice(self) -> None:
        """Advice came: say it, and what each variable contributes."""
        if not self.guide.show(can_list=self._lists.has_room):
            self.guidance.hide()
        self._arrange_low(self._is_high.has_room)
        self.next.say_unsafe(self.guidance.isHidden())
        self._fill()
        self._grey()

    def _fill(self) -> None:
        derived = self._document.derived
        if derived is None or not derived.overview.variables:
            self._say_empty()
            return
        contributions = self.advice.advice.contributions if self.advice.is_true and self.advice.advice else {}
        self.variables.set_columns(variable_columns(derived, self._document.session.unsafe_records, contributions))
        names = [row.name for row in derived.overview.variables]
        if self.variables.current_key not in names:
            self.variables.select(self.variables.model.key(0) if self.variables.model.rowCount() else None)
        self._show_codes(self.variables.current_key or names[0])

    def _say_empty(self) -> None:
        self.codes.set_title(translate(mark("Codes")))
        self.codes.show_empty(translate(mark("The codes of the variable chosen at the left will be here.")))
        if self._document.derived is None:
            self.variables.show_empty(translate(mark("Unsafe combinations of key variables will be here.")))
            return
        if waiting := uncounted(self._document):
            self.variables.show_empty(translate(mark("Unsafe combinations: {waiting}")).format(waiting=waiting))
            return
        text = translate(
            mark(
                "Unsafe combinations will be here once it is said which variables an outsider could know about a "
                "person (the key variables)."
            )
        )
        button = translate(mark("Select Combinations…"))
        self.variables.show_empty(text, button, lambda: self.window_requested.emit("selectCombinations", ""))

    def _show_codes(self, name: object) -> None:
        derived = self._document.derived
        if derived is None or not isinstance(name, str) or name not in derived.columns:
            return
        columns, missing = code_columns(derived, name)
        self.codes.set_title(variable_title(derived, name))
        self.codes.set_columns(columns, missing, translate(_NOTE))

    def _variable_for(self, window: str) -> str:
        return str(self.variables.current_key or "") if window == "globalRecode" else ""
