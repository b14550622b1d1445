"""k-anonymity of the released keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.texts import mark, plural, translate
from ...recipe.declared import Declaration, Parameter
from ...risk.individual import TOLERANCE
from ..model import Flags, Judgement
from ..released import VARIABLES, ReleasedFile, asked_of, grouped

DECLARATION = Declaration(
    name="least-records",
    title=mark("Records per key"),
    group=mark("Records"),
    sentence=mark("Each record shares its released key with at least k records, itself included."),
    parameters=(
        VARIABLES,
        Parameter("k", "integer", mark("The fewest records of one key."), low=1, required=True),
        Parameter(
            "keys",
            "choice",
            mark("What a key is: the variables of each combination of the recipe, or all identifying variables."),
            choices=("combinations", "identifying"),
        ),
        Parameter(
            "missing_rule",
            "choice",
            mark("How a blank counts: as a value of its own, as any value, or as none."),
            default="category",
            choices=("category", "wildcard", "observed"),
        ),
    ),
    at_most_one=("variables", "keys"),
)


def words(used: Mapping[str, Any]) -> str:
    """The rule in words."""
    on_all = plural(
        used["k"],
        "Each record shares all its identifying values with at least {k} record, itself included.",
        "Each record shares all its identifying values with at least {k} records, itself included.",
    )
    on_each = plural(
        used["k"],
        "Each record shares its key with at least {k} record, itself included.",
        "Each record shares its key with at least {k} records, itself included.",
    )
    told = on_all if used.get("keys") == "identifying" else on_each
    return asked_of(translate(told).format(k=grouped(used["k"])), used)


def judge(given: ReleasedFile, used: Mapping[str, Any]) -> Judgement:
    """Without variables, on the key variables of every combination; where there is no key, nothing is shown."""
    if used.get("variables") is not None:
        keys = [given.named(used, tuple)]
    elif used.get("keys") == "identifying":
        nobody = given.of_no_identifying(used)
        if nobody is not None:
            return nobody
        keys = [given.identifying()]
    else:
        keys = [combination.variables for combination in given.recipe.combinations]
        if not keys:
            return Judgement.of_file(False, given.records, translate("no combination of key variables"))

    def rare(names: tuple[str, ...]) -> Flags:
        f, _has_all = given.frequencies(names, used["missing_rule"], weighted=False)
        too_few: Flags = f < used["k"] * (1.0 - TOLERANCE)
        return too_few

    return given.by_part((names, rare(names)) for names in keys if names)
