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
from core.tables.cells import Cells
from core.tables.tabulate import tabulate

DEFAULT_K = 3


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure carried out on the original (recoded) file.

    Attributes
    ----------
    figures : by name, as they stand in the summary
    cells : the cells that it was taken on, with f and F of each
    """

    measure: Measure
    figures: Mapping[str, Any]
    cells: Cells

    @property
    def named_figures(self) -> dict[str, Any]:
        """The figures behind kind and variables, as summary and report have them."""
        return {"kind": self.measure.kind, "variables": list(self.measure.variables), **self.figures}


def measure(derived: Results, wanted: Measure, progress: Progress = SILENT) -> Measured:
    """Carry out a measure of kind ``frequencies`` or ``k-anonymity``."""
    said = dict(wanted.parameters)
    rule, alpha = said.get("missing_rule", "observed"), said.get("alpha", 1.0)
    columns = [derived.columns[name] for name in wanted.variables]
    cells = tabulate(columns, derived.microdata.weights, rule, alpha, progress)
    figures: dict[str, Any] = {"missing_rule": rule}
    if wanted.kind == "k-anonymity":
        k = said.get("k", DEFAULT_K)
        profile = KAnonymity.from_cells(cells.f, cells.count)
        figures |= {"k": k, "violations": profile.violations(k)}
    else:
        figures |= {"cells": len(cells), "sample_uniques": sample_uniques(cells)}
    return Measured(wanted, figures, cells)
