"""The linked numbers of a risk chart as boxes: type one, the others follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import ClassVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.base.errors import PavoError, RecipeError
from core.base.texts import mark, mark_plural, plural, translate
from core.risk.distribution import RiskDistribution
from core.risk.linked_numbers import HouseholdNumbers, LinkedNumbers, by_rate, by_records, by_risk
from gui import numbers
from gui.shared.labels import ElidedLabel
from gui.shared.layout.by_room import ByRoom
from gui.shared.number_box import NumberBox
from gui.shared.parts.card import Card, add_upright_rule
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import muted, scaled, write_as

Linked = LinkedNumbers | HouseholdNumbers

_ABOUT_RISK = mark(
    "An intruder who looks for a person by these characteristics finds the right record with this probability."
    " Records at or above the threshold are unsafe."
)
_ABOUT_RATE = mark(
    "Share of the records that intruders can be expected to recognise, at most, once every unsafe record is brought"
    " below the threshold. In the file stands the rate as it is now."
)
_ABOUT_RECORDS = mark("Records whose risk is at or above the threshold.")
_BOX, _NARROWEST = 112, 64
"""Width of a box, and the least where the chart is narrow."""
_HINTED = 17
"""Letters x for which Qt's line to type in asks for room by itself."""
_ROOM_FOR_WORDS = 225
"""Width of a column from which on its sentence is a whole one."""
_LINES = 2
"""Lines of a sentence or a message, at least."""
_BETWEEN = 14
_WHOLE = 1000
"""Points that what follows a number may ask for; it is cut only where a page has no room for that."""


