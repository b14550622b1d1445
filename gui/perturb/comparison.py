"""What a perturbation would do: how much changes, distributions and figures before and after, relations, promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.base.errors import PavoError
from core.base.texts import mark, translate
from core.perturbation.registry import REGISTRY
from core.report.measure_figures import figure_lines, figure_tables
from core.report.numbers import column, percent
from gui import numbers
from gui.perturb.before_after_bars import BeforeAfterBars
from gui.perturb.goal_row import group_columns, group_title
from gui.shared.choice import ChoiceBox
from gui.shared.empty_state import EmptyState
from gui.shared.form.variables_table import TIMES
from gui.shared.parts.buttons import role_button
from gui.shared.parts.wrapped_label import WrappedLabel
from gui.shared.table.data_table import DataTable
from gui.shared.table.figure_columns import FigureValue, table_columns, written_column
from gui.shared.table.model import Column
from gui.texts import as_tip
from gui.theme import set_greyed, theme

if TYPE_CHECKING:
    from core.whatif.group_figures import GroupFigures
    from core.whatif.perturbation_preview import PerturbationPreview, PerturbedVariable

Labels = Mapping[str, Mapping[str, str]]
_SCALES = {
    "width": "",
    "log": mark("logarithmic axis"),
    "quantiles": mark("classes of about equally many values"),
}
"""What is said at the axis of classes that are not of equal width."""
_FEW_ROWS = 12
"""Rows in which one is found without a filter."""
_MOST_BARS = 60
"""Codes that are drawn; the table has all."""


class PerturbationView(QWidget):
    """`perturbPreview`: `previewHeadline`, `previewVariable`, `perturbationBars`, `previewTable`, `previewFigures`.

    Signals
    -------
    all_wanted()
        The figures of all records are asked for.
    variable_shown(GroupFigures, PerturbationPreview)
        Of the variable that is shown now, by group, and all that is seen; None: there is none.
    """

    all_wanted = Signal()
    variable_shown = Signal(object, object)

    def __init__(self, refuse: Callable[[PavoError], None]) -> None:
        super().__init__(objectName="perturbPreview")
        self._found: PerturbationPreview | None = None
        self._labels: Labels = {}
        self._tables: list[tuple[str, list[Column]]] = []
        self.empty = EmptyState("perturbPreview")
        self.headline = WrappedLabel(name="previewHeadline", role="head")
        self.about = WrappedLabel(name="previewAbout", is_muted=True)
        self.notices = WrappedLabel(name="previewNotices")
        self.exact = role_button(translate("Look at a&ll records"), "previewAll", "quiet")
        self.variable = ChoiceBox(objectName="previewVariable", accessibleName=translate("Variable"))
        self.bars = BeforeAfterBars()
        self.which = ChoiceBox(objectName="previewTable", accessibleName=translate("Which figures"))
        self.figures = DataTable("previewFigures", translate("Figures"))
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._filled())
        self.exact.clicked.connect(self.all_wanted)
        self.bars.refused.connect(refuse)
        self.variable.currentIndexChanged.connect(lambda _place: self._show_variable())
        self.which.currentIndexChanged.connect(lambda _place: self._show_table())
        theme.changed.connect(self._dress)
        self._dress()

    def _filled(self) -> QWidget:
        filled = QWidget(self)
        parts = QVBoxLayout(filled)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(6)
        about = QHBoxLayout()
        about.addWidget(self.about, 1)
        about.addWidget(self.exact, 0, Qt.AlignmentFlag.AlignTop)
        self.figures.title.hide()
        self.figures.filter.hide()
        self.figures.setMinimumHeight(110)
        for box in (self.variable, self.which):
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        parts.addWidget(self.headline)
        parts.addLayout(about)
        parts.addWidget(self.notices)
        parts.addWidget(self.variable)
        parts.addWidget(self.bars)
        parts.addWidget(self.which)
        parts.addWidget(self.figures, 1)
        return filled

    @property
    def found(self) -> PerturbationPreview | None:
        """What is shown; None where nothing is."""
        return self._found

    def show_empty(self, text: str, button: str = "", do: Callable[[], None] | None = None) -> None:
        """Say what will be here, or why nothing is."""
        self._found = None
        self.empty.say(text, button, do)
        self._pages.setCurrentIndex(0)
        self.variable_shown.emit(None, None)

    def set_waiting(self, waiting: bool) -> None:
        """Grey the figures: they are of what was typed before."""
        for part in (self.headline, self.about, self.bars, self.figures):
            set_greyed(part, waiting)

    def show_preview(self, found: PerturbationPreview, labels: Labels) -> None:
        """Show what an entry does."""
        self._found, self._labels = found, labels
        self.set_waiting(False)
        self._say_about(found)
        told = "\n".join(str(notice.text) for notice in found.notices)
        self.notices.setText(told)
        self.notices.setVisible(bool(told))
        before = self.variable.currentText()
        self.variable.blockSignals(True)
        self.variable.clear()
        self.variable.addItems([each.name for each in found.variables])
        self.variable.setCurrentIndex(max(self.variable.findText(before), 0))
        self.variable.blockSignals(False)
        self.variable.setVisible(len(found.variables) > 1)
        self._show_variable()
        self._pages.setCurrentIndex(1)

    def _say_about(self, found: PerturbationPreview) -> None:
        n, of = numbers.format_count(found.records), numbers.format_count(found.of_records)
        if found.is_sample:
            said = translate("Seen on a sample: {n} of {of} records. All are drawn for when it is applied.")
        else:
            said = translate("Seen on all {of} records, as they will be.")
        self.about.setText(said.format(n=n, of=of))
        self.exact.setVisible(found.is_sample)

    def _show_variable(self) -> None:
        assert self._found is not None, "shown just now"
        place = max(self.variable.currentIndex(), 0)
        if place >= len(self._found.variables):
            return
        shown = self._found.variables[place]
        share = percent(shown.changed / shown.records, 3) if shown.records else numbers.MISSING
        self.headline.setText(
            translate("{name}: {changed} of {n} values change ({share})").format(
                name=shown.name,
                changed=numbers.format_count(shown.changed),
                n=numbers.format_count(shown.records),
                share=share,
            )
        )
        self._draw(shown)
        groups = next((each for each in self._found.groups if each.variable == shown.name), None)
        self._offer_tables(shown, groups)
        self.variable_shown.emit(groups, self._found)

    def _draw(self, shown: PerturbedVariable) -> None:
        title = translate("{name} before and after").format(name=shown.name)
        if shown.numbers is not None:
            edges = [numbers.format_exact(float(f"{edge:.6g}")) for edge in shown.numbers.edges.tolist()]
            names = [f"{low} – {high}" for low, high in pairwise(edges)]
            before, after = shown.numbers.before.tolist(), shown.numbers.after.tolist()
            self.bars.show_bars(
                title, names, before, after, (edges[0], edges[-1]), translate(_SCALES[shown.numbers.scale])
            )
        elif shown.codes is not None:
            names, some = list(shown.codes.codes[:_MOST_BARS]), slice(_MOST_BARS)
            before, after = shown.codes.before[some].tolist(), shown.codes.after[some].tolist()
            self.bars.show_bars(title, names, before, after, (names[0], names[-1]) if names else ("", ""))

    def _label(self, name: str, code: str) -> str:
        return self._labels.get(name, {}).get(code, "")

    def _offer_tables(self, shown: PerturbedVariable, groups: GroupFigures | None) -> None:
        assert self._found is not None, "shown just now"
        done = self._found.done
        declaration = REGISTRY[done.entry.method].DECLARATION
        tables = [(translate("Figures"), _number_columns(shown))] if shown.numbers is not None else []
        if shown.codes is not None:
            tables = [(translate("Codes"), _code_columns(shown, self._labels.get(shown.name, {})))]
        if groups is not None:
            tables.insert(0, (group_title(groups), group_columns(groups, self._label)))
        if self._found.relations:
            tables.append((translate("Relations between variables"), _relation_columns(self._found)))
        lines = figure_lines(declaration, done.invariants)
        if lines:
            rows = [FigureValue(line.value, column([line.value], line.format)[0]) for line in lines]
            columns = [
                Column(translate("Figure"), [line.title for line in lines]),
                Column(translate("What came of it"), rows, lambda each: each.text, True),
            ]
            if any(line.sentence for line in lines):
                columns.append(Column(translate("What it says"), [line.sentence for line in lines]))
            tables.append((translate("What it promises"), columns))
        tables += [(table.caption, table_columns(table)) for table in figure_tables(declaration, done.invariants)]
        for published in (table.translated() for table in done.published):
            formats = published.formats or ("text",) * len(published.headings)
            values = zip(*published.rows, strict=True) if published.rows else ((),) * len(formats)
            heads = zip(published.headings, values, formats, strict=True)
            tables.append((published.title, [written_column(title, list(each), spec) for title, each, spec in heads]))
        before = self.which.currentIndex()
        same = [title for title, _columns in tables] == [title for title, _columns in self._tables]
        self._tables = tables
        self.which.blockSignals(True)
        if not same:
            self.which.clear()
            self.which.addItems([title for title, _columns in tables])
        self.which.setCurrentIndex(before if same else 0)
        self.which.blockSignals(False)
        self._show_table()

    def _show_table(self) -> None:
        place = self.which.currentIndex()
        if 0 <= place < len(self._tables):
            title, columns = self._tables[place]
            self.which.setToolTip(as_tip(title))
            self.figures.set_title(title)
            self.figures.set_columns(columns)
            self.figures.filter.setVisible(bool(columns) and len(columns[0].values) > _FEW_ROWS)
            self.figures.fit_columns()

    def _dress(self) -> None:
        scheme = theme.scheme
        self.notices.setStyleSheet(f"color: {scheme.amber_text}; background: {scheme.amber_ground}; padding: 6px;")


def _number_columns(shown: PerturbedVariable) -> list[Column]:
    from core.whatif.perturbation_preview import QUANTILES

    assert shown.numbers is not None, "asked of numbers alone"
    up_to = translate("{share} % of the values are up to")
    titles = [
        translate("numbers"),
        translate("mean"),
        translate("standard deviation"),
        translate("minimum"),
        *(up_to.format(share=f"{100 * share:g}") for share in QUANTILES),
        translate("maximum"),
        translate("correlation of before and after"),
    ]
    states: list[list[float | None]] = [
        [each.records, each.mean, each.sd, each.least, *each.quantiles, each.greatest, None]
        for each in (shown.numbers.figures_before, shown.numbers.figures_after)
    ]
    states[1][-1] = shown.numbers.correlation
    before, after = ([FigureValue(value, _short(value)) for value in state] for state in states)
    kept = shown.numbers.correlation
    after[-1] = FigureValue(kept, numbers.MISSING if kept != kept else numbers.format_number(kept, 3))
    return [
        Column(translate("Figure"), titles),
        Column(translate("before"), before, lambda each: each.text, True),
        Column(translate("after"), after, lambda each: each.text, True),
    ]


def _short(value: float | None) -> str:
    return numbers.MISSING if value is None or value != value else numbers.format_exact(float(f"{value:.6g}"))


def _code_columns(shown: PerturbedVariable, labels: Mapping[str, str]) -> list[Column]:
    assert shown.codes is not None, "asked of codes alone"
    found = shown.codes
    columns = [Column(translate("Code"), list(found.codes))]
    if any(code in labels for code in found.codes):
        columns.append(Column(translate("Label"), [labels.get(code, "") for code in found.codes]))
    counts = (
        (translate("before"), found.before, translate("Records with the code before")),
        (translate("after"), found.after, translate("Records with the code after")),
        (translate("kept"), found.kept, translate("Records that have the code before and after")),
    )
    columns += [Column(title, each.tolist(), numbers.format_count, True, tip) for title, each, tip in counts]
    return columns


def _relation_columns(found: PerturbationPreview) -> list[Column]:
    kinds = {
        "correlation": translate("correlation"),
        "association": translate("Cramér's V"),
    }
    rows = found.relations
    return [
        Column(translate("Variables"), [TIMES.join(each.variables) for each in rows]),
        Column(translate("Measure"), [kinds[each.kind] for each in rows]),
        written_column(translate("before"), [each.before for each in rows], "number:3"),
        written_column(translate("after"), [each.after for each in rows], "number:3"),
    ]
