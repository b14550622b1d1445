"""Matches: how many records of the file agree with each, and the chance that a match with a unique one is right."""

from __future__ import annotations

import numpy as np

from ...base.texts import mark, plural
from ...recipe.declared import Declaration, Guide, Parameter, RecordFigure
from .evaluation import RARE, Evaluation, MeasureInput
from .population_size import POPULATION_OF_SAMPLE, UNIQUE_MATCH, unique_match
from .shown import Headline, Listed, records_behind
from .small_groups import group_figures, group_picture, group_sizes

DECLARATION = Declaration(
    name="matches",
    title=mark("Number of matches"),
    group=RARE,
    sentence=mark(
        "With how many records of the file each record agrees, itself included, wherever both have a value; and the "
        "chance that a match with a unique record is right."
    ),
    parameters=(
        Parameter(
            "missing_rule",
            "choice",
            mark("Which records count for one with missing key values."),
            default="wildcard",
            choices=("wildcard", "observed", "category", "listwise"),
        ),
        Parameter(
            "separator",
            "text",
            mark("What stands between the values of a key variable of which a record may have several."),
        ),
        Parameter(
            "search",
            "choice",
            mark("Of a set of values, whether a record searches by the first one or by all of them."),
            default="first",
            choices=("first", "all"),
        ),
        *POPULATION_OF_SAMPLE,
    ),
    figures=(
        *group_figures(
            mark("records that agree with no other one"), mark("the unique ones as a share of the records judged")
        ),
        *UNIQUE_MATCH,
    ),
    columns=(RecordFigure("matches", mark("records that agree with it, itself included")),),
    of_sets=True,
    guide=Guide(
        assumes="An intruder searches the file for somebody by what he knows, and takes every record that does not "
        "contradict it. A value may be a set: one question in several columns (`[[derived]]` with `kind = "
        '"set"`), or several values in one column, between `separator`. A record has every value of its set, '
        'and is found by each. It searches by the first (`search = "first"`), as one does who knows one of '
        'them, or by all (`"all"`): then by what has a value in common. For θ the file is a simple random sample of '
        "the population, or nearly one, and values are without error; nothing is assumed about how many people share a "
        "key.",
        not_for="Files in which much is missing: there nearly every record agrees with many, and no count says that "
        "it is safe; compare `listwise`, which looks at complete records only. A missing value that agrees "
        "with any makes uniques too few for θ, too. By `first` matching is not mutual: a record can be found by one "
        "that it does not find. θ does not judge one record: it is one number for all uniques, and with few uniques or "
        "pairs it is said not to be reliable.",
        formula="M_i = the number of records j that agree with i on every key variable on which both have a value, i "
        "itself included; unique: M_i = 1. θ = π n₁ / (π n₁ + 2 (1 − π) n₂), n₁ records with one match, n₂ half of "
        "those with two, π the records looked at as a share of the `population`; it is left out where that is not "
        "known.",
        source="Mulder, *Ensuring anonymity in survey panel research*; Skinner, Elliot, *A measure of disclosure risk "
        "for microdata* (2002); [Methods](methods.md).",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """M of every record, and θ [method: uniqueness in survey panels; SE02]."""
    from ...tables.set_frequencies import set_frequencies

    cells, count = given.cells, given.cells.count
    found = cells.f
    if given.members:
        found = set_frequencies(cells, given.members, given.parameters["search"], given.progress)
    figures = group_sizes(found, count)
    text = plural(
        figures["unique"],
        "{n} of {records} records agrees with no other record of the file.",
        "{n} of {records} records agree with no other record of the file.",
    )
    records = int(count[~np.isnan(found)].sum())
    return Evaluation(
        {**figures, **unique_match(given, found)},
        {("matches", ""): found},
        headline=Headline(text, {"n": (figures["unique"], "count"), "records": (records, "count")}),
        picture=group_picture(mark("records that agree"), found, count),
        behind=records_behind(
            mark("Records with fewer than ten matches"),
            -found,
            found < 10.0,
            (Listed(mark("matches"), "count", found),),
            given.table.cell_index.of_record,
        ),
    )
