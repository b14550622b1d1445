"""Compare: alternatives kept as session files beside this one, their figures, and the risk–utility map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from core.errors import PavoError
from core.recipe.model import Recipe
from core.texts import mark, translate
from gui import dialogs, numbers
from gui.document import Document
from gui.kept_alternatives import alternatives_of, forget, remember, same_file
from gui.models.columns import Column
from gui.session_files import read_recipe, write_recipe
from gui.theme import muted, theme
from gui.widgets.data_table import DataTable
from gui.widgets.log_axis import LogAxis
from gui.widgets.recode_preview import ABOUT_LOSS
from gui.widgets.utility_map import MapPoint, UtilityMap
from gui.windows.base import ToolWindow

if TYPE_CHECKING:
    from core.derive.alternatives import Alternative
    from core.risk.staircase import Histogram

_BINS = 20
PROFILE = (2, 3, 5, 10)
"""Group sizes of the k-anonymity profile, as in `core.derive.alternatives`, which is imported late."""
_ABOUT_SUPPRESSION_LOSS = mark(
    "In bits: what suppression takes away from the recoded file, as preview and report have it"
)
_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


class Compare(ToolWindow):
    """`alternatives`, `riskUtilityMap`, `overlaidHistograms`; the current session is the first alternative."""

    name = "compare"
    title = mark("Compare")
    default_size = (1200, 620)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._files: dict[str, Path] = {}
        self._found: dict[str, Alternative] = {}
        self._problems: dict[str, str] = {}
        self.table = DataTable("alternatives", translate("Alternatives"))
        self.map = UtilityMap()
        self.map.setObjectName("riskUtilityMap")
        self.map.setAccessibleName(translate("Risk–utility map"))
        self.legend = QLabel(objectName="riskUtilityLegend", wordWrap=True)
        muted(self.legend)
        self.histograms = pg.PlotWidget(axisItems={"bottom": LogAxis()})
        self.histograms.setObjectName("overlaidHistograms")
        self.histograms.setAccessibleName(translate("Histograms of risks"))
        self.keep = QPushButton(translate("&Keep the current session as…"), objectName="keepAlternative")
        self.add = QPushButton(translate("&Add a session…"), objectName="addAlternative")
        self.remove = QPushButton(translate("&Remove from the list"), objectName="removeAlternative")
        self.take = QPushButton(translate("&Take over"), objectName="takeOver")
        self.take.setToolTip(translate("Make the selected alternative the current session, as one step to undo"))
        self._lay_out()
        self._connect()
        self._look_beside()
        self._ask_all()

    def _lay_out(self) -> None:
        for plot in (self.map, self.histograms):
            plot.setMinimumSize(320, 240)
        tabs = QTabWidget(objectName="comparePictures")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.map, 1)
        column.addWidget(self.legend)
        tabs.addTab(page, translate("Risk–utility &map"))
        tabs.addTab(self.histograms, translate("&Histograms"))
        split = QSplitter()
        split.addWidget(self.table)
        split.addWidget(tabs)
        split.setSizes([740, 440])
        split.setChildrenCollapsible(False)
        self.content.addWidget(split, 1)
        row = QHBoxLayout()
        for button in (self.keep, self.add, self.remove):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(self.take)
        self.content.addLayout(row)
        self.greyed(self.table, self.map, self.histograms)

    def _connect(self) -> None:
        self.keep.clicked.connect(self._keep)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.take.clicked.connect(self._take_over)
        self.table.activated.connect(lambda _name: self._take_over())
        self.table.current_changed.connect(lambda _name: self._selected())
        self.map.chosen.connect(lambda place: self.table.select(self._drawn()[place].name))
        theme.changed.connect(self._show)

    # Which alternatives ------------------------------------------------------------------------------------------

    @property
    def current_name(self) -> str:
        """What the current session is called in the list."""
        return translate("Current session")

    def _look_beside(self) -> None:
        """Session files about the same data beside this one, and those that were kept or added before."""
        for path in alternatives_of(self.document.recipe.input.data, self.document.path):
            self._name(path)

    def _name(self, path: Path) -> str:
        """What an alternative is called: its file's name, with the folder where two have the same."""
        known = next((name for name, other in self._files.items() if same_file(path, other)), None)
        if known is not None:
            return known
        name = path.stem if path.stem not in self._files else f"{path.stem} ({path.parent})"
        self._files[name] = path
        return name

    def _keep(self) -> None:
        own = self.document.path
        folder = own.parent if own is not None else dialogs.last_folder()
        stem = own.stem if own is not None else self.document.name or "session"
        proposed = folder / f"{stem}-{len(self._files) + 1}.pavo"
        title = translate("Keep the current session as an alternative")
        path = dialogs.save_file(self, title, proposed, dialogs.SESSIONS)
        if path is None:
            return
        try:
            write_recipe(path, self.document.recipe)
        except PavoError as error:
            self.show_error(error)
            return
        self._include(path)

    def _add(self) -> None:
        path = dialogs.open_file(self, translate("Add a session"), dialogs.SESSIONS)
        if path is not None:
            self._include(path)

    def _include(self, path: Path) -> None:
        remember(self.document.recipe.input.data, path)
        self._ask(self._name(path))

    def _remove(self) -> None:
        name = self.table.current_key
        path = self._files.pop(name, None) if name is not None else None
        if name is None or path is None:
            return
        forget(self.document.recipe.input.data, path)
        self._found.pop(name, None)
        self._problems.pop(name, None)
        self._show()

    # Their figures -----------------------------------------------------------------------------------------------

    def results_changed(self) -> None:
        """The current session is one of the alternatives."""
        if not self.document.stale:
            self._ask_current()

    def _ask_all(self) -> None:
        self._ask_current()
        for name in self._files:
            self._ask(name)

    def _ask_current(self) -> None:
        if self.document.derived is not None:
            self._compute(self.current_name, self.document.recipe)
        else:
            self._show()

    def _ask(self, name: str) -> None:
        try:
            recipe = read_recipe(self._files[name])
        except PavoError as error:
            self._failed(name, error)
            return
        if not same_file(recipe.input.data, self.document.recipe.input.data):
            self._problems[name] = translate("It is about another data file.")
            self._show()
            return
        self._compute(name, recipe)

    def _compute(self, name: str, recipe: Recipe) -> None:
        self.document.alternative(
            f"alternative {name}",
            name,
            recipe,
            done=self._arrived,
            failed=lambda error: self._failed(name, error),
        )

    def _arrived(self, found: Alternative) -> None:
        self._found[found.name] = found
        self._problems.pop(found.name, None)
        if found.problem:
            self._problems[found.name] = found.problem
        self._show()

    def _failed(self, name: str, error: PavoError) -> None:
        self._found.pop(name, None)
        self._problems[name] = str(error)
        self._show()

    # Showing them ------------------------------------------------------------------------------------------------

    def _order(self) -> list[str]:
        names = [self.current_name, *self._files]
        return [name for name in names if name in self._found or name in self._problems]

    def _drawn(self) -> list[Alternative]:
        """Alternatives that have a place on the map: all that have the rate that it shows."""
        shown = [self._found[name] for name in self._order() if name in self._found]
        return [found for found in shown if found.place(self._by_households) is not None]

    @property
    def _by_households(self) -> bool:
        """Whether the session has a household threshold only, so that the map shows rates of households."""
        current = self._found.get(self.current_name)
        return current is not None and current.by_households

    def _show(self) -> None:
        names = self._order()
        if not names:
            self.table.show_empty(
                translate("Ways of protecting this file stand here side by side, each with its risk and its cost.")
            )
            return
        found = [self._found.get(name) for name in names]
        self.table.set_columns(self._columns(names, found))
        self.table.fit_columns()
        drawn = self._drawn()
        by = self._by_households
        places = [(each, each.place(by)) for each in drawn]
        points = [MapPoint(each.name, *place, each.protected) for each, place in places if place is not None]
        current = next((i for i, each in enumerate(drawn) if each.name == self.current_name), -1)
        self.map.set_points(points, current, by)
        self._say_legend(drawn)
        self._draw_histograms([each for each in found if each is not None and each.staircase is not None])
        self._selected()

    def _columns(self, names: list[str], found: list[Alternative | None]) -> list[Column]:
        def column(title: str, value: str, text: object, tip: str = "") -> Column:
            return Column(title, [getattr(each, value, None) for each in found], text, True, tip)  # type: ignore[arg-type]

        recodes = [", ".join(f"{name} {count}" for name, count in each.recodes) if each else "" for each in found]
        return [
            Column(translate("Alternative"), names),
            column(translate("unsafe"), "unsafe", numbers.format_count, translate("Unsafe records before suppression")),
            column(translate("suppressions"), "suppressions", numbers.format_count),
            column(translate("loss by suppression"), "suppression_loss", _bits, translate(_ABOUT_SUPPRESSION_LOSS)),
            column(translate("loss by recoding and suppression"), "loss", _bits, translate(ABOUT_LOSS)),
            column(translate("rate before"), "rate", numbers.format_percent),
            column(translate("rate after"), "rate_after", numbers.format_percent),
            *self._households(found),
            *(self._violations(found, k) for k in PROFILE),
            Column(translate("Recodes"), recodes, tooltip=translate("Recoded variables and their categories")),
            Column(translate("Remark"), [self._problems.get(name, "") for name in names]),
        ]

    @staticmethod
    def _households(found: list[Alternative | None]) -> list[Column]:
        """Figures of households, where a session has them."""
        figures = (
            ("household_rate", translate("household rate before"), numbers.format_percent),
            ("household_rate_after", translate("household rate after"), numbers.format_percent),
            ("household_max", translate("largest household risk before"), _risk),
            ("household_max_after", translate("largest household risk after"), _risk),
        )
        if all(each is None or each.household_rate is None for each in found):
            return []
        return [
            Column(title, [getattr(each, name, None) for each in found], text, True) for name, title, text in figures
        ]

    @staticmethod
    def _violations(found: list[Alternative | None], k: int) -> Column:
        """One column of the k-anonymity profile."""
        tip = translate("Records whose key occurs in fewer than {k} records, before suppression").format(k=k)
        values = [each.violations.get(k) if each else None for each in found]
        return Column(translate("f < {k}").format(k=k), values, numbers.format_count, True, tip)

    def _say_legend(self, drawn: list[Alternative]) -> None:
        """What the marks on the map mean, as far as they are there; and what has no place on it."""
        said = [
            translate("Down and to the left is better."),
            translate("The loss is that by recoding and suppression."),
        ]
        if any(each.name == self.current_name for each in drawn):
            said.append(translate("◆ the current session"))
        if any(not each.protected for each in drawn):
            said.append(translate("○ without suppression: its rate is that after recoding"))
        away = len(self._found) - len(drawn)
        if away:
            said.append(translate("{n} without a re-identification rate are not on the map").format(n=away))
        self.legend.setText(" · ".join(said) if drawn or away else "")

    def _draw_histograms(self, found: list[Alternative]) -> None:
        plot = self.histograms.getPlotItem()
        plot.clear()
        self.histograms.setBackground(QColor(theme.scheme.base))
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        for side in ("left", "bottom"):
            self.histograms.getAxis(side).setPen(QColor(theme.scheme.text))
            self.histograms.getAxis(side).setTextPen(QColor(theme.scheme.text))
        self.histograms.setLabel("bottom", translate("risk after recoding (logarithmic axis)"))
        self.histograms.setLabel("left", translate("records"))
        if plot.legend is None:
            plot.addLegend(offset=(10, 10), labelTextColor=QColor(theme.scheme.text))
        for place, (name, bars) in enumerate(_distinct(found)):
            style = _STYLES[place // len(_COLOURS) % len(_STYLES)]
            pen = pg.mkPen(QColor(_COLOURS[place % len(_COLOURS)]), width=2, style=style)
            plot.plot(np.log10(bars.edges), bars.records.astype(float), stepMode="center", pen=pen, name=name)

    def _selected(self) -> None:
        name = self.table.current_key
        other = name is not None and name != self.current_name
        self.remove.setEnabled(other)
        self.take.setEnabled(other and name in self._found)
        self.keep.setEnabled(self.document.recipe.input.data is not None)

    def _take_over(self) -> None:
        found = self._found.get(self.table.current_key or "")
        if found is None or found.name == self.current_name:
            return
        now = self.document.recipe
        recipe = replace(found.recipe, output=now.output, report=now.report)
        self.document.commit(translate("Take over {name}").format(name=found.name), recipe)


def _bits(loss: float | None) -> str:
    return numbers.format_number(loss, 1)


def _risk(risk: float | None) -> str:
    return numbers.format_number(risk, 5)


def _distinct(found: list[Alternative]) -> list[tuple[str, Histogram]]:
    """Histograms, each with the names of all alternatives that have it: of lines on one another only one is seen."""
    drawn: list[tuple[list[str], Histogram]] = []
    for each in found:
        assert each.staircase is not None
        bars = each.staircase.histogram(_BINS)
        if len(bars.edges) < 3:
            continue
        for names, other in drawn:
            if np.array_equal(bars.edges, other.edges) and np.array_equal(bars.records, other.records):
                names.append(each.name)
                break
        else:
            drawn.append(([each.name], bars))
    return [(", ".join(names), bars) for names, bars in drawn]
