"""Edits of ``[[perturbations]]``: their order is that in which they are done."""

from __future__ import annotations

from dataclasses import replace

from core.recipe.declared import check_entry
from core.recipe.model import Perturbation, Recipe


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


def unperturbed(recipe: Recipe, name: str) -> Recipe:
    """`recipe` in which no perturbation changes the variable `name`; one that changed nothing else goes."""
    left = (
        replace(entry, variables=tuple(each for each in entry.variables if each != name))
        for entry in recipe.perturbations
    )
    pairs = zip(recipe.perturbations, left, strict=True)
    return recipe.with_(perturbations=tuple(new for old, new in pairs if new.variables or not old.variables))
