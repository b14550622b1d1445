"""Utility: what the safe file preserves of variables, of their pairs, and of the user's own analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.analyses import with_analyses, words_of_analysis
from core.recipe.model import Analysis, ProfileFile, Recipe, Report
from gui import numbers
from gui.document.document import Document
from gui.document.engine import preserved
from gui.shared.empty_state import EmptyState
from gui.shared.in_parts import reason_in_parts
from gui.shared.layout.beside_or_below import BesideOrBelow
from gui.shared.parts.buttons import allow
from gui.shared.parts.segments import Segments
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.shared.wheel import TabWidget
from gui.shared.work_row import WorkRow
from gui.theme.tokens import GAP
from gui.utility.distribution_chart import MOST_CODES, DistributionChart
from gui.utility.interval_chart import figure
from gui.utility.own_page import OwnAnalysesPage
from gui.utility.pair_map import FIGURES, PairMap

if TYPE_CHECKING:
    from core.utility.distributions import VariableUtility
    from core.whatif.utility import FileUtility

_COMPARE = "what is preserved"
_ONE_LINE = 4000
"""Most width of what is said at the foot: it may fill its row."""
_LEFT = 470
"""Width at which all columns of the variables are seen."""
_BESIDE = 796
"""Width from which the variables stand beside the charts, and not above them."""


class Utility(ToolWindow):
    """`utilityVariables`; `utilityPages` with `utilityDistribution`, `utilityPairs` (`pairFigure`) and `ownPage`;
    `previewUtility`.
    """

    name = "utility"
    title = mark("Utility")
    default_size = (1100, 640)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setMinimumSize(420, 300)
        self._found: FileUtility | None = None
        self._found_for: Recipe | None = None
        self._asked_for: Recipe | None = None
        self._make_controls()
        self._lay_out()
        self._connect()
        self._show_nothing()
        self._look()

    # Building ----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.empty = EmptyState("utility")
        self.variables = DataTable("utilityVariables", translate("Variables"))
        self.variables.keep_in_sight("Hellinger")
        self.distribution = DistributionChart()
        self.told = WrappedLabel(name="utilityTold")
        self.figure = Segments("pairFigure", translate("Figure of each pair"), [(k, translate(t)) for k, t in FIGURES])
        self.pairs = PairMap()
        self.of_pairs = WrappedLabel(name="pairsTold", role="small", is_muted=True)
        self.own = OwnAnalysesPage()
        self.counted = WrappedLabel(name="utilityCounted", role="small", is_muted=True)
        self.work = WorkRow(self.document, "utilityWork")
        self.preview = QPushButton(translate("&Preview"), objectName="previewUtility", autoDefault=False)

    def _lay_out(self) -> None:
        self.pages = TabWidget(objectName="utilityPages", accessibleName=translate("What is compared"))
        self.pages.addTab(_page(self.distribution, self.told), translate("Distributio&n"))
        self.pages.addTab(_page(self.figure, self.pairs, self.of_pairs), translate("Pa&irs"))
        self.pages.addTab(self.own, translate("Yo&ur own analyses"))
        self._split = BesideOrBelow(least=_BESIDE, sizes=lambda beside: [_LEFT, 640] if beside else [180, 320])
        self._split.addWidget(self.variables)
        self._split.addWidget(self.pages)
        self._split.setSizes([_LEFT, 640])
        self._split.setHandleWidth(GAP)
        self._split.setStretchFactor(1, 1)
        self._whole = QStackedLayout()
        self._whole.addWidget(self.empty)
        self._whole.addWidget(self._split)
        bottom = QHBoxLayout()
        self.counted.setMaximumWidth(_ONE_LINE)
        bottom.addWidget(self.counted, 1)
        bottom.addWidget(self.work, 1)
        bottom.addWidget(self.work.stop)
        bottom.addStretch(0)
        bottom.addWidget(self.preview)
        self.content.addLayout(self._whole, 1)
        self.content.addLayout(bottom)

    def _connect(self) -> None:
        self.variables.current_changed.connect(lambda _name: self._show_variable())
        self.figure.chosen.connect(lambda _figure: self._show_figure())
        self.preview.clicked.connect(self._preview)
        self.work.stopped.connect(lambda: self.document.tasks.cancel(_COMPARE))
        self.own.entered.connect(self._enter)
        self.own.removed.connect(self._remove)
        for chart in (self.distribution, self.pairs, self.own.chart):
            chart.refused.connect(self.show_error)
        self.document.planned.connect(self._look)
        self.closed.connect(lambda _name: self._leave())
        self.greyed(self.variables, self.distribution, self.told, self.pairs, self.own.list, self.own.cells,
                    self.own.chart, self.own.told)  # fmt: skip

    def _leave(self) -> None:
        self.document.planned.disconnect(self._look)
        self.document.tasks.drop(_COMPARE)

    # What the document says --------------------------------------------------------------------------------------

    def recipe_changed(self, changes: Any) -> None:
        """What is shown is of another file, or of other choices."""
        if changes.input:
            self._found = self._found_for = None
            self._show_nothing()
        elif changes.utility and self._found is not None:
            self._show_own()
        asked, recipe = self._asked_for, self.document.recipe
        if self.work.running and asked is not None and _compared(asked) != _compared(recipe):
            self.document.tasks.drop(_COMPARE)  # or the new results would wait for it
            self.work.end()
        self._allow()

    def results_changed(self) -> None:
        """Where the plan of the new choices is known, it is compared at once."""
        self._look()

    def is_stale(self) -> bool:
        """Figures belong to the choices that they were computed for."""
        return self._found_for is not None and _compared(self._found_for) != _compared(self.document.recipe)

    def is_updating(self) -> bool:
        """A plan that is known is looked at by itself."""
        return super().is_updating() or self.work.running

    # Asking ------------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Compare where the plan is known."""
        document = self.document
        fresh = self._found_for is not None and not self.is_stale()
        if fresh or self.work.running or document.stale or document.derived is None or not document.recipe.combinations:
            self._allow()
            return
        self.own.set_names(document.derived.metadata.names)
        self._ask(document.recipe, search=False)

    def _preview(self) -> None:
        """Find the plan; one that is searched for by the clock is found where the search can be ended."""
        self.clear_error()
        if self.document.recipe.suppression.time_limit is not None:
            self.open_window("makeProtectedFile")
            return
        self._ask(self.document.recipe, search=True)

    def _ask(self, recipe: Recipe, search: bool) -> None:
        self._asked_for = recipe
        self.work.begin(translate("Looking for the values to suppress…") if search else translate("Comparing…"))
        self.document.ask(
            _COMPARE, preserved, recipe, search, done=lambda found: self._done(found, recipe), failed=self._failed,
            cancelled=self._stopped,
        )  # fmt: skip
        self._allow()

    def _done(self, found: FileUtility | None, recipe: Recipe) -> None:
        self.work.end()
        if found is not None:
            self._found, self._found_for = found, recipe
            self._show_found(found)
        self._grey()
        self._allow()

    def _failed(self, error: PavoError) -> None:
        self.work.end()
        self.show_error(error)
        self._grey()
        self._allow()

    def _stopped(self) -> None:
        self.work.end()
        self.messages.show_text(translate("The comparison was stopped."))
        self._grey()
        self._allow()

    # The user's own analyses -------------------------------------------------------------------------------------

    def _enter(self, entry: Analysis) -> None:
        self._commit(mark("Compare {what}"), entry, (*self.document.recipe.utility, entry))

    def _remove(self, place: int) -> None:
        entries = self.document.recipe.utility
        if place < len(entries):
            self._commit(mark("Compare {what} no longer"), entries[place], entries[:place] + entries[place + 1 :])

    def _commit(self, label: str, entry: Analysis, entries: tuple[Analysis, ...]) -> None:
        self.clear_error()
        try:
            recipe = with_analyses(self.document.recipe, entries)
        except PavoError as error:
            self.show_error(error)
            return
        self.document.commit(lambda: translate(label).format(what=words_of_analysis(entry)), recipe)

    # Showing -----------------------------------------------------------------------------------------------------

    def _allow(self) -> None:
        running, ready = self.work.running, self.document.derived is not None
        self.work.setVisible(running)
        self.work.stop.setVisible(running)
        self.counted.setVisible(not running)
        self.preview.setVisible(self._found is not None)
        fresh = "" if self.is_stale() else translate("The figures are of the session as it is.")
        wait = "" if ready and not running else translate("Computing…")
        allow(self.preview, wait or fresh, translate("Find the values to suppress, and compare; nothing is written"))
        self._say_counted()

    def _say_counted(self) -> None:
        if self._found is None:
            self.counted.clear()
            return
        if self.is_stale():
            self.counted.setText(translate("The choices changed since: preview again."))
            return
        said = translate("The original, recoded as the safe file is, beside the safe file.")
        if self._is_in_parts:
            said = translate("Of a file in parts, only your own analyses are compared.")
        if self._found.weighted:
            said += " " + translate("Counted by weights.")
        self.counted.setText(said)

    @property
    def _is_in_parts(self) -> bool:
        return bool(reason_in_parts(self.document, self.title))

    def _show_nothing(self) -> None:
        said = translate("What the safe file preserves will be here: distributions, pairs of variables, and your own"
                         " tables, means and models, each before and after. This needs a plan of what is suppressed;"
                         " nothing is written.")  # fmt: skip
        if self._is_in_parts:
            said = translate("Your own tables, means and models will be here, each before and after. They need a plan"
                             " of what is suppressed; nothing is written.")  # fmt: skip
        self.empty.say(
            said, translate("&Preview"), self._preview,
        )  # fmt: skip
        self._whole.setCurrentIndex(0)

    def _show_found(self, found: FileUtility) -> None:
        began = self._whole.currentIndex() == 0 and self.isAncestorOf(QApplication.focusWidget() or self)
        self._whole.setCurrentIndex(1)
        self._offer(everything=not self._is_in_parts)
        if began:
            self.variables.view.setFocus(Qt.FocusReason.OtherFocusReason)
        ordered = sorted(found.variables, key=lambda each: (-each.hellinger, -each.added, each.name))
        self.variables.set_columns(_variable_columns(ordered))
        if self.variables.current_key is None and ordered:
            self.variables.select(ordered[0].name)
        self.pairs.show_pairs(found)
        self._show_variable()
        self._show_figure()
        self._show_own()

    def _offer(self, everything: bool) -> None:
        """Of a file in parts there are the user's own analyses alone."""
        self.variables.setVisible(everything)
        for page in (0, 1):
            self.pages.setTabVisible(page, everything)

    def _show_own(self) -> None:
        """The entries of the session, with the figures of those that are compared by now."""
        if self._found is None or self._found_for is None:
            return
        known = dict(zip(self._found_for.utility, self._found.own, strict=True))
        entries = self.document.recipe.utility
        self.own.show_found(entries, [known.get(entry) for entry in entries])

    def _show_variable(self) -> None:
        every = self._found.variables if self._found is not None else ()
        shown = next((each for each in every if each.name == self.variables.current_key), None)
        self.distribution.show_variable(shown)
        said = "" if shown is None else _told(shown)
        if shown is not None and self._found is not None and shown.name in self._found.too_large:
            from core.report.sections_utility import told_of_too_large

            said += " " + told_of_too_large(self._found)
        self.told.setText(said)

    def _show_figure(self) -> None:
        from core.utility.propensity import NOT_FOR_SUPPRESSION

        chosen = self.figure.current
        self.pairs.show_figure(chosen)  # type: ignore[arg-type]
        if chosen == "propensity":
            said = translate("How well a pair tells released records from original ones: 0 not at all.")
            if self._found is not None and self._found.suppressed:
                said += " " + translate(NOT_FOR_SUPPRESSION)
        else:
            said = translate("Association: Cramér's V, of two numbers the correlation, of a number and a category the"
                             " correlation ratio.")  # fmt: skip
            if chosen == "difference":
                said += " " + translate("Underlined cells became weaker.")
        self.of_pairs.setText(said)


