"""What a page needs next: a finding, one sentence, at most two buttons, and candidates with their effect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import translate
from gui.numbers import format_count
from gui.shared.elision import MIDDLE
from gui.shared.in_sight import size_in_sight
from gui.shared.labels import ElidedLabel
from gui.shared.layout.by_room import ByRoom
from gui.shared.layout.scrolled import ScrolledDown
from gui.shared.parts.bars import UnsafeBar
from gui.shared.parts.buttons import Role, role_button
from gui.shared.parts.card import Card, empty_layout
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import muted, scaled, write_as
from gui.theme.tokens import CARD_PADDING

Step = tuple[str, Callable[[], None]]
"""A button: its text and what it does."""
_ARROW = "→"
_BUTTON = 260
"""Width of a button's text, in which names of variables are cut."""
_WORDS = 220
"""Width of the words beside buttons, at least."""
_LEAST_NAME = 120
_LISTED = 250
"""Height of the list of candidates, at most; more are scrolled."""
_BAR, _BLANK, _LOST = 3, 4, 5
_ROOM = 1300
"""Width of the window from which candidates have bars, and the detail that they take."""
_SOME = 1080
"""Width of the window from which the values that are then to be blanked stand beside what stays unsafe."""


@dataclass(frozen=True)
class GuidanceCandidate:
    """One way to lower the risk: numbers of codes and of unsafe records before and after, out of `records`.

    `exact`: whether as many stay unsafe, else no fewer do. `blank`: values that are then to be blanked; `lost`: the
    share of detail that goes in all; empty where that was not counted.
    """

    name: str
    codes: tuple[int, int]
    unsafe: tuple[int, int]
    records: int
    step: Step
    exact: bool = True
    blank: str = ""
    lost: str = ""


