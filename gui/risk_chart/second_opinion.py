"""The second opinion beside a risk chart's figures: of the population model, or of the individual risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.recipe.edits import with_estimator
from gui import numbers
from gui.document import engine
from gui.document.document import Document
from gui.shared.parts.buttons import role_button
from gui.shared.parts.card import Card
from gui.shared.parts.signs import Sign
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.texts import as_tip
from gui.theme import muted

if TYPE_CHECKING:
    from core.recipe.model import Estimator
    from core.results.second_opinions import TableEstimate
    from core.risk.second_opinion import ModelEstimate
    from core.session import Results, RiskTable

WAITING = "…"
_MOST_EDGES = 2
"""Pairs of variables that are named; the tip has all of them."""

_JUDGE = mark("Judge {combination} by the model of the whole table")
_JUDGE_BACK = mark("Judge {combination} by the individual risk")
_BY_MODEL = mark(
    "Judged by a model of the whole table. The individual risk expects {individual} instead of {expected}."
)
_TELLS = mark(
    "The individual risk looks at each combination alone. {model} finds {expected} ({low} to {high}) expected"
    " re-identifications instead of {individual}."
)
_NOT_HERE = mark("Only a table under the missing rule “observed” can be judged by it.")


class OpinionFigures(Card):
    """Labels `secondOpinionMaximum`, `secondOpinionExpected` with the interval, and `secondOpinionRatio`.

    Parameters
    ----------
    title : of the group; an opinion is on the risks of records, whatever the chart shows
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, "secondOpinion", parent=parent)
        self._title = title
        self.sign = Sign("attention", 18)
        self.head.insertWidget(0, self.sign)
        self.maximum = QLabel(objectName="secondOpinionMaximum")
        self.expected = QLabel(objectName="secondOpinionExpected")
        self.ratio = QLabel(objectName="secondOpinionRatio")
        self.refused = QLabel(objectName="secondOpinionRefused", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        muted(self.refused)
        self.sentence = OpinionSentence(self.sign)
        self.body.addWidget(self.sentence)
        self._form = QFormLayout()
        self.body.addLayout(self._form)
        self._form.setVerticalSpacing(3)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, label, told in (
            (mark("maximum risk"), self.maximum, mark("The largest risk of a record by this opinion.")),
            (
                mark("expected"),
                self.expected,
                mark("Expected re-identifications of records by this opinion; by the model with an interval."),
            ),
            (mark("ratio"), self.ratio, mark("These expected re-identifications over those by which is judged.")),
        ):
            self._form.addRow(translate(text), label)
            for each in (label, self._form.labelForField(label)):
                each.setToolTip(as_tip(translate(told)))
            muted(self._form.labelForField(label))
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            label.setAccessibleName(translate(text))
        self._form.addRow(self.refused)
        self._decimals, self._maximum = 5, 0.0
        self.hide()

    def set_decimals(self, decimals: int) -> None:
        """Show so many decimals of a risk."""
        self._decimals = decimals
        if self.maximum.text() != WAITING:
            self.maximum.setText(numbers.format_small(self._maximum, decimals))

    def wait(self, by_model: bool) -> None:
        """What is shown is not known yet."""
        self.set_title(translate("By the individual risk") if by_model else self._title)
        for label in (self.maximum, self.expected, self.ratio):
            label.setText(WAITING)
        self._say("")

    def show_opinion(self, found: TableEstimate, own: float, records: int) -> None:
        """Show an opinion on so many records beside `own`, the expected re-identifications by which they are judged.

        Nothing where there is none.
        """
        other = found.opinion or found.individual
        if other is None:
            self.setVisible(found.refused is not None)
            if found.refused is not None:
                self._say(str(found.refused))
            return
        expected = rounded(other.expected_reidentifications)
        if found.opinion is not None:
            low, high = _ends(found.opinion, records)
            expected = translate("{expected} ({low} to {high})").format(expected=expected, low=low, high=high)
        self._maximum = found.maximum
        self.expected.setText(expected)
        self.ratio.setText(numbers.format_number(found.ratio(own), 2))
        self.maximum.setText(numbers.format_small(self._maximum, self._decimals))
        self._say("")

    def _say(self, refusal: str) -> None:
        self.refused.setText(refusal)
        for row in range(self._form.rowCount() - 1):
            self._form.setRowVisible(row, not refusal)
        self._form.setRowVisible(self.refused, bool(refusal))
        self.setVisible(True)


class OpinionSentence(QWidget):
    """What the second opinion means for the table, and the button `judgeByThisModel` that has it judge (or no more).

    Parameters
    ----------
    sign : in the head of the card; shown where the figures need attention
    """

    def __init__(self, sign: Sign, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("secondOpinionSentence")
        self._sign = sign
        self.text = WrappedLabel(name="secondOpinionText")
        self.judge = role_button("", "judgeByThisModel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.addWidget(self.judge)
        row.addStretch(1)
        column.addLayout(row)
        self.hide()

    def say(self, text: str, button: str, tip: str = "", amber: bool = True) -> None:
        """Show a sentence, with a button where that has a text; a sign where the figures need attention."""
        self.text.setText(text)
        self.text.setToolTip(as_tip(tip))
        self.judge.setText(button)
        self.judge.setVisible(bool(button))
        self._sign.setVisible(amber)
        self.show()

    def drop(self) -> None:
        """Say nothing."""
        self._sign.hide()
        self.hide()


class AskedOpinion(QObject):
    """Asks for the second opinion of the table shown, in the background, and shows it.

    Parameters
    ----------
    slot : what the question is asked for, one a window

    Signals
    -------
    known(object)
        The `TableEstimate` shown from now on; None while there is none.
    """

    known = Signal(object)

    def __init__(self, document: Document, slot: str, figures: OpinionFigures, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._slot = document, slot
        self._figures, self._sentence = figures, figures.sentence
        self._table: RiskTable | None = None

    def ask(self, derived: Results, table: RiskTable) -> None:
        """Look up what the model says of a table of these results; of the same risks it is known, or asked for."""
        before, self._table = self._table, table
        if before is not None and (before.index, before.combination.variables) == (
            table.index, table.combination.variables
        ) and before.cells is table.cells and before.risk is table.risk:  # fmt: skip
            return
        self._sentence.drop()
        self.known.emit(None)
        by_model = table.population is not None
        if derived.microdata.weights is None and not by_model:
            self._document.tasks.drop(self._slot)
            self._figures.hide()
            return
        self._figures.wait(by_model)
        self._document.ask(
            self._slot, engine.second_opinion, derived, table.index,
            done=self._arrived, failed=self._failed, background=True,
        )  # fmt: skip

    def forget(self) -> None:
        """No table is shown."""
        self._document.tasks.drop(self._slot)
        self._table = None
        self._figures.hide()
        self._sentence.drop()
        self.known.emit(None)

    def judge_otherwise(self) -> None:
        """Have the table judged by the other opinion from now on: one undo step."""
        if self._table is None:
            return
        by_model = self._table.population is not None
        label, combination = _JUDGE_BACK if by_model else _JUDGE, " × ".join(self._table.combination.variables)
        estimator: Estimator = "exact" if by_model else "calibrated"
        self._document.commit(
            lambda: translate(label).format(combination=combination),
            with_estimator(self._document.recipe, self._table.index, estimator),
        )

    def _failed(self, _error: PavoError) -> None:
        self.forget()

    def _arrived(self, found: TableEstimate) -> None:
        if self._table is None:
            return
        own, records = self._table.staircase.expected_reidentifications, self._table.staircase.n
        self._figures.show_opinion(found, own, records)
        self.known.emit(found)
        if found.individual is not None:
            text = translate(_BY_MODEL).format(
                individual=rounded(found.individual.expected_reidentifications), expected=rounded(own)
            )
            self._sentence.say(text, translate("&Judge by the individual risk"), amber=False)
        elif found.opinion is not None and found.opinion.verdict(own):
            can = self._table.combination.missing_rule == "observed"
            text = _sentence(found.opinion, own, records) + ("" if can else f" {translate(_NOT_HERE)}")
            self._sentence.say(text, translate("&Judge by this model") if can else "", _all_edges(found.opinion))


def rounded(value: float) -> str:
    """Expected re-identifications: whole from ten on, else with one decimal."""
    return numbers.format_count(round(value)) if value >= 10 else numbers.format_small(value, 1)


def _sentence(opinion: ModelEstimate, own: float, records: int) -> str:
    low, high = _ends(opinion, records)
    return translate(_TELLS).format(
        model=_model(opinion), expected=rounded(opinion.expected_reidentifications), individual=rounded(own),
        low=low, high=high,
    )  # fmt: skip


def _ends(opinion: ModelEstimate, records: int) -> tuple[str, str]:
    """Ends of the interval: more than all records cannot be re-identified."""
    low, high, is_all = opinion.interval_told(records)
    return rounded(low), translate("{high}, at most all").format(high=rounded(high)) if is_all else rounded(high)


def _model(opinion: ModelEstimate) -> str:
    if not opinion.edges:
        return translate("A model of the whole table")
    first, *others = opinion.edges[:_MOST_EDGES]
    named = [_pair(first), *(translate("{one} with {other}").format(one=a, other=b) for a, b in others)]
    return translate("A model that also uses how {pairs}").format(pairs=translate(mark(" and ")).join(named))


def _pair(edge: tuple[str, str]) -> str:
    return translate("{one} goes with {other}").format(one=edge[0], other=edge[1])


def _all_edges(opinion: ModelEstimate) -> str:
    return "\n".join(map(_pair, opinion.edges))
