"""The two tables of the main window: unsafe combinations by variable, and by code of a variable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.base.texts import mark, translate
from core.recipe.edits import is_judged
from gui.numbers import MISSING, format_count
from gui.shared.table.model import Column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.session import Results

_NO_TABLE = mark("A dash: no table of this dimension has the variable.")
_UNSAFE_HERE = mark("Unsafe combinations of {d} variables, this one among them")


def variable_columns(
    derived: Results, unsafe_records: Mapping[str, int], contributions: Mapping[str, int]
) -> list[Column]:
    """Variable × dimension: unsafe combinations, what it contributes, and unsafe records of the variable.

    Parameters
    ----------
    contributions : unsafe records fewer if a variable were left out, of those of which it is known
    """
    rows = derived.overview.variables
    names = [row.name for row in rows]
    columns = [Column(translate(mark("Variable")), names, _name_text(derived))]
    for d in range(1, derived.overview.counted + 1):
        values = [row.unsafe_by_dimension.get(d) for row in rows]
        columns.append(_count_column(translate(mark("dim {d}")).format(d=d), values, d))
    if contributions:
        fewer = [contributions.get(name) for name in names]
        tip = translate(mark("Unsafe records fewer if the variable were left out of its combination"))
        columns.append(Column(translate(mark("contributes")), fewer, format_count, True, tip))
    records = [unsafe_records.get(name) if is_judged(derived.recipe, name) else None for name in names]
    tip = translate(mark("Records that are unsafe in a combination with this variable"))
    tip += "\n" + translate(mark("A dash: no threshold is chosen yet."))
    columns.append(Column(translate(mark("records")), records, format_count, True, tip, _is_some))
    for d in derived.overview.records_by_dimension:
        values = [row.records_by_dimension.get(d) for row in rows]
        columns.append(_records_column(translate(mark("records, dim {d}")).format(d=d), values, d))
    return columns


def code_columns(derived: Results, variable: str) -> tuple[list[Column], NDArray[np.bool_]]:
    """Code, label, frequency, unsafe combinations by dimension; and which rows are missing codes."""
    import numpy as np

    column = derived.columns[variable]
    labels = derived.labels.get(variable, {})
    row = next((row for row in derived.overview.variables if row.name == variable), None)
    texts = [_label(labels, code, i, column.n_valid) for i, code in enumerate(column.codes)]
    columns = [
        Column(translate(mark("Code")), list(column.codes), lambda code: code or translate(mark("(empty)"))),
        Column(translate(mark("Label")), texts),
        Column(translate(mark("Freq")), column.counts, format_count, True, translate(mark("Records with this code"))),
    ]
    for d in range(1, derived.overview.counted + 1):
        has_table = row is not None and row.unsafe_by_dimension.get(d) is not None
        values: Any = row.codes[:, d - 1] if row is not None and has_table else [None] * len(column.codes)
        columns.append(_count_column(translate(mark("dim {d}")).format(d=d), values, d))
    return columns, np.arange(len(column.codes)) >= column.n_valid


def variable_title(derived: Results, variable: str) -> str:
    """Heading of the right table: name, number of codes, what was done to it."""
    column = derived.columns[variable]
    text = translate(mark("{name} · {n} codes")).format(name=variable, n=format_count(column.n_valid))
    return text + translate(mark(" · recoded")) if variable in derived.recodings else text


def _label(labels: Mapping[str, str], code: str, place: int, n_valid: int) -> str:
    text = labels.get(code, "")
    return text or (translate(mark("missing")) if place >= n_valid else "")


def _name_text(derived: Results) -> Any:
    """Names with the sign of a recode, as the Global Recode window has it."""
    kinds = {name: "T" if recoding.kind == "truncate" else "R" for name, recoding in derived.recodings.items()}
    return lambda name: f"{name}  {kinds[name]}" if name in kinds else name


def _count_column(title: str, values: Any, d: int) -> Column:
    tip = translate(_UNSAFE_HERE).format(d=d) + "\n" + translate(_NO_TABLE)
    return Column(title, values, lambda v: MISSING if v is None else format_count(v), True, tip)


def _records_column(title: str, values: Any, d: int) -> Column:
    tip = translate(mark("Records in unsafe combinations of {d} variables, this one among them, of the threshold rule"))
    tip = tip.format(d=d) + "\n" + translate(_NO_TABLE)
    return Column(title, values, lambda v: MISSING if v is None else format_count(v), True, tip)


def _is_some(value: int | None) -> bool:
    return value is not None and value > 0
