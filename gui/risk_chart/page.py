"""Layout of the Risk Chart in cards; what it shows and does is `gui.risk_chart.window`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import mark, translate
from gui.document.document import Document
from gui.risk_chart.file_figures import FileFigures
from gui.risk_chart.forecast import RiskUtilityChart
from gui.risk_chart.forecast_panel import ForecastPanel
from gui.risk_chart.linked_numbers import LinkedThreshold
from gui.risk_chart.promise import PromiseChoice
from gui.risk_chart.riskiest import RiskiestPanel
from gui.risk_chart.second_opinion import OpinionFigures
from gui.risk_chart.view import RiskView
from gui.settings import FOLDED, settings
from gui.shared.accessible import FoldPart, speak_as
from gui.shared.charts.legend import ChartLegend
from gui.shared.elision import MIDDLE
from gui.shared.in_sight import size_in_sight
from gui.shared.labels import ElidedLabel
from gui.shared.layout.by_room import ByRoom
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.guidance import GuidanceCard
from gui.shared.parts.segments import Segments
from gui.shared.parts.side_column import SideColumn
from gui.shared.wheel import TabBar
from gui.texts import RECORDS
from gui.theme import heading, muted, scaled, theme, write_as
from gui.theme.tokens import CARD_PADDING, GAP

_SIDE, _MOST_SIDE = 340, 0.32
"""Width of the column of cards at the right, and the share of the page that it takes at most."""
_LONG_CAPTION = 1040
_NARROW, _LEAST_WIDTH, _LEGEND_FROM = 880, 560, 560
"""Below this width of the page the cards stand under the chart; what it needs then; and what the legend needs."""
_CURVE = 220
"""Height of the curve where the cards stand under the chart."""
_ANY_HEIGHT = 16_777_215
_LOW, _LEAST_CHART, _MOST_CHART = 480, (170, 185), 420
"""Below this height in sight the chart is low; its least heights there and elsewhere, and the most that it asks for."""
_WIDE, _WIDER_SIDE = 1340, 400
"""From this width of the page on, in a window of 1600, the column is wider."""


class Foldable(QWidget):
    """A title that shows and hides what is under it.

    Signals
    -------
    unfolded(bool)
        The content is visible from now on, or hidden.
    """

    unfolded = Signal(bool)

    def __init__(self, key: str, title: str, content: QWidget, folded: bool = False) -> None:
        super().__init__()
        self._key = key
        self.content = content
        self.toggle = QToolButton(self)
        speak_as(self.toggle, FoldPart)
        self.toggle.setObjectName(f"{key}Fold")
        self.toggle.setText(title)
        self.toggle.setProperty("flat", True)
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.toggle)
        layout.addWidget(content, 1)
        self.toggle.toggled.connect(self._show)
        kept: dict[str, bool] = settings.get(FOLDED)
        is_folded = kept.get(key, folded)
        self.toggle.setChecked(not is_folded)
        self._show(not is_folded)

    @property
    def open(self) -> bool:
        """Whether the content is visible."""
        return self.toggle.isChecked()

    def _show(self, visible: bool) -> None:
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if visible else Qt.ArrowType.RightArrow)
        self.content.setVisible(visible)
        policy = QSizePolicy.Policy.Expanding if visible else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Expanding, policy)
        folded: dict[str, bool] = settings.get(FOLDED)
        settings.set(FOLDED, {**folded, self._key: not visible})
        self.unfolded.emit(visible)


class RiskChartPage(QWidget):
    """What comes next on top; below it the chart and the linked numbers, and at their right the figures in cards.

    It is made in steps none of which is felt: itself, then all of `steps`.

    Parameters
    ----------
    document : for the combinations, which are looked up in the background
    subject : names the table shown, for pictures
    """

    captions = (
        mark("risk of a record: found once in so many tries, logarithmic"),
        mark("risk of a record, logarithmic"),
    )
    """Of the axis, where there is room and where there is less."""

    def __init__(self, document: Document, subject: Callable[[], str]) -> None:
        super().__init__()
        self._document = document
        self.tables = TabBar(objectName="riskTables", expanding=False, elideMode=MIDDLE)
        self.tables.setAccessibleName(translate("Risk tables"))
        self.heading = ElidedLabel(objectName="riskTableName", side=MIDDLE)
        self.guidance = GuidanceCard()
        self.segments = Segments("riskViews", translate("View of the risks"), self.views())
        self.cumulative = self.segments.buttons["cumulative"]
        self.show_before = QCheckBox(translate("&before the last recode"), objectName="beforeLastRecode")
        self.show_before.setToolTip(translate("Outline the risks as they were before the last recode."))
        self.show_before.setChecked(True)
        self.legend = ChartLegend()
        self._subject = subject

    @property
    def steps(self) -> tuple[Callable[[], None], ...]:
        """What makes the rest of it, in order."""
        return self._make_chart, self._make_numbers, self._make_forecast, self._make_cards, self.lay_out

    def _make_chart(self) -> None:
        """The chart with its slider."""
        self.view = self.make_view(self._subject)

    def _make_numbers(self) -> None:
        """The linked numbers, and what is below the chart."""
        self.threshold = self.make_threshold()
        self.unchosen = ElidedLabel(translate("Not chosen yet: move the slider or type a number."), "notChosenYet")
        self.choose = role_button(translate("C&hoose a threshold for me…"), "chooseForMe", "quiet")
        self.sorted_risks = role_button(translate("Sorted risks…"), "sortedRisks", "quiet")
        self.sorted_risks.setToolTip(translate("The risks against the rank of their records, one step each"))

    def _make_forecast(self) -> None:
        """What protection costs."""
        self.forecast_panel = ForecastPanel()
        self.forecast_chart = RiskUtilityChart()
        self.forecast_chart.setObjectName("forecastChart")
        self.forecast_chart.setAccessibleName(translate("Risk–utility curve"))
        self.forecast_chart.setMinimumHeight(scaled(180))

    def _make_cards(self) -> None:
        """The other figures in cards."""
        self.riskiest = RiskiestPanel(self._document)
        self.file = self.make_file()
        self.promise = PromiseChoice()
        self.opinion = self.make_opinion()
        self.opinion_sentence = self.opinion.sentence

    def lay_out(self) -> None:
        """Put everything where it stands."""
        self._lay_out()
        theme.changed.connect(self._dress)
        self._dress()

    def make_view(self, subject: Callable[[], str]) -> RiskView:
        """Histogram and slider."""
        return RiskView(RECORDS, subject)

    def make_threshold(self) -> LinkedThreshold:
        """The linked numbers."""
        return LinkedThreshold()

    def make_file(self) -> FileFigures:
        """What the file's risk is as it stands."""
        return FileFigures()

    def make_opinion(self) -> OpinionFigures:
        """What another way of judging says of the records' risks."""
        return OpinionFigures(translate("Second opinion"))

    def views(self) -> tuple[tuple[str, str], ...]:
        """The views of the risks: names and titles."""
        return (
            ("histogram", translate("H&istogram")),
            ("cumulative", translate("&Cumulative")),
            ("riskiestView", translate("Riskies&t")),
        )

    def chart_switches(self) -> tuple[QAbstractButton, ...]:
        """What is switched above the chart, beside its views."""
        return (self.show_before,)

    @property
    def shows_riskiest(self) -> bool:
        """Whether the riskiest combinations stand in the chart's place."""
        return self.segments.current == "riskiestView"

    def show_before_entry(self, exists: bool) -> None:
        """Whether there was a state before, to be outlined."""
        self._before_entry.setVisible(exists)

    def _lay_out(self) -> None:
        self.curve_fold = Foldable("riskUtilityCurve", translate("Risk–utility cur&ve"), self.forecast_chart)
        self.forecast_panel.body.addWidget(self.curve_fold)
        self.forecast_panel.body.addWidget(self.forecast_panel.curve_mode)
        heading(self.heading)
        main = QVBoxLayout()
        main.setSpacing(GAP)
        main.addWidget(self._chart_card(), 1)
        self.threshold.foot.insertWidget(0, self.unchosen, 1)
        main.addWidget(self.threshold)
        across = QHBoxLayout()
        across.setSpacing(GAP + 4)
        across.addLayout(main, 1)
        self._side = SideColumn(self.file, self.opinion, self.forecast_panel, name="riskSide")
        across.addWidget(self._side)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(GAP)
        self._outer.addWidget(self.tables)
        self._outer.addWidget(self.heading)
        self._outer.addWidget(self.guidance)
        self._outer.addWidget(self.promise)
        self._outer.addLayout(across, 1)
        self._below = QGridLayout()
        self._below.setSpacing(GAP)
        self._outer.addLayout(self._below)
        self._is_narrow = self._has_heading = self._was_seen = False
        self._beside = 0
        self._arrange_by_room()

    def _chart_card(self) -> Card:
        self._card = card = Card(name="riskCard")
        self.legend.add("safe", translate("safe"))
        self.legend.add("unsafe", translate("unsafe"))
        write_as(self.show_before, "small")
        self._before_entry = self.legend.add_widget("dashed", self.show_before)
        self._before_entry.hide()
        self._opinion_name = QLabel(translate("second opinion"), objectName="opinionLegend")
        write_as(self._opinion_name, "small")
        muted(self._opinion_name)
        self._opinion_entry = self.legend.add_widget("outlined", self._opinion_name)
        self._opinion_entry.hide()
        self._outline_shown = False
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.segments)
        for switch in self.chart_switches():
            if switch is not self.show_before:
                head.addWidget(switch)
        head.addStretch(1)
        head.addWidget(self.legend)
        self._head, self._second = head, QHBoxLayout()
        self.view.add_view(self.riskiest)
        self._caption = said = ElidedLabel()
        said.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        write_as(said, "small")
        muted(said)
        foot = QHBoxLayout()
        foot.setSpacing(16)
        foot.addWidget(self.choose)
        foot.addWidget(self.sorted_risks)
        foot.addWidget(said, 1)
        card.body.setSpacing(4)
        card.body.addLayout(head)
        self._second.addStretch(1)
        card.body.addLayout(self._second)
        card.body.addWidget(self.view, 1)
        card.body.addLayout(foot)
        self.segments.chosen.connect(self._view_chosen)
        return card

    def _arrange_by_room(self) -> None:
        self._room = room = ByRoom(self)
        self._is_long = room.width(_LONG_CAPTION, lambda _: self._show_caption())
        room.width(_LEGEND_FROM, self.legend.setVisible)
        room.always(self._arrange)

    def event(self, event: QEvent) -> bool:
        """Numbers and legends that come may need more width than before."""
        if event.type() == QEvent.Type.LayoutRequest and hasattr(self, "_room") and self.isVisible():
            self._room.look_soon()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._was_seen = True

    def minimumSizeHint(self) -> QSize:
        """What the narrow arrangement needs in width; there, all of the cards in height."""
        hint = super().minimumSizeHint()
        if not self._is_narrow or not self._was_seen:
            return QSize(min(hint.width(), scaled(_LEAST_WIDTH)), hint.height())
        return QSize(hint.width(), self._outer.minimumHeightForWidth(max(self.width(), hint.width())))

    def _arrange(self) -> None:
        """Cards at the right of the chart, or where there is little width under it."""
        side = _WIDER_SIDE if self.width() >= scaled(_WIDE) else _SIDE
        self._side.set_wanted(min(scaled(side), round(self.width() * _MOST_SIDE)))
        if not self._is_narrow and self.isVisible():  # beside each other; where they stand otherwise they need less
            least = self.threshold.minimumSizeHint().width() + GAP + 4 + self._side.minimumSizeHint().width()
            self._beside = max(self._beside, least)
        holder = self.parentWidget()
        width = self.width() if holder is None else min(self.width(), holder.width())  # long words may make it wider
        is_narrow = width < max(scaled(_NARROW), self._beside)
        in_sight = size_in_sight(self)
        if is_narrow or self._is_narrow:
            self.threshold.arrange(in_sight.width() if is_narrow else _ANY_HEIGHT)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if is_narrow:
                self._side.lend(self._below)
            else:
                self._side.take_back()
            self.forecast_chart.setMaximumHeight(scaled(_CURVE) if is_narrow else _ANY_HEIGHT)
            self._show_legend()
            self.updateGeometry()
        self._place_legend()
        is_low = in_sight.height() < scaled(_LOW)
        self.guidance.set_low(is_low)
        self.heading.setVisible(self._has_heading and not is_low)
        if not is_narrow:
            self.view.setMinimumHeight(0)
            self.view.setMaximumHeight(_ANY_HEIGHT)
            return
        others = (self.tables, self.heading, self.guidance, self.promise, self.threshold)
        taken = sum(self._height_of(other) + GAP for other in others if not other.isHidden())
        room = in_sight.height() - taken - self._chrome()
        self.view.setFixedHeight(max(scaled(_LEAST_CHART[not is_low]), min(room, scaled(_MOST_CHART))))

    def _place_legend(self) -> None:
        """At the end of the line of the views, or below them where there is no room for both."""
        others = (self._head.itemAt(place) for place in range(self._head.count()))
        parts = [part for part in (item.widget() for item in others if item is not None) if part is not None]
        switches = [part for part in parts if part is not self.legend]
        needed = sum(part.sizeHint().width() + self._head.spacing() for part in switches)
        has_room = self._head.geometry().width() >= needed + self.legend.minimumSizeHint().width()
        place, other = (self._head, self._second) if has_room else (self._second, self._head)
        if place.indexOf(self.legend) < 0:
            other.removeWidget(self.legend)
            place.addWidget(self.legend)

    def _height_of(self, part: QWidget) -> int:
        return part.heightForWidth(self.width()) if part.hasHeightForWidth() else part.sizeHint().height()

    def name_table(self, name: str) -> None:
        """Say which table this is, where there is only one and the height for it; empty: the tabs say it."""
        self._has_heading = bool(name)
        self.heading.setText(name)
        self._arrange()

    def _chrome(self) -> int:
        """Height of the chart's card without the chart, and of the page's margins."""
        head, foot = self.segments.sizeHint().height(), self.choose.sizeHint().height()
        head += self._second.sizeHint().height()
        return head + foot + 2 * CARD_PADDING[1] + 2 * self._card.body.spacing() + 2 * GAP

    def _show_legend(self) -> None:
        self._opinion_entry.setVisible(self._outline_shown and not self._is_narrow)

    def name_outline(self, by_model: bool | None) -> None:
        """Say whose the solid outline is: the model's of the whole table, the individual risk's, or (None) nobody's."""
        self._opinion_name.setToolTip(
            translate("by the model of the whole table") if by_model else translate("by the individual risk")
        )
        self._outline_shown = by_model is not None
        self._show_legend()

    def name_risk(self, *names: str) -> None:
        """Say what the axis along the bottom has, where there is room and where there is less."""
        self.captions = (names[0], names[-1])
        self._show_caption()

    def _show_caption(self) -> None:
        self._caption.setText(translate(self.captions[not self._is_long.has_room]))

    def _view_chosen(self, name: str) -> None:
        self.view.set_cumulative(name == "cumulative")
        self.view.show_view(self.riskiest if name == "riskiestView" else self.view.histogram)

    def _dress(self) -> None:
        self.unchosen.setStyleSheet(f"color: {theme.scheme.amber_text};")
