"""What is still to be suppressed after a recode, so that a combination's own model calls nobody unsafe."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.errors import PavoError
from ..base.progress import SILENT, Progress
from ..results.suppression_problem import costs_of, homes_of, judged_table, rules_of
from ..suppression.households.sharing import couples
from ..suppression.joint.optimise import JointSettings
from ..suppression.joint.search import Effort
from ..suppression.models import Models, optimise_models
from ..suppression.point_forecast import point_forecast
from ..tables.margins import UnsafeSpec
from .merged_tables import LEFT_OUT
from .trial import Trial

_WORK = 1 << 22
"""Cells times margins up to which a price is counted."""
SEARCHED, _EFFORT = 1 << 19, 20
"""The same up to which a release is searched for by released keys, and how far after a recode; as the codes are, of
fewer cells, as far as the recipe asks."""
_SHORT = Effort(prices=120)
"""For a short search: steps of a bound that nobody is shown took two thirds of its time, and made nothing cheaper."""
_RECORDS = 200_000
"""Records up to which a price is counted."""


@dataclass(frozen=True)
class Price:
    """Newly missing values and what they take, in bits: their number × entropy of the codes as recoded.

    `exact` : whether they are those of the recipe's mode; else records are judged by the original file all the same,
        and gaps are not closed: somewhat more goes
    `searched` : whether they are those of a short search in the recipe's mode: a longer one finds about as many
    """

    values: int
    loss: float
    exact: bool = True
    searched: bool = False


def price_of(trial: Trial, index: int, left_out: str = "", progress: Progress = SILENT) -> Price | None:
    """The best plan for one combination alone; None where it takes long, or none is.

    By released keys it is what a short search finds where the table is small. Large tables, counts on the released file
    and k-anonymity are judged by the original file: to search for plans takes too long here. Different values of a
    sensitive variable are no property of a record's own values: what they take is not known here.

    Parameters
    ----------
    left_out : a variable that the safe file no longer has
    """
    judged, derived = trial.of(index), trial.start.derived
    if judged is None:
        return None
    combination, names = judged.tried.combination, judged.cells.variables
    asked, models = derived.recipe.suppression, Models(order=names)
    size = len(judged.cells) << len(names)
    takes_long = size > _WORK or derived.records > _RECORDS
    if not judged.tried.can_judge or not judged.tried.exact or takes_long or asked.criterion == "none":
        return None
    if combination.sensitive is not None:
        return None
    changed = {name: trial.column(name) for name, coding in trial.codings.items() if coding is not LEFT_OUT}
    if changed:
        derived = replace(derived, columns={**derived.columns, **changed})
    exact = not asked.close_gaps
    if judged.tried.by_risk:
        table = replace(judged.risk_table, cell_index=judged.cell_index)
        models, exact = replace(models, risk=(judged_table(table),)), exact and asked.mode == "original-counts"
    elif combination.judges_margins:
        models = replace(models, rare=(UnsafeSpec(names, combination.count_threshold),))
    else:
        models, exact = replace(models, rare=(UnsafeSpec(names, (combination.least_size or 1) - 1),)), False
    rules = rules_of(derived)
    if left_out:
        rules = replace(rules, unwritten=rules.unwritten | {left_out})
    if models.risk and asked.mode == "released-keys" and size <= SEARCHED:
        homes, (own,) = homes_of(derived), models.risk
        if homes is None or not couples((own,), rules, homes):
            as_is = not trial.codings and size <= SEARCHED >> 2
            effort, usual = (asked.effort, Effort()) if as_is else (_EFFORT, _SHORT)
            settings = JointSettings(effort, asked.seed, False, asked.least_records, usual=usual)
            found = point_forecast(own, own.threshold, derived.columns, costs_of(derived), rules, settings,
                                   progress=progress)  # fmt: skip
            if found.unsafe_left:
                return None
            return Price(found.total, found.entropy_loss, not found.total, searched=True)
    try:
        plan = optimise_models(models, derived.columns, costs_of(derived), rules, progress, homes_of(derived))
    except PavoError:  # nothing that may be suppressed makes everybody safe
        return None
    return Price(plan.total, plan.entropy_loss, exact or not plan.total)
