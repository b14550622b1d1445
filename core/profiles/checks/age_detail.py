"""How wide the classes of a variable such as age are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, plural, translate
from ...metadata.guess_use import is_age
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Flags, Judgement
from ..numbers import first_numbers, numbers_of
from ..released import VARIABLES, ReleasedFile, asked_of

DECLARATION = Declaration(
    name="age-detail",
    title=mark("Width of age classes"),
    group=mark("Detail"),
    sentence=mark(
        "The classes of age, but for the last, are so wide. Without variables: those called like age. A class begins "
        "at the smallest original number in it, or at the number that its code or label begins with."
    ),
    parameters=(
        VARIABLES,
        Parameter("least", "number", mark("The least width of a class."), low=0, low_included=False, required=True),
    ),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    width = used["least"]
    told = plural(
        1 if width == 1 else 2,
        "The classes of age are at least {least} year wide.",
        "The classes of age are at least {least} years wide.",
    )
    return asked_of(translate(told).format(least=f"{width:g}"), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Of a variable without numbers nothing can be shown, so that it breaks the rule in all records with a value."""
    names = given.named(used, lambda: given.those(is_age))

    def narrow(name: str) -> Flags:
        column = given.released(name)
        found = column.counts > 0
        found[column.n_valid :] = False  # what is missing is in no class
        here: Flags = _narrow(begins(given, name), found, used["least"])[column.values]
        return here

    return given.by_part(((name,), narrow(name)) for name in names)


def begins(given: ReleasedFile, name: str) -> NDArray[np.float64]:
    """Where each released class begins, by its place among the codes; nan where nothing tells."""
    after = given.released(name)
    if any(recode.variable == name for recode in given.recipe.recodes):
        before = given.before(name)
        number = numbers_of(before, given.original.decimal)[before.values]
        low = np.full(len(after.codes), np.inf)
        known = ~np.isnan(number)
        np.minimum.at(low, after.values[known], number[known])
        if known.any():
            return np.where(np.isinf(low), np.nan, low)
    return first_numbers(after, given.labels.get(name, {}), given.original.decimal)


def _narrow(begin: NDArray[np.float64], found: Flags, least: float) -> Flags:
    """Classes that end less than `least` behind their beginning, and those of which nothing tells where they begin."""
    narrow = found & np.isnan(begin)
    order = np.argsort(begin, kind="stable")
    order = order[found[order] & ~np.isnan(begin[order])]
    width = np.diff(begin[order])
    narrow[order[:-1][width < least * (1.0 - TOLERANCE)]] = True
    return narrow