def _page(*widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 8, 0, 0)
    for widget in widgets:
        column.addWidget(widget, int(isinstance(widget, (DistributionChart, PairMap))))
    return page


def _compared(recipe: Recipe) -> Recipe:
    """The recipe without what changes nothing that is compared."""
    return recipe.with_(report=Report(), profile=ProfileFile(), measures=(), scenarios=())


def _variable_columns(variables: list[VariableUtility]) -> list[Column]:
    count = numbers.format_count
    columns = [
        Column(translate("Variable"), [each.name for each in variables]),
        Column(translate("Hellinger"), [each.hellinger for each in variables],
               lambda value: numbers.format_number(value, 4), True,
               translate("Distance of the distributions, missing values apart: 0 the same, 1 nothing in common")),
        Column(translate("changed"), [each.changed for each in variables], count, True),
        Column(translate("newly missing"), [each.added for each in variables], count, True),
    ]  # fmt: skip
    if any(each.means[0] is not None for each in variables):
        changes = [_change_of_mean(each) for each in variables]
        columns.append(Column(translate("mean"), changes, _signed, True, translate("Change of the mean")))
    return columns


def _change_of_mean(found: VariableUtility) -> float | None:
    before, after = found.means
    return (after - before) / abs(before) if before and after is not None else None


def _signed(change: float | None) -> str:
    if change is None:
        return numbers.MISSING
    return ("+" if change > 0 else "") + numbers.format_percent(change, 2)


def _told(found: VariableUtility) -> str:
    parts = [
        translate("Hellinger distance {distance}").format(distance=numbers.format_number(found.hellinger, 4)),
        translate("{n} values changed, {added} of them newly missing").format(
            n=numbers.format_count(found.changed), added=numbers.format_count(found.added)
        ),
    ]
    before, after = found.means
    if before is not None and after is not None:
        parts.append(
            translate("mean {before} before, {after} after").format(before=figure(before), after=figure(after))
        )
    if len(found.codes) > MOST_CODES:
        said = translate("the {n} most frequent of {all} codes are drawn")
        parts.append(said.format(n=MOST_CODES, all=numbers.format_count(len(found.codes))))
    if found.recode_removed is not None:
        removed = numbers.format_percent(found.recode_removed, 1)
        parts.append(translate("the recode took {share} of the detail").format(share=removed))
    return "; ".join(parts) + "."
