"""Measures taken on small files of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from core.base.progress import SILENT
from core.data.columns import EncodedColumn
from core.recipe.model import Measure
from core.risk.measures.evaluation import Evaluation, MeasureInput
from core.risk.measures.registry import REGISTRY
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records
from tests.naive_tables import Row, columns_of

CARDS = (2, 3)
RULES = ("observed", "wildcard", "category", "listwise")
ROWS = st.lists(st.tuples(*(st.none() | st.integers(0, card - 1) for card in CARDS)), min_size=1, max_size=12)


def taken(
    kind: str, rows: Sequence[Row], others: Mapping[str, EncodedColumn] | None = None, **said: Any
) -> tuple[Tabulation, Evaluation]:
    """The measure `kind` of a file with the keys `rows`."""
    module, columns = REGISTRY[kind], columns_of(rows, CARDS)
    parameters = module.DECLARATION.used(Measure(kind, tuple(c.name for c in columns), tuple(said.items())))
    table = tabulate_records(columns, None, parameters["missing_rule"], parameters.get("alpha", 1.0))
    return table, module.evaluate(MeasureInput(table, others or {}, parameters, SILENT))
