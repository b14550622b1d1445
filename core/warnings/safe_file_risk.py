"""Warnings that records of the safe file are unsafe by another estimate than the one that judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.errors import Notice
from ..base.texts import plural
from ..recipe.model import Recipe
from ..results.results import Results
from ..risk.released_opinion import ReleasedOpinion

OTHER_ESTIMATE, BELOW_EXACT = "unsafe-by-other-estimate", "unsafe-by-exact-risk"


def other_estimates(derived: Results, opinions: Mapping[int, ReleasedOpinion]) -> Iterator[Notice]:
    """One warning for each risk table of which records of the safe file are at or above the threshold by the other."""
    for table in derived.risk_tables:
        found = opinions.get(table.index)
        if found is None or not found.unsafe:
            continue
        by_model = plural(
            found.unsafe,
            "By the population model, {n} record of the safe file is at or above the threshold of {combination}. Its "
            "risk is probably underestimated. Recode more coarsely, or choose the estimator calibrated.",
            "By the population model, {n} records of the safe file are at or above the threshold of {combination}. "
            "Their risk is probably underestimated. Recode more coarsely, or choose the estimator calibrated.",
        )
        by_itself = plural(
            found.unsafe,
            "By the individual risk, {n} record of the safe file is at or above the threshold of {combination}; by the "
            "model that judges it, it is below. Recode more coarsely if both estimates should agree.",
            "By the individual risk, {n} records of the safe file are at or above the threshold of {combination}; by "
            "the model that judges them, they are below. Recode more coarsely if both estimates should agree.",
        )
        text = by_model if found.estimator == "calibrated" else by_itself
        yield Notice.of(OTHER_ESTIMATE, text, n=found.unsafe, combination=" x ".join(table.combination.variables))


def below_exact_risk(recipe: Recipe, unsafe: Mapping[int, int]) -> Iterator[Notice]:
    """One warning for each risk table judged by an estimator that is below the individual risk.

    Parameters
    ----------
    unsafe : records of the safe file at or above the threshold by the exact risk, by place of the combination
    """
    for index, records in unsafe.items():
        if not records:
            continue
        text = plural(
            records,
            "By the exact individual risk, {n} record of the safe file is at or above the threshold of {combination}: "
            "the estimator {name} underestimates it. Choose the estimator exact.",
            "By the exact individual risk, {n} records of the safe file are at or above the threshold of "
            "{combination}: the estimator {name} underestimates them. Choose the estimator exact.",
        )
        combination = recipe.combinations[index]
        names = " x ".join(combination.variables)
        yield Notice.of(BELOW_EXACT, text, n=records, combination=names, name=combination.estimator)
