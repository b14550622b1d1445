"""The second opinion on plans: what a model of the whole table says of their risk before suppression."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...results.results import Results
from ...results.second_opinions import TableEstimate
from ...risk.second_opinion import Verdict


@dataclass(frozen=True)
class PlanEstimate:
    """Of the risk tables of a plan that on which the opinions differ most.

    Attributes
    ----------
    variables : its keys
    expected : re-identifications expected before suppression, by the individual risk
    by_model, interval : by the model, and between which numbers it is
    ratio : the model's over the individual risk's
    verdict : whether the individual risk is too low or too high
    """

    variables: tuple[str, ...]
    expected: float
    by_model: float
    interval: tuple[float, float]
    ratio: float
    verdict: Verdict


def plan_opinion(derived: Results, opinions: Mapping[int, TableEstimate]) -> PlanEstimate | None:
    """The second opinion on what follows from a plan's recipe; None where no table has one."""
    found = []
    for table in derived.risk_tables:
        opinion, own = opinions[table.index].opinion, table.staircase.expected_reidentifications
        if opinion is not None and own > 0 and opinion.expected_reidentifications > 0:
            ratio = opinion.ratio(own)
            low, high, _is_all = opinion.interval_told(derived.records)
            keys, verdict = table.combination.variables, opinion.verdict(own)
            found.append(PlanEstimate(keys, own, opinion.expected_reidentifications, (low, high), ratio, verdict))
    return max(found, key=lambda each: abs(math.log(each.ratio)), default=None)
