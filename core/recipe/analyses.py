"""``[[utility]]``: the user's own tables, means and regressions in a recipe, and edits of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..base.errors import RecipeError
from ..base.texts import mark, translate
from .model import Analysis, Recipe
from .model_formula import parse_formula


def check_analyses(recipe: Recipe) -> None:
    """Refuse entries that say nothing, or two things, and formulas that are none.

    Raises
    ------
    RecipeError
        Naming the key.
    """
    for number, entry in enumerate(recipe.utility, 1):
        check_analysis(f"utility[{number}]", entry)


def check_analysis(key: str, entry: Analysis) -> None:
    """The same for one entry, which stands at `key`."""
    said = [name for name in ("table", "mean", "model") if getattr(entry, name)]
    if len(said) != 1:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key} needs exactly one of table, mean and model, but has {said}."),
            mark("Write an entry [[utility]] for each."),
            key=key,
            said=", ".join(said) or mark("none"),
        )
    if entry.by and not entry.mean:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key}.by belongs to mean only."),
            mark("Remove it, or name the variables in {said}."),
            key=key,
            said=said[0],
        )
    if entry.mean in entry.by:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key}: {variable} stands in mean and in by."),
            mark("Take it out of one of them."),
            key=key,
            variable=entry.mean,
        )
    if entry.goal is not None and entry.model:
        raise RecipeError(
            "recipe-contradiction",
            mark("{key}.goal belongs to table and mean only."),
            mark("Remove it: of a model the intervals are compared."),
            key=key,
        )
    if entry.model:
        parse_formula(entry.model, f"{key}.model")


def variables_of_analysis(entry: Analysis) -> Iterator[tuple[str, str]]:
    """(key, name) of the variables that an entry names, each once under a key."""
    yield from (("table", name) for name in entry.table)
    if entry.mean:
        yield "mean", entry.mean
    yield from (("by", name) for name in entry.by)
    if entry.model:
        yield from (("model", name) for name in parse_formula(entry.model, "utility.model").variables)


def variables_of_analyses(recipe: Recipe) -> tuple[str, ...]:
    """All variables that ``[[utility]]`` names."""
    return tuple(dict.fromkeys(name for entry in recipe.utility for _key, name in variables_of_analysis(entry)))


def renamed_analysis(entry: Analysis, new: Callable[[str], str]) -> Analysis:
    """The entry with other names of variables; its formula stays as it was written where no name changes."""
    names = [name for _key, name in variables_of_analysis(entry)]
    if all(new(name) == name for name in names):
        return entry
    formula = entry.model and str(parse_formula(entry.model, "utility.model").renamed(new))
    mean = new(entry.mean) if entry.mean else ""
    return replace(entry, table=tuple(map(new, entry.table)), mean=mean, by=tuple(map(new, entry.by)), model=formula)


def words_of_analysis(entry: Analysis) -> str:
    """What an entry is called; its goal is not part of it."""
    if entry.table:
        return translate("Table of {names}").format(names=" × ".join(entry.table))
    if entry.mean and entry.by:
        return translate("Mean of {name} by {by}").format(name=entry.mean, by=" × ".join(entry.by))
    return translate("Mean of {name}").format(name=entry.mean) if entry.mean else entry.model


def with_goal(recipe: Recipe, entry: Analysis) -> Recipe:
    """`recipe` with the goal of `entry` for its table or mean, which is compared from now on where it was not.

    Raises
    ------
    RecipeError
        An entry that could not be read, naming the key.
    """
    bare = replace(entry, goal=None)
    entries = tuple(entry if replace(said, goal=None) == bare else said for said in recipe.utility)
    return with_analyses(recipe, entries if entry in entries else (*entries, entry))


def with_analyses(recipe: Recipe, entries: tuple[Analysis, ...]) -> Recipe:
    """`recipe` with these tables, means and models to compare.

    Raises
    ------
    RecipeError
        An entry that could not be read, naming the key.
    """
    changed = recipe.with_(utility=entries)
    check_analyses(changed)
    return changed
