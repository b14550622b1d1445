"""What a recipe must not say about the variables of its file."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.errors import PavoError, RecipeError
from core.base.texts import mark
from core.data.variables import Metadata, Variable
from core.recipe.available import household_thresholds
from core.recipe.model import Recipe
from core.results.numeric_checks import check_numeric


def check_variables(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse names of variables that do not exist or cannot be used so.

    Raises
    ------
    RecipeError
        Naming the key and the variable.
    """
    check_households(recipe, metadata)
    derived = {spec.name for spec in recipe.derived}
    keys = [(key, name) for key, name in _key_uses(recipe) if name not in derived]
    for key, name in (*keys, *_other_uses(recipe)):
        if name not in metadata:
            raise _refused(
                "variable-unknown",
                key,
                name,
                mark("{key}: the file has no variable {variable}."),
                mark("Its variables are {known}."),
                known=_listed((*metadata.names, *sorted(derived))),
            )
    for key, name in keys:
        _check_key(key, metadata[name])
    check_numeric(recipe, metadata)


def check_households(recipe: Recipe, metadata: Metadata) -> None:
    """Refuse what needs a household identifier where there is none, and derived variables with names in use.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    taken = {name.casefold() for name in metadata.names}
    for number, spec in enumerate(recipe.derived, 1):
        key = f"derived[{number}]"
        if spec.name.casefold() in taken:
            raise _refused(
                "derived-name-taken",
                f"{key}.name",
                spec.name,
                mark("{key}: there is already a variable {variable}."),
                mark("Give the derived variable another name."),
            )
        taken.add(spec.name.casefold())
        if metadata.household_id is None:
            raise _without_identifier(key)
    if metadata.household_id is None:
        for key in household_thresholds(recipe):
            raise _without_identifier(key)


def _without_identifier(key: str) -> PavoError:
    return RecipeError(
        "no-household-identifier",
        mark("{key} needs a household identifier, but no variable has that role."),
        mark('Give a variable the role "household-id", or leave {key} out.'),
        key=key,
    )


def _other_uses(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for number, numeric in enumerate(recipe.numeric, 1):
        yield f"numeric[{number}].variable", numeric.variable
    for edit in recipe.variables:
        yield f"variables.{edit.name}", edit.name
        if edit.related:
            yield f"variables.{edit.name}.related", edit.related


def _key_uses(recipe: Recipe) -> Iterator[tuple[str, str]]:
    for number, combination in enumerate(recipe.combinations, 1):
        for name in combination.variables:
            yield f"combinations[{number}].variables", name
    for number, recode in enumerate(recipe.recodes, 1):
        yield f"recodes[{number}].variable", recode.variable
    for number, measure in enumerate(recipe.measures, 1):
        for name in measure.variables:
            yield f"measures[{number}].variables", name


def _check_key(key: str, variable: Variable) -> None:
    if not variable.categorical:
        raise _refused(
            "variable-not-categorical",
            key,
            variable.name,
            mark("{key}: {variable} is not categorical."),
            mark("Declare it categorical, or take another variable."),
        )
    if variable.removed or variable.role == "direct-identifier":
        raise _refused(
            "variable-removed",
            key,
            variable.name,
            mark("{key}: {variable} is removed from the safe file."),
            mark("Keep the variable, or take it out here."),
        )


def _refused(id: str, key: str, name: str, template: str, hint: str, **values: object) -> PavoError:
    return RecipeError(id, template, hint, key=key, variable=name, **values)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
