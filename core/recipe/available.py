"""What recipes may say but this version of the program does not carry out: refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import RecipeError
from core.recipe.model import Combination, Format, Recipe
from core.texts import mark

FORMATS = frozenset({"fixed", "delimited", "spss", "stata", "sas", "parquet", "excel"})
MEASURES = frozenset({"frequencies", "k-anonymity"})

OUTPUT_SUFFIXES: dict[str, Format] = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".sav": "spss",
    ".zsav": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".parquet": "parquet",
    ".xlsx": "excel",
}
"""Suffixes that decide a safe file's format; another one says nothing, and the format is the input's."""


def check_available(recipe: Recipe) -> None:
    """Refuse what this version does not carry out.

    Raises
    ------
    RecipeError
        Id ``not-available``, naming the first key concerned.
    """
    for key in _missing(recipe):
        raise _not_available(key)


def _not_available(key: str) -> RecipeError:
    return RecipeError(
        "not-available",
        mark("The recipe asks for {key}, which is not available in this version of Pavo."),
        mark("Leave it out, or use a later version."),
        key=key,
    )


def check_output_format(recipe: Recipe, format: Format) -> None:
    """Refuse a safe file whose suffix asks for another format than the input's, `format`.

    Raises
    ------
    RecipeError
        Id ``not-available``, naming the format.
    """
    data = recipe.output.data
    asked = format if data is None else OUTPUT_SUFFIXES.get(data.suffix.lower(), format)
    if asked != format:
        raise _not_available(f"output.data in format {asked} from data in format {format}")


def suppresses(recipe: Recipe) -> bool:
    """Whether the recipe asks for a safe file with suppressed values."""
    return recipe.output.data is not None and recipe.suppression.criterion != "none"


def household_thresholds(recipe: Recipe) -> Iterator[str]:
    """The keys that say a household threshold."""
    owners = [("threshold", recipe.threshold)]
    owners += [(f"combinations[{i}].threshold", c.threshold) for i, c in enumerate(recipe.combinations, 1)]
    for where, threshold in owners:
        for name in ("household_risk", "household_rate", "unsafe_households"):
            if getattr(threshold, name) is not None:
                yield f"{where}.{name}"


def _missing(recipe: Recipe) -> Iterator[str]:
    if recipe.input.format not in FORMATS | {None}:
        yield f'input.format = "{recipe.input.format}"'
    if recipe.numeric:
        yield "[[numeric]]"
    if recipe.suppression.mode == "released-counts":
        yield 'suppression.mode = "released-counts"'
    for number, combination in enumerate(recipe.combinations, 1):
        yield from _missing_of_combination(number, combination, suppresses(recipe))
    for number, measure in enumerate(recipe.measures, 1):
        if measure.kind not in MEASURES:
            yield f'measures[{number}].kind = "{measure.kind}"'
    if recipe.output.household_id == "sequence":
        yield 'output.household_id = "sequence"'


def _missing_of_combination(number: int, combination: Combination, suppressing: bool) -> Iterator[str]:
    if suppressing and combination.model == "k-anonymity" and combination.missing_rule == "wildcard":
        yield f'suppression for combinations[{number}].model = "k-anonymity" with missing_rule = "wildcard"'
