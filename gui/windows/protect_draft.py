"""Unfinished choices of Make Protected File, as plain text in `Document.drafts`: autosave keeps them."""

from __future__ import annotations

from pathlib import Path

from core.errors import PavoError
from core.recipe.model import Recipe
from core.recipe.protecting import Protecting
from gui.document import Document

_KEPT = "makeProtectedFile"


def keep(document: Document, choices: Protecting) -> None:
    """Remember unfinished choices."""
    from core.recipe.toml_form import dumps

    document.drafts[_KEPT] = {"recipe": dumps(choices.on(Recipe()), _folder())}


def forget(document: Document) -> None:
    """There are none."""
    document.drafts.pop(_KEPT, None)


def kept(document: Document) -> Protecting | None:
    """What a session left unfinished; None where it left nothing, or nothing that can be read."""
    from core.recipe.toml_form import parse

    text = document.drafts.get(_KEPT, {}).get("recipe")
    if text is None:
        return None
    try:
        recipe = parse(text, _folder())
    except PavoError:
        return None
    weights = ((e.name, e.suppression_weight) for e in recipe.variables if e.suppression_weight is not None)
    return Protecting(recipe.suppression, recipe.output, tuple(weights))


def _folder() -> Path:
    """Any folder does: paths of drafts are absolute."""
    return Path.home()
