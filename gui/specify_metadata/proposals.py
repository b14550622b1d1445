"""*Check my file*: one list of all that is proposed or has to be looked at, each row with its reason and a tick."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.base.errors import RecipeError
from core.base.texts import mark, translate
from core.data.variables import Variable
from core.metadata.check_file import Finding
from core.metadata.suggest import UseSuggestion
from core.recipe.model import NumericEdit
from core.recoding.numerical import check_base
from gui import numbers
from gui.shared.number_box import NumberBox
from gui.shared.table.checked_table import CheckedTable
from gui.shared.table.model import Column
from gui.specify_metadata.variable_model import TYPE_NAMES, codes_text, type_of, use_text
from gui.texts import as_tip
from gui.theme import muted, scaled

_NO_STEP = mark("Enter a grid step above 0, such as 0.1.")
_ORDERS = {None: "–", True: mark("yes"), False: mark("no")}
_FACETS = (
    (mark("use"), use_text),
    (mark("level"), lambda v: str(v.identification_level)),
    (mark("type"), lambda v: translate(TYPE_NAMES[type_of(v)])),
    (mark("missing"), lambda v: codes_text(v.missing) or "–"),
    (mark("length"), lambda v: str(v.length or "–")),
    (mark("decimals"), lambda v: str(v.decimals)),
    (mark("suppressed with it"), lambda v: v.related or "–"),
    (mark("in order"), lambda v: translate(_ORDERS[v.ordered])),
)


def change_text(before: Variable, after: Variable) -> str:
    """What differs, before → after."""
    pairs = ((translate(name), text(before), text(after)) for name, text in _FACETS)
    return "; ".join(f"{name}: {old} → {new}" for name, old, new in pairs if old != new)


def _texts(findings: Sequence[Finding], variables: dict[str, Variable]) -> list[list[str]]:
    """Variables, proposal, what changes (in the first of them) and why, of each; later ones follow earlier ones."""
    texts = []
    for finding in findings:
        name, change = finding.variables[0], ""
        if finding.suggestions and name in variables:
            first = finding.suggestions[0]
            after = first.followed(variables[name])
            change = change_text(variables[name], after)
            if not first.adds:  # one missing code is told by itself: it may be the only one that is taken
                variables[name] = after
        proposal = finding.proposal.text if finding.proposal is not None else translate("To look at")
        texts.append([", ".join(finding.variables), proposal, change, finding.reason.text])
    return texts


class Proposals(QWidget):
    """`fileCheck` with `suggestionList`, `takeSuggestions`, `fileCheckState`, and `gridStep` with `roundToGrid`.

    Lengths and decimals are one row, unless `eachSize` is ticked. A row about which nothing simple can be done has no
    box. Ticks stay through every change of the list.

    Signals
    -------
    counted(int)
        So many rows are there now.
    chosen(str, str)
        A variable and a field to go to: its row was clicked.
    taken(list)
        The suggestions that are ticked shall be followed.
    gridded(tuple, float)
        These coordinates shall be rounded to multiples of that step.
    """

    counted = Signal(int)
    chosen = Signal(str, str)
    taken = Signal(list)
    gridded = Signal(tuple, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, objectName="fileCheck")
        self._findings: list[Finding] = []
        self._texts: list[list[str]] = []
        self._rows: list[tuple[int, ...]] = []
        """The findings of each row."""
        self._ticked: dict[Hashable, bool] = {}
        """What the user ticked or unticked."""
        self.table = CheckedTable("suggestionList", translate("Check my file"))
        self.table.stretch(3)  # the reason; a width that it gets with the window is none that the user chose
        self.each = QCheckBox(translate("A row for &each length"), objectName="eachSize")
        self.table.head.insertWidget(1, self.each)
        self.state = QLabel(objectName="fileCheckState", wordWrap=True)
        muted(self.state)
        self.take = QPushButton(objectName="takeSuggestions", autoDefault=False)
        self.take.clicked.connect(lambda: self.taken.emit(self.checked()))
        self.table.rows.ticked.connect(self._remember)
        self.table.view.clicked.connect(self._clicked)
        self.table.activated.connect(lambda _key: self._go_to(self.table.view.currentIndex()))
        self.each.toggled.connect(lambda _on: self._show())
        row = QHBoxLayout()
        row.addWidget(self.state, 1)
        for widget in self._make_grid():
            row.addWidget(widget)
        row.addWidget(self.take)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        self.show_none(translate("The file is being read…"))

    def _make_grid(self) -> tuple[QWidget, ...]:
        """A step of one grid for all coordinates, and the button that rounds them to it."""
        self._coordinates: tuple[str, ...] = ()
        self.step = NumberBox("gridStep")
        self.step.setMaximumWidth(scaled(90))
        self.step.setAccessibleName(translate("Grid step"))
        tip = translate("In the units of the coordinates: 0.1 degrees are about 11 km from north to south")
        self.step.setToolTip(as_tip(tip))
        self.step.setPlaceholderText(translate("Grid step"))
        self.round = QPushButton(objectName="roundToGrid", autoDefault=False)
        self.step.entered.connect(self._step_typed)
        self.round.clicked.connect(self._round)
        return self.step, self.step.message, self.round

    def _step_typed(self, step: float) -> None:
        try:
            if not step > 0:
                raise ValueError
            check_base(NumericEdit(next(iter(self._coordinates), ""), round=step))
        except ValueError:
            self.step.refuse(translate(_NO_STEP))
        except RecipeError as error:
            self.step.refuse(error.sentence)
        else:
            self.step.set_value(step)

    def _round(self) -> None:
        if self.step.value is not None and not self.step.refused:
            self.gridded.emit(self._coordinates, self.step.value)
        elif not self.step.refused:
            self.step.refuse(translate(_NO_STEP))

    def _show_grid(self) -> None:
        """Offer the grid where there are coordinates."""
        self.step.setVisible(bool(self._coordinates))
        self.round.setVisible(bool(self._coordinates))
        names = ", ".join(self._coordinates)
        self.round.setText(translate("Round {names} to the &grid").format(names=names.replace("&", "&&")))

    def show_none(self, why: str) -> None:
        """Say why there is nothing."""
        self.show_findings((), ())
        self.state.setText(why)

    def show_findings(
        self, findings: Sequence[Finding], variables: Sequence[Variable], coordinates: tuple[str, ...] = ()
    ) -> None:
        """Show what was found of `variables`, what matters most first; `coordinates`: those that a grid can have."""
        self._findings, self._coordinates = list(findings), coordinates
        self._show_grid()
        self._texts = _texts(findings, {variable.name: variable for variable in reversed(variables)})
        for part in (self.table, self.take):
            part.setVisible(bool(findings))
        self.each.setVisible(any(finding.is_size for finding in findings))
        decide = translate("What is ticked is changed by Apply, and counts with OK. Nothing changes by itself.")
        self.state.setText(decide if findings else translate("Nothing is proposed, and nothing odd was found."))
        self._show()
        if findings:
            self.table.fit_columns()  # not as wide as those of no rows at all
        self.counted.emit(self.table.rows.total)

    def checked(self) -> list[UseSuggestion]:
        """What would be taken over, in the order in which it is to be followed."""
        return [s for finding in self._findings if self._is_ticked(finding) for s in finding.suggestions]

    def _is_ticked(self, finding: Finding) -> bool:
        return bool(finding.suggestions) and self._ticked.get(_key(finding), finding.is_sure)

    def _show(self) -> None:
        """Show all, lengths and decimals as one where they are folded."""
        one_by_one = [i for i, f in enumerate(self._findings) if not f.is_size or self.each.isChecked()]
        self._rows = [(place,) for place in one_by_one]
        rows = [self._texts[place] for place in one_by_one]
        sizes = tuple(i for i, f in enumerate(self._findings) if f.is_size)
        if sizes and not self.each.isChecked():
            said = translate("Lengths and decimals ({count})").format(count=numbers.format_count(len(sizes)))
            rows.append([said, "", "", translate("They are needed in the saved metadata (.rda).")])
            self._rows.append(sizes)
        heads = (translate("Variable"), translate("Proposal"), translate("Before → after"), translate("Why"))
        columns = [Column(head, [row[i] for row in rows]) for i, head in enumerate(heads)]
        model = self.table.rows
        model.plain = {i for i, (place, *_) in enumerate(self._rows) if not self._findings[place].suggestions}
        self.table.set_columns(columns)
        found = self._findings
        model.tick([i for i, places in enumerate(self._rows) if all(self._is_ticked(found[p]) for p in places)])
        self._count()

    def _remember(self) -> None:
        ticks = set(self.table.rows.ticks)
        for row, places in enumerate(self._rows):
            for place in places:
                self._ticked[_key(self._findings[place])] = row in ticks
        self._count()

    def _count(self) -> None:
        count = sum(any(self._is_ticked(self._findings[place]) for place in places) for places in self._rows)
        self.take.setText(translate("&Apply ({count})").format(count=numbers.format_count(count)))
        self.take.setEnabled(count > 0)

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() > 0:  # the first column has the box to be ticked
            self._go_to(index)

    def _go_to(self, index: QModelIndex) -> None:
        finding = self._findings[self._rows[self.table.rows.place(index.row())][0]]
        self.chosen.emit(finding.variables[0], finding.field)


def _key(finding: Finding) -> Hashable:
    """By which a finding is known again in a later list."""
    said = tuple((s.variable, s.kind, s.use, s.proposal.text) for s in finding.suggestions)
    return finding.variables, finding.reason.id, said
