"""Drafts that a dead process kept, as far as their windows of today understand them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from core.recipe.model import Recipe, Report


def understood(drafts: dict[str, Any]) -> dict[str, Any]:
    """The drafts without those of windows that are no more, and those that their window could not take up."""
    return {name: kept for name, kept in drafts.items() if name in _CHECKS and _passes(_CHECKS[name], kept)}


def _passes(check: Callable[[Any], bool], kept: Any) -> bool:
    try:
        return check(kept)
    except Exception:  # whatever is wrong with it, the rest of the session is sound
        return False


def _is_recipe(kept: Any) -> bool:
    return isinstance(kept, dict) and isinstance(kept.get("recipe"), str)


def _is_description(kept: Any) -> bool:
    """`core.metadata.description.load` looks at the rest."""
    return isinstance(kept, dict)


def _are_combinations(kept: Any) -> bool:
    from core.recipe.edits_combinations import from_plain
    from core.recipe.toml import dumps

    lists = [kept] if isinstance(kept, list) else [kept[part] for part in ("combinations", "construction", "loaded")]
    made = [combination for each in lists for combination in from_plain(each)]
    dumps(Recipe(combinations=tuple(made)), Path.home())  # as it is when it is put into the session
    return all(isinstance(name, str) for combination in made for name in combination.variables)


def _are_recodes(kept: Any) -> bool:
    return all(
        isinstance(recode.get("text", ""), str)
        and isinstance(recode.get("folder"), str | None)
        and isinstance(recode.get("truncate"), int | None)
        for recode in kept.values()
    )


def _are_details(kept: Any) -> bool:
    parts = {field.name for field in fields(Report)}
    texts = all(isinstance(value, str) for value in kept.values())
    return parts.issuperset(kept) and texts and kept.get("variant", "internal") in ("internal", "external")


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "specifyMetadata": _is_description,
    "selectCombinations": _are_combinations,
    "globalRecode": _are_recodes,
    "numericalVariables": _is_recipe,
    "makeProtectedFile": _is_recipe,
    "reportDetails": _are_details,
}
"""By the window that keeps it."""
