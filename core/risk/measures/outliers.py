"""Outliers: records with a value so large that it may be recognised by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Figure, Guide, Parameter, RecordFigure
from .evaluation import RARE, Evaluation, MeasureInput
from .shown import LISTED, BarPicture, Headline, Listed, Listing

DECLARATION = Declaration(
    name="outliers",
    title=mark("Outliers"),
    group=RARE,
    sentence=mark("How many records have a value at or beyond a high percentile of the file."),
    parameters=(
        Parameter(
            "missing_rule",
            "choice",
            mark("observed: what a record has is looked at; listwise: incomplete records are left out."),
            default="observed",
            choices=("observed", "listwise"),
        ),
        Parameter(
            "quantile",
            "number",
            mark("From where on a value is an outlier, as a share of the records below it."),
            default=0.99,
            low=0.0,
            high=1.0,
        ),
    ),
    figures=(
        Figure("records", mark("records looked at"), "count", mark("records with a value")),
        Figure("outliers", mark("outliers"), "count", mark("records at or beyond the percentile in some variable")),
        Figure("share", mark("share of outliers"), "percent", mark("the same as a share of the records looked at")),
        Figure("by_variable", mark("outliers in"), "count", mark("the same of each variable by itself")),
    ),
    columns=(RecordFigure("outlier", mark("1: an outlier in some variable, 0: in none")),),
    of_records=True,
    guide=Guide(
        assumes="The largest firms and incomes are known to many, so a very large value may tell who it is, with or "
        "without a key.",
        not_for="Small values that stand out, such as losses. A variable of which most records have the same largest "
        "value: all of them are at the percentile.",
        formula="Records with x_ij ≥ Q_j in some variable j, Q_j the quantile between order statistics "
        "1 + (n − 1) · `quantile` (type 7 of Hyndman and Fan), of the numbers of the original.",
        source="SDC Practice Guide, *Outlier detection*; Hyndman, Fan (1996).",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Records at or beyond the percentile [method: continuous variables]."""
    values, names = given.record_files.numbers(), given.record_files.variables
    looked_at = ~np.isnan(values).all(axis=1)
    if given.parameters["missing_rule"] == "listwise":
        looked_at = ~np.isnan(values).any(axis=1)
    beyond = np.zeros(values.shape, np.bool_)
    for j, column in enumerate(values.T):
        known = column[looked_at & ~np.isnan(column)]
        if len(known):
            beyond[:, j] = looked_at & (column >= np.quantile(known, given.parameters["quantile"]))
    outlier = beyond.any(axis=1)
    number, records = int(outlier.sum()), int(looked_at.sum())
    in_each = beyond.sum(axis=0)
    text = plural(
        number,
        "{n} of {records} records is an outlier in one of the variables or more.",
        "{n} of {records} records are outliers in one of the variables or more.",
    )
    return Evaluation(
        {
            "records": records,
            "outliers": number,
            **({"share": number / records} if records else {}),
            "by_variable": dict(zip(names, in_each.tolist(), strict=True)),
        },
        of_records={"outlier": np.where(looked_at, outlier.astype(np.float64), np.nan)},
        headline=Headline(text, {"n": (number, "count"), "records": (records, "count")}),
        picture=BarPicture(mark("variable"), mark("outliers"), names, in_each.astype(np.float64)),
        behind=_behind(beyond.sum(axis=1)),
    )


def _behind(variables: NDArray[np.int64]) -> Listing:
    """The outliers, those in most variables first."""
    found = np.flatnonzero(variables)
    listed = found[np.argsort(-variables[found], kind="stable")][:LISTED]
    told = Listed(mark("variables"), "count", variables[listed])
    return Listing(mark("Outliers, those in most variables first"), (told,), len(found), records=listed)
