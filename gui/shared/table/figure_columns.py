"""Columns of a table whose figures are written as the report writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering
from typing import Any

from core.report.blocks import ReportTable
from core.report.numbers import Value, column, is_numeric
from gui.shared.table.model import Column


@total_ordering
@dataclass(frozen=True)
class FigureValue:
    """A value with the text by which it is shown; sorted by the value, and exported as it is."""

    value: Value
    text: str

    def __lt__(self, other: FigureValue) -> bool:
        return self._order < other._order

    @property
    def _order(self) -> tuple[bool, float, str]:
        number = float(self.value) if isinstance(self.value, int | float) else math.nan
        return math.isnan(number), 0.0 if math.isnan(number) else number, self.text

    def __str__(self) -> str:
        return "" if self.value is None else str(self.value)


def table_columns(table: ReportTable) -> list[Column]:
    """The columns of a table of the report."""
    values = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return [written_column(head.title, list(each), head.spec) for head, each in zip(table.columns, values, strict=True)]


def written_column(title: str, values: Sequence[Any], spec: str) -> Column:
    """One column; `spec` is one of those of `core.report.numbers.column`."""
    if not is_numeric(spec):
        return Column(title, ["" if value is None else str(value) for value in values])
    texts = column(values, spec)
    shown = [FigureValue(value, text) for value, text in zip(values, texts, strict=True)]
    return Column(title, shown, lambda each: each.text, True)
