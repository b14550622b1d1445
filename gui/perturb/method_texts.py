"""What each method of perturbation keeps, in plain words."""

from __future__ import annotations

from core.base.texts import mark, translate
from core.recipe.model import Perturbation

KEEPS = {
    "pram": mark("It keeps: missing values; with “Invariant”, the expected number of records with each code."),
    "microaggregation": mark(
        "It keeps: missing values and the mean of each variable, without weights or with them, up to rounding; where "
        "groups are made within strata (More), the mean of each stratum too."
    ),
    "rank-swapping": mark(
        "It keeps: missing values, and all numbers of each variable: they are with other records, but for what gets "
        "the mean at the ends."
    ),
    "noise": mark(
        "It keeps: missing values and, on average, the mean; variances and covariances only where moments are kept. Of "
        "a variable without negative values those that would become negative become 0: its mean rises, much where it "
        "is skewed, as incomes are."
    ),
    "shuffling": mark(
        "It keeps: missing values, all numbers of each variable, and nearly the rank correlations with the predictors."
    ),
    "record-swapping": mark(
        "It keeps: each household as it is but for where it lives, and how many households of each kind there are."
    ),
    "synthetic": mark(
        "It keeps: what its model says of the relations between variables, and missing values, but where whole "
        "households are drawn: there missing is a code like others."
    ),
    "weight-noise": mark("It keeps: the weights on average. Risks are judged with the original ones."),
}
"""By the name of the method."""

_WITHIN = {
    True: mark(
        "Within {strata}: the weighted mean of {variables} stays in each group, up to rounding; others change a little."
    ),
    False: mark("Within {strata}: the mean of {variables} without weights stays in each group, up to rounding."),
}
_WHOLE = {
    True: mark("The weighted mean of {variables} stays in the file, up to rounding; those of groups change."),
    False: mark("The mean of {variables} without weights stays in the file, up to rounding; those of groups change."),
}
_TICK_WEIGHTED = mark("For weighted means tick “Weighted”.")


def kept_by(entry: Perturbation, has_weight: bool) -> str:
    """What the method keeps and, of microaggregation, which means stay as the entry says it, in sentences."""
    text = translate(KEEPS.get(entry.method, ""))
    if entry.method != "microaggregation" or not entry.variables:
        return text
    said = dict(entry.parameters)
    weighted, within = has_weight and bool(said.get("weighted")), said.get("within") or ()
    told = (_WITHIN if within else _WHOLE)[weighted]
    parts = [translate(told).format(strata=", ".join(within), variables=", ".join(entry.variables))]
    if has_weight and not weighted:
        parts.append(translate(_TICK_WEIGHTED))
    return " ".join(parts)
