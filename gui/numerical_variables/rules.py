"""The panels for one numerical variable: top and bottom coding, rounding, noise on the weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QGroupBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from core.base.texts import mark, translate
from core.data.weights import parse_text
from core.perturbation.weight_noise import NumericWithNoise
from core.recipe.model import TopBottomCode
from core.recoding.numerical import MOST_PLACES, places
from gui import numbers
from gui.numbers import Understood
from gui.shared.number_box import NumberBox
from gui.texts import as_tip
from gui.theme import muted, theme

_DIGITS, _AROUND = 6, 22
"""What a box for an amount shows at least, and what it has beside it, in pixels."""


def _or_nothing(read: Callable[[str], Understood]) -> Callable[[str], Understood]:
    """`read`, but an empty box is understood, as nan: nothing is to be done. What is beyond all numbers is not."""

    def understood(text: str) -> Understood:
        found = read(text) if text.strip() else Understood(math.nan)
        if math.isinf(found.value):
            raise ValueError(text)
        return found

    return understood


def as_typed(number: float, decimal: str = ".") -> str:
    """The number as a file with this decimal mark writes it."""
    return numbers.format_typed(number).replace(numbers.locale().decimalPoint(), decimal)


class CutPanel(QGroupBox):
    """Boxes ``<name>Value`` and ``<name>Replacement``; `changed()` when a good cut, or none, is there.

    A replacement may be typed before the value: it waits for it, and it is said what is lacking. A number that lies
    among the values that stay as they are is taken, with ``<name>ReplacementHint``.

    Parameters
    ----------
    among : 1 where values from the limit on are changed, -1 where those up to it are; and the hint
    """

    changed = Signal()
    judged = Signal()
    """Something was typed, taken or refused."""

    def __init__(self, name: str, title: str, what: str, tip: str, among: tuple[int, str]) -> None:
        super().__init__(title)
        self._side, self._among = among
        self.at = NumberBox(f"{name}Value", read=_or_nothing(numbers.parse_number))
        self.replacement = QLineEdit(objectName=f"{name}Replacement")
        self.replacement.setAlignment(self.at.alignment())
        self.extreme = QLabel(objectName=f"{name}Extreme")
        muted(self.extreme)
        self.message = QLabel(objectName=f"{name}ReplacementMessage", wordWrap=True)
        self.hint = QLabel(objectName=f"{name}ReplacementHint", wordWrap=True)
        self.may_be: Callable[[float], str] = lambda _at: ""
        self.may_become: Callable[[str], str] = lambda _text: ""
        self.decimal = "."
        self.missing: Collection[str] = ()
        self._cut: TopBottomCode | None = None
        label, becomes = QLabel(what), QLabel(translate("become"))
        label.setBuddy(self.at)
        becomes.setBuddy(self.replacement)
        self.at.setAccessibleName(what.replace("&", ""))
        self.replacement.setAccessibleName(translate("{title}: replacement").format(title=title))
        self.setToolTip(as_tip(tip))
        grid = QGridLayout(self)
        for column, widget in enumerate((label, self.at, becomes, self.replacement)):
            grid.addWidget(widget, 0, column)
        for box in (self.at, self.replacement):
            box.setMinimumWidth(box.fontMetrics().horizontalAdvance("0" * _DIGITS) + _AROUND)
        grid.addWidget(self.at.message, 1, 0, 1, 4)
        grid.addWidget(self.message, 2, 0, 1, 4)
        grid.addWidget(self.hint, 3, 0, 1, 4)
        grid.addWidget(self.extreme, 4, 0, 1, 4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.at.entered.connect(self._at_entered)
        self.replacement.editingFinished.connect(self._replacement_entered)
        for signal in (self.at.textEdited, self.at.editingFinished, self.replacement.textEdited):
            signal.connect(self.judged)
        theme.changed.connect(self._dress)
        self._dress()
        self._say("")

    def _dress(self) -> None:
        self.message.setStyleSheet(f"color: {theme.scheme.refused};")
        self.hint.setStyleSheet(f"color: {theme.scheme.amber_text};")

    @property
    def cut(self) -> TopBottomCode | None:
        """The last good cut."""
        return self._cut

    @property
    def is_refused(self) -> bool:
        """Whether a box holds something that is not taken."""
        return self.at.is_refused or bool(self.message.text())

    def show_cut(self, cut: TopBottomCode | None) -> None:
        """Show a cut in place of whatever was typed."""
        self._cut = cut
        self.at.set_value(None if cut is None else cut.at)
        self.replacement.setText("" if cut is None else cut.replacement)
        self._say("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts back the replacement that was there, as number boxes do by themselves."""
        there = "" if self._cut is None else self._cut.replacement
        if event.key() != Qt.Key.Key_Escape or not self.replacement.hasFocus() or self.replacement.text() == there:
            super().keyPressEvent(event)
            return
        self.replacement.setText(there)
        self._say("")
        self.judged.emit()
        event.accept()

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        hint = "" if text else self._hint()
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.replacement.setAccessibleDescription(text or hint)

    def _hint(self) -> str:
        """That the replacement lies among the values that are not changed; empty where it does not."""
        if self._cut is None or self._cut.replacement.strip() in self.missing:
            return ""
        number = parse_text(self._cut.replacement.strip(), self.decimal)
        if number is None or (float(number) - self._cut.at) * self._side >= 0:
            return ""
        return translate(self._among).format(text=self._cut.replacement.strip(), at=numbers.format_typed(self._cut.at))

    def _at_entered(self, at: float) -> None:
        if math.isnan(at):
            self.show_cut(None)
        elif problem := self.may_be(at):
            self.at.refuse(problem)
            return
        else:
            typed, old = self.replacement.text().strip(), self._cut
            own = not typed or (old is not None and typed == as_typed(old.at, self.decimal))
            text = as_typed(at, self.decimal) if own else typed
            if problem := self.may_become(text):
                self.at.set_value(at)
                self._say(problem)
                return
            self.show_cut(TopBottomCode(at, text))
        self.changed.emit()

    def _replacement_entered(self) -> None:
        text, at = self.replacement.text().strip(), self.at.value
        if self.at.is_refused:  # it waits for a value that can be: the one before is not what is meant
            self.judged.emit()
            return
        if not text and at is not None and not math.isnan(at):
            text = as_typed(at, self.decimal)
            self.replacement.setText(text)
        if at is None or math.isnan(at):
            self._say(translate("Say also which values become {text}.").format(text=text) if text else "")
        elif problem := self.may_become(text):
            self._say(problem)
        elif self._cut != TopBottomCode(at, text):
            self.show_cut(TopBottomCode(at, text))
            self.changed.emit()
        else:
            self._say("")
        self.judged.emit()


