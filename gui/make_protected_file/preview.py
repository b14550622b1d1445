"""What protection does: values suppressed by variable, risk before and after, warnings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.base.errors import Notice
from core.base.texts import plural, translate
from core.report.numbers import limit
from gui import numbers
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.count_bars import CountBars
from gui.shared.parts.fold_line import FoldLine
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.model import Column
from gui.theme import OUT_OF_DATE, set_greyed, write_as
from gui.theme.tokens import GAP

if TYPE_CHECKING:
    from core.recipe.model import Recipe
    from core.results.results import PlanWithoutPrevention, Protection, Results
    from core.whatif.before_after import BeforeAfter, Outcome

ORDER = "order-gives-away"
"""Id of the warning that a random order of records answers."""
IDENTIFIER = "identifier-gives-away"
"""Id of the warning that new numbers of the households, in random order, answer."""
_MOST_ROWS = 10
_UNDER_TITLE = 6
_FRAME = 10
"""Edge and padding above and below the rows of a table."""


class ProtectionPreview(QWidget):
    """`previewHeadline`, `previewLoss`, `certainBlanks`, `previewVariables`, `previewNumbers`, `previewRisk`,
    `previewWarnings`.

    `shuffle_wanted()`: the random order that a warning recommends. `numbers_wanted()`: new numbers of the households.
    `utility_wanted()`: what the safe file preserves (`previewUtilityButton`).
    """

    shuffle_wanted = Signal()
    numbers_wanted = Signal()
    utility_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("previewPanel")
        self.headline = WrappedLabel(name="previewHeadline", role="head")
        self.state = WrappedLabel(name="previewState")
        write_as(self.state, "section")
        self.sign = Sign("attention", 18)
        self.sign.setObjectName("previewSign")
        self.loss = WrappedLabel(name="previewLoss", is_muted=True)
        self.certain = WrappedLabel(name="certainBlanks", is_muted=True)
        self.variables = DataTable("previewVariables", translate("Suppressed values"))
        self.numbers = DataTable("previewNumbers", translate("Changed numbers"))
        self.risk = DataTable("previewRisk", translate("Risk before and after"))
        for table in (self.variables, self.numbers, self.risk):  # as high as their rows
            table.filter.hide()
            table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            table.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.bars = CountBars()
        self.as_table = FoldLine(translate("Figures as a table"), "previewTable", self.variables)
        self.warnings = QWidget(objectName="previewWarnings")
        self._warning_rows = QVBoxLayout(self.warnings)
        self._warning_rows.setContentsMargins(0, 0, 0, 0)
        self.preserved = role_button(translate("Utilit&y: what is preserved"), "previewUtilityButton", "quiet")
        self.preserved.clicked.connect(self.utility_wanted)
        self.empty = WrappedLabel(name="previewEmpty", is_muted=True)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        state = QHBoxLayout()
        state.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self.state, 1)
        self.card = Card(name="previewCard")
        told = self.headline, self.bars, self.loss, self.certain
        for widget in (self.empty, *told, self.as_table, self.variables, self.numbers, self.preserved):
            self.card.body.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(state)
        column.addWidget(self.card)
        column.addSpacing(GAP - 8)
        column.addWidget(self.risk)
        column.addWidget(self.warnings)

    @property
    def filled(self) -> bool:
        """Whether a plan is shown."""
        return self._filled

    def clear(self) -> None:
        """Say what will be here."""
        self.empty.setText(
            translate(
                "1. Choose at the left how values are suppressed and where the safe file goes.\n\n"
                "2. Preview finds the values and shows them here, with the risk before and after. Nothing is written"
                " yet.\n\n"
                "3. Make file writes exactly that, reads it back and measures it."
            )
        )
        self._show_filled(False)

    def _show_filled(self, filled: bool) -> None:
        self._filled = filled
        self.empty.setVisible(not filled)
        told = self.headline, self.bars, self.loss, self.certain
        for widget in (*told, self.as_table, self.numbers, self.preserved, self.risk, self.warnings):
            widget.setVisible(filled)
        self.variables.setVisible(filled and self.as_table.isChecked())

    def say_state(self, text: str, sign: str = "") -> None:
        """Whether what is shown is planned, outdated (sign "attention"), or written and verified ("check")."""
        self.state.setText(text)
        self.sign.setVisible(bool(sign))
        self.sign.set_state("done" if sign == "check" else "attention")

    def set_outdated(self, outdated: bool) -> None:
        """Grey the figures where they belong to other choices."""
        told = self.headline, self.bars, self.loss, self.certain
        for widget in (*told, self.variables, self.numbers, self.risk):
            set_greyed(widget, outdated, OUT_OF_DATE)
        self.warnings.setEnabled(not outdated)

    def show_plan(self, protection: Protection, outcome: Outcome) -> None:
        """Show a plan and what it does to each risk table."""
        self._show_filled(True)
        from core.warnings.gravity import by_gravity

        plan, records = protection.plan, protection.derived.records
        criterion = protection.derived.recipe.suppression.criterion
        self.headline.setText(_headline(protection) + _touched_besides(protection, outcome.unsafe_before))
        self.loss.setText(_loss(protection))
        self.loss.setVisible(bool(plan.total))
        self.certain.setText(_certain(protection))
        self.certain.setVisible(bool(protection.inferences))
        names = list(plan.by_variable)
        told = bool(names) and criterion != "none"
        most = sorted(((count, name) for name, count in plan.by_variable.items() if count), reverse=True)
        self.bars.set_counts([(name, count) for count, name in most[:_MOST_ROWS]])
        self.bars.setVisible(told and bool(most))
        self.as_table.setVisible(told)
        self.variables.setVisible(told and self.as_table.isChecked())
        self.variables.set_columns(
            [
                Column(translate("Variable"), names),
                Column(translate("suppressed"), [plan.by_variable[n] for n in names], numbers.format_count, True),
                Column(
                    translate("of records"),
                    [plan.by_variable[n] / records if records else 0.0 for n in names],
                    lambda value: numbers.format_percent(value, 1),
                    True,
                ),
                Column(
                    translate("missing before"),
                    [plan.originally_missing.get(n, 0) for n in names],
                    numbers.format_count,
                    True,
                    translate("Values that were missing already; they cost nothing and are not counted as suppressed."),
                ),
                Column(
                    translate("written as"),
                    [_written(protection, n) for n in names],
                    tooltip=translate("The code that stands in place of a suppressed value: the first missing code"),
                ),
            ]
        )
        _fit(self.variables, len(names))
        self._show_numbers(protection.derived)
        self._show_risk(outcome, protection.derived.recipe)
        self._show_warnings(by_gravity(protection.notices))

    def _show_numbers(self, derived: Results) -> None:
        """Which numbers differ from the original, in the words of the report."""
        from core.recipe.model import Recipe
        from core.report.build_changes import modifications

        recipe, weight = derived.recipe, derived.metadata.weight
        changes = Recipe(numeric=recipe.numeric, perturbations=recipe.perturbations)
        done = modifications(changes, weight=weight.name if weight else "")
        self.numbers.setVisible(bool(done))
        self.numbers.set_columns(
            [
                Column(translate("Variable"), [change.variables for change in done]),
                Column(translate("change"), [change.method for change in done]),
                Column(translate("what is done"), [change.remarks for change in done]),
            ]
        )
        _fit(self.numbers, len(done), 2)

    def _show_risk(self, outcome: Outcome, recipe: Recipe) -> None:
        count = numbers.format_count
        before = translate("after recoding") if recipe.recodes else translate("original file")
        rows = [(" × ".join(table.variables), *row) for table in outcome.tables for row in _risk_rows(table)]
        if len(outcome.tables) != 1 and recipe.combinations:
            total = translate("Unsafe records in all"), count(outcome.unsafe_before), count(outcome.unsafe_after)
            rows.append((translate("all"), *total))
        columns = [
            Column(translate("Figure"), [title for _table, title, _b, _a in rows]),
            Column(before, [figure for _table, _title, figure, _a in rows], str, True),
            Column(translate("safe file"), [figure for *_rest, figure in rows], str, True),
        ]
        if len(outcome.tables) > 1:
            columns.insert(1, Column(translate("Table"), [table for table, *_rest in rows]))
        self.risk.setVisible(bool(rows))
        self.risk.set_columns(columns)
        _fit(self.risk, len(rows))

    def _show_warnings(self, notices: Sequence[Notice]) -> None:
        while (item := self._warning_rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.warnings.setVisible(bool(notices))
        offers = {
            ORDER: _Offer(translate("Use random order"), "useRandomOrder", self.shuffle_wanted.emit),
            IDENTIFIER: _Offer(translate("Number households anew"), "numberHouseholds", self.numbers_wanted.emit),
        }
        for notice in notices:
            self._warning_rows.addWidget(_warning(notice, offers.pop(notice.id, None)))


def _written(protection: Protection, name: str) -> str:
    from core.results.set_keys import written_code

    code = written_code(protection.derived, name)
    return "" if code is None else code or translate("(empty)")


class _Offer(NamedTuple):
    """A button beside a warning: what it says, its name, what it does."""

    text: str
    name: str
    take: Callable[[], None]


def _warning(notice: Notice, offer: _Offer | None) -> QWidget:
    row = QFrame(objectName="previewWarning")
    sign = Sign("attention", 18)
    text = WrappedLabel(notice.text, "previewWarningText")
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 2, 0, 2)
    layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(text, 1)
    if offer is not None:
        button = QPushButton(offer.text, objectName=offer.name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked: offer.take())
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    return row


def _headline(protection: Protection) -> str:
    plan, left = protection.plan, protection.unsafe_left
    count = numbers.format_count
    records = protection.derived.records
    recipe = protection.derived.recipe
    if not recipe.combinations:
        return translate("Not protected: no key variables are chosen, nothing is measured and nothing is suppressed.")
    if recipe.suppression.criterion == "none":
        if not left:
            return translate("Nothing is suppressed.")
        text = plural(
            left,
            "Nothing is suppressed; {left} of {records} records stays above a threshold.",
            "Nothing is suppressed; {left} of {records} records stay above a threshold.",
        )
        return translate(text).format(left=count(left), records=count(records))
    if not plan.total:
        return translate("No record is above its threshold: nothing has to be suppressed.")
    text = plural(
        plan.total,
        "{values} value suppressed, in {touched} of {records} records ({share}).",
        "{values} values suppressed, in {touched} of {records} records ({share}).",
    )
    return translate(text).format(
        values=count(plan.total),
        touched=count(plan.records_touched),
        records=count(records),
        share=numbers.format_percent(plan.records_touched / records, 1),
    )


def _touched_besides(protection: Protection, unsafe: int) -> str:
    """Why more records are touched than are unsafe; empty where no household variable is the reason."""
    from core.results.households import household_names

    plan, derived = protection.plan, protection.derived
    besides = plan.records_touched - unsafe
    homes = [n for n in household_names(derived.recipe, derived.metadata) if plan.by_variable.get(n)]
    if besides <= 0 or not homes or derived.households is None:
        return ""
    text = plural(
        besides,
        "{n} record more than are unsafe ({unsafe}): {names} goes from all members of a household together.",
        "{n} records more than are unsafe ({unsafe}): {names} goes from all members of a household together.",
    )
    count = numbers.format_count
    return " " + translate(text).format(n=count(besides), unsafe=count(unsafe), names=", ".join(homes))


def _loss(protection: Protection) -> str:
    plan = protection.plan
    bits = translate("Loss {loss} bits").format(loss=numbers.format_number(plan.entropy_loss, 1))
    if protection.derived.recipe.suppression.criterion == "weights":
        bits = translate("Loss {loss} by weights, {bits} bits").format(
            loss=numbers.format_number(plan.loss, 1), bits=numbers.format_number(plan.entropy_loss, 1)
        )
    if protection.with_gaps is not None:
        return bits + _gaps(protection, protection.with_gaps)
    if plan.exact:
        return bits + translate(" – the least possible.")
    return bits + translate(" – optimality gap at most {gap}.").format(gap=numbers.format_percent(plan.gap, 1))


def _certain(protection: Protection) -> str:
    """How many blanks somebody who knows the rules can fill in; of tables of which that is counted."""
    told = sum(inference.certain for inference in protection.inferences.values())
    if not told:
        return translate("None of the blanks can be filled in with certainty by somebody who knows the rules.")
    blanks = sum(inference.blanks for inference in protection.inferences.values())
    text = plural(
        blanks,
        "The only blank can be filled in with certainty by somebody who knows the rules.",
        "{n} of {blanks} blanks can be filled in with certainty by somebody who knows the rules.",
    )
    return translate(text).format(n=numbers.format_count(told), blanks=numbers.format_count(blanks))


def _gaps(protection: Protection, before: PlanWithoutPrevention) -> str:
    told = sum(inference.certain for inference in protection.inferences.values())
    text = translate(
        "; {told} suppressed values can be told by the rules. Without closing the gaps: {total} values, {bits} bits, "
        "of which {before} can be told."
    )
    return text.format(
        told=numbers.format_count(told),
        total=numbers.format_count(before.plan.total),
        bits=numbers.format_number(before.plan.entropy_loss, 1),
        before=numbers.format_count(before.certain),
    )


def _risk_rows(outcome: BeforeAfter) -> list[tuple[str, str, str]]:
    before, after = outcome.before.individual, outcome.after.individual
    if before is None or after is None:
        return []
    exact, largest = numbers.format_number, _largest(outcome.threshold, before.max_risk, after.max_risk)
    rows = [
        (translate("Largest individual risk"), *largest),
        (translate("Re-identification rate"), numbers.format_percent(before.rate), numbers.format_percent(after.rate)),
        (translate("Expected re-identifications"), exact(before.expected, 1), exact(after.expected, 1)),
    ]
    if outcome.threshold is not None:
        risks = before.max_risk, after.max_risk
        title = translate("Records at or above {threshold}").format(
            threshold=numbers.format_threshold(outcome.threshold, *risks)
        )
        if numbers.is_no_threshold(outcome.threshold, *risks):
            title = translate("Unsafe records (no threshold)")
        rows.append((title, numbers.format_count(before.unsafe), numbers.format_count(after.unsafe)))
    return rows + _household_rows(outcome)


def _household_rows(outcome: BeforeAfter) -> list[tuple[str, str, str]]:
    before, after = outcome.before.household, outcome.after.household
    if before is None or after is None or outcome.household_threshold is None:
        return []
    exact, count, percent = numbers.format_number, numbers.format_count, numbers.format_percent
    risks = before.max_risk, after.max_risk
    title = translate("Households at or above {threshold}").format(
        threshold=numbers.format_threshold(outcome.household_threshold, *risks)
    )
    if numbers.is_no_threshold(outcome.household_threshold, *risks):
        title = translate("Unsafe households (no threshold)")
    return [
        (translate("Largest household risk"), *_largest(outcome.household_threshold, before.max_risk, after.max_risk)),
        (translate("Household re-identification rate"), percent(before.rate), percent(after.rate)),
        (
            translate("Expected records of re-identified households"),
            exact(before.expected, 1),
            exact(after.expected, 1),
        ),
        (title, count(before.unsafe_households), count(after.unsafe_households)),
        (translate("Unsafe records by household risk"), count(before.unsafe), count(after.unsafe)),
    ]


def _largest(threshold: float | None, before: float, after: float) -> tuple[str, str]:
    """The largest risks before and after; one below the threshold is not shown equal to it."""
    at = None if threshold is None else limit(threshold, before, after)
    return numbers.format_beside(before, 5, at), numbers.format_beside(after, 5, at)


def _fit(table: DataTable, rows: int, stretched: int = 0) -> None:
    """As high as its rows, up to ten of them."""
    view = table.view
    table.stretch(stretched)
    header = view.horizontalHeader().sizeHint().height()
    height = header + min(max(rows, 1), _MOST_ROWS) * view.verticalHeader().defaultSectionSize() + _FRAME
    table.setFixedHeight(table.title.sizeHint().height() + _UNDER_TITLE + height)
