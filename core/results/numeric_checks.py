"""What ``[[numeric]]`` must not say about the variables of its file."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.errors import Notice, RecipeError
from core.base.texts import mark
from core.data.variables import Metadata, Variable
from core.data.weights import parse_text
from core.recipe.model import Numeric, Recipe
from core.recoding.numerical import check_base


def check_numeric(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse changes to variables that are not released as they are, needless decimals, and weights made unreadable.

    Raises
    ------
    RecipeError
        Naming the key and the variable.
    """
    used = used_otherwise(recipe)
    for number, numeric in enumerate(recipe.numeric, 1):
        where, variable = f"numeric[{number}]", metadata[numeric.variable]
        if variable.name in used:
            raise RecipeError(
                "numeric-key",
                mark("{key}: {variable} is also in {other}, which works with its original values."),
                mark("Recode the variable instead, or take it out there."),
                key=where,
                variable=variable.name,
                other=used[variable.name],
            )
        if variable.removed or variable.role in ("direct-identifier", "household-id"):
            raise RecipeError(
                "numeric-not-released",
                mark("{key}: {variable} is an identifier or removed from the safe file, so it cannot be changed."),
                mark("Take another variable, or change what {variable} is used for."),
                key=where,
                variable=variable.name,
            )
        check_base(numeric, f"{where}.round")
        _check_weight(where, numeric, variable, metadata.decimal)


def missing_replacements(recipe: Recipe, metadata: Metadata) -> Iterator[Notice]:
    """Cuts whose replacement is a missing code: what lies beyond them counts as missing in the safe file."""
    for number, numeric in enumerate(recipe.numeric, 1):
        missing = {code.strip() for code in metadata[numeric.variable].missing}
        for name, cut in (("top", numeric.top), ("bottom", numeric.bottom)):
            if cut is not None and cut.replacement.strip() in missing:
                yield Notice.of(
                    "numeric-replaced-by-missing",
                    mark(
                        '{key}: the replacement "{text}" is a missing code of {variable}, so the values that it '
                        "replaces count as missing in the safe file."
                    ),
                    mark("{key}: the values of {variable} that it replaces count as missing in the safe file."),
                    where=numeric.variable,
                    key=f"numeric[{number}].{name}",
                    text=cut.replacement.strip(),
                    variable=numeric.variable,
                )


def released_numbers(metadata: Metadata) -> tuple[Variable, ...]:
    """The numerical variables, and the weight, that a safe file contains."""
    return tuple(
        variable
        for variable in metadata.variables
        if (variable.numeric or variable.role == "weight")
        and not variable.removed
        and variable.role not in ("direct-identifier", "household-id")
    )


def used_otherwise(recipe: Recipe) -> dict[str, str]:
    """Where else variables are used in a way that excludes changes of their numbers."""
    used = {name: f"combinations[{i}]" for i, c in enumerate(recipe.combinations, 1) for name in c.variables}
    return used | {recode.variable: f"recodes[{i}]" for i, recode in enumerate(recipe.recodes, 1)}


def _check_weight(where: str, numeric: Numeric, variable: Variable, decimal: str) -> None:
    if variable.role != "weight":
        if numeric.noise is not None:
            raise RecipeError(
                "noise-on-other",
                mark("{key}.noise: noise is for the weight variable, and {variable} is not."),
                mark("Remove it."),
                key=where,
                variable=variable.name,
            )
        return
    for name, cut in (("top", numeric.top), ("bottom", numeric.bottom)):
        if cut is None:
            continue
        value = parse_text(cut.replacement.strip(), decimal)
        if value is None or value < 0:
            raise RecipeError(
                "weight-replacement",
                mark('{key} = "{text}", but the weight {variable} must stay a number of at least 0.'),
                mark("Give a number."),
                key=f"{where}.{name}.replacement",
                text=cut.replacement,
                variable=variable.name,
            )