class LinkedThreshold(Card):
    """Boxes `riskThreshold`, `reidentificationRate`, `unsafeRecords`; labels `sameRecordsInterval`, `actualLevel`.

    Signals
    -------
    chosen(LinkedNumbers)
        A number was typed and understood; the boxes show it already.
    """

    chosen = Signal(object)
    names: ClassVar[tuple[str, str]] = "riskThreshold", "reidentificationRate"
    goal: ClassVar[str] = mark("Nobody should be found more often than once in {tries} tries.")
    found: ClassVar[tuple[str, str]] = mark_plural(
        "If all {records} are tried, at most {found} is found.",
        "If all {records} are tried, at most {found} are found.",
    )
    """What the rate means, of one and of several."""
    none: ClassVar[str] = mark("No record is unsafe.")
    box_role: ClassVar[str] = "head"
    """Size of type in the boxes."""
    same: ClassVar[str] = mark("Every threshold in this range makes the same records unsafe.")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(translate("Threshold"))
        self._staircase: RiskDistribution | None = None
        self._linked: Linked | None = None
        self._decimals = 5
        self.risk = NumberBox(self.names[0], self._threshold_text, _read_risk)
        self.rate = NumberBox(self.names[1], self._rate_text, numbers.parse_percent)
        self.records = count_box("unsafeRecords")
        self.risk.setPlaceholderText(translate("none"))
        self.interval = ElidedLabel(objectName="sameRecordsInterval")
        muted(self.interval)
        self.actual = ElidedLabel(objectName="actualLevel")
        self.actual.setToolTip(
            translate("The highest risk that stays below the threshold, and what the rate is at it.")
        )
        muted(self.actual)
        self._one_in = ElidedLabel(least=_WHOLE)
        self._of = ElidedLabel(least=_WHOLE)
        self.sentences: dict[NumberBox, WrappedLabel] = {}
        self._below: list[QWidget] = []
        self._told_at = 0
        self._laid_out = QTimer(self, singleShot=True, interval=0)  # a sentence's width is known once all is set
        self._laid_out.timeout.connect(self._give_lines)
        room = ByRoom(self)
        self._words = room.width(lambda: scaled(_ROOM_FOR_WORDS) * len(self.boxes), lambda _: self._tell(self._linked))
        room.always(self._laid_out.start)
        self.foot = QHBoxLayout()
        self._lay_out()
        for box in self.boxes[1:]:
            box.setProperty("figure", True)
        self._waiting: tuple[NumberBox, Callable[[RiskDistribution, float], Linked], float] | None = None
        self.risk.entered.connect(lambda risk: self._entered(self.risk, self._by_risk, risk))
        self.rate.entered.connect(lambda rate: self._entered(self.rate, self._by_rate, rate))
        self.records.entered.connect(lambda count: self._entered(self.records, self._by_records, count))

    def _lay_out(self) -> None:
        self._lines = [QHBoxLayout(), QHBoxLayout()]
        self.body.setSpacing(4)
        for line in self._lines:
            line.setSpacing(_BETWEEN)
            self.body.addLayout(line)
        self._columns = [self._column(*row) for row in self._rows()]
        self._rules = [add_upright_rule(self._lines[0]) for _ in self._columns[1:]]
        self._set_lines(1)
        self.interval.setToolTip(as_tip(translate(self.same)))
        self.foot.addWidget(self.actual, 1)
        self.foot.addWidget(self.interval)
        self.body.addLayout(self.foot)

    def arrange(self, width: int) -> None:
        """Stand in two lines where `width`, that of the page in sight, has no room for one."""
        margins = self.contentsMargins() + self.body.contentsMargins()
        needed = sum(column.minimumSize().width() for column in self._columns) + margins.left() + margins.right()
        needed += len(self._rules) * (2 * _BETWEEN + 1)
        self._set_lines(1 if needed <= width else 2)

    def _set_lines(self, lines: int) -> None:
        first = math.ceil(len(self._columns) / lines)
        if self._lines[0].count() == 2 * first - 1 and self._lines[0].indexOf(self._columns[0]) == 0:
            return
        for line in self._lines:
            while line.takeAt(0) is not None:
                pass
        for place, column in enumerate(self._columns):
            line = self._lines[place >= first]
            if place:
                self._rules[place - 1].setVisible(line.count() > 0)
            if line.count():
                line.addWidget(self._rules[place - 1])
            column.setParent(None)
            line.addLayout(column, 1)

    def _column(self, text: str, box: NumberBox, after: QLabel, told: str) -> QVBoxLayout:
        """Name, box and unit, and below them what the number means, or what is said of it."""
        label = QLabel(text, self)
        write_as(label, "section")
        label.setBuddy(box)
        label.setToolTip(as_tip(told))
        box.setToolTip(as_tip(told))
        box.setAccessibleName(text.replace("&", ""))
        box.setProperty("linked", True)
        write_as(box, self.box_role)
        box.setMinimumWidth(scaled(_NARROWEST))
        box.setMaximumWidth(scaled(_BOX))
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        muted(after)
        row = QHBoxLayout()
        row.addWidget(box, 4)
        row.addWidget(after, 1)
        row.addStretch(0)
        sentence = self.sentences[box] = WrappedLabel()
        box.explain_by(sentence)
        below = QWidget(self)
        below.setFixedHeight(_LINES * sentence.fontMetrics().lineSpacing() + 2)
        self._below.append(below)
        inner = QVBoxLayout(below)
        inner.setContentsMargins(0, 0, 0, 0)
        for said in (sentence, box.message):
            said.setAlignment(Qt.AlignmentFlag.AlignTop)
            inner.addWidget(said)
        box.message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(below)
        return column

    def _rows(self) -> Sequence[tuple[str, NumberBox, QLabel, str]]:
        """Name, box, what stands after it, and what it means."""
        return (
            (translate("Th&reshold"), self.risk, self._one_in, translate(_ABOUT_RISK)),
            (translate("Rate after, at &most"), self.rate, QLabel("%", self), translate(_ABOUT_RATE)),
            (translate("&Unsafe records"), self.records, self._of, translate(_ABOUT_RECORDS)),
        )

    def sentences_of(self, linked: Linked) -> tuple[str, ...]:
        """What the numbers mean, in the order of the boxes."""
        return self._of_tries(linked), self._of_rate(linked), self._of_share(linked)

    def _of_tries(self, linked: Linked) -> str:
        if linked.threshold is None:
            return translate(self.none)
        text = translate(self.goal) if self._words.has_room else translate("Found at most once in {tries} tries.")
        return text.format(tries=numbers.format_tries(linked.threshold))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._told_at = 0
        self._laid_out.start()

    def _of_rate(self, linked: Linked) -> str:
        if self._staircase is None:
            return ""
        found = math.ceil(linked.rate * self._staircase.n * (1 - 1e-12))
        return translate(plural(found, *self.found)).format(
            records=numbers.format_count(self._staircase.n), found=numbers.format_count(found)
        )

    def _of_share(self, linked: Linked) -> str:
        if self._staircase is None:
            return ""
        share = numbers.format_percent((self._values(linked)[-1] or 0.0) / self._staircase.n, 1)
        return translate("{share} need coarser codes or blanks.").format(share=share)

    def _say_sentences(self, linked: Linked | None) -> None:
        self.interval.setText("" if linked is None else self._interval_text(linked))
        one_in = "" if linked is None or linked.threshold is None else numbers.format_one_in(linked.threshold)
        self._one_in.setText(f"= {one_in}" if one_in else "")
        texts = self.sentences_of(linked) if linked is not None else ("",) * len(self.boxes)
        for box, text in zip(self.boxes, texts, strict=True):
            self.sentences[box].setText(text)
        self._laid_out.start()

    def _give_lines(self) -> None:
        """Room for the longest sentence; it is taken back only where there is more width, so that nothing flickers."""
        if not self.isVisible():
            return
        beside = self.risk.sizeHint().width() - _HINTED * self.risk.fontMetrics().horizontalAdvance("x")
        number = self.risk.fontMetrics().horizontalAdvance("0.0" + "0" * (self._decimals - 1))
        self.risk.setMinimumWidth(min(max(scaled(_NARROWEST), number + beside), self.risk.maximumWidth()))
        need = max(sentence.heightForWidth(sentence.width()) for sentence in self.sentences.values()) + 2
        least = max(_LINES * sentence.fontMetrics().lineSpacing() for sentence in self.sentences.values()) + 2
        if self.width() > self._told_at:
            self._told_at = self.width()
        elif need <= self._below[0].height():
            return
        for below in self._below:
            below.setFixedHeight(max(need, least))

    def set_staircase(self, staircase: RiskDistribution | None) -> None:
        """Work on these risks from now on; None empties and disables the boxes."""
        self._staircase = staircase
        self.setEnabled(staircase is not None)
        count = "" if staircase is None else numbers.format_count(staircase.n)
        self._of.setText(translate("of {count}").format(count=count) if count else "")

    def set_decimals(self, decimals: int) -> None:
        """Decimals shown of a risk (3 to 7); a rate in per cent shows two fewer."""
        self._decimals = decimals
        self.risk.set_show(self._threshold_text)
        self.rate.set_show(self._rate_text)
        self._tell(self._linked)

    @property
    def boxes(self) -> tuple[NumberBox, ...]:
        """Threshold, rate and records."""
        return self.risk, self.rate, self.records

    @property
    def has_typing(self) -> bool:
        """Whether a box holds text that was not taken."""
        return any(box.has_typing or box.is_refused for box in self.boxes)

    def drop_typing(self) -> None:
        """Put the numbers back into boxes that hold other text."""
        for box in self.boxes:
            box.drop_typing()

    def show_linked(self, linked: Linked | None) -> None:
        """Show these numbers in place of whatever was typed, and forget all messages."""
        self._linked = linked
        for box, value in zip(self.boxes, self._values(linked), strict=True):
            box.set_value(value)
        self._tell(linked)

    def follow(self, linked: Linked | None) -> None:
        """Show numbers that come from elsewhere; what is being typed stays, and what is said of the same numbers."""
        others, self._linked = linked != self._linked, linked
        for box, value in zip(self.boxes, self._values(linked), strict=True):
            if others and box.is_refused:
                box.drop_typing()
            box.follow(value)
        self._tell(linked)

    def _tell(self, linked: Linked | None) -> None:
        """Which thresholds mean the same, and the actual level below all of them with its own rate."""
        self._say_sentences(linked)
        actual = None if linked is None or self._staircase is None else self._staircase.actual(linked.threshold)
        text = translate("actual level {level}, rate {rate} %")
        self.actual.setText(
            ""
            if actual is None
            else text.format(level=self._risk_text(actual.level), rate=self._rate_text(actual.rate))
        )

    def _threshold_text(self, risk: float) -> str:
        """A threshold above every risk of the file has the decimals that the largest risk has beside it."""
        largest = risk if self._staircase is None else self._staircase.max_risk
        if numbers.is_no_threshold(risk, largest):
            return translate("none")
        decimals = numbers.decimals_apart(self._decimals, largest, risk)
        return numbers.format_number(risk, decimals) if decimals > self._decimals else self._risk_text(risk)

    def _risk_text(self, risk: float) -> str:
        return numbers.format_small(risk, self._decimals)

    def _rate_text(self, rate: float) -> str:
        return numbers.format_small(100 * rate, self._decimals - 2)

    def _apart(self, low: float, high: float) -> tuple[str, str]:
        """Two risks in as many digits as tell them apart."""
        decimals = numbers.decimals_apart(self._decimals, low, high)
        if decimals == self._decimals:
            return self._risk_text(low), self._risk_text(high)
        return numbers.format_number(low, decimals), numbers.format_number(high, decimals)

    def _interval_text(self, linked: Linked) -> str:
        shown = self._risk_text
        if linked.low is not None and linked.high is not None:
            low, high = self._apart(linked.low, linked.high)
            text = translate("{low}–{high}: the same unsafe records").format(low=low, high=high)
        elif linked.low is not None:
            text = translate("above {low}: the same unsafe records").format(low=shown(linked.low))
        elif linked.high is not None:
            text = translate("up to {high}: the same unsafe records").format(high=shown(linked.high))
        else:
            return ""
        return text

    def enter_waiting(self) -> None:
        """Take the number that was entered before there were risks, as if it were entered now."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and self._staircase is not None:
            self._entered(*waiting)

    def _entered(self, box: NumberBox, link: Callable[[RiskDistribution, float], Linked], value: float) -> None:
        if self._staircase is None:
            self._waiting = box, link, value
            return
        try:
            linked = link(self._staircase, value)
        except PavoError as error:
            box.refuse(str(error))
            return
        self.show_linked(linked)
        box.say(self._remark(box, value, linked))
        self.chosen.emit(linked)

    def _by_risk(self, staircase: RiskDistribution, risk: float) -> Linked:
        check_risk(risk)
        return by_risk(staircase, risk)

    def _by_rate(self, staircase: RiskDistribution, rate: float) -> Linked:
        check_rate(rate)
        return by_rate(staircase, rate)

    def _by_records(self, staircase: RiskDistribution, count: float) -> Linked:
        check_records(staircase, count)
        return by_records(staircase, int(count), None if self._linked is None else self._linked.threshold)

    def _values(self, linked: Linked | None) -> tuple[float | None, ...]:
        """What the boxes hold."""
        if not isinstance(linked, LinkedNumbers):
            return (None,) * len(self.boxes)
        return linked.threshold, linked.rate, float(linked.unsafe)

    def _remark(self, box: NumberBox, asked: float, linked: Linked) -> str:
        """What was made of the number, where it is not the number itself."""
        assert self._staircase is not None
        reached = self._values(linked)[self.boxes.index(box)]
        if linked.rounded and reached is not None:
            return translate("{asked} cannot be reached; {reached} can.").format(
                asked=numbers.format_count(int(asked)), reached=numbers.format_count(int(reached))
            )
        if box is self.rate and linked.threshold is None:
            return translate("The file's own rate is {rate}: no record is unsafe.").format(
                rate=numbers.format_percent(self._staircase.rate, self._decimals - 2)
            )
        if self._values(linked)[-1] == 0:
            return translate("Above every risk in the file: no record is unsafe.")
        return ""


def count_box(name: str) -> NumberBox:
    """A box for a number of records or households."""
    return NumberBox(name, lambda count: numbers.format_typed(int(count)), numbers.parse_count)


def check_risk(risk: float) -> None:
    """Refuse what is no risk threshold."""
    if not 0 < risk <= 1:
        raise refusal(mark("A risk lies above 0 and is at most 1."))


def check_rate(rate: float) -> None:
    """Refuse what is no rate."""
    if not 0 < rate <= 1:
        raise refusal(mark("A rate lies above 0 % and is at most 100 %."))


def check_records(staircase: RiskDistribution, count: float) -> None:
    """Refuse what is no number of these records."""
    if not 0 <= count <= staircase.n:
        said = numbers.format_count(staircase.n)
        raise refusal(mark("Give a number of records from 0 to {count}."), count=said)


def refusal(sentence: str, **values: str) -> RecipeError:
    """An error that is said beside a box."""
    return RecipeError("linked-number-out-of-range", sentence, **values)


def _read_risk(text: str) -> numbers.Understood:
    """A risk as a fraction, or in per cent where the sign says so; "none" as it is written."""
    if text.strip().casefold() == translate("none").casefold():
        return numbers.Understood(1.0)
    return numbers.parse_percent(text) if text.strip().endswith("%") else numbers.parse_number(text)
