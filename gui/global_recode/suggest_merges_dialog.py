"""Suggest: merges of neighbouring categories that make most records safe for the least loss, to accept or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.model import Recipe
from core.recoding.grouping import short_texts
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.shared.ordered_dialog import OrderedDialog
from gui.shared.over import resize_over
from gui.shared.parts.buttons import allow
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.model import Column
from gui.shared.wheel import Slider
from gui.theme import heading, muted, theme

if TYPE_CHECKING:
    from core.data.columns import EncodedColumn
    from core.recoding.suggest_merges import MergeSuggestion, Run
    from core.session import Results
    from core.whatif.merges import MergeSuggestions

_SLOT = "suggest merges"
_TICKED = "ticked merges"
_ABOUT = mark(
    "Each position of the slider is an efficient recode: no other merging of neighbouring codes makes as many records"
    " safe for less loss of information. Untick what you do not want."
)
_BY_SHARE = mark(
    "A household threshold judges whole households, and a merge changes many of them at once. Here a record counts as"
    " unsafe if its own risk is at least the household threshold divided by the size of its household: where no record"
    " is, no household is unsafe."
)
_ANEW = mark(
    "The session gives its threshold as a rate or a number, so each merge moves the threshold. “Unsafe now” and “then”"
    " of each merge are at the threshold as it stands; the totals above and below are those after the threshold was"
    " derived anew, as the session will have them."
)
_HEADS = (
    mark("Merge"),
    mark("codes"),
    mark("records"),
    mark("unsafe now"),
    mark("then"),
    mark("loss (bits)"),
)


class SuggestMerges(OrderedDialog):
    """`suggestSlider`, `suggestions` (rows with a check box), `suggestTotal`; `suggestAgain` once it was stopped.

    Signals
    -------
    chosen(list) : groups of original codes to merge.
    """

    chosen = Signal(list)

    def __init__(
        self, document: Document, recipe: Recipe, column: EncodedColumn, labels: dict[str, str], parent: QWidget
    ) -> None:
        super().__init__(parent, objectName="suggestMerges")
        self.setWindowTitle(translate("Suggest merges of {name}").format(name=column.name))
        self._document, self._recipe, self._column, self._labels = document, recipe, column, labels
        self._found: MergeSuggestions | None = None
        self._of: Results | None = None
        self._make_controls()
        self._lay_out()
        self._connect()
        resize_over(self, 720, 520)
        self._ask()

    def _make_controls(self) -> None:
        self.about = QLabel(translate(_ABOUT))
        self.about.setWordWrap(True)
        muted(self.about)
        self.judged = QLabel(objectName="suggestJudged", wordWrap=True)
        self.judged.hide()
        self.slider = Slider(Qt.Orientation.Horizontal, objectName="suggestSlider")
        self.slider.setAccessibleName(translate("How far to merge"))
        self.few, self.many = QLabel(translate("lose little")), QLabel(translate("fewest unsafe"))
        self.state = QLabel(objectName="suggestState", wordWrap=True)
        self.again = QPushButton(translate("&Calculate again"), objectName="suggestAgain")
        self.again.hide()
        self.total = QLabel(objectName="suggestTotal")
        self.total.setWordWrap(True)
        self.bar = QProgressBar(objectName="suggestProgress")
        self.bar.setTextVisible(False)
        self.table = CheckedTable("suggestions", translate("Suggested merges"))
        self.table.stretch(0)
        self.all = QPushButton(translate("&All"), objectName="acceptAll")
        self.none = QPushButton(translate("&None"), objectName="acceptNone")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.use = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.use.setText(translate("&Merge what is ticked"))
        self._enable(False)

    def _lay_out(self) -> None:
        ends = QHBoxLayout()
        ends.addWidget(self.few)
        ends.addWidget(self.slider, 1)
        ends.addWidget(self.many)
        heading(self.total, 1.05)
        bottom = QHBoxLayout()
        bottom.addWidget(self.all)
        bottom.addWidget(self.none)
        bottom.addStretch(1)
        bottom.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(self.about)
        layout.addWidget(self.judged)
        layout.addLayout(ends)
        layout.addWidget(self.state)
        layout.addWidget(self.bar)
        layout.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.total)
        layout.addLayout(bottom)

    def _connect(self) -> None:
        self.slider.valueChanged.connect(self._show_choice)
        self.table.rows.ticked.connect(self._show_total)
        self.all.clicked.connect(lambda: self._tick_all(True))
        self.none.clicked.connect(lambda: self._tick_all(False))
        self.again.clicked.connect(self._ask)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._document.progressed.connect(self._progressed)
        self.finished.connect(self._finish)

    def _enable(self, enabled: bool) -> None:
        for widget in (self.slider, self.table, self.all, self.none, self.use):
            widget.setEnabled(enabled)

    # The work ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Look for merges, or for what the ticked ones come to where the merges are known."""
        self.again.hide()
        if self._found is not None:
            self._show_total()
            return
        self.state.setText(translate("Comparing all runs of neighbouring codes…"))
        self.bar.show()
        done, failed = self._derived, self._failed
        self._document.ask(_SLOT, engine.derive, self._recipe, done=done, failed=failed, cancelled=self._stopped)

    def _derived(self, derived: Results) -> None:
        from core.whatif.merges import suggest_merges

        name, self._of = self._column.name, derived
        self._document.compute(
            _SLOT, suggest_merges, derived, name, done=self._arrived, failed=self._failed, cancelled=self._stopped
        )

    def _stopped(self) -> None:
        self.bar.hide()
        self.state.setText(translate("Looking for merges was stopped."))
        self.again.show()

    def _progressed(self, fraction: float, _text: str) -> None:
        if self._found is None:
            self.bar.setRange(0, 0 if fraction < 0 else 100)
            self.bar.setValue(round(max(fraction, 0) * 100))

    def _failed(self, error: PavoError) -> None:
        self.bar.hide()
        self.state.setText(str(error))
        self.state.setStyleSheet(f"color: {theme.scheme.refused};")

    def _arrived(self, found: MergeSuggestions) -> None:
        self._found = found
        self.bar.hide()
        said = [_BY_SHARE] * found.by_share + [_ANEW] * found.anew
        self.judged.setText("\n".join(map(translate, said)))
        self.judged.setVisible(bool(said))
        if len(found.choices) < 2:
            self.state.setText(
                translate("No merging of neighbouring codes of {name} makes a record safe.").format(name=found.variable)
            )
            return
        self._enable(True)
        self.slider.setRange(0, len(found.choices) - 1)
        self.slider.setPageStep(max(len(found.choices) // 10, 1))
        self.slider.setValue(found.balanced)
        self._show_choice(self.slider.value())
        self.slider.setFocus()

    def _finish(self) -> None:
        self._document.progressed.disconnect(self._progressed)
        self._document.tasks.drop(_SLOT)
        self._document.tasks.drop(_TICKED)

    # What is shown -----------------------------------------------------------------------------------------------

    @property
    def _choice(self) -> MergeSuggestion:
        assert self._found is not None
        return self._found.choices[self.slider.value()]

    def _show_choice(self, place: int) -> None:
        if self._found is None:
            return
        choice, start = self._found.choices[place], self._found.choices[0]
        self.state.setText(
            translate("{before} → {after} categories, {unsafe_before} → {unsafe} unsafe records").format(
                before=numbers.format_count(start.categories),
                after=numbers.format_count(choice.categories),
                unsafe_before=numbers.format_count(start.unsafe),
                unsafe=numbers.format_count(choice.unsafe),
            )
        )
        units = self._found.units
        codes = [[c for unit in units[run.first : run.last + 1] for c in unit] for run in choice.runs]
        self.table.set_columns(self._columns(choice.runs, codes))
        self.table.rows.tick(range(len(choice.runs)))
        self._show_total()

    def _columns(self, runs: Sequence[Run], codes: Sequence[Sequence[str]]) -> list[Column]:
        names = []
        for text, members in zip(short_texts(self._column, codes), codes, strict=True):
            ends = [self._labels.get(code, "") for code in (members[0], members[-1])]
            names.append(f"{text}   {ends[0]} – {ends[1]}" if all(ends) else text)
        name, *others = map(translate, _HEADS)
        counts = (
            [len(members) for members in codes],
            [run.records for run in runs],
            [run.unsafe_before for run in runs],
            [run.unsafe_after for run in runs],
        )
        shown = [Column(head, values, numbers.format_count, True) for head, values in zip(others, counts, strict=False)]
        loss = Column(others[-1], [run.loss for run in runs], lambda bits: numbers.format_number(bits, 0), True)
        return [Column(name, names), *shown, loss]

    @property
    def accepted_rows(self) -> list[int]:
        """Rows that are ticked, in the order of the codes."""
        return self.table.rows.ticks

    def _show_total(self) -> None:
        """What the ticked merges come to; where they move the threshold, as soon as that is counted."""
        assert self._found is not None
        self._document.tasks.drop(_TICKED)
        self.again.hide()
        start, rows = self._found.choices[0], self.accepted_rows
        if not self._found.anew:
            accepted = [self._choice.runs[row] for row in rows]
            self._say_total(max(0, start.unsafe - sum(run.unsafe_before - run.unsafe_after for run in accepted)))
        elif len(rows) in (0, len(self._choice.runs)):
            self._say_total(self._choice.unsafe if rows else start.unsafe)
        else:
            self._count_ticked(rows)

    def _count_ticked(self, rows: list[int]) -> None:
        from core.whatif.merges import merged_units, unsafe_when_merged

        assert self._found is not None and self._of is not None
        groups = merged_units(self._found, self._choice, rows)
        self.total.setText(translate("Deriving the threshold anew…"))
        self._document.compute(
            _TICKED, unsafe_when_merged, self._of, self._found.variable, groups,
            done=self._say_total, failed=lambda error: self.total.setText(str(error)), cancelled=self._not_counted,
        )  # fmt: skip

    def _not_counted(self) -> None:
        self.total.setText(translate("Counting what the ticked merges come to was stopped."))
        self.again.show()

    def _say_total(self, unsafe: int) -> None:
        assert self._found is not None
        start, accepted = self._found.choices[0], [self._choice.runs[row] for row in self.accepted_rows]
        fewer, gone = start.unsafe - unsafe, sum(run.last - run.first for run in accepted)
        change = translate("{n} fewer") if fewer >= 0 else translate("{n} more")
        self.total.setText(
            translate("Ticked: {n} categories, {unsafe} unsafe records ({change}), {loss} bits lost").format(
                n=numbers.format_count(start.categories - gone),
                unsafe=numbers.format_count(unsafe),
                change=change.format(n=numbers.format_count(abs(fewer))),
                loss=numbers.format_number(sum(run.loss for run in accepted), 0),
            )
        )
        allow(self.use, "" if accepted else translate("Tick at least one merge."))

    def _tick_all(self, ticked: bool) -> None:
        self.table.rows.tick(range(self.table.rows.total) if ticked else ())
        self._show_total()

    def _accept(self) -> None:
        from core.whatif.merges import merged_units

        if self._found is not None:
            self.chosen.emit(merged_units(self._found, self._choice, self.accepted_rows))
        self.accept()
