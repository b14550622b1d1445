"""The draft of Perturb: one perturbation, new or in place of one that stands in the session."""

from __future__ import annotations

from typing import Any

from core.recipe.model import ByCode, Perturbation, Recipe
from gui.document.drafts import WindowDraft


class PerturbDraft(WindowDraft[Perturbation]):
    """A perturbation that is not applied yet.

    Attributes
    ----------
    method : of the entry
    place : from 0, of the entry of the session that is changed; None: a new one
    """

    name = "perturb"
    method = ""
    place: int | None = None

    def said(self, recipe: Recipe) -> Perturbation:
        """The entry that is changed, as the session has it; of a new one the method alone."""
        entries = recipe.perturbations
        if self.place is not None and self.place < len(entries) and entries[self.place].method == self.method:
            return entries[self.place]
        return Perturbation(self.method)

    def turn_to(self, method: str, place: int | None = None) -> None:
        """Begin with a new perturbation, or with the one at `place`."""
        self.method, self.place = method, place
        self.begin(self.said(self.document.recipe))

    def to_plain(self) -> dict[str, Any]:
        parameters = {name: _plain(value) for name, value in self.value.parameters}
        variables = list(self.value.variables)
        return {"method": self.value.method, "variables": variables, "parameters": parameters, "place": self.place}

    def from_plain(self, plain: dict[str, Any]) -> Perturbation:
        self.method, self.place = plain["method"], plain["place"]
        self.base = self.said(self.document.recipe)
        parameters = tuple(sorted((name, _typed(value)) for name, value in plain["parameters"].items()))
        return Perturbation(plain["method"], tuple(plain["variables"]), parameters)

    def keep_mine(self) -> None:
        """The draft is wanted over the session as it is now: as a new one, where the one it changed is gone."""
        if self.place is not None and self.said(self.document.recipe) == Perturbation(self.method):
            self.place = None
        super().keep_mine()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, ByCode) else value


def _typed(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_typed(each) for each in value)
    return ByCode(value) if isinstance(value, dict) else value
