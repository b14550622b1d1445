"""The table collection and the cells of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.base.texts import mark, translate
from gui.numbers import format_count
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.session import Results
    from core.tables.margins import TableCount
    from core.tables.table_cells import TableCells


def table_name(variables: Sequence[str]) -> str:
    """A table is called by its variables."""
    return " × ".join(variables)


def chosen_tables(derived: Results, variable: str, show_all: bool) -> list[TableCount]:
    """Tables with the variable (empty: any), those without unsafe cells only on request; the largest ones last."""
    return [
        table
        for table in derived.overview.tables
        if (show_all or table.unsafe) and (not variable or variable in table.variables)
    ]


def collection_columns(tables: Sequence[TableCount]) -> list[Column]:
    """Variables, dimension, threshold, unsafe cells."""
    return [
        Column(translate(mark("Table")), [table_name(table.variables) for table in tables]),
        Column(translate(mark("dim")), [len(table.variables) for table in tables], format_count, True,
               translate(mark("Number of variables"))),
        Column(translate(mark("threshold")), [table.threshold for table in tables], format_count, True,
               translate(mark("A cell with at most so many records is unsafe"))),
        Column(translate(mark("unsafe cells")), [table.unsafe for table in tables], format_count, True,
               emphasis=lambda n: n > 0),
    ]  # fmt: skip


def cell_columns(derived: Results, cells: TableCells, only_unsafe: bool = False) -> list[Column]:
    """A column for each variable with code and label, the records, and whether the cell is unsafe, unless all are."""
    columns = [
        Column(name, codes, _code_text(derived, name)) for name, codes in zip(cells.variables, cells.codes, strict=True)
    ]
    yes = translate(mark("unsafe"))
    columns.append(Column(translate(mark("Records")), cells.count, format_count, True))
    if not only_unsafe:
        columns.append(Column("", cells.unsafe, lambda unsafe: yes if unsafe else "", emphasis=bool))
    return columns


def _code_text(derived: Results, name: str) -> Callable[[Any], str]:
    column, labels = derived.columns[name], derived.labels.get(name, {})
    missing = translate(mark("missing"))

    def text(place: Any) -> str:
        if place >= column.n_valid:
            return missing
        return _with_label(column.codes[int(place)], labels)

    return text


def _with_label(code: str, labels: Mapping[str, str]) -> str:
    label = labels.get(code, "")
    shown = code or translate(mark("(empty)"))
    return f"{shown}  {label}" if label else shown
