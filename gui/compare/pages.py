"""Compare's pictures: the risk–utility map with its choice of risk, and the histograms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from gui.compare.columns import Tables, has_several, table_name
from gui.compare.overlaid_histograms import OverlaidHistograms
from gui.compare.pictures import MapPoint
from gui.compare.utility_map import UtilityMap
from gui.shared.choice import ChoiceBox
from gui.shared.wheel import TabWidget
from gui.theme import muted

if TYPE_CHECKING:
    from core.risk.distribution import Histogram, RiskDistribution
    from core.whatif.alternatives import Alternative, Axis
    from core.whatif.utility_loss import LossMeasure, UtilityLoss

_BINS = 20
_AXES: dict[Axis, tuple[str, str]] = {
    "household-rate": (
        mark("Household re-identification rate"),
        mark("household re-identification rate after protection (%)"),
    ),
    "rate": (mark("Re-identification rate"), mark("re-identification rate after protection (%)")),
    "unsafe": (mark("Unsafe records before suppression"), mark("records unsafe before suppression (%)")),
    "unsafe-after": (mark("Unsafe records after suppression"), mark("records unsafe after suppression (%)")),
    "uniques": (mark("Sample uniques before suppression"), mark("records with f = 1 before suppression (%)")),
}
"""What the map can show as risk, in the order of `core.whatif.alternatives.AXES`: in the box, and at the axis."""


_LOSSES: dict[LossMeasure, tuple[str, str]] = {
    "own-change": (mark("Own analyses: mean change"), mark("mean change of own analyses (%)")),
    "own-largest": (mark("Own analyses: largest change"), mark("largest change of own analyses (%)")),
    "overlap": (mark("Own analyses: intervals"), mark("loss of overlap of 95 % intervals (%)")),
    "hellinger": (mark("Distributions: Hellinger"), mark("mean Hellinger distance of variables (%)")),
    "associations": (mark("Associations of pairs"), mark("mean change of associations (points of 100)")),
}
"""What the map can show as loss beside that in bits, as `core.whatif.utility_loss` measures it: box and axis."""


class ComparePictures(TabWidget):
    """`comparePictures` with `riskAxis`, `utilityAxis`, `riskUtilityMap`, `riskUtilityLegend` and `overlaidHistograms`.

    `table_row`, with `compareTable`, is for the window's layout: it stands above the table of figures.

    Signals
    -------
    chosen(str)
        The alternative whose point was clicked.
    table_chosen()
        Figures of another table are wanted.
    """

    chosen = Signal(str)
    table_chosen = Signal()

    def __init__(self, current_name: str, refuse: Callable[[PavoError], None]) -> None:
        super().__init__(objectName="comparePictures")
        self._current_name = current_name
        self._found: list[Alternative] = []
        self._wanted: Axis | None = None
        self._losses: Mapping[str, UtilityLoss] = {}
        self.map = UtilityMap(refuse)
        self.histograms = OverlaidHistograms(refuse)
        self.legend = QLabel(objectName="riskUtilityLegend", wordWrap=True)
        muted(self.legend)
        self._make_choices()
        self._lay_out()
        self.map.chosen.connect(lambda place: self.chosen.emit(self.drawn()[place].name))
        self._axes.activated.connect(self._axis_chosen)
        self._upwards.activated.connect(lambda _index: self._show_map())
        self._tables.activated.connect(lambda _index: self.table_chosen.emit())

    def _make_choices(self) -> None:
        self._axes = ChoiceBox(objectName="riskAxis")
        self._axes.setAccessibleName(translate("Risk across the map"))
        self._tables = ChoiceBox(objectName="compareTable")
        self._tables.setAccessibleName(translate("Table whose figures are shown"))
        self._upwards = ChoiceBox(objectName="utilityAxis")
        self._upwards.setAccessibleName(translate("Loss up the map"))
        self._upwards.setToolTip(
            translate("Measures in per cent are there once they are computed; what recodes lose is in bits alone.")
        )
        for box in (self._axes, self._tables, self._upwards):
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            box.setMinimumContentsLength(24)
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._tables_label = _label(translate("Rates and f &of:"), self._tables)
        self.table_row = QHBoxLayout()
        self.table_row.addWidget(self._tables_label)
        self.table_row.addWidget(self._tables, 1)
        self.table_row.addStretch(1)

    def _lay_out(self) -> None:
        for plot in (self.map, self.histograms):
            plot.setMinimumSize(320, 220)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 6, 0, 0)
        row = QHBoxLayout()
        row.setContentsMargins(6, 0, 6, 0)
        row.addWidget(_label(translate("Ri&sk:"), self._axes))
        row.addWidget(self._axes, 1)
        column.addLayout(row)
        up = QHBoxLayout()
        up.setContentsMargins(6, 0, 6, 0)
        up.addWidget(_label(translate("L&oss:"), self._upwards))
        up.addWidget(self._upwards, 1)
        column.addLayout(up)
        self._offer_losses()
        column.addWidget(self.map, 1)
        self.legend.setContentsMargins(6, 0, 6, 4)
        column.addWidget(self.legend)
        self.addTab(page, translate("Risk–utility &map"))
        self.addTab(self.histograms, translate("&Histograms"))

    # What is chosen ----------------------------------------------------------------------------------------------

    @property
    def table(self) -> Tables:
        """Variables of the table whose figures are shown; None for all of each alternative."""
        chosen: Tables = self._tables.currentData()
        return chosen

    @property
    def axis(self) -> Axis:
        """The risk across the map."""
        chosen: Axis = self._axes.currentData()
        return chosen

    @property
    def loss(self) -> LossMeasure | None:
        """The loss up the map; None: that by recoding and suppression, in bits."""
        chosen: LossMeasure | None = self._upwards.currentData()
        return chosen

    def _loss_of(self, each: Alternative) -> float | None:
        if self.loss is None:
            return each.loss
        known = self._losses.get(each.name)
        found = None if known is None else known.of(self.loss)
        return None if found is None else 100 * found

    def drawn(self) -> list[Alternative]:
        """The alternatives that have a place on the map."""
        found = (each for each in self._found if each.risk(self.axis, self.table) is not None)
        return [each for each in found if self._loss_of(each) is not None]

    def _axis_chosen(self, _index: int) -> None:
        self._wanted = self.axis
        self._show_map()

    # Showing -----------------------------------------------------------------------------------------------------

    def set_alternatives(self, found: Sequence[Alternative]) -> None:
        """Show these; what was chosen stays chosen where it is still there."""
        self._found = list(found)
        self._offer_tables()
        self._offer_axes()
        self._show_map()
        self._show_histograms()

    def set_losses(self, losses: Mapping[str, UtilityLoss]) -> None:
        """Offer what alternatives, by name, are known to lose."""
        self._losses = dict(losses)
        self._offer_losses()
        self._show_map()

    def _offer_losses(self) -> None:
        before = self.loss
        self._upwards.clear()
        self._upwards.addItem(translate("Recoding and suppression (bits)"), None)
        for measure, (title, _axis) in _LOSSES.items():
            if any(each.of(measure) is not None for each in self._losses.values()):
                self._upwards.addItem(translate(title), measure)
        self._upwards.setCurrentIndex(max(0, self._upwards.findData(before)) if before is not None else 0)

    def _offer_tables(self) -> None:
        before = self.table
        named: dict[frozenset[str], str] = {}
        for each in self._found:
            for variables, _model, _figures in each.tables:
                named.setdefault(frozenset(variables), table_name(variables))
        everything = translate("all tables of each alternative")
        self._tables.clear()
        self._tables.addItem(everything, None)
        for key, name in named.items():
            self._tables.addItem(name, key)
        there = next((i for i in range(self._tables.count()) if self._tables.itemData(i) == before), 0)
        self._tables.setCurrentIndex(there)
        for widget in (self._tables, self._tables_label):
            widget.setVisible(len(named) > 1)

    def _offer_axes(self) -> None:
        """Risks that every alternative has; where there is none, those that the most have."""
        counts = {axis: sum(each.risk(axis, self.table) is not None for each in self._found) for axis in _AXES}
        most = max(counts.values())
        offered = [axis for axis in _AXES if counts[axis] == most]
        current = next((each for each in self._found if each.name == self._current_name), None)
        if "household-rate" in offered and (current is None or not current.by_households):
            offered.sort(key=lambda axis: axis == "household-rate")  # the last to be proposed
        self._axes.clear()
        for axis in offered:
            self._axes.addItem(translate(_AXES[axis][0]), axis)
        self._axes.setCurrentIndex(max(0, self._axes.findData(self._wanted)))

    def _show_map(self) -> None:
        drawn, axis = self.drawn(), self.axis
        figures = [(each, each.risk(axis, self.table), self._loss_of(each)) for each in drawn]
        points = [
            MapPoint(each.name, risk, loss, each.protected)
            for each, risk, loss in figures
            if risk is not None and loss is not None
        ]
        current = next((i for i, each in enumerate(drawn) if each.name == self._current_name), -1)
        upwards = "" if self.loss is None else translate(_LOSSES[self.loss][1])
        self.map.set_points(points, current, translate(_AXES[axis][1]), self._of(axis, drawn), upwards)
        self._say_legend(drawn)

    def _of(self, axis: Axis, drawn: Sequence[Alternative]) -> str:
        """Of which tables the risk is."""
        if axis in ("unsafe", "unsafe-after"):
            return translate("by any of the alternative's own models")
        if self.table is not None:
            return self._tables.currentText()
        if axis == "uniques":
            several = any(len(each.tables) > 1 for each in drawn)
            return translate("in any of the alternative's combinations") if several else ""
        return translate("the largest of the alternative's tables") if has_several(drawn) else ""

    def _say_legend(self, drawn: Sequence[Alternative]) -> None:
        """What the marks on the map mean, as far as they are there; and what has no place on it."""
        said = [
            translate("Down and to the left is better."),
            translate("The loss is that by recoding and suppression.")
            if self.loss is None
            else translate("The loss is that by suppression and perturbation, recodes apart."),
        ]
        if any(each.name == self._current_name for each in drawn):
            said.append(translate("◆ the current session"))
        if any(not each.protected for each in drawn):
            said.append(translate("○ without suppression: its risk is that after recoding"))
        away = [each.name for each in self._found if each not in drawn]
        if away and self.loss is None:
            said.append(translate("Without this risk, so not on the map: {names}").format(names=", ".join(away)))
        elif away:
            said.append(
                translate("Without this risk or loss, so not on the map: {names}").format(names=", ".join(away))
            )
        self.legend.setText(" · ".join(said) if self._found else "")

    def _show_histograms(self) -> None:
        of = self._tables.currentText() if self.table is not None else ""
        if not of and has_several(self._found):
            of = translate("of each record the largest of all tables")
        figures = [(each.name, each.of(self.table)) for each in self._found]
        found = [(name, one.staircase) for name, one in figures if one is not None and one.staircase is not None]
        title = translate("risk after recoding (logarithmic axis)")
        self.histograms.set_histograms([(name, _bars(staircase)) for name, staircase in found], title, of)


def _bars(staircase: RiskDistribution) -> Histogram:
    """Where all risks are equal, one bar with some width."""
    bars = staircase.histogram(_BINS)
    if len(bars.edges) == 2 and bars.edges[0] == bars.edges[1]:
        return replace(bars, edges=bars.edges * (0.95, 1.05))
    return bars


def _label(said: str, buddy: QWidget) -> QLabel:
    label = QLabel(said)
    label.setBuddy(buddy)
    return label
