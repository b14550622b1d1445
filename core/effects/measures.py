"""``[[measures]]``: risk measures beside the models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.base.progress import SILENT, Progress
from core.recipe.model import Measure
from core.results.results import Results
from core.results.risk_tables import sample_uniques
from core.risk.measures.k_anonymity import KAnonymity
from core.tables.cell_index import Tabulation
from core.tables.tabulate import tabulate_records

DEFAULT_K = 3


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure carried out on the original (recoded) file.

    Attributes
    ----------
    figures : as they stand in the summary, after kind and variables
    table : the cells that it was taken on, with f and F of each, and those of the records
    """

    measure: Measure
    figures: Mapping[str, Any]
    table: Tabulation


def measure(derived: Results, wanted: Measure, progress: Progress = SILENT) -> Measured:
    """Carry out a measure of kind ``frequencies`` or ``k-anonymity``."""
    said = dict(wanted.parameters)
    rule, alpha = said.get("missing_rule", "observed"), said.get("alpha", 1.0)
    columns = [derived.columns[name] for name in wanted.variables]
    table = tabulate_records(columns, derived.microdata.weights, rule, alpha, progress)
    cells, figures = table.cells, dict[str, Any](missing_rule=rule)
    if wanted.kind == "k-anonymity":
        k = said.get("k", DEFAULT_K)
        profile = KAnonymity.from_cells(cells.f, cells.count)
        figures |= {"k": k, "violations": profile.violations(k)}
    else:
        figures |= {"cells": len(cells), "sample_uniques": sample_uniques(cells)}
    return Measured(wanted, figures, table)
