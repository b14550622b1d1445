"""The riskiest combinations as columns: rank, values with labels, f, F, risk, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.texts import translate
from gui import numbers
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.risk.riskiest import Riskiest
    from core.session import Derived, RiskTable


def riskiest_columns(derived: Derived, table: RiskTable, page: Riskiest, decimals: int) -> list[Column]:
    """Columns for the cells of a page; the first numbers them and is the key of a row."""
    cells, shown = table.cells, page.cells
    columns = [Column(translate("#"), list(range(1, len(shown) + 1)), numbers.format_count, number=True)]
    for key, name in enumerate(cells.variables):
        columns.append(Column(name, [_value(derived, name, int(code)) for code in cells.codes[key][shown]]))
    columns += [
        Column(
            translate("f"), cells.f[shown], _frequency, True, translate("Records in the file that count for this one")
        ),
        Column(
            translate("F"),
            cells.F[shown],
            _frequency,
            True,
            translate("The same in the population, estimated by weights"),
        ),
        Column(translate("risk"), table.risk[shown], lambda risk: numbers.format_number(risk, decimals), True),
        Column(translate("records"), cells.count[shown], numbers.format_count, True),
    ]
    return columns


def _frequency(value: float) -> str:
    return numbers.format_exact(round(float(value), 2))


def _value(derived: Derived, name: str, code: int) -> str:
    column = derived.columns[name]
    if code >= column.n_valid:
        return translate("missing")
    text = column.codes[code]
    label = derived.labels.get(name, {}).get(text, "")
    return f"{text} {label}".strip() or translate("(empty)")
