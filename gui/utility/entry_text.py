"""A table, a mean or a model as it is typed, and as it is named in lists."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.base.errors import RecipeError
from core.base.texts import mark, translate
from core.recipe.analyses import check_analysis, variables_of_analysis
from core.recipe.model import Analysis

KINDS: tuple[tuple[str, str, str], ...] = (
    ("table", mark("Table of"), mark("REGION, SEX")),
    ("mean", mark("Mean of"), mark("INCOME by REGION, SEX")),
    ("model", mark("Model"), mark("INCOME ~ AGE + SEX")),
)
"""Key of the recipe, its words, and an example."""


def entry_of(kind: str, text: str, names: Collection[str]) -> Analysis:
    """What was typed for a `kind` of analysis of the variables `names`.

    Raises
    ------
    RecipeError
        Nothing is typed, no formula is, or a variable that the file does not have.
    """
    if not text.strip():
        raise RecipeError(
            "analysis-empty",
            mark("Nothing is typed."),
            mark("Write it like {example}."),
            example=translate(next(example for key, _words, example in KINDS if key == kind)),
        )
    if kind == "table":
        entry = Analysis(table=_listed(text))
    elif kind == "mean":
        number, *by = re.split(r"\s+by\s+", text.strip(), maxsplit=1)
        entry = Analysis(mean=number, by=_listed(by[0]) if by else ())
    else:
        entry = Analysis(model=text.strip())
    check_analysis(translate("What was typed"), entry)
    for _key, name in variables_of_analysis(entry):
        if name not in names:
            raise RecipeError(
                "analysis-no-variable",
                mark("The file has no variable {name}."),
                mark("Variables stand in Specify Metadata; capitals and small letters differ."),
                name=name,
            )
    return entry


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
