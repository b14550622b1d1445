"""What is still to be suppressed after a recode, so that a combination's own model calls nobody unsafe."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.base.errors import PavoError
from core.base.progress import SILENT, Progress
from core.data.columns import EncodedColumn
from core.effects.judging import Judge, Judged, Onto
from core.results.suppression_problem import costs_of, homes_of, judged_table, rules_of
from core.suppression.models import Models, optimise_models
from core.tables.cells import Cells
from core.tables.margins import UnsafeSpec

_WORK = 1 << 22
"""Cells times margins up to which a price is counted."""
_RECORDS = 200_000
"""Records up to which a price is counted."""


@dataclass(frozen=True)
class Price:
    """Newly missing values and what they take, in bits: their number × entropy of the codes as recoded.

    `exact` : whether they are those of the recipe's mode; else records are judged by the original file all the same,
        and gaps are not closed: somewhat more goes
    """

    values: int
    loss: float
    exact: bool = True


def price_of(
    judge: Judge, judged: Judged, cells: Cells, onto: Onto, changed: EncodedColumn | None = None, left_out: str = "",
    progress: Progress = SILENT,
) -> Price | None:  # fmt: skip
    """The best plan for one combination alone, judged by the original file; None where it takes long, or none is.

    By released keys, by counts on the released file and for k-anonymity plans are searched for, which takes too long
    here; what records have to lose each for itself is nearly all of it.

    Parameters
    ----------
    cells, onto : the combination's cells, merged, as `judge` took them for `judged`
    changed : the column that was recoded
    left_out : a variable that the safe file no longer has
    """
    derived, combination, names = judge.derived, judge.combination, cells.variables
    asked, models = derived.recipe.suppression, Models(order=names)
    takes_long = len(cells) << len(names) > _WORK or derived.records > _RECORDS
    if not judge.exact or takes_long or asked.criterion == "none":
        return None
    if changed is not None:
        derived = replace(derived, columns={**derived.columns, changed.name: changed})
    exact = not asked.close_gaps
    if judged.table is not None:
        table = replace(judged.table, cell_index=judge.cell_index(onto, progress))
        models, exact = replace(models, risk=(judged_table(table),)), exact and asked.mode == "original-counts"
    elif combination.model == "frequency":
        models = replace(models, rare=(UnsafeSpec(names, combination.count_threshold),))
    else:
        models, exact = replace(models, rare=(UnsafeSpec(names, (combination.k or 1) - 1),)), False
    rules = rules_of(derived)
    if left_out:
        rules = replace(rules, unwritten=rules.unwritten | {left_out})
    try:
        plan = optimise_models(models, derived.columns, costs_of(derived), rules, progress, homes_of(derived))
    except PavoError:  # nothing that may be suppressed makes everybody safe
        return None
    return Price(plan.total, plan.entropy_loss, exact or not plan.total)
