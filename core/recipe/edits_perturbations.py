"""Edits of ``[[perturbations]]``: their order is that in which they are done."""

from __future__ import annotations

from dataclasses import replace

from .declared import check_entry, declaration_of
from .model import Perturbation, Recipe


def with_perturbation(recipe: Recipe, entry: Perturbation, place: int | None = None) -> Recipe:
    """`recipe` with one more perturbation, before the one at `place` (from 0); None: as the last.

    Raises
    ------
    RecipeError
        An entry that could not be read, naming the key.
    """
    entries = list(recipe.perturbations)
    place = len(entries) if place is None else place
    entries.insert(place, entry)
    check_entry("perturbations", place + 1, entry)
    return recipe.with_(perturbations=tuple(entries))


def replace_perturbation(recipe: Recipe, place: int, entry: Perturbation) -> Recipe:
    """`recipe` with another perturbation at `place` (from 0).

    Raises
    ------
    RecipeError
        An entry that could not be read, naming the key.
    """
    check_entry("perturbations", place + 1, entry)
    entries = recipe.perturbations
    return recipe.with_(perturbations=(*entries[:place], entry, *entries[place + 1 :]))


def move_perturbation(recipe: Recipe, place: int, to: int) -> Recipe:
    """`recipe` with the perturbation at `place` moved to the place `to`, both from 0."""
    entries = list(recipe.perturbations)
    entries.insert(to, entries.pop(place))
    return recipe.with_(perturbations=tuple(entries))


def without_perturbation(recipe: Recipe, place: int) -> Recipe:
    """`recipe` without the perturbation at `place` (from 0)."""
    entries = recipe.perturbations
    return recipe.with_(perturbations=(*entries[:place], *entries[place + 1 :]))


def variables_changed(entry: Perturbation) -> tuple[str, ...]:
    """Names of the variables that `entry` changes: those that it names, and those that a parameter names instead."""
    said, declared = dict(entry.parameters), declaration_of("perturbations", entry)
    instead = (said.get(key, ()) for key in (declared.instead if declared else ()))
    return tuple(dict.fromkeys((*entry.variables, *(name for names in instead for name in names))))


def unperturbed(recipe: Recipe, name: str) -> Recipe:
    """`recipe` in which no perturbation changes the variable `name`; one that changed nothing else goes."""
    left = (_without(entry, name) if name in variables_changed(entry) else entry for entry in recipe.perturbations)
    return recipe.with_(perturbations=tuple(entry for entry in left if entry is not None))


def _without(entry: Perturbation, name: str) -> Perturbation | None:
    declared = declaration_of("perturbations", entry)
    variables = tuple(each for each in entry.variables if each != name)
    if declared is None:
        return replace(entry, variables=variables) if variables else None
    left = dict(declared.renamed(entry, lambda each: "" if each == name else each))
    known = declared.all_parameters("perturbations")
    of_changed = {each.name for each in known if each.of_own or each.by_variable} | {*declared.instead}
    parameters = ((key, left.get(key) if key in of_changed else value) for key, value in entry.parameters)
    said = tuple((key, value) for key, value in parameters if value is not None)
    changed = replace(entry, variables=variables, parameters=said)
    return changed if declared.is_complete(changed) else None
