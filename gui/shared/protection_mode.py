"""The mode in which Make Protected File will judge records: what every forecast of the windows is of."""

from __future__ import annotations

from dataclasses import replace

from core.base.texts import mark, translate
from core.recipe.edits_protection import preferred_mode
from core.recipe.model import Mode, Recipe, Suppression
from gui.document.document import Document

_NAMES: dict[Mode, str] = {
    "original-counts": mark("risk on original frequencies"),
    "released-keys": mark("risk on the released file"),
}


def has_households(document: Document) -> bool:
    """Whether the file has a household identifier."""
    return document.derived is not None and document.derived.metadata.household_id is not None


def nobody_chose(document: Document, recipe: Recipe) -> bool:
    """Whether this session began with data, not with a recipe that had combinations, and never protected them."""
    begun = document.session.history.steps[0].recipe
    chosen = replace(recipe.suppression, secret=None) != Suppression()
    return not begun.combinations and not chosen and recipe.output.data is None


def protection_mode(document: Document, recipe: Recipe) -> Mode:
    """The recipe's mode or, in a session where nobody has chosen one, the one that is preselected."""
    if nobody_chose(document, recipe):
        return preferred_mode(recipe, has_households(document))
    return recipe.suppression.mode


def in_mode(document: Document, recipe: Recipe) -> Recipe:
    """The recipe as Make Protected File will carry it out, in `protection_mode`."""
    mode = protection_mode(document, recipe)
    if mode == recipe.suppression.mode:
        return recipe
    return recipe.with_(suppression=replace(recipe.suppression, mode=mode))


def is_searched(recipe: Recipe, mode: Mode) -> bool:
    """Whether suppressions in this mode are known at one threshold at a time only, by a search."""
    return mode == "released-keys" or (recipe.suppression.close_gaps and mode == "original-counts")


def named_mode(mode: Mode, closes_gaps: bool = False) -> str:
    """The mode in a few words."""
    if closes_gaps and mode == "original-counts":
        return translate("risk on original frequencies, no inferable suppressed values")
    return translate(_NAMES[mode])
