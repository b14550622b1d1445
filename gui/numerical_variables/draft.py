"""Unfinished changes to numerical variables, as text in `Document.drafts`, which autosave keeps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.base.errors import PavoError
from core.recipe.model import Numeric, Recipe
from gui.document.document import Document

_KEPT = "numericalVariables"


def keep(document: Document, changes: Iterable[Numeric]) -> None:
    """Remember unfinished changes."""
    from core.recipe.toml import dumps

    document.drafts[_KEPT] = {"recipe": dumps(Recipe(numeric=tuple(changes)), Path.home())}


def forget(document: Document) -> None:
    """There are none."""
    document.drafts.pop(_KEPT, None)


def kept(document: Document) -> Recipe | None:
    """A recipe of nothing but the unfinished changes; None where there are none, or none that can be read."""
    from core.recipe.toml import parse

    text = document.drafts.get(_KEPT, {}).get("recipe")
    if text is None:
        return None
    try:
        return parse(text, Path.home())
    except PavoError:
        return None
