"""Drafts: unfinished input of a window over what the session says, kept against a crash while the two differ.

What a dead process kept of them is taken up as far as the windows of today understand it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from core.base.errors import PavoError
from core.recipe.model import Audience, Recipe, Report, Variant
from gui.document.document import Document
from gui.document.draft import SessionDraft

T = TypeVar("T")


class WindowDraft(ABC, SessionDraft[T]):
    """What a window edits before it is in the session; a subclass says of which part, and how that is kept."""

    name: ClassVar[str]
    """Key in `SessionState.drafts`: the name of the window. Sessions kept by earlier versions have it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.base = self.value = self.said(document.recipe)

    @abstractmethod
    def said(self, recipe: Recipe) -> T:
        """What a recipe says of the part that is edited."""

    @abstractmethod
    def to_plain(self) -> Any:
        """The value as texts, numbers, lists and dictionaries."""

    @abstractmethod
    def from_plain(self, plain: Any) -> T:
        """The value that `to_plain` gave; raises `PavoError` where it cannot be read any more."""

    @property
    def overtaken(self) -> bool:
        """Whether the session says another thing now than the draft was made over."""
        return bool(self.said(self.document.recipe) != self.base)

    def load(self) -> None:
        """Begin from what the session says, with what was left unfinished where something was."""
        self.base = self.value = self.said(self.document.recipe)
        kept = self.document.session.drafts.get(self.name)
        if kept is not None:
            with suppress(PavoError):
                self.value = self.from_plain(kept)
        self.remember()  # last: what cannot be taken up is not lost before that is known

    def keep_mine(self) -> None:
        """The draft is wanted over the session as it is now."""
        self.keep_over(self.said(self.document.recipe))

    def forget(self) -> None:
        """What is here is in the session now, or is given up: nothing is kept against a crash."""
        super().forget()
        self.document.session.keep_draft(self.name, None)

    def take_back(self, recipe: Recipe) -> bool:
        """Keep what was put into `recipe`, which is given up; False where nothing here comes from it."""
        if self.touched or self.said(recipe) != self.base or not self.overtaken:
            return False
        self.keep_mine()
        return self.touched

    def remember(self) -> None:
        """Keep against a crash what is touched."""
        self.document.session.keep_draft(self.name, self.to_plain() if self.touched else None)


def recipe_to_plain(recipe: Recipe) -> dict[str, str]:
    """A draft that is kept as a recipe of nothing but itself."""
    from core.recipe.toml import dumps

    return {"recipe": dumps(recipe, Path.home())}  # any folder does: paths of drafts are absolute


def recipe_from_plain(plain: dict[str, str]) -> Recipe:
    """What `recipe_to_plain` kept; raises `PavoError`."""
    from core.recipe.toml import parse

    return parse(plain["recipe"], Path.home())


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
    from core.recipe.edits import NAMES
    from core.recipe.edits_combinations import from_plain, keys_from_plain
    from core.recipe.toml import dumps

    keys = () if isinstance(kept, list) else keys_from_plain(kept.get("derived", ()))
    if not all(key.kind in NAMES and all(isinstance(name, str) for name in (key.name, *key.members)) for key in keys):
        return False
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
    answers = kept.get("answers", {})
    told = [value for name, value in kept.items() if name not in ("answers", "thresholds")] + list(answers.values())
    texts = all(isinstance(value, str) for value in told)
    choices = (("variant", Variant), ("audience", Audience))
    chosen = all(kept.get(name, get_args(choice)[0]) in get_args(choice) for name, choice in choices)
    return parts.issuperset(kept) and texts and chosen and isinstance(kept.get("thresholds", False), bool)


def _is_perturbation(kept: Any) -> bool:
    from core.perturbation.registry import REGISTRY

    return (
        kept["method"] in [each.name for each in REGISTRY.declarations]
        and all(isinstance(name, str) for name in (*kept["variables"], *kept["parameters"]))
        and isinstance(kept["place"], int | None)
    )


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "specifyMetadata": _is_description,
    "selectCombinations": _are_combinations,
    "globalRecode": _are_recodes,
    "numericalVariables": _is_recipe,
    "perturb": _is_perturbation,
    "makeProtectedFile": _is_recipe,
    "reportDetails": _are_details,
}
"""By the window that keeps it."""
