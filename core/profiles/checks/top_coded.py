"""Whether the largest numbers are shared by enough records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.texts import mark, translate
from ...data.variables import Variable
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Flags, Judgement
from ..numbers import numbers_of
from ..released import VARIABLES, ReleasedFile, asked_of, listed

DECLARATION = Declaration(
    name="top-coded",
    title=mark("Top-coded"),
    group=mark("Detail"),
    sentence=mark("So large a share of the records with a number has the largest one. Without variables: all "
                  "numerical ones, and all others that no combination has and that look like amounts."),
    parameters=(
        VARIABLES,
        Parameter("share", "number", mark("The least share, a fraction."), low=0, high=1, low_included=False,
                  required=True),
        Parameter("bottom", "boolean", mark("Whether the same is asked of the smallest number."), default=False),
    ),
)  # fmt: skip

_MANY = 50
"""Different numbers of more than a list of codes has."""


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    top = mark("The largest value of a numerical variable is that of at least {share} of its records.")
    both = mark("The largest and the smallest value of a numerical variable are each that of at least {share} of its "
                "records.")  # fmt: skip
    told = translate(both if used["bottom"] else top).format(share=f"{100 * used['share']:.6g} %")
    return asked_of(told, used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Behind it are the records that have the largest number, where they are too few."""
    judged = given.identifying()
    # an age with a list of codes is a number, too, unless it is recoded or other rules judge its codes
    codes = {*judged, *(recode.variable for recode in given.recipe.recodes)}

    def is_amount(variable: Variable) -> bool:
        if variable.numeric:
            return not (variable.categorical and variable.name in codes)
        # what nobody has declared is an amount where it looks like one
        return variable.name not in codes and (given.amounts is None or variable.name in given.amounts)

    names = given.named(used, lambda: given.those(is_amount))
    if not names and used.get(VARIABLES.name) is None:
        untold = given.those(lambda v: not v.numeric and v.name not in judged)
        numbers = [name for name in untold if np.count_nonzero(~np.isnan(_numbers(given, name))) > _MANY]
        if numbers:  # a file of which nobody has said what its columns are would keep the rule
            told = mark("no variable is said to be numerical, and there are numbers in {names}")
            return Judgement.of_file(False, given.records, translate(told).format(names=listed(numbers)))

    def alone(name: str) -> Flags:
        column = given.released(name)
        number = _numbers(given, name)[column.values]
        there = ~np.isnan(number)
        known = number[there]
        here = np.zeros(given.rows, np.bool_)
        if not len(known):
            return here
        for extreme in (known.max(), known.min()) if used["bottom"] else (known.max(),):
            at = number == extreme
            if given.count(at) < used["share"] * (1.0 - TOLERANCE) * given.count(there):
                here |= at
        return here

    return given.by_part(((name,), alone(name)) for name in names)


def _numbers(given: ReleasedFile, name: str) -> NDArray[np.float64]:
    """The number that each code is; the text in place of what top or bottom coding cut off is where it was cut."""
    column = given.released(name)
    found = numbers_of(column, given.original.decimal)
    specs = [spec for spec in given.recipe.numeric if spec.variable == name]
    for cut in (cut for spec in specs for cut in (spec.top, spec.bottom) if cut is not None):
        for place in np.flatnonzero(np.isnan(found[: column.n_valid])).tolist():
            if column.codes[place].strip() == cut.replacement.strip():
                found[place] = cut.at
    return found
