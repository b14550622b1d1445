"""Layout of the Risk Chart, and what is folded away; what it shows and does is `gui.risk_chart.window`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.base.texts import translate
from gui.document.document import Document
from gui.risk_chart.file_figures import FileFigures
from gui.risk_chart.forecast import RiskUtilityChart
from gui.risk_chart.forecast_panel import ForecastPanel
from gui.risk_chart.legend import OpinionLegend
from gui.risk_chart.linked_numbers import LinkedThreshold
from gui.risk_chart.promise import PromiseChoice
from gui.risk_chart.riskiest import RiskiestPanel
from gui.risk_chart.second_opinion import OpinionFigures, OpinionSentence
from gui.risk_chart.view import RiskView
from gui.settings import FOLDED, settings
from gui.shared.labels import ElidedLabel
from gui.texts import RECORDS
from gui.theme import heading, theme


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
    """Charts above, numbers below them, the riskiest combinations at the foot; curve and combinations fold away.

    Parameters
    ----------
    document : for the combinations, which are looked up in the background
    subject : names the table shown, for pictures
    """

    def __init__(self, document: Document, subject: Callable[[], str]) -> None:
        super().__init__()
        self.tables = QTabBar(objectName="riskTables", expanding=False, elideMode=Qt.TextElideMode.ElideRight)
        self.tables.setAccessibleName(translate("Risk tables"))
        self.heading = ElidedLabel(objectName="riskTableName")
        self.cumulative = QCheckBox(translate("&Cumulative chart"), objectName="cumulative")
        self.show_before = QCheckBox(translate("&before the last recode"), objectName="beforeLastRecode")
        self.show_before.setToolTip(translate("Outline the risks as they were before the last recode."))
        self.show_before.setChecked(True)
        self.show_before.hide()
        self.sorted_risks = QPushButton(translate("Sorted risks…"), objectName="sortedRisks")
        self.sorted_risks.setToolTip(translate("The risks against the rank of their records, one step each"))
        self.view = self.make_view(subject)
        self.threshold = self.make_threshold()
        self.unchosen = QLabel(
            translate("Not chosen yet: move the slider or type a number."), objectName="notChosenYet", wordWrap=True
        )
        self.choose = QPushButton(translate("C&hoose for me…"), objectName="chooseForMe")
        self.forecast_panel = ForecastPanel()
        self.forecast_chart = RiskUtilityChart()
        self.forecast_chart.setObjectName("forecastChart")
        self.forecast_chart.setAccessibleName(translate("Risk–utility curve"))
        self.riskiest = RiskiestPanel(document)
        self.file = self.make_file()
        self.opinion, self.opinion_sentence = self.make_opinion(), OpinionSentence()
        self.promise, self.legend = PromiseChoice(), OpinionLegend()
        self._lay_out()
        self._order_tabs()
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

    def chart_switches(self) -> tuple[QCheckBox, ...]:
        """What is switched above the chart."""
        return self.cumulative, self.show_before

    def balance(self) -> None:
        """Give the room of what is folded away to the rest."""
        self._charts.setStretch(1, 2 if self.curve_fold.open else 0)
        self._outer.setStretch(self._outer.indexOf(self.riskiest_fold), 2 if self.riskiest_fold.open else 0)

    def _lay_out(self) -> None:
        self.curve_fold = Foldable("riskUtilityCurve", translate("Risk–utility cur&ve"), self.forecast_chart)
        self.riskiest_fold = Foldable(
            "riskiestCombinations", translate("Riskiest combinatio&ns"), self.riskiest, folded=True
        )
        heading(self.heading)
        left = QVBoxLayout()
        left.setSpacing(4)
        left.addLayout(self._chart_head())
        left.addWidget(self.view, 1)
        self._charts = QHBoxLayout()
        self._charts.addLayout(left, 3)
        self._charts.addWidget(self.curve_fold, 2)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.addWidget(self.tables)
        self._outer.addWidget(self.heading)
        self._outer.addWidget(self.opinion_sentence)
        self._outer.addWidget(self.promise)
        self._outer.addLayout(self._charts, 3)
        self._outer.addLayout(self._numbers())
        self._outer.addWidget(self.riskiest_fold, 2)
        self.curve_fold.unfolded.connect(self.balance)
        self.riskiest_fold.unfolded.connect(self.balance)
        self.balance()

    def _chart_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(16)
        for switch in self.chart_switches():
            head.addWidget(switch)
        head.addWidget(self.sorted_risks)
        head.addStretch()
        head.addWidget(self.legend)
        return head

    def _numbers(self) -> QHBoxLayout:
        middle = QVBoxLayout()
        middle.addWidget(self.threshold)
        under = QHBoxLayout()
        under.addWidget(self.unchosen, 1)
        under.addWidget(self.threshold.actual, 1)
        for label in (self.unchosen, self.threshold.actual):  # one takes the other's place, and nothing moves
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing() + 2)
        under.addWidget(self.choose)
        middle.addLayout(under)
        middle.addStretch()
        first = QVBoxLayout()
        first.setSpacing(0)
        first.addWidget(self.file)
        first.addWidget(self.opinion)
        first.addStretch()
        strip = QHBoxLayout()
        strip.addLayout(first, 2)
        strip.addLayout(middle, 3)
        strip.addWidget(self.forecast_panel, 3, Qt.AlignmentFlag.AlignTop)
        self.forecast_panel.setMinimumWidth(220)
        self.forecast_panel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        return strip

    def _order_tabs(self) -> None:
        """By keyboard in the order of the work: chart, slider, numbers, then what follows from them."""
        order: list[QWidget] = [
            self.tables,
            self.opinion_sentence.judge,
            self.promise.box,
            *self.chart_switches(),
            self.sorted_risks,
            self.view.histogram,
            self.view.slider,
            *self.threshold.boxes,
            self.choose,
            self.file.decimals,
            self.curve_fold.toggle,
            self.forecast_chart,
            self.riskiest_fold.toggle,
        ]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def _dress(self) -> None:
        self.unchosen.setStyleSheet(f"color: {theme.scheme.attention};")
