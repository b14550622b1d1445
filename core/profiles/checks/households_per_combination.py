"""How many households have the same values of the household variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ...tables.tabulate import tabulate_records
from ..model import Judgement
from ..released import VARIABLES, ReleasedFile, asked_of, grouped, listed

DECLARATION = Declaration(
    name="households-per-combination",
    title=mark("Households per combination"),
    group=mark("Records"),
    sentence=mark(
        "Of a household with several members in the file, so many households have the values of the household "
        "variables."
    ),
    parameters=(
        VARIABLES,
        Parameter("least", "integer", mark("The fewest households of one combination."), low=1, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    told = plural(
        used["least"],
        "The values of the household variables of a household of several are those of at least {least} household.",
        "The values of the household variables of a household of several are those of at least {least} households.",
    )
    return asked_of(translate(told).format(least=grouped(used["least"])), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Households with at least two members in the file; a missing value is a value of its own."""
    names = given.named(used, lambda: given.those(lambda v: v.household))
    living, nobody = given.household_of_record, np.zeros(given.rows, np.bool_)
    if living is None or not names:
        return Judgement.of(nobody)
    cells, index = tabulate_records([given.released(name) for name in names], None, "category", progress=given.progress)
    # a household counts once in each combination that one of its members has
    pair = index.of_record.astype(np.int64) * (int(living.max(initial=0)) + 1) + living
    _pairs, first = np.unique(pair, return_index=True)
    records = given.records_of_rows  # of a file in parts as many as there are households like it
    households = np.bincount(index.of_record[first], None if records is None else records[first], len(cells))
    several = np.bincount(living)[living] >= 2
    return Judgement.of(several & (households[index.of_record] < used["least"]), listed(names), records)
