"""How a record is judged as cards to choose from, each with its forecast and what it holds against."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from core.recipe.available import MODES
from core.recipe.model import Mode
from gui.shared.choice import Choice, Option
from gui.shared.parts.choice_card import ChoiceCard, ChoiceCards

_CARDS: dict[Mode, tuple[str, str]] = {
    "original-counts": (mark("Judged by the original file"), "modeOriginalCounts"),
    "released-keys": (mark("Judged by what is released"), "modeReleasedKeys"),
}
_OPTIONS: tuple[Option[Mode], ...] = (
    Option(
        "original-counts",
        _CARDS["original-counts"][0],
        mark(
            "Holds against somebody who searches by the values that remain: these are looked up in the original file, "
            "after recoding."
        ),
    ),
    Option(
        "released-keys",
        _CARDS["released-keys"][0],
        mark("Holds against somebody who also knows the rules; a blank is a value of its own."),
    ),
)
_RECOMMENDED: dict[Mode, str] = {
    "original-counts": mark("Judged by the original file (recommended)"),
    "released-keys": mark("Judged by what is released (recommended)"),
}


class ModeCards(QWidget):
    """A card for each mode; `choice.box` (`mode`) is the same choice in one line, for where there is little height."""

    def __init__(self) -> None:
        super().__init__(objectName="modeCards")
        self.choice = Choice("mode", translate("How values are blanked"), _OPTIONS, self)
        self.choice.offer(MODES)
        self.cards = {
            option.value: ChoiceCard(_CARDS[option.value][1], translate(option.text), translate(option.meaning))
            for option in _OPTIONS
        }
        self._one = ChoiceCards(list(self.cards.values()), self)
        self._lay_out()
        self._compact = False
        self.choice.box.currentIndexChanged.connect(lambda _index: self._follow())
        self._one.chosen.connect(self.choice.box.setCurrentIndex)
        self._arrange()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.choice.box)
        column.addWidget(self.choice.meaning)
        for card in self.cards.values():
            column.addWidget(card)

    def recommend(self, recommended: Mode) -> None:
        """Say which one is recommended: the one that is proposed where nobody chose."""
        for mode, text in _RECOMMENDED.items():
            told = translate(text if mode == recommended else _CARDS[mode][0])
            self.cards[mode].radio.setText(told)
            self.choice.box.setItemText(self.choice.box.findData(mode), told)

    def show_value(self, mode: Mode) -> None:
        """Show what is chosen; nothing is emitted."""
        self.choice.show_value(mode)
        self._follow()

    def take_focus(self) -> None:
        """Let the chosen mode have the focus."""
        mode = self.choice.value
        place = self.choice.box if self._compact or mode is None else self.cards[mode].radio
        place.setFocus(Qt.FocusReason.TabFocusReason)

    def set_compact(self, compact: bool) -> None:
        """One line in place of the cards, where there is little height."""
        if compact != self._compact:
            focus = QApplication.focusWidget()
            had_focus = focus is not None and self.isAncestorOf(focus)
            self._compact = compact
            self._arrange()
            if had_focus:
                self.take_focus()

    def show_forecasts(self, blanks: dict[Mode, str]) -> None:
        """What each mode would cost, in a few words; nothing where that is not known."""
        for mode, card in self.cards.items():
            card.forecast.setText(blanks.get(mode, ""))

    def _follow(self) -> None:
        mode = self.choice.value
        if mode is not None:
            self._one.blockSignals(True)
            self._one.choose(list(self.cards).index(mode))
            self._one.blockSignals(False)
            self._arrange()

    def _arrange(self) -> None:
        self.choice.box.setVisible(self._compact)
        self.choice.meaning.setVisible(self._compact)
        for card in self.cards.values():
            card.setVisible(not self._compact)
            card.radio.setVisible(not self._compact)  # the arrow keys go by the radio buttons