class GuidanceCard(Card):
    """`<name>` with `<name>Button` (filled), `<name>Other` (plain), `<name>Headline` and `<name>Sentence`.

    Signals
    -------
    all_wanted()
        All candidates are asked for.
    """

    all_wanted = Signal()

    def __init__(self, name: str = "guidance") -> None:
        super().__init__(name=name, tone="guidance")
        self._name = name
        self._do: dict[str, Callable[[], None]] = {}
        self._is_low = False
        self._wide: dict[int, list[QWidget]] = {}
        self.sign = Sign("attention", 24)
        self.headline = WrappedLabel(name=f"{name}Headline", role="head")
        self._short = ElidedLabel("", f"{name}Short")
        write_as(self._short, "section")  # more of it fits into a line
        self.sentence = WrappedLabel(name=f"{name}Sentence")
        self.main = role_button("", f"{name}Button", "filled")
        self.other = role_button("", f"{name}Other")
        self.main.clicked.connect(lambda: self._press(self.main))
        self.other.clicked.connect(lambda: self._press(self.other))
        for button in (self.main, self.other):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.all = role_button("", f"{name}All", "quiet")
        self.all.clicked.connect(self.all_wanted)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.headline)
        words.addWidget(self._short)
        words.addWidget(self.sentence)
        row, steps = QHBoxLayout(), QHBoxLayout()
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 100)
        row.addStretch(1)  # what sentences, which have a widest line, leave
        steps.addStretch(1)
        steps.addWidget(self.other, 0, Qt.AlignmentFlag.AlignVCenter)
        steps.addWidget(self.main, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for part in (self._row, row, steps):
            part.setSpacing(12)
        self._row.addLayout(row, 100)
        self._row.addLayout(steps)
        self.body.addLayout(self._row)
        self._listed = _Listed(QWidget(), f"{name}Listed")
        self._candidates = QGridLayout(self._listed.held)
        self._candidates.setContentsMargins(self.sign.width() + 12, 0, 0, 0)
        self._candidates.setHorizontalSpacing(16)
        self._candidates.setVerticalSpacing(6)
        self._candidates.setColumnStretch(7, 1)
        self.body.addWidget(self._listed)
        self.body.addWidget(self.all)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        room = ByRoom(self)
        self._beside = room.width(self._beside_width, self._place_buttons)
        room.always(self._show_what_has_room)
        room.always(self.updateGeometry)  # it is as high as its lines
        self.show_candidates(())
        self.show_guidance("", "")

    def show_guidance(
        self,
        headline: str,
        sentence: str,
        main: Step | None = None,
        other: Step | None = None,
        needs_attention: bool = True,
    ) -> None:
        """Say what comes next; without a headline the card is not shown. Where all is well its ground is another."""
        self.setVisible(bool(headline))
        self.set_tone("guidance" if needs_attention else "effect")
        self.sign.set_state("attention" if needs_attention else "done")
        self.headline.setText(headline)
        self.headline.setToolTip(as_tip(headline))  # in a low window it has the lines that are left
        self._short.setText(headline)
        self.sentence.setText(sentence)
        self._show_sentence()
        self.setAccessibleName(headline)
        self.setAccessibleDescription(sentence)
        for button, step in ((self.main, main), (self.other, other)):
            button.setVisible(step is not None)
            if step is not None:
                _say_on(button, step[0])
                self._do[button.objectName()] = step[1]
        self._beside.look()

    def set_low(self, is_low: bool) -> None:
        """One line where there is little height: the tool tip tells the sentence, and what does not fit in a line."""
        self._is_low = is_low
        across, down = CARD_PADDING
        self.body.setContentsMargins(across, down // 3 if is_low else down, across, down // 3 if is_low else down)
        self._show_sentence()

    def _show_sentence(self) -> None:
        self.sentence.setVisible(not self._is_low)
        self.headline.setVisible(not self._is_low)
        self._short.setVisible(self._is_low)
        told = f"{self.headline.text()} {self.sentence.text()}".strip()
        self.setToolTip(as_tip(told) if self._is_low else "")

    def _show_what_has_room(self) -> None:
        width, left = self.window().width(), size_in_sight(self).width() - 2 * CARD_PADDING[0]
        left -= self._width_of_columns({_BAR, _BLANK, _LOST}) + self._listed.beside
        for column, least in ((_BLANK, _SOME), (_BAR, _ROOM), (_LOST, _ROOM)):
            needed = self._width_of_columns(set(range(9)) - {column})
            has_room = width >= scaled(least) and needed <= left
            left -= needed if has_room else 0
            for widget in self._wide.get(column, ()):
                if widget.isHidden() == has_room:
                    widget.setVisible(has_room)

    def _width_of_columns(self, without: Collection[int]) -> int:
        """The least width of the columns of candidates but some, with what is around each."""
        grid, found = self._candidates, 0
        for column in set(range(grid.columnCount())) - set(without):
            items = (grid.itemAtPosition(row, column) for row in range(grid.rowCount()))
            widgets = [widget for item in items if item is not None and (widget := item.widget()) is not None]
            least = (max(each.minimumSizeHint().width(), each.minimumWidth()) for each in widgets)
            found += max(least, default=0) + grid.horizontalSpacing()
        return found

    def _beside_width(self) -> int:
        """The width in which the buttons have room beside the words."""
        steps = [button.sizeHint().width() + self._row.spacing() for button in self._shown_steps()]
        return sum(steps) + self._words_width() if steps else 0

    def _place_buttons(self, beside: bool) -> None:
        """Let the buttons stand beside the words, or below these."""
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def _shown_steps(self) -> list[QPushButton]:
        return [button for button in (self.other, self.main) if not button.isHidden()]

    def _words_width(self) -> int:
        """The width of the card without its buttons in which its words stand well."""
        return 2 * CARD_PADDING[0] + self.sign.width() + self._row.spacing() + scaled(_WORDS)

    def minimumSizeHint(self) -> QSize:
        """Its buttons may stand below the words, and candidates are as wide as they must."""
        hint, buttons = super().minimumSizeHint(), self._shown_steps()
        wide = sum(button.sizeHint().width() for button in buttons) + self._row.spacing() * max(len(buttons) - 1, 0)
        listed = self._candidates.minimumSize().width() + self._listed.beside if self._candidates.count() else 0
        least = max(max(wide, listed) + 2 * CARD_PADDING[0], self._words_width())
        return QSize(min(hint.width(), least), hint.height())

    def sizeHint(self) -> QSize:
        """As high as its lines are in the width that it has: the layout around it gives it no more."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def _press(self, button: QPushButton) -> None:
        self._do[button.objectName()]()

    def show_candidates(
        self, candidates: Sequence[GuidanceCandidate], of_all: int = 0, best_filled: bool = True
    ) -> None:
        """List ways to lower the risk, the best first, with the filled button if so; `of_all`: so many there are."""
        empty_layout(self._candidates)
        self._wide = {_BAR: [], _BLANK: [], _LOST: []}
        for row, candidate in enumerate(candidates):
            name = ElidedLabel(candidate.name, least=scaled(_LEAST_NAME), side=MIDDLE)
            codes = QLabel(_change(*candidate.codes) + " " + translate("codes"))
            muted(codes)
            if row == 0:
                write_as(name, "section")
            unsafe, blank, lost = (QLabel(text) for text in (_unsafe(candidate), *_price(candidate)))
            for label in (unsafe, blank, lost):
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            unsafe.setToolTip(as_tip(" · ".join(filter(None, _price(candidate)))))
            muted(lost)
            bar = UnsafeBar(candidate.unsafe[1] / max(candidate.records, 1))
            for column, wide in ((_BAR, bar), (_BLANK, blank), (_LOST, lost)):
                self._wide[column].append(wide)
            role: Role = "filled" if row == 0 and best_filled else "plain"
            button = role_button("", f"{self._name}Candidate{row + 1}", role)
            _say_on(button, candidate.step[0])
            button.clicked.connect(lambda _=False, do=candidate.step[1]: do())
            cells: tuple[QWidget, ...] = (name, codes, unsafe, bar, blank, lost)
            for column, widget in enumerate(cells):
                self._candidates.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
            self._candidates.addWidget(button, row, 8)
        self.all.setText(translate("All {count} candidates…").format(count=format_count(of_all)))
        self._show_what_has_room()
        self._listed.fit()
        self._listed.setVisible(bool(candidates))
        self.all.setVisible(of_all > len(candidates))


class _Listed(ScrolledDown):
    """As high as its rows; many are scrolled, so that none is squeezed and what stands below keeps its place."""

    @property
    def beside(self) -> int:
        """Width of the scroll bar, where there is one."""
        is_scrolled = self.held.sizeHint().height() > scaled(_LISTED)
        return self.verticalScrollBar().sizeHint().width() if is_scrolled else 0

    def fit(self) -> None:
        """Take the height that the rows need."""
        self.setFixedHeight(min(self.held.sizeHint().height(), scaled(_LISTED)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rows that are drawn in another way may need another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)


def _say_on(button: QPushButton, text: str) -> None:
    """Put a text on a button, cut in its middle where a name in it is long, and whole then as its tool tip."""
    shown = button.fontMetrics().elidedText(text, MIDDLE, scaled(_BUTTON), Qt.TextFlag.TextShowMnemonic.value)
    button.setText(shown)
    button.setToolTip(as_tip(text) if shown != text else "")
    button.setAccessibleName(text.replace("&", "") if shown != text else "")


def _unsafe(candidate: GuidanceCandidate) -> str:
    if candidate.exact:
        return _change(*candidate.unsafe) + " " + translate("unsafe")
    before, after = map(format_count, candidate.unsafe)
    return translate("{before} → at least {after} unsafe").format(before=before, after=after)


def _price(candidate: GuidanceCandidate) -> tuple[str, str]:
    """What is then to be blanked, and the detail that goes in all."""
    if not candidate.blank:
        return "", ""
    blank = translate("{count} to blank").format(count=candidate.blank)
    return blank, translate("{share} of detail lost").format(share=candidate.lost) if candidate.lost else ""


def _change(before: int, after: int) -> str:
    return f"{format_count(before)} {_ARROW} {format_count(after)}"
