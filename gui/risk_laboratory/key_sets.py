"""Key Sets Side by Side: what a measure found of many sets of key variables, each one button from a combination."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.base.texts import mark, translate
from core.recipe.declared import Declaration
from core.recipe.model import Measure, Recipe
from core.report.words import headline
from core.risk.measures.evaluation import TAKES_LONG, Evaluation
from core.risk.measures.registry import REGISTRY
from gui.document import engine
from gui.document.document import Document
from gui.risk_laboratory.figures import compared_sets, set_columns
from gui.risk_laboratory.report_list import measure_name
from gui.risk_laboratory.window import PATIENCE, basis
from gui.shared.form.parameter_fields import in_words
from gui.shared.form.variables_table import TIMES
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.tool_window import ToolWindow
from gui.shared.work_row import WorkRow

if TYPE_CHECKING:
    from core.whatif.laboratory import TriedMeasure

_SLOT = "key sets"
_AT_ONCE = 2000
"""Rows that are written so fast that nobody notices; more are written in the compute thread."""


class KeySets(ToolWindow):
    """`keySetsTable`, and `useKeySet`, which puts the chosen set under construction in Select Combinations."""

    name = "keySets"
    first = "keySetsTable"
    title = mark("Key Sets Side by Side")
    default_size = (980, 560)

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._wanted: Measure | None = None
        self._of: Recipe | None = None
        self.headline = WrappedLabel(name="keySetsHeadline", role="head")
        self.table = DataTable("keySetsTable", translate("Key sets"))
        self.table.stretch(0)
        self.work = WorkRow(document, "keySetsWork")
        self.work.stop.hide()
        self.use = role_button(translate("&Use in Select Combinations"), "useKeySet", "filled")
        self.use.setDefault(True)
        self.export = role_button(translate("&Export as CSV…"), "exportKeySets")
        self.records = role_button(translate("&Who stands alone"), "keySetRecords")
        self.records.setToolTip(translate("The frequencies of this set in the Risk Laboratory, and the records behind"))
        row = QHBoxLayout()
        row.addWidget(self.work, 1)
        for button in (self.work.stop, self.export, self.records, self.use):
            row.addWidget(button)
        self.content.addWidget(self.headline)
        self.content.addWidget(self.table, 1)
        self.content.addLayout(row)
        self.greyed(self.headline, self.table)
        self.table.activated.connect(lambda _key: self._use())
        self.table.current_changed.connect(lambda _key: self._judge())
        self.use.clicked.connect(self._use)
        self.records.clicked.connect(self._show_records)
        self.export.clicked.connect(self.table.export_csv)
        self.work.stopped.connect(lambda: document.tasks.cancel(_SLOT))
        self._show_empty()

    def show_for(
        self,
        measure: Measure | None = None,
        tried: TriedMeasure | None = None,
        made_of: Recipe | None = None,
        **_: object,
    ) -> None:
        """Show what a measure finds of many sets; `tried`: what it found, of a session with the basis `made_of`."""
        if measure is None or (measure == self._wanted and tried is None):
            return
        self._wanted, self._of = measure, None
        self._set_title()
        if tried is not None and made_of == basis(self.document.recipe, measure):
            self._take(tried, made_of)
        else:
            self._ask()

    def results_changed(self) -> None:
        """The same of the session as it is now."""
        self._ask()

    def is_stale(self) -> bool:
        """Until the same was measured of the session as it is now."""
        wanted = self._wanted
        is_other = wanted is not None and self._of is not None and self._of != basis(self.document.recipe, wanted)
        return super().is_stale() or is_other

    def is_updating(self) -> bool:
        """They are measured again by themselves, unless that was stopped."""
        return super().is_updating() or self.work.running

    def subject(self) -> str:
        """The measure."""
        wanted = getattr(self, "_wanted", None)
        return "" if wanted is None else measure_name(REGISTRY.declaration(wanted.kind), wanted)

    def _ask(self, patience: float = PATIENCE) -> None:
        wanted, recipe = self._wanted, self.document.recipe
        if wanted is None or self.document.stale or self._of == basis(recipe, wanted):
            return
        self.clear_error()
        self.work.begin(translate("Measuring…"))
        self.work.stop.show()

        def done(tried: TriedMeasure) -> None:
            self._end()
            self._take(tried, basis(recipe, wanted))

        def failed(error: PavoError) -> None:
            self._end()
            self._of = None
            self.headline.clear()
            self._show_empty()
            self._grey()
            offers = [(translate("Run all the same"), partial(self._ask, math.inf))]
            self.messages.show_error(in_words(error), offers if error.id == TAKES_LONG else ())

        def cancelled() -> None:
            self._end()
            self._grey()
            self.messages.show_text(translate("The measure was stopped."), [(translate("Run again"), self._ask)])

        self.document.ask(
            _SLOT, engine.tried_measure, recipe, wanted, False, patience,
            done=done, failed=failed, cancelled=cancelled,
        )  # fmt: skip

    def _end(self) -> None:
        self.work.end()
        self.work.stop.hide()

    def _take(self, tried: TriedMeasure, made_of: Recipe) -> None:
        self._of = made_of
        evaluation = tried.before.evaluation
        said = evaluation.headline
        self.headline.setText("" if said is None else headline(said))
        declaration = REGISTRY[tried.before.measure.kind].DECLARATION
        if len(compared_sets(declaration, evaluation)) > _AT_ONCE:
            self.document.compute(_SLOT, _columns, declaration, evaluation, done=self._fill)
        else:
            self._fill(set_columns(declaration, evaluation))

    def _fill(self, columns: list[Column]) -> None:
        if not columns:
            self._show_empty()
            return
        self.table.set_title(translate("Key sets"))
        self.table.set_columns(columns)
        self.table.fit_columns()
        self.table.view.setCurrentIndex(self.table.model.index(0, 0))
        self._judge()
        self._grey()

    def _show_empty(self) -> None:
        self.table.show_empty(
            translate(
                "Which characteristics, taken together, single out most people? Compare all sets of your key"
                " variables, or scenarios: they stand here side by side."
            ),
            translate("Choose what to compare"),
            lambda: self.open_window("riskLaboratory", measure="key-sets"),
        )
        self._judge()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The set of the current row; empty where the row is of no variables of the file."""
        derived, key = self.document.derived, self.table.current_key
        names = tuple(str(key).split(TIMES)) if key is not None else ()
        return names if derived is not None and all(name in derived.metadata for name in names) else ()

    def _judge(self) -> None:
        for button in (self.use, self.records):
            button.setEnabled(bool(self._chosen))
        self.export.setEnabled(self.table.model.total > 0)

    def _use(self) -> None:
        if self._chosen:
            self.open_window("selectCombinations", variables=self._chosen)

    def _show_records(self) -> None:
        self.open_window("riskLaboratory", measure="frequencies", variables=self._chosen)

    def end(self) -> None:
        super().end()
        self.document.tasks.drop(_SLOT)


def _columns(declaration: Declaration, evaluation: Evaluation, progress: Progress = SILENT) -> list[Column]:
    """`set_columns`, for the compute thread."""
    progress.check()
    return set_columns(declaration, evaluation)
