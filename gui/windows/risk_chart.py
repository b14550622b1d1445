"""The Risk Chart: risks of a table, and what a threshold on them means, live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTabBar,
    QVBoxLayout,
)

from core.errors import PavoError
from core.recipe.edits import has_individual_threshold, risk_combinations, with_individual_threshold
from core.risk.linked import LinkedNumbers, by_risk
from core.texts import mark, translate
from gui import numbers
from gui.document import Document
from gui.models.columns import Column
from gui.settings import DECIMALS, settings
from gui.theme import heading
from gui.widgets import risk_pictures as pictures
from gui.widgets.chart_menu import ChartMenu
from gui.widgets.file_figures import FileFigures
from gui.widgets.foldable import Foldable
from gui.widgets.forecast_panel import ForecastPanel
from gui.widgets.linked_numbers import LinkedThreshold
from gui.widgets.risk_utility_chart import RiskUtilityChart
from gui.widgets.risk_view import RiskView
from gui.widgets.riskiest_panel import RiskiestPanel
from gui.windows.base import ToolWindow
from gui.windows.before_recode import BeforeRecode

if TYPE_CHECKING:
    from core.session import Derived, RiskTable
    from core.suppression.forecast import Forecast

_COMMIT_AFTER_MS = 400
_CURVE_POINTS = 400


class RiskChart(ToolWindow):
    """Histogram, slider, linked numbers, forecast and riskiest combinations of one risk table at a time."""

    name = "riskChart"
    title = mark("Risk Chart")
    default_size = (1080, 720)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(760, 480)
        self._index = -1
        self._table: RiskTable | None = None
        self._linked: LinkedNumbers | None = None
        self._forecast: Forecast | None = None
        self._draft = False
        self._make_controls()
        self._lay_out()
        self._connect()
        ChartMenu(self.forecast_chart, "riskUtilityCurve", self._curve_picture, self._curve_figures)
        self._set_decimals(settings.get(DECIMALS))
        self.results_changed()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.tables = QTabBar(objectName="riskTables")
        self.heading = QLabel(objectName="riskTableName")
        self.cumulative = QCheckBox(translate("&Cumulative chart"), objectName="cumulative")
        self.show_before = QCheckBox(translate("&before the last recode"), objectName="beforeLastRecode")
        self.show_before.setChecked(True)
        self.view = RiskView(translate("records"), self.subject)
        self.threshold = LinkedThreshold()
        self.unchosen = QLabel(
            translate("Not chosen yet: move the slider or type a number."), objectName="notChosenYet"
        )
        self.choose = QPushButton(translate("C&hoose for me…"), objectName="chooseForMe")
        self.forecast_panel = ForecastPanel()
        self.forecast_chart = RiskUtilityChart()
        self.forecast_chart.setObjectName("forecastChart")
        self.forecast_chart.setAccessibleName(translate("Risk–utility curve"))
        self.riskiest = RiskiestPanel(self.document)
        self.file = FileFigures()
        self.before = BeforeRecode(self.document, self)

    def _lay_out(self) -> None:
        self.content.addWidget(self.tables)
        heading(self.heading)
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        for widget in (self.show_before, self.cumulative):
            top.addWidget(widget)
        self.content.addLayout(top)
        charts = QHBoxLayout()
        charts.addWidget(self.view, 3)
        self.curve_fold = Foldable("riskUtilityCurve", translate("Risk–utility curve"), self.forecast_chart)
        self.curve_fold.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        charts.addWidget(self.curve_fold, 2)
        self._charts = charts
        self.content.addLayout(charts, 3)
        self.content.addLayout(self._bottom_strip())
        self.riskiest_fold = Foldable(
            "riskiestCombinations", translate("Riskiest combinations"), self.riskiest, folded=True
        )
        self.content.addWidget(self.riskiest_fold, 2)
        self._balance()

    def _bottom_strip(self) -> QHBoxLayout:
        middle = QVBoxLayout()
        middle.addWidget(self.threshold)
        under = QHBoxLayout()
        self.unchosen.setWordWrap(True)
        under.addWidget(self.unchosen, 1)
        under.addStretch()
        under.addWidget(self.choose)
        middle.addLayout(under)
        strip = QHBoxLayout()
        strip.addWidget(self.file, 2, Qt.AlignmentFlag.AlignTop)
        strip.addLayout(middle, 3)
        strip.addWidget(self.forecast_panel, 3, Qt.AlignmentFlag.AlignTop)
        return strip

    def _connect(self) -> None:
        self._commit_timer = QTimer(self, singleShot=True, interval=_COMMIT_AFTER_MS)
        self._commit_timer.timeout.connect(self._commit)
        self.tables.currentChanged.connect(self._tab_chosen)
        self.cumulative.toggled.connect(self.view.set_cumulative)
        self.show_before.toggled.connect(self._show_before)
        self.before.arrived.connect(self._show_before)
        self.view.moved.connect(self._moved)
        self.view.stepped.connect(self._stepped)
        self.view.released.connect(self._commit)
        self.threshold.chosen.connect(self._typed)
        self.file.decimals.currentTextChanged.connect(lambda text: self._set_decimals(int(text)))
        self.choose.clicked.connect(self._choose_for_me)
        self.riskiest.recode_wanted.connect(lambda variable: self.open_window("globalRecode", variable=variable))
        self.curve_fold.unfolded.connect(self._balance)
        self.riskiest_fold.unfolded.connect(lambda _open: self._refresh_riskiest())
        self.greyed(self.view.histogram, self.threshold, self.forecast_panel, self.forecast_chart, self.riskiest)

    def _curve_picture(self) -> str:
        assert self._forecast is not None
        threshold = None if self._linked is None else self._linked.threshold
        quantity = _quantity(self._forecast)
        return pictures.curve_picture(self._forecast, _CURVE_POINTS, threshold, self.subject(), quantity)

    def _curve_figures(self) -> Sequence[Column]:
        return () if self._forecast is None else pictures.curve_columns(self._forecast, _CURVE_POINTS)

    # What the document says --------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """Show the results of the current recipe; a draft that was not touched follows it."""
        derived = self.document.derived
        if derived is None or self.document.stale:
            return
        indices = risk_combinations(derived.recipe)
        self._show_tabs(derived, indices)
        if not indices:
            self._table = None
            self._show_nothing()
            return
        if self._index not in indices:
            self._index = indices[0]
        self._load(derived)

    def show_for(self, combination: int = -1, **_: Any) -> None:
        """Turn to one combination of the recipe."""
        derived = self.document.derived
        if derived is not None and combination in risk_combinations(derived.recipe):
            self.tables.setCurrentIndex(risk_combinations(derived.recipe).index(combination))

    def subject(self) -> str:
        """The key variables of the table shown."""
        return " × ".join(self._table.combination.variables) if getattr(self, "_table", None) else ""

    def _show_tabs(self, derived: Derived, indices: tuple[int, ...]) -> None:
        names = [" × ".join(derived.recipe.combinations[i].variables) for i in indices]
        self.tables.blockSignals(True)
        while self.tables.count() > len(names):
            self.tables.removeTab(self.tables.count() - 1)
        for position, name in enumerate(names):
            if position < self.tables.count():
                self.tables.setTabText(position, name)
            else:
                self.tables.addTab(name)
        if self._index in indices:
            self.tables.setCurrentIndex(indices.index(self._index))
        self.tables.blockSignals(False)
        self.tables.setVisible(len(names) > 1)

    def _tab_chosen(self, position: int) -> None:
        derived = self.document.derived
        if derived is None or position < 0:
            return
        self._commit()
        self._index = risk_combinations(derived.recipe)[position]
        self._draft = False
        self._load(derived)

    def _load(self, derived: Derived) -> None:
        table = derived.tables[self._index]
        assert table is not None
        self._table = table
        staircase = table.staircase
        self._set_title()
        self.heading.setText(self.subject())
        self.threshold.set_staircase(staircase if staircase.n else None)
        self.view.set_staircase(staircase)
        if not staircase.n:
            self._show_nothing()
            return
        self.file.set_staircase(staircase)
        self._take_threshold(derived)
        self._ask_forecast(derived)
        self.before.ask(self._index)

    def _take_threshold(self, derived: Derived) -> None:
        assert self._table is not None
        chosen = has_individual_threshold(derived.recipe, self._index)
        if self._draft and self._linked is not None:
            threshold = self._linked.threshold
        elif chosen:
            threshold = self._table.threshold
        else:
            staircase = self._table.staircase
            threshold = (staircase.min_risk * staircase.max_risk) ** 0.5
        self.unchosen.setVisible(not chosen)
        self._show(by_risk(self._table.staircase, threshold))

    def _show_nothing(self) -> None:
        self.heading.setText(translate("No combination is judged by individual risk."))
        self._linked = None
        self.threshold.show_linked(None)
        self.threshold.setEnabled(False)
        self.view.set_staircase(None)
        self.file.set_staircase(None)
        self.forecast_panel.set_forecast(None)
        self.forecast_chart.clear_curves()
        self.riskiest.show_for(None, None, None)

    # Showing -----------------------------------------------------------------------------------------------------

    def _show(self, linked: LinkedNumbers) -> None:
        """Everything that moves with the threshold."""
        self._linked = linked
        self.threshold.show_linked(linked)
        self._show_elsewhere(linked)

    def _show_elsewhere(self, linked: LinkedNumbers) -> None:
        self.view.show_linked(linked)
        self.forecast_panel.set_threshold(linked.threshold)
        if self._forecast is not None:
            self.forecast_chart.set_point(linked.threshold, self._forecast.at(linked.threshold).loss)
        self._refresh_riskiest()

    def _refresh_riskiest(self) -> None:
        if self.riskiest_fold.open and self._linked is not None:
            self.riskiest.show_for(self.document.derived, self._table, self._linked.threshold)
        self._balance()

    def _balance(self) -> None:
        self._charts.setStretch(1, 2 if self.curve_fold.open else 0)
        self.content.setStretch(self.content.indexOf(self.riskiest_fold), 2 if self.riskiest_fold.open else 0)

    def _set_decimals(self, decimals: int) -> None:
        self.file.decimals.setCurrentText(str(decimals))
        settings.set(DECIMALS, decimals)
        self.threshold.set_decimals(decimals)
        self.riskiest.set_decimals(decimals)
        self.file.refresh()

    # The threshold as a draft, and its commit --------------------------------------------------------------------

    def _moved(self, risk: float, held: bool) -> None:
        if self._table is None:
            return
        self._draft = True
        self._show(by_risk(self._table.staircase, risk))
        if not held:
            self._commit_timer.start()

    def _stepped(self, steps: int) -> None:
        if self._table is None or self._linked is None:
            return
        threshold = self._linked.threshold
        for _ in range(abs(steps)):
            threshold = self._table.staircase.step(threshold, 1 if steps > 0 else -1)
        self._draft = True
        self._show(by_risk(self._table.staircase, threshold))
        self._commit_timer.start()

    def _typed(self, linked: LinkedNumbers) -> None:
        self._linked, self._draft = linked, True
        self._show_elsewhere(linked)
        self._commit()

    def _commit(self) -> None:
        """Put the draft into the recipe, as one undo step that further threshold edits join."""
        self._commit_timer.stop()
        if not self._draft or self._linked is None or self._table is None:
            return
        threshold = self._linked.threshold
        if threshold is None:
            if self._table.staircase.max_risk >= 1:
                self.messages.show_text(
                    translate(
                        "The largest risk in the file is 1, so no threshold leaves every record safe. To protect"
                        " nothing, choose the criterion “none” in Make Protected File."
                    )
                )
                return
            threshold = 1.0
        self._draft = False
        recipe = with_individual_threshold(self.document.recipe, self._index, threshold)
        label = translate("Threshold {value}").format(value=numbers.format_exact(float(f"{threshold:.6g}")))
        self.document.commit(label, recipe, merge_key=f"threshold {self._index}")

    def may_close(self) -> bool:
        """A draft is committed when the window closes: what it shows is what the session holds."""
        self._commit()
        return True

    def _choose_for_me(self) -> None:
        from gui.windows.choose_threshold import ChooseThreshold

        if self._table is None:
            return
        dialog = ChooseThreshold(self._table.staircase, self._forecast, self)
        dialog.chosen.connect(self._chosen_for_me)
        dialog.open()

    def _chosen_for_me(self, linked: LinkedNumbers) -> None:
        self._draft = True
        self._show(linked)
        self._commit()

    # Forecast and the state before -------------------------------------------------------------------------------

    def _ask_forecast(self, derived: Derived) -> None:
        self._forecast = None
        if derived.recipe.suppression.criterion == "none":
            self.forecast_panel.set_forecast(None, translate("The criterion is “none”: nothing is suppressed."))
            self.forecast_chart.clear_curves()
            return
        self.forecast_panel.set_forecast(None, translate("Computing…"))
        self.document.forecast(
            "risk chart forecast",
            self._index,
            derived.recipe.suppression.mode,
            done=self._forecast_arrived,
            failed=self._forecast_failed,
        )

    def _forecast_arrived(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self.forecast_panel.set_forecast(forecast)
        self.forecast_chart.set_curve(_quantity(forecast), *forecast.curve(_CURVE_POINTS))
        if self._linked is not None:
            self._show_elsewhere(self._linked)

    def _forecast_failed(self, error: PavoError) -> None:
        self.forecast_panel.set_forecast(None, str(error))
        self.forecast_chart.clear_curves()

    def _show_before(self) -> None:
        self.show_before.setEnabled(self.before.exists)
        shown, table, forecast = self.show_before.isChecked(), self.before.table, self.before.forecast
        self.view.set_before(table.staircase if shown and table is not None else None)
        curve = forecast.curve(_CURVE_POINTS) if shown and forecast is not None else (None, None)
        self.forecast_chart.set_before(*curve)


def _quantity(forecast: Forecast) -> str:
    return translate("loss (bits)") if forecast.costs.criterion == "entropy" else translate("loss (by weights)")