class NumericRules(QWidget):
    """All panels; `changed(NumericWithNoise)` when the rules of the variable shown are others, and good.

    `judged()`: something was typed, taken or refused, so `is_refused` may be another.
    """

    changed = Signal(object)
    judged = Signal()

    def __init__(self) -> None:
        super().__init__(objectName="numericRules")
        self._spec, self._is_weight = NumericWithNoise(""), False
        self.top = CutPanel(
            "top", translate("Top coding"), translate("&Values from"),
            translate("Values at or above this one, after rounding, become the replacement; it may be any text."),
            (1, mark("{text} is below {at}: changed values will stand among those that stay as they are.")),
        )  # fmt: skip
        self.bottom = CutPanel(
            "bottom", translate("Bottom coding"), translate("Va&lues up to"),
            translate("Values at or below this one, after rounding, become the replacement; it may be any text."),
            (-1, mark("{text} is above {at}: changed values will stand among those that stay as they are.")),
        )  # fmt: skip
        self.base = NumberBox("roundingBase", read=_or_nothing(numbers.parse_number))
        self.noise = NumberBox("weightNoise", _percent, _or_nothing(numbers.parse_percent))
        self._lay_out()
        self.top.may_be = lambda at: self._crossed(self.bottom.cut, at, 1)
        self.bottom.may_be = lambda at: self._crossed(self.top.cut, at, -1)
        for panel in (self.top, self.bottom):
            panel.changed.connect(self._cut_changed)
            panel.judged.connect(self.judged)
            panel.may_become = self._no_replacement
        for box in (self.base, self.noise):
            box.textEdited.connect(self.judged)
            box.editingFinished.connect(self.judged)
        self.base.entered.connect(self._base_entered)
        self.noise.entered.connect(self._noise_entered)

    def _lay_out(self) -> None:
        self.rounding = _one_box(
            translate("Rounding"), translate("&Rounding base"), self.base, "",
            translate("To the nearest multiple of the base, halves away from zero; before top and bottom coding."),
        )  # fmt: skip
        self.weight_noise = _one_box(
            translate("Weight noise"), translate("At &most"), self.noise, "%",
            translate(
                "Each record's weight is changed at random by up to this share. The noise follows from the seed of "
                "the output and from the original file, so that nobody without the file can take it off again."
            ),
        )  # fmt: skip
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for panel in (self.top, self.bottom, self.rounding, self.weight_noise):
            column.addWidget(panel)

    @property
    def is_refused(self) -> bool:
        """Whether a box holds something that is not taken."""
        return any(part.is_refused for part in (self.top, self.bottom, self.base, self.noise))

    def show_rules(
        self, spec: NumericWithNoise, weight: bool, decimal: str = ".", missing: Collection[str] = ()
    ) -> None:
        """Show the rules of a variable in place of whatever was typed.

        Parameters
        ----------
        decimal : the decimal mark of its file
        missing : its missing codes
        """
        self._spec, self._is_weight = spec, weight
        for panel in (self.top, self.bottom):
            panel.decimal, panel.missing = decimal, {code.strip() for code in missing}
        self.top.show_cut(spec.top)
        self.bottom.show_cut(spec.bottom)
        self.base.set_value(spec.round)
        self.noise.set_value(spec.noise or None)
        self.weight_noise.setVisible(weight)
        self.show_extremes(None, None)

    def show_extremes(self, least: float | None, greatest: float | None) -> None:
        """The smallest and the largest value of the file."""
        for panel, text, value in (
            (self.bottom, mark("Minimum: {value}"), least), (self.top, mark("Maximum: {value}"), greatest),
        ):  # fmt: skip
            panel.extreme.setText(translate(text).format(value=numbers.format_exact(value)))

    def _crossed(self, other: TopBottomCode | None, at: float, direction: int) -> str:
        if other is None or (at - other.at) * direction > 0:
            return ""
        told = mark("Must be above the bottom value, {other}.") if direction > 0 else mark(
            "Must be below the top value, {other}.")  # fmt: skip
        return translate(told).format(other=numbers.format_typed(other.at))

    def _no_replacement(self, text: str) -> str:
        """Why a text may not stand in the column; empty where it may."""
        if not text.isprintable():
            return translate("The replacement is a text of one line.")
        number = parse_text(text, self.top.decimal) if self._is_weight else 0
        if number is None or number < 0:
            return translate("The weight must stay a number of at least 0.")
        return ""

    def _cut_changed(self) -> None:
        self._take(replace(self._spec, top=self.top.cut, bottom=self.bottom.cut))
        for panel in (self.top, self.bottom):  # one may have been refused because of what the other was
            panel.at.judge_again()
        self.judged.emit()

    def _base_entered(self, base: float) -> None:
        if base <= 0:
            self.base.refuse(translate("The base must be above 0."))
            return
        if not math.isnan(base) and places(base) > MOST_PLACES:
            text = translate("A base may have {most} decimals; this one has {places}.")
            self.base.refuse(text.format(most=MOST_PLACES, places=places(base)))
            return
        found = None if math.isnan(base) else base
        self.base.set_value(found)
        self._take(replace(self._spec, round=found))

    def _noise_entered(self, share: float) -> None:
        if not (math.isnan(share) or 0 < share <= 1):
            self.noise.refuse(translate("A share above 0 % and up to 100 %."))
            return
        found = None if math.isnan(share) else share
        self.noise.set_value(found)
        self._take(replace(self._spec, noise=found))

    def _take(self, spec: NumericWithNoise) -> None:
        self._spec = spec
        self.changed.emit(spec)


def _percent(share: float) -> str:
    return numbers.format_typed(float(f"{share * 100:.12g}"))


def _one_box(title: str, what: str, box: NumberBox, unit: str, tip: str) -> QGroupBox:
    panel = QGroupBox(title)
    panel.setToolTip(as_tip(tip))
    label = QLabel(what)
    label.setBuddy(box)
    box.setAccessibleName(f"{title}: {what}".replace("&", ""))
    grid = QGridLayout(panel)
    grid.addWidget(label, 0, 0)
    grid.addWidget(box, 0, 1)
    if unit:
        grid.addWidget(QLabel(unit), 0, 2)
    grid.addWidget(box.message, 1, 0, 1, 3 if unit else 2)
    grid.setColumnStretch(1, 1)
    return panel
