"""The figures of a measure as lines and tables, for whoever shows them: nested ones are laid out flat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..base.texts import translate as _
from ..recipe.declared import Declaration, Figure
from ..recipe.key_words import key_in_words
from .blocks import ReportColumn, ReportTable
from .numbers import Value


@dataclass(frozen=True)
class FigureLine:
    """One number of a measure.

    Attributes
    ----------
    title : of the figure, and of what part of it: ``violations · 3``
    value, format : raw, and how it is written (`core.report.numbers.column`)
    sentence : what the figure says; empty where nothing is declared of it
    """

    title: str
    value: Value
    format: str
    sentence: str = ""


def figure_lines(declaration: Declaration | None, figures: Mapping[str, Any]) -> list[FigureLine]:
    """The lines of `figures`, in their order, without those that are tables; of `declaration`'s names or any other."""
    known = {figure.name: figure for figure in declaration.figures} if declaration else {}
    lines = []
    for name, value in figures.items():
        figure = known.get(name)
        if (figure is None or not figure.rows) and not _is_table(value):
            title = key_in_words(name) if figure is None else _(figure.title)
            spec, sentence = ("exact", "") if figure is None else (figure.format, _(figure.sentence))
            lines += [
                FigureLine(told, each, spec if _is_number(each) else "text", sentence)
                for told, each in _flat(value, title)
            ]
    return lines


def figure_tables(declaration: Declaration | None, figures: Mapping[str, Any]) -> list[ReportTable]:
    """The tables of `figures`: those that are lists of objects, or of rows of numbers or names."""
    known = {figure.name: figure for figure in declaration.figures} if declaration else {}
    tables = []
    for name, value in figures.items():
        figure = known.get(name)
        if figure is not None and figure.rows:
            tables.append(_listed(figure, value))
        elif _is_table(value):
            title = key_in_words(name) if figure is None else _(figure.title)
            tables.append(_matrix(title, value, "exact" if figure is None else figure.format))
    return tables


def _is_table(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(row, list | tuple) for row in value)


def _matrix(title: str, rows: Sequence[Sequence[Value]], spec: str) -> ReportTable:
    """Rows of numbers, or of names: sets of variables."""
    if isinstance(rows[0][0], str):
        return ReportTable((ReportColumn("", "text"),), tuple((_shown([row]),) for row in rows), title)
    columns = (ReportColumn(""), *(ReportColumn(str(j), spec) for j in range(1, len(rows[0]) + 1)))
    return ReportTable(columns, tuple((str(i), *row) for i, row in enumerate(rows, 1)), title)


def _listed(figure: Figure, objects: list[dict[str, Any]]) -> ReportTable:
    """A figure that is a list of objects; what none of them has is no column."""
    there = [inner for inner in figure.rows if any(inner.name in each for each in objects)]
    rows = tuple(tuple(_shown(each.get(inner.name)) for inner in there) for each in objects)
    return ReportTable(tuple(ReportColumn(_(inner.title), inner.format) for inner in there), rows, _(figure.title))


def _shown(value: Any) -> Value:
    """A value in a cell of a table: yes or no, and sets of variables one after the other."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(each if isinstance(each, str) else " × ".join(each) for each in value)
    return cast(Value, value)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flat(value: Any, name: str = "") -> list[tuple[str, Value]]:
    """Nested figures as lines: ``violations · 3``."""
    if isinstance(value, dict):
        inner = [(key_in_words(str(k)), v) for k, v in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(str(i), v) for i, v in enumerate(value, start=1)]
    else:
        shown = _shown(value) if isinstance(value, str | int) else float(f"{value:.6g}")
        return [(name, shown)]
    return [line for k, v in inner for line in _flat(v, f"{name} · {k}" if name else k)]
