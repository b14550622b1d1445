"""What the figures of a chart say in a sentence, for who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.base.texts import plural, translate
from gui.numbers import format_count
from gui.shared.table.model import Column

_MOST_COLUMNS = 3
"""Columns of figures that are told; the table has all."""


def told_of(columns: Sequence[Column]) -> str:
    """How many figures there are, and of each column of them the smallest and the largest and where these stand.

    Parameters
    ----------
    columns : as `ChartMenu` shows them in a table: the first says where, the others what is there
    """
    n = len(columns[0].values) if columns else 0
    if not n:
        return translate("There are no figures to show.")
    where = columns[0]
    said = [translate(plural(n, "{n} row of figures.", "{n} rows of figures.")).format(n=format_count(n))]
    for column in [each for each in columns[1:] if each.number][:_MOST_COLUMNS]:
        known = [place for place in range(n) if _is_known(column.values[place])]
        if not known:
            continue
        least, most = (ends(known, key=lambda place: column.values[place]) for ends in (min, max))
        said.append(
            translate("{column}: from {least} ({at_least}) to {most} ({at_most}).").format(
                column=column.title,
                least=column.text(column.values[least]),
                at_least=where.text(where.values[least]),
                most=column.text(column.values[most]),
                at_most=where.text(where.values[most]),
            )
        )
    return " ".join(said)


def _is_known(value: Any) -> bool:
    return value is not None and value == value
