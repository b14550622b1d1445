"""What a measure found: a sentence, its figures before and after protection, its picture, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import translate
from core.recipe.declared import Declaration
from core.recipe.model import Measure
from core.report.blocks import ReportTable
from core.report.measure_figures import figure_tables
from core.report.words import headline
from core.risk.measures.evaluation import Evaluation
from gui import numbers
from gui.risk_laboratory.figures import FigureModel, compared_sets, figure_columns, listing_columns
from gui.risk_laboratory.measure_chart import MeasureChart
from gui.risk_laboratory.questions import QuestionList
from gui.shared.empty_state import EmptyState
from gui.shared.form.choice_titles import choice_title
from gui.shared.form.variables_table import TIMES
from gui.shared.labels import ElidedLabel
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.figure_columns import table_columns
from gui.shared.wheel import TabBar
from gui.theme import OUT_OF_DATE, muted, scaled, set_greyed, write_as

if TYPE_CHECKING:
    from core.whatif.laboratory import TriedMeasure

_PICTURE, _BEHIND = "picture", "behind"
_TAB = 140
"""Widest title of a tab, in points where text is 10 pt high: four of them stand beside each other."""


class ResultView(QWidget):
    """`measureHeadline`, `measureFigures`, `measureViews` with `measureChart`, `measureTable` and `measureBehind`.

    Signals
    -------
    preview_wanted()
        The measure after protection, for which values to suppress have to be found.
    record_wanted(int)
        A record of the file, from 0, shall be shown.
    sets_wanted()
        The rows, which are sets of variables, shall be shown on a page of their own.
    set_wanted(tuple)
        Who stands alone with the variables of a row shall be shown.
    """

    preview_wanted = Signal()
    record_wanted = Signal(int)
    sets_wanted = Signal()
    set_wanted = Signal(tuple)

    def __init__(self, refuse: Callable[[PavoError], None]) -> None:
        super().__init__()
        self._refuse = refuse
        self._tried: TriedMeasure | None = None
        self._lists: list[ReportTable] = []
        self._declaration: Declaration | None = None
        self._compares_sets = False
        self._pages = QStackedLayout(self)
        first = QWidget(self)
        column = QVBoxLayout(first)
        self.empty = EmptyState("measureResult")
        self.questions = QuestionList()
        column.setSpacing(24)
        column.addStretch(2)
        column.addWidget(self.empty)
        column.addWidget(self.questions)
        column.addStretch(3)
        self._pages.addWidget(first)
        # the rest takes as long to make as all else of the page: it is made once the page is in sight
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._make)
        self._later.start()

    def _make(self) -> None:
        """Make what shows a result, once."""
        if self._pages.count() > 1:
            return
        self._filled = QWidget(self)  # its parts stand on it from their beginning: moved, they would be styled twice
        self._column = QVBoxLayout(self._filled)
        self.headline = WrappedLabel(name="measureHeadline", role="head")
        self.after = WrappedLabel(name="measureHeadlineAfter")
        self.about = ElidedLabel("", "measureAbout")
        muted(self.about)
        self.preview = role_button(translate("After protection: make a &preview first"), "measurePreview", "quiet")
        self.model = FigureModel()
        self.figures = DataTable("measureFigures", translate("Figures"), model=self.model)
        self.figures.stretch(0)
        self.figures.title.hide()
        self.figures.filter.hide()  # a few rows, and little height
        self.views = TabBar(objectName="measureViews", drawBase=False, expanding=False)
        self.views.setAccessibleName(translate("Picture and lists"))
        self.chart = MeasureChart(self._refuse)
        self.table = DataTable("measureTable")
        self.behind = DataTable("measureBehind")
        self.table.view.setAccessibleName(translate("Table of the measure"))
        self.behind.view.setAccessibleName(translate("What stands behind the measure"))
        self.open_record = role_button(translate("Show the &record"), "openRecord")
        self.side_by_side = role_button(translate("Side by si&de…"), "openKeySets")
        self.export = role_button(translate("E&xport…"), "exportBehind")
        self.export_table = role_button(translate("E&xport…"), "exportTable")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        write_as(self.after, "section")
        split = QSplitter(Qt.Orientation.Vertical, self._filled, objectName="measureSplitter")
        self._upper = upper = QWidget(split)
        lower = QWidget(split)
        top = QVBoxLayout(upper)
        top.setContentsMargins(0, 0, 0, 4)
        top.addWidget(self.figures, 1)
        self._stack = QStackedLayout()
        for widget in (self.chart, self.table, self.behind):
            self._stack.addWidget(widget)
        for button in (self.open_record, self.side_by_side, self.export):
            self.behind.head.addWidget(button)
        self.table.head.addWidget(self.export_table)
        bottom = QVBoxLayout(lower)
        bottom.setContentsMargins(0, 4, 0, 0)
        bottom.addWidget(self.views)
        bottom.addLayout(self._stack, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([200, 260])
        for widget in (self.figures, self.table, self.behind):
            widget.setMinimumHeight(96)
        column = self._column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.headline)
        column.addWidget(self.about)
        column.addWidget(self.after)
        column.addWidget(self.preview, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(split, 1)
        self._pages.addWidget(self._filled)

    def _connect(self) -> None:
        self.preview.clicked.connect(self.preview_wanted)
        self.views.currentChanged.connect(self._turn_to)
        self.behind.activated.connect(lambda _key: self._open())
        self.behind.current_changed.connect(lambda _key: self._show_buttons())
        self.open_record.clicked.connect(self._open)
        self.side_by_side.clicked.connect(self.sets_wanted)
        self.export.clicked.connect(self.behind.export_csv)
        self.export_table.clicked.connect(self.table.export_csv)

    def show_empty(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        """Say what will be here."""
        self._tried = None
        if self._pages.count() > 1:
            self.headline.clear()
        self.empty.say(text, button, do)
        self._pages.setCurrentIndex(0)

    def set_outdated(self, outdated: bool) -> None:
        """Grey the figures: the session is another one since."""
        if self._pages.count() == 1:
            return
        for widget in (self.headline, self.about, self.after, self.figures, self.table, self.behind, self.chart):
            set_greyed(widget, outdated, OUT_OF_DATE)

    def show_result(self, declaration: Declaration, entry: Measure, tried: TriedMeasure, state: str) -> None:
        """Show what a measure found; `state`: what the file is called before protection."""
        self._make()
        if tried is self._tried:  # lists keep their places
            return
        self._declaration, self._tried = declaration, tried
        before = tried.before.evaluation
        said = before.headline
        title = translate(declaration.title)
        self.headline.setText(title if said is None else headline(said))
        about = [title, " × ".join(entry.variables), *_said(entry)]
        self.about.setText(" · ".join(part for part in about if part))
        after = self._show_after()
        columns, sentences = figure_columns(declaration, before, after, state)
        self.model.sentences = sentences
        self._upper.setVisible(bool(sentences))  # what a measure lists has no figures beside it
        self.figures.set_columns(columns)
        self.figures.fit_columns()
        self._compares_sets = bool(compared_sets(declaration, before))
        self._show_views(before)
        self._pages.setCurrentIndex(1)

    def _show_after(self) -> Evaluation | None:
        """What is said of the file after protection, and the figures there."""
        assert self._tried is not None, "shown just now"
        after = self._tried.after
        self.preview.setVisible(after is None)
        found, text = None, ""
        if isinstance(after, PavoError):
            text = translate("After protection: {error}").format(error=after)
        elif after is not None:
            found = after.evaluation
            text = "" if found.headline is None else headline(found.headline)
            text = translate("After protection: {headline}").format(headline=text) if text else ""
        self.after.setText(text)
        self.after.setVisible(bool(text))
        return found

    def _show_views(self, evaluation: Evaluation) -> None:
        assert self._tried is not None and self._declaration is not None, "shown just now"
        declaration, listing = self._declaration, self._tried.behind
        # the sets that are compared stand in the list behind
        self._lists = [] if self._compares_sets else figure_tables(declaration, evaluation.figures)
        self.chart.show_picture(translate(declaration.title), evaluation.picture)
        views = [(_PICTURE, translate("Picture"))] if evaluation.picture is not None else []
        views += [(str(place), table.caption) for place, table in enumerate(self._lists)]
        if listing is not None:
            rows = len(listing.columns[0].values) if listing.columns else 0
            title = translate(listing.title)
            count = numbers.format_count(listing.total)
            if rows < listing.total:
                told = translate("{title}: the first {rows} of {total}")
                title = told.format(title=title, rows=numbers.format_count(rows), total=count)
            self.behind.set_title(title)
            self.behind.set_columns(listing_columns(listing))
            self.behind.fit_columns()
            for part in (self.export, self.behind.filter):  # sets are filtered and written on their own page
                part.setVisible(not self._compares_sets)
            if self._compares_sets:
                self.behind.set_title(translate("Sets"))
                self.behind.select(1)
            views.append((_BEHIND, translate("Behind it ({n})").format(n=count)))
        before = self._view
        self.views.blockSignals(True)
        while self.views.count():
            self.views.removeTab(0)
        for name, title in views or [(_PICTURE, translate("Picture"))]:
            shown = self.views.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, scaled(_TAB))
            place = self.views.addTab(shown.replace("&", "&&"))
            self.views.setTabData(place, name)
            self.views.setTabToolTip(place, "" if shown == title else title)
        kept = [place for place in range(self.views.count()) if self.views.tabData(place) == before]
        self.views.setCurrentIndex(kept[0] if kept else 0)
        self.views.blockSignals(False)
        self._turn_to(self.views.currentIndex())

    @property
    def _view(self) -> str:
        return self.views.tabData(self.views.currentIndex()) or ""

    def _turn_to(self, place: int) -> None:
        view = self.views.tabData(place)
        if view is None:
            return
        if view.isdecimal():
            table = self._lists[int(view)]
            self.table.set_title(table.caption)
            self.table.set_columns(table_columns(table))
            self.table.fit_columns()
        self._stack.setCurrentWidget({_PICTURE: self.chart, _BEHIND: self.behind}.get(view, self.table))
        self._show_buttons()

    def _show_buttons(self) -> None:
        listing = self._tried.behind if self._tried is not None else None
        has_records = listing is not None and listing.records is not None
        self.open_record.setVisible(has_records or self._compares_sets)
        alone, record = translate("&Who stands alone"), translate("Show the &record")
        self.open_record.setText(alone if self._compares_sets else record)
        self.open_record.setEnabled(self.behind.current_key is not None)
        self.side_by_side.setVisible(self._compares_sets)

    def _open(self) -> None:
        listing = self._tried.behind if self._tried is not None else None
        place = self.behind.current_key
        if listing is not None and listing.records is not None and place is not None:
            self.record_wanted.emit(int(listing.records[place - 1]))
        elif self._compares_sets and self._tried and self._declaration and place is not None:
            self.set_wanted.emit(compared_sets(self._declaration, self._tried.before.evaluation)[place - 1])


def _said(entry: Measure) -> list[str]:
    """The parameters of an entry that are no defaults."""
    return [f"{name.replace('_', ' ')} {_shown(name, value)}" for name, value in entry.parameters]


def _shown(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(TIMES.join(map(str, each)) if isinstance(each, tuple) else str(each) for each in value)
    if isinstance(value, str):
        return choice_title(name, value)
    return f"{value:g}" if isinstance(value, float) else str(value)
