"""The forecast of a risk chart: what protection would cost at the threshold under the hand."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from core.base.texts import mark, translate
from core.recipe.model import Mode
from core.suppression.burden import burden
from core.suppression.forecast import Forecast, Point
from gui import numbers
from gui.shared.burden import told_burden
from gui.shared.parts.card import Card, add_rule
from gui.shared.parts.count_bars import CountBars
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.protection_mode import named_mode
from gui.texts import as_tip
from gui.theme import muted, set_greyed, write_as

_ROOM = 170
"""Characters of the suppressions by variable; a longer list names the largest."""
_BREAK = "\N{ZERO WIDTH SPACE}"
_BARS = 5

_ABOUT = mark(
    "Unsafe records get blanks in key variables until each is below the threshold, at the least loss. A record with"
    " blanks is judged by how many people of the original file share its remaining values."
)
_ABOUT_RELEASED = mark(
    "Unsafe records get blanks in key variables until each is below the threshold. A record with blanks is judged by"
    " how many released records share its remaining values and its blanks. The figure is found by the search that"
    " protects, so it comes after a moment."
)
_ABOUT_TOUCHED = mark(
    "Records with a value suppressed. They can be more than the unsafe ones: a household variable is suppressed for all"
    " members of a household together."
)
_ABOUT_LOSS = mark(
    "Information that is blanked: rare values tell more than frequent ones, and a variable with many categories more"
    " than one with few. It is the entropy of the variables, in bits."
)


class ForecastPanel(Card):
    """Suppressions in total and by key variable, records touched, and loss, at one threshold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Forecast at this threshold"), "forecast", parent=parent)
        self._forecast: Forecast | None = None
        self._point: Point | None = None
        self._by_weights = self._is_searched = False
        self._filled: Mapping[str, int] = {}
        self._records = 0
        self._threshold: float | None = None
        self._named: tuple[str, ...] = ()
        self.total = QLabel(self, objectName="forecastSuppressions")
        self.by_variable = WrappedLabel(name="forecastByVariable", is_muted=True)
        self.records = QLabel(self, objectName="forecastRecords")
        self.loss = WrappedLabel(name="forecastLoss")
        self.mode = WrappedLabel(name="forecastMode", is_muted=True)
        self.curve_mode = WrappedLabel(name="forecastCurveMode", is_muted=True)
        """What the curve is of, where it is of another mode; its place is below the curve."""
        self.curve_mode.hide()
        self.note = WrappedLabel(name="forecastNote")
        self.burden = WrappedLabel(name="forecastBurden")
        self.burden.hide()
        self.also = WrappedLabel(name="forecastAlso")
        self.also.hide()
        self.bars = CountBars()
        self.setToolTip(translate(_ABOUT))
        write_as(self.total, "title")
        self.total.setAccessibleName(translate("suppressions"))
        self.by_variable.setAccessibleName(translate("suppressions by variable"))
        self.body.setSpacing(4)
        first = QHBoxLayout()
        first.addWidget(self.total)
        first.addWidget(QLabel(translate("values would be blanked"), self), 1, Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(first)
        self.body.addWidget(self.mode)
        self.body.addWidget(self.bars)
        self.body.addWidget(self.by_variable)
        add_rule(self.body)
        grid = QGridLayout()
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for row, (text, label, told) in enumerate(
            (
                (translate("Records touched"), self.records, translate(_ABOUT_TOUCHED)),
                (translate("Loss by suppression"), self.loss, translate(_ABOUT_LOSS)),
            )
        ):
            name = QLabel(text, self)
            muted(name)
            label.setAccessibleName(text)
            for each in (name, label):
                each.setToolTip(as_tip(told))
            grid.addWidget(name, row, 0)
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label, row, 1)
        self.body.addLayout(grid)
        for label in (self.note, self.burden, self.also):
            self.body.addWidget(label)

    def set_forecast(self, forecast: Forecast | None, note: str = "") -> None:
        """Use this forecast from now on; None while there is none, with the reason."""
        self._forecast, self._point = forecast, None
        self._named = ()
        self._grey(False)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.mode.setVisible(not note)
        self.say_also("")
        self._refresh()

    def set_mode(self, mode: Mode, closes_gaps: bool = False, is_preselected: bool = False) -> None:
        """Name the mode of the figures.

        Parameters
        ----------
        closes_gaps : whether no suppressed value may be inferred, by the original file
        is_preselected : whether nobody has chosen it yet
        """
        text = mark("Mode: {mode}, preselected in Make Protected File") if is_preselected else mark("Mode: {mode}")
        self.mode.setText(translate(text).format(mode=named_mode(mode, closes_gaps)))
        self.setToolTip(translate(_ABOUT_RELEASED if mode == "released-keys" else _ABOUT))
        self._is_searched = mode == "released-keys" or (closes_gaps and mode == "original-counts")
        self.curve_mode.setText(
            translate("The curve shows the mode “{mode}”: exact, but not the mode of the figures above.").format(
                mode=named_mode("original-counts")
            )
        )
        self.curve_mode.setVisible(self._is_searched)

    def set_sizes(self, filled: Mapping[str, int], records: int) -> None:
        """Records with a value by variable, and in all: of what shares are lost."""
        self._filled, self._records = filled, records

    def set_weights(self, by_weights: bool) -> None:
        """Whether the loss is by weights, and by entropy only beside that."""
        self._by_weights = by_weights

    def show_point(self, point: Point | None, is_true: bool) -> None:
        """Show a forecast that was searched for, greyed while it is of another threshold; None: none yet."""
        self._forecast, self._point = None, point
        self.note.setText("" if point is not None else translate("Computing…"))
        self.note.setVisible(point is None)
        self.mode.show()
        self._refresh()
        self._grey(not is_true)

    def say_also(self, text: str) -> None:
        """Say what else the forecast meets; an empty text: nothing."""
        self.also.setText(text)
        self.also.setVisible(bool(text))

    def set_threshold(self, threshold: float | None) -> None:
        """Show the forecast at this threshold; None: nothing is unsafe."""
        self._threshold = threshold
        self._refresh()

    def event(self, event: QEvent) -> bool:
        """Figures of another threshold stay grey where the card no longer is."""
        done = bool(super().event(event))
        if event.type() == QEvent.Type.DynamicPropertyChange and getattr(self, "_is_grey", False):
            self._grey(True)
        return done

    def _grey(self, greyed: bool) -> None:
        self._is_grey = greyed
        for part in (self.total, self.bars, self.by_variable, self.records, self.loss):
            part.setProperty("greyed", not greyed)  # the whole card may have been greyed, and not any more
            set_greyed(part, greyed or bool(self.property("greyed")))

    def _refresh(self) -> None:
        point = self._point if self._forecast is None else self._forecast.at(self._threshold)
        if point is None:
            for label in (self.total, self.by_variable, self.records, self.loss):
                label.setText(numbers.MISSING)
            self.by_variable.clear()
            self.by_variable.hide()
            self.burden.hide()
            self.bars.set_counts(())
            return
        exact = point.exact or not point.total
        self.total.setText(_at_most(numbers.format_count(point.total), exact))
        self._show_by_variable(point.by_variable)
        self.records.setText(numbers.format_count(point.records_touched))
        self.loss.setText(_at_most(self._loss_text(point.loss, point.entropy_loss), exact))
        self._say_limits(point, exact)

    def _show_by_variable(self, counts: dict[str, int]) -> None:
        """The largest as bars, in an order that stays while a threshold is chosen; more of them in words.

        The words are in the order of the variables; where that is too long, the largest first and how many more.
        """
        if not self._named:
            self._named = tuple(sorted(counts, key=lambda name: -counts[name])[:_BARS])
        self.bars.set_counts([(name, counts[name]) for name in self._named])
        self.by_variable.setVisible(len(counts) > _BARS)
        parts = [_part(name, count) for name, count in counts.items()]
        self.by_variable.setToolTip("")
        if sum(map(len, parts)) > _ROOM:
            self.by_variable.setToolTip(as_tip("\n".join(parts)))
            parts = [_part(name, counts[name]) for name in sorted(counts, key=lambda name: -counts[name])]
            kept = next(i for i in range(len(parts), 0, -1) if i == 1 or sum(map(len, parts[:i])) <= _ROOM)
            parts = [*parts[:kept], translate("and {number} more").format(number=len(parts) - kept)]
        self.by_variable.setText(", ".join(parts).replace("_", f"_{_BREAK}"))

    def _loss_text(self, loss: float, entropy_loss: float) -> str:
        bits = translate("{loss} bits").format(loss=numbers.format_number(entropy_loss, 1))
        if not self._by_weights:
            return bits
        return translate("{loss} by weights, {bits}").format(loss=numbers.format_number(loss, 1), bits=bits)

    def _say_limits(self, point: Point, exact: bool) -> None:
        unsafe_left = point.unsafe_left
        much = burden([point.by_variable], [point.records_touched], self._filled, self._records)
        if unsafe_left:
            text = translate("{count} records stay unsafe: this threshold cannot be met.").format(
                count=numbers.format_count(unsafe_left)
            )
        elif not exact:
            text = translate("An upper bound: the optimum may be lower.")
        else:
            text = ""
        self.burden.setText("" if much is None or unsafe_left else told_burden(much))
        self.burden.setVisible(bool(self.burden.text()))
        self.note.setText(text)
        self.note.setVisible(bool(text))


def _at_most(text: str, exact: bool) -> str:
    return text if exact else translate("at most {figure}").format(figure=text)


def _part(name: str, count: int) -> str:
    return f"{name}\N{NO-BREAK SPACE}{numbers.format_count(count)}"
