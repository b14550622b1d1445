"""Columns for the tables of a measure: figures before and after protection, lists, and what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt

from core.base.texts import translate
from core.recipe.declared import Declaration, Figure
from core.report.measure_figures import figure_lines, figure_tables
from core.report.numbers import column
from core.risk.measures.evaluation import Evaluation
from core.risk.measures.shown import Listed, Listing
from gui.shared.form.parameter_fields import said_of_fields
from gui.shared.form.variables_table import TIMES
from gui.shared.table.figure_columns import FigureValue, table_columns, written_column
from gui.shared.table.model import ROOT, Column, ColumnsModel, Index
from gui.texts import as_tip


class FigureModel(ColumnsModel):
    """Rows tell by a tool tip what the figure says."""

    sentences: Sequence[str] = ()

    def data(self, index: Index = ROOT, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and index.isValid():
            place = int(self._rows[index.row()])
            sentence = self.sentences[place] if place < len(self.sentences) else ""
            return as_tip(f"{self._columns[0].values[place]}: {said_of_fields(sentence)}") if sentence else None
        return super().data(index, role)


def figure_columns(
    declaration: Declaration, before: Evaluation, after: Evaluation | None, state: str
) -> tuple[list[Column], list[str]]:
    """A row a figure, and its sentence; `state`: what the file is called before protection."""
    first = figure_lines(declaration, before.figures)
    second = {line.title: line for line in figure_lines(declaration, after.figures)} if after is not None else {}
    known = {line.title for line in first}
    lines = [*first, *(line for title, line in second.items() if title not in known)]
    there = {line.title: line.value for line in first}
    written = []
    for line in lines:
        values = [there.get(line.title), second[line.title].value if line.title in second else None]
        texts = column(values, line.format)
        written.append([FigureValue(value, text) for value, text in zip(values, texts, strict=True)])
    columns = [
        Column(translate("Figure"), [line.title for line in lines]),
        Column(state, [pair[0] for pair in written], lambda shown: shown.text, True),
    ]
    if after is not None:
        columns.append(
            Column(
                translate("after protection"), [pair[1] for pair in written], lambda shown: shown.text, True,
                translate("The same measure on the values that are released, by the plan of suppressions as it is now"),
            )
        )  # fmt: skip
    return columns, [line.sentence for line in lines]


def compared_sets(declaration: Declaration, evaluation: Evaluation) -> list[tuple[str, ...]]:
    """The sets of variables that a measure compared, in its order; empty where it compared none."""
    figure = _figure_of_sets(declaration)
    rows = [] if figure is None else evaluation.figures.get(figure.name, [])
    return [tuple(row["variables"]) for row in rows]


def set_columns(declaration: Declaration, evaluation: Evaluation) -> list[Column]:
    """All sets of variables that a measure compared, a row each, its variables first; empty where it compared none."""
    figure, sets = _figure_of_sets(declaration), compared_sets(declaration, evaluation)
    if figure is None or not sets:
        return []
    (table,) = figure_tables(declaration, {figure.name: evaluation.figures[figure.name]})
    named = {translate(row.title): row for row in figure.rows}
    columns: list[Column] = []
    for each in table_columns(table):
        row = named[each.title]
        made = replace(each, tooltip=said_of_fields(translate(row.sentence)))
        if row.name == "variables":
            columns.insert(0, replace(made, values=[TIMES.join(names) for names in sets]))
        else:
            columns.append(made)
    return columns


def _figure_of_sets(declaration: Declaration) -> Figure | None:
    return next((each for each in declaration.figures if any(row.name == "variables" for row in each.rows)), None)


def listing_columns(listing: Listing) -> list[Column]:
    """Numbered rows of what stands behind a measure."""
    rows = len(listing.columns[0].values) if listing.columns else 0
    numbered = Column(translate("#"), list(range(1, rows + 1)), str, True)
    return [numbered, *(listed_column(each) for each in listing.columns)]


def listed_column(listed: Listed) -> Column:
    """One column of a listing."""
    return written_column(translate(listed.title), listed.values.tolist(), listed.format)
