"""Anonymity sets: how many complete records share their key with few others."""

from __future__ import annotations

import numpy as np

from core.base.texts import mark, plural
from core.recipe.declared import Declaration, Figure, Guide, Parameter
from core.risk.measures.evaluation import (
    FREQUENCIES,
    RARE,
    Evaluation,
    MeasureInput,
    frequencies_listed,
    frequency_columns,
)
from core.risk.measures.shown import Headline, cells_behind
from core.risk.measures.small_groups import group_figures, group_picture, group_sizes

DECLARATION = Declaration(
    name="anonymity-sets",
    title=mark("Anonymity sets"),
    group=RARE,
    sentence=mark("How many respondents are alone, or among few, with their key; only complete records are looked at."),
    parameters=(
        Parameter(
            "missing_rule",
            "choice",
            mark("listwise: incomplete records are left out; category: a missing value is a value like any other."),
            default="listwise",
            choices=("listwise", "category"),
        ),
    ),
    figures=(
        Figure("complete", mark("complete records"), "count", mark("records that were looked at")),
        *group_figures(
            mark("records in anonymity sets of size 1"), mark("the unique ones as a share of the records looked at")
        ),
    ),
    columns=FREQUENCIES,
    guide=Guide(
        assumes="A record without a value on one of the keys cannot be searched for; an intruder knows all of them.",
        not_for="Telling how safe the records are that were left out: they may be unique on what they have; see "
        "`matches`.",
        formula="The anonymity set of a complete record is all complete records with its key. Sets of size 1, below 5 "
        "and below 10, in records.",
        source="Mulder, *Ensuring anonymity in survey panel research*.",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """Complete records by the size of their set [method: uniqueness in survey panels]."""
    cells = given.cells
    complete = int(cells.count[~np.isnan(cells.f)].sum())
    figures = {"complete": complete, **group_sizes(cells.f, cells.count)}
    text = plural(
        figures["unique"],
        "{n} of {records} complete records is alone with its key.",
        "{n} of {records} complete records are alone with their key.",
    )
    return Evaluation(
        figures,
        frequency_columns(cells),
        headline=Headline(text, {"n": (figures["unique"], "count"), "records": (complete, "count")}),
        picture=group_picture(mark("records in the anonymity set"), cells.f, cells.count),
        behind=cells_behind(
            mark("Anonymity sets of fewer than ten records"), -cells.f, cells.f < 10.0, frequencies_listed(cells)
        ),
    )
