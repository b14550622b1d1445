"""Set-valued keys of a recipe: what they are made of, and what contradicts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..base.errors import RecipeError
from ..base.texts import mark
from .model import Combination, MultiResponseKey, Recipe


def set_of_column(recipe: Recipe) -> dict[str, str]:
    """By variable of the file that is a column of a set-valued key, the name of that key."""
    return {column: spec.name for spec in recipe.set_keys for column in spec.columns}


def columns_of(recipe: Recipe, names: Iterable[str]) -> tuple[str, ...]:
    """`names` with the columns of every set-valued key in its place; each once."""
    sets = {spec.name: spec.columns for spec in recipe.set_keys}
    return tuple(dict.fromkeys(column for name in names for column in sets.get(name, (name,))))


def with_set_key(recipe: Recipe, key: MultiResponseKey) -> Recipe:
    """The recipe with a set-valued key, which replaces one of this name and stands for its columns in combinations."""
    derived = tuple(key if spec.name == key.name else spec for spec in recipe.derived)
    if key not in derived:
        derived = (*derived, key)
    return recipe.with_(derived=derived, combinations=standing_for_columns(recipe.combinations, key))


def standing_for_columns(combinations: tuple[Combination, ...], key: MultiResponseKey) -> tuple[Combination, ...]:
    """`combinations` with the key in place of its columns; of those that thereby become the same the first stays."""
    found: dict[frozenset[str], Combination] = {}
    for combination in combinations:
        names = tuple(dict.fromkeys(key.name if name in key.columns else name for name in combination.variables))
        found.setdefault(frozenset(names), replace(combination, variables=names))
    return tuple(found.values())


def levels_of_keys(levels: Mapping[str, int], recipe: Recipe) -> dict[str, int]:
    """Identification levels of what combinations can use: a set has the largest of its columns, in their first place.

    Parameters
    ----------
    levels : by variable of the file
    """
    found: dict[str, int] = {}
    owner = set_of_column(recipe)
    for name, level in levels.items():
        key = owner.get(name, name)
        found[key] = max(level, found.get(key, 0))
    return found


def check_set_keys(recipe: Recipe) -> None:
    """Refuse sets that share a column, are recoded themselves, or stand beside one of their columns.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    sets = {spec.name for spec in recipe.set_keys}
    owner: dict[str, str] = {}
    for number, spec in enumerate(recipe.derived, 1):
        if not isinstance(spec, MultiResponseKey):
            continue
        _check_columns(f"derived[{number}]", spec)
        for column in spec.columns:
            if column in owner:
                raise _refused(
                    f"derived[{number}].{'variable' if spec.separator else 'set'}",
                    mark("{key}: {column} is a column of {other} already; it cannot go missing with two keys."),
                    mark("Make one key of all these columns, or take {column} out of one of them."),
                    column=column,
                    other=owner[column],
                )
            owner[column] = spec.name
    for number, combination in enumerate(recipe.combinations, 1):
        for name in combination.variables:
            if name in owner:
                raise _refused(
                    f"combinations[{number}].variables",
                    mark("{key}: {column} is a column of the key {set}; suppressed by itself it would change that."),
                    mark("Take {set} instead of {column}, or take {column} out of [[derived]] {set}."),
                    column=name,
                    set=owner[name],
                )
    for number, recode in enumerate(recipe.recodes, 1):
        if recode.variable in sets:
            raise _refused(
                f"recodes[{number}].variable",
                mark("{key}: {set} is a key made of other columns and has no codes of its own."),
                mark("Recode its columns: the key is made of them after they are recoded."),
                set=recode.variable,
            )


def _check_columns(where: str, spec: MultiResponseKey) -> None:
    if not spec.separator and len(spec.columns) < 2:
        raise _refused(
            f"{where}.set",
            mark("{key} names {count} variables; a key of several columns needs at least two."),
            mark("Name another column, or say variable and separator where one column holds several values."),
            count=len(spec.columns),
        )
    if len(set(spec.columns)) < len(spec.columns):
        raise _refused(f"{where}.set", mark("{key} names a variable twice."), mark("Name each column once."))


def _refused(key: str, template: str, hint: str, **values: object) -> RecipeError:
    return RecipeError("recipe-contradiction", template, hint, key=key, **values)
