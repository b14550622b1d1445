"""What an intruder finds in recoded Demodata under each mode of suppression: python -m tests.benchmarks.attack SHARED.

He knows the keys of every record and that it is in the file; of the released records that agree wherever they have a
value he takes one with the fewest blanks. The table of docs/security.md is this one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.columns import EncodedColumn, Weights
from core.results.released_columns import after_suppression
from core.risk.individual import is_unsafe
from core.risk.measures.matching import Attack
from core.suppression.costs import Costs, entropy
from core.suppression.criteria.k_anonymity import KAnonymity
from core.suppression.inference.elimination import Inference, possible_by_released_keys, possible_values
from core.suppression.joint.least_sizes import ReleasedRisks
from core.suppression.joint.optimise import JointSettings, optimise_released_keys
from core.suppression.models import Models, optimise_models
from core.suppression.plan import Plan, ValueMasks
from core.suppression.problem import ProtectedTable, Rules
from core.tables.grouping import group_rows
from core.tables.margins import UnsafeSpec
from core.tables.tabulate import tabulate_records
from tests.core.suppression.demodata import KEYS, load

Columns = Mapping[str, EncodedColumn]
QUICK = JointSettings(effort=20)


@dataclass(frozen=True)
class Row:
    """Of one file and mode: `hit`, `pinned` as shares of the unsafe records, the others as numbers.

    Attributes
    ----------
    blanks : suppressed values
    hit : how many unsafe records he takes rightly, in the mean
    pinned : how many he is left with, and rightly
    alone : unsafe records for whom he is left with one, right or wrong
    certain : blanks that elimination tells, by the rules of the mode (where safe records lose values, too, an intact
        key tells nothing)
    small : unsafe records under a released key of fewer records than their cell demands
    """

    blanks: int
    hit: float
    pinned: float
    alone: int
    certain: int
    small: int


def attacked(
    columns: Columns, names: tuple[str, ...], unsafe: NDArray[np.bool_], need: NDArray[np.integer], plan: Plan,
    lending: bool,
) -> Row:  # fmt: skip
    """The row of a plan; `need`: (n,) how large the released key of each unsafe record would have to be."""
    original = [columns[name] for name in names]
    released = [after_suppression(column, plan.suppressed) for column in original]
    attack = Attack.of(original, released)
    told = (possible_by_released_keys if lending else possible_values)(original, plan.suppressed)
    keys = group_rows([np.ascontiguousarray(c.values) for c in released], [c.n_valid for c in released])
    size = np.bincount(keys.ids)[keys.ids]
    return Row(
        plan.total,
        float(attack.right[unsafe].mean()),
        float(attack.pinned[unsafe].mean()),
        int(attack.alone[unsafe].sum()),
        Inference.of(told.values()).certain,
        int(np.count_nonzero(size[unsafe] < need[unsafe])),
    )


def by_risk(
    columns: Columns, weights: Weights | None, threshold: float, criterion: str, settings: JointSettings = QUICK
) -> dict[str, Row]:
    """Rows of the modes that judge by individual risk; `columns` are the keys."""
    names, keys = tuple(columns), list(columns.values())
    costs = Costs(criterion, dict.fromkeys(names, 50.0), {key.name: entropy(key) for key in keys})  # type: ignore[arg-type]
    table = ProtectedTable(*tabulate_records(keys, weights), threshold)
    risks = ReleasedRisks(table)
    unsafe = table.cell_index.spread(is_unsafe(risks.own, threshold))
    need = table.cell_index.spread(risks.least_sizes())
    models = Models(risk=(table,), order=names)
    plans = {
        "original-counts": optimise_models(models, columns, costs),
        "original-counts, close_gaps": optimise_models(models, columns, costs, gapless=True),
        "released-keys": optimise_released_keys([table], columns, costs, Rules(), settings),
    }
    return _rows(columns, unsafe, need, {"none": _nothing(plans["original-counts"]), **plans})


def by_count(columns: Columns, k: int) -> dict[str, Row]:
    """Rows of the modes that ask for k records; unsafe is whoever shares a key with fewer."""
    names, keys = tuple(columns), list(columns.values())
    costs = Costs("weights", dict.fromkeys(names, 1.0), {key.name: entropy(key) for key in keys})
    cells, index = tabulate_records(keys, None, "category")
    unsafe = index.spread(cells.count < k)
    plans = {
        "original-counts": optimise_models(Models(rare=(UnsafeSpec(names, k - 1),), order=names), columns, costs),
        "category": optimise_models(Models(whole_file=(KAnonymity(names, k),), order=names), columns, costs),
    }
    return _rows(columns, unsafe, np.where(unsafe, k, 0), {"none": _nothing(plans["category"]), **plans})


def _rows(
    columns: Columns, unsafe: NDArray[np.bool_], need: NDArray[np.integer], plans: Mapping[str, Plan]
) -> dict[str, Row]:
    return {
        mode: attacked(columns, tuple(columns), unsafe, need, plan, not mode.startswith("original-counts"))
        for mode, plan in plans.items()
    }


def _nothing(plan: Plan) -> Plan:
    nothing = {name: np.zeros_like(flags) for name, flags in plan.suppressed.items()}
    return Plan(ValueMasks.of_flags(nothing), {}, {}, 0, 0, 0.0, 0.0, 0.0)


def main() -> None:
    """Print the table."""
    columns, weights = load(Path(sys.argv[1]) / "data" / "demodata", recoded=True)
    print("| file, threshold | mode | blanks | right | pinned | left with one | certain | under small keys |")
    print("|---|---|---|---|---|---|---|---|")
    keys = {name: columns[name] for name in KEYS}
    for criterion in ("weights", "entropy"):
        for threshold in (0.00125, 0.005, 0.02):
            _print(f"{criterion}, {threshold}", by_risk(keys, weights, threshold, criterion, JointSettings()))
    _print("k = 3", by_count(keys, 3))


def _print(head: str, rows: Mapping[str, Row]) -> None:
    for mode, row in rows.items():
        print(f"| {head} | {mode} | {row.blanks} | {row.hit:.3f} | {row.pinned:.3f} | {row.alone} | {row.certain} "
              f"| {row.small} |")  # fmt: skip


if __name__ == "__main__":
    main()
