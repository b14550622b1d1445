"""The user's own tables, means and models: typed, listed, and each with its figures before and after."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import RecipeError
from core.base.texts import translate
from core.recipe.analyses import words_of_analysis
from core.recipe.model import Analysis
from gui import numbers
from gui.shared.goal_texts import goal_sentence, goal_typed, share_text
from gui.shared.parts.panes import BELOW, panes
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.shared.wheel import ComboBox
from gui.theme import scaled
from gui.utility.entry_text import KINDS, entry_of
from gui.utility.interval_chart import MOST_DRAWN, EstimatePair, IntervalChart, figure

if TYPE_CHECKING:
    from core.utility.own import Compared
    from core.utility.own_models import ComparedModel
    from core.utility.own_tables import ComparedMeans, ComparedTable

_GOAL = 76


class OwnAnalysesPage(QWidget):
    """`ownKind`, `ownText`, `addOwn`, `ownProblem`; `ownAnalyses`, `removeOwn`; `ownTold`, `ownCells`,
    `utilityIntervals`; `ownGoal` and `ownGoalMessage`, the largest change that is wanted of what is typed, in per cent.

    Signals
    -------
    entered(Analysis) : to be compared from now on
    removed(int) : place of an entry that is not wanted any longer
    """

    entered = Signal(object)
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__(objectName="ownPage")
        self._names: Collection[str] = ()
        self._entries: tuple[Analysis, ...] = ()
        self._found: tuple[Compared | None, ...] = ()
        self.kind = ComboBox(objectName="ownKind", accessibleName=translate("Kind of analysis"))
        for key, words, _example in KINDS:
            self.kind.addItem(translate(words), key)
        self.text = QLineEdit(objectName="ownText", accessibleName=translate("Variables or formula"))
        self.goal = QLineEdit(objectName="ownGoal", accessibleName=translate("Goal: change at most (%)"))
        self.goal.setPlaceholderText(translate("no goal"))
        self.goal.setToolTip(translate("The largest relative change of a count or a mean that is wanted, in per cent"))
        self.goal_label = QLabel(translate("Change at &most (%)"), buddy=self.goal)
        self.goal_message = WrappedLabel(name="ownGoalMessage")
        self.goal_message.hide()
        self.add = QPushButton(translate("&Add"), objectName="addOwn", autoDefault=False)
        self.problem = WrappedLabel(name="ownProblem")
        self.problem.hide()
        self.list = DataTable("ownAnalyses", translate("Your own analyses"))
        self.list.filter.hide()
        self.list.stretch(1)
        self.remove = QPushButton(translate("&Remove"), objectName="removeOwn", autoDefault=False)
        self.list.head.addWidget(self.remove)
        self.told = WrappedLabel(name="ownTold", is_muted=True)
        self.cells = DataTable("ownCells", translate("Cells"))
        self.chart = IntervalChart()
        self._lay_out()
        self.kind.currentIndexChanged.connect(lambda _index: self._kind_chosen())
        self.text.returnPressed.connect(self._add)
        self.goal.returnPressed.connect(self._add)
        self.goal.textEdited.connect(lambda _text: self.goal_message.hide())
        self.text.textEdited.connect(lambda _text: self.problem.hide())
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.list.current_changed.connect(lambda _key: self._show_current())
        self._kind_chosen()

    def _lay_out(self) -> None:
        typed = QHBoxLayout()
        typed.addWidget(self.kind)
        typed.addWidget(self.text, 1)
        typed.addWidget(self.goal_label)
        self.goal.setFixedWidth(scaled(_GOAL))
        typed.addWidget(self.goal)
        typed.addWidget(self.add)
        area = QScrollArea(widgetResizable=True, frameShape=QFrame.Shape.NoFrame, objectName="ownScroll")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.chart)
        area.setMinimumHeight(96)
        self._pictures = QStackedLayout()
        self._pictures.addWidget(area)
        self._pictures.addWidget(self.cells)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.told)
        column.addLayout(self._pictures, 1)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 8, 0, 0)
        page.addLayout(typed)
        page.addWidget(self.goal_message)
        page.addWidget(self.problem)
        page.addWidget(panes(BELOW, (self.list, below), (150, 260)), 1)

    def set_names(self, names: Collection[str]) -> None:
        """Say which variables there are."""
        self._names = names

    def show_found(self, entries: Sequence[Analysis], found: Sequence[Compared | None]) -> None:
        """Show the entries of the recipe with what became of each; None: it is not compared yet."""
        more = len(entries) > len(self._entries) > 0
        self._entries, self._found = tuple(entries), tuple(found)
        if not entries:
            self.list.show_empty(
                translate("What the file is made for decides what has to be kept. Type a table, a mean or a model of it"
                          " above; its figures in the original and in the safe file will be here.")
            )  # fmt: skip
        else:
            self.list.set_columns(self._list_columns())
            if more or self.list.current_key is None:
                self.list.select(len(entries))
        self._show_current()

    def _list_columns(self) -> list[Column]:
        figures = [{} if each is None else each.summary() for each in self._found]

        def percent(value: float | None) -> str:
            return numbers.MISSING if value is None else numbers.format_percent(value, 1)

        return [
            Column(translate("No."), list(range(1, len(self._entries) + 1)), number=True),
            Column(translate("Analysis"), list(map(words_of_analysis, self._entries))),
            Column(translate("Goal"), list(map(_goal_told, self._entries, self._found)),
                   tooltip=translate("The largest change that is wanted, and whether it is kept")),
            Column(translate("Largest change"), [each.get("max_change") for each in figures], percent, True,
                   translate("Of a cell or a mean, as a share of what it was")),
            Column(translate("Overlap"), [each.get("mean_overlap") for each in figures], _two, True,
                   translate("Mean overlap of the 95 % intervals before and after: 1 the same, below 0 apart")),
            Column(translate("Least"), [each.get("min_overlap") for each in figures], _two, True,
                   translate("The least overlap of its intervals")),
        ]  # fmt: skip

    # Typing ------------------------------------------------------------------------------------------------------

    def _kind_chosen(self) -> None:
        example = next(translate(example) for key, _words, example in KINDS if key == self.kind.currentData())
        for part in (self.goal, self.goal_label):
            part.setVisible(self.kind.currentData() != "model")
        self.text.setPlaceholderText(translate("as {example}").format(example=example))
        self.problem.hide()

    def _add(self) -> None:
        try:
            entry = entry_of(self.kind.currentData(), self.text.text(), self._names)
        except RecipeError as error:
            self._refuse(str(error))
            return
        try:
            entry = replace(entry, goal=None if entry.model else goal_typed(self.goal.text()))
        except ValueError as error:
            self.goal_message.setText(str(error))
            self.goal_message.show()
            self.goal.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if entry in self._entries:
            self._refuse(translate("It stands in the list already."))
            self.list.select(self._entries.index(entry) + 1)
            return
        self.text.clear()
        self.goal.clear()
        self.problem.hide()
        self.entered.emit(entry)

    def _refuse(self, told: str) -> None:
        self.problem.setText(told)
        self.problem.show()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remove(self) -> None:
        if self.list.current_key is not None:
            self.removed.emit(self.list.current_key - 1)

    # The current one ---------------------------------------------------------------------------------------------

    def _show_current(self) -> None:
        from core.utility.own import NotCompared
        from core.utility.own_models import ComparedModel
        from core.utility.own_tables import ComparedTable

        key = self.list.current_key
        self.remove.setEnabled(key is not None)
        found = self._found[key - 1] if key is not None else None
        self.told.setVisible(found is not None)
        self._pictures.setCurrentIndex(int(isinstance(found, ComparedTable)))
        self.chart.setVisible(found is not None and not isinstance(found, NotCompared))
        if found is None:
            self.chart.show_pairs(())
        elif isinstance(found, NotCompared):
            self.told.setText(str(found.reason))
        elif isinstance(found, ComparedTable):
            self.told.setText(" ".join(filter(None, (goal_sentence(found), _worst_cell(found)))))
            self.cells.set_columns(_cells(found))
        elif isinstance(found, ComparedModel):
            self._show_estimates(*_of_model(found))
        else:
            told, pairs = _of_means(found)
            self._show_estimates(" ".join(filter(None, (goal_sentence(found), told))), pairs)

    def _show_estimates(self, told: str, pairs: Sequence[EstimatePair]) -> None:
        scale = translate("Each row is drawn on the scale of its interval in the original.")
        if len(pairs) > MOST_DRAWN:
            scale += " " + translate("The first {n} of {all} are drawn; F4 shows all.").format(
                n=MOST_DRAWN, all=numbers.format_count(len(pairs))
            )
        self.told.setText(f"{told} {scale}".strip())
        self.chart.show_pairs(pairs)


def _goal_told(entry: Analysis, found: Compared | None) -> str:
    """The goal of an entry, and whether it is kept."""
    from core.utility.own import keeps_goal

    if entry.goal is None:
        return ""
    kept = None if found is None else keeps_goal(found)
    said = translate("at most {share}") if kept is None else translate("at most {share}: kept")
    said = translate("at most {share}: not kept") if kept is False else said
    return said.format(share=share_text(entry.goal))


def _two(value: float | None) -> str:
    return numbers.format_number(value, 2)


def _change(value: float | None) -> str:
    """A relative change with its sign."""
    if value is None:
        return translate("new")
    return ("+" if value > 0 else "") + numbers.format_percent(value, 1)


def _named(variables: Sequence[str], codes: Sequence[str]) -> str:
    return " × ".join(f"{name} {code}" for name, code in zip(variables, codes, strict=True))


def _worst_cell(found: ComparedTable) -> str:
    sizes = [(abs(change), -place) for place, change in enumerate(found.changes) if change is not None]
    if not sizes:
        return translate("No record is in a cell.")
    place = -max(sizes)[1]
    told = translate("Changed most: {cell}, {before} before, {after} after ({change}).")
    return told.format(
        cell=_named(found.variables, found.cells[place]),
        before=figure(found.before[place]),
        after=figure(found.after[place]),
        change=_change(found.changes[place]),
    )


def _cells(found: ComparedTable) -> list[Column]:
    sizes = [float("inf") if change is None else abs(change) for change in found.changes]
    order = sorted(range(len(sizes)), key=lambda place: (-sizes[place], place))
    changes = found.changes
    named = [
        Column(name, [found.cells[place][at] for place in order]) for at, name in enumerate(found.variables)
    ]  # fmt: skip
    return [
        *named,
        Column(translate("Original"), [found.before[p] for p in order], lambda v: numbers.format_number(v, 1), True),
        Column(translate("Safe file"), [found.after[p] for p in order], lambda v: numbers.format_number(v, 1), True),
        Column(translate("Change"), [changes[p] for p in order], _change, True),
    ]


def _of_means(found: ComparedMeans) -> tuple[str, list[EstimatePair]]:
    names = [_named(found.by, group) or found.variable for group in found.groups]
    pairs = list(map(EstimatePair, names, found.before, found.after, found.overlaps))
    told = ""
    if found.worst is not None:
        before, after = found.before[found.worst], found.after[found.worst]
        assert before is not None, "its change is known"
        assert after is not None, "its change is known"
        told = translate("Changed most: {cell}, {before} before, {after} after ({change}).").format(
            cell=names[found.worst], before=figure(before.value), after=figure(after.value),
            change=_change(found.changes[found.worst]),
        )  # fmt: skip
    return told, sorted(pairs, key=_least_overlap)


def _of_model(found: ComparedModel) -> tuple[str, list[EstimatePair]]:
    kind = translate("Logistic regression") if found.kind == "logistic" else translate("Least squares")
    records = translate("{kind}; complete records: {before} before, {after} after.").format(
        kind=kind, before=numbers.format_count(found.records[0]), after=numbers.format_count(found.records[1])
    )
    return records, list(map(EstimatePair, found.coefficients, found.before, found.after, found.overlaps))


def _least_overlap(pair: EstimatePair) -> float:
    """Those that are lost or have no interval come first, then those that overlap least."""
    return float("-inf") if pair.overlap is None else pair.overlap
