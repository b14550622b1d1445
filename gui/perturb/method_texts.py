"""What each method of perturbation keeps, in plain words."""

from __future__ import annotations

from core.base.texts import mark

KEEPS = {
    "pram": mark("It keeps: missing values; with “Invariant”, the expected number of records with each code."),
    "microaggregation": mark(
        "It keeps: missing values and the mean of each variable without weights, up to rounding; where groups are made "
        "within strata (More), the mean of each stratum too. Weighted means change a little."
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
    "synthetic": mark("It keeps: missing values, and what its model says of the relations between variables."),
    "weight-noise": mark("It keeps: the weights on average. Risks are judged with the original ones."),
}
"""By the name of the method."""
