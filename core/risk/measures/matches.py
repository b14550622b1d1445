"""Matches: how many records of the file agree with each, a missing value agreeing with any, a set with its values."""

from __future__ import annotations

import numpy as np

from core.base.texts import mark, plural
from core.recipe.declared import Declaration, Guide, Parameter, RecordFigure
from core.risk.measures.evaluation import RARE, Evaluation, MeasureInput
from core.risk.measures.shown import Headline, Listed, records_behind
from core.risk.measures.small_groups import group_figures, group_picture, group_sizes

DECLARATION = Declaration(
    name="matches",
    title=mark("Number of matches"),
    group=RARE,
    sentence=mark("With how many records of the file each record agrees, itself included, wherever both have a value."),
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
    ),
    figures=group_figures(
        mark("records that agree with no other one"), mark("the unique ones as a share of the records judged")
    ),
    columns=(RecordFigure("matches", mark("records that agree with it, itself included")),),
    of_sets=True,
    guide=Guide(
        assumes="An intruder searches the file for somebody by what he knows, and takes every record that does not "
        "contradict it. A value may be a set: one question in several columns (`[[derived]]` with `kind = "
        '"set"`), or several values in one column, between `separator`. A record has every value of its set, '
        'and is found by each. It searches by the first (`search = "first"`), as one does who knows one of '
        'them, or by all (`"all"`): then by what has a value in common.',
        not_for="Files in which much is missing: there nearly every record agrees with many, and no count says that "
        "it is safe; compare `anonymity-sets`, which looks at complete records only. By `first` matching is "
        "not mutual: a record can be found by one that it does not find.",
        formula="M_i = the number of records j that agree with i on every key variable on which both have a value, i "
        "itself included; unique: M_i = 1.",
        source="Mulder, *Ensuring anonymity in survey panel research*; [Methods](methods.md).",
    ),
)


def evaluate(given: MeasureInput) -> Evaluation:
    """M of every record [method: uniqueness in survey panels]."""
    from core.tables.set_frequencies import set_frequencies

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
        figures,
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
