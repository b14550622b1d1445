"""The draft of Select Combinations: the list, and what is under construction."""

from __future__ import annotations

from typing import Any

from core.recipe import edits_combinations
from core.recipe.edits_combinations import Draft
from core.recipe.model import Recipe
from gui.document.document import Document
from gui.document.drafts import WindowDraft
from gui.select_combinations.builder import CombinationBuilder


class CombinationDraft(WindowDraft[Draft]):
    """Its value is the list; what is under construction is in the hands of the builder, and is kept with it."""

    name = "selectCombinations"

    def __init__(self, document: Document, builder: CombinationBuilder) -> None:
        super().__init__(document)
        self._builder = builder

    def said(self, recipe: Recipe) -> Draft:
        return recipe.combinations

    @property
    def touched(self) -> bool:
        """Whether the list differs from the session's, or a combination is under construction."""
        return super().touched or self._builder.edited

    def to_plain(self) -> dict[str, Any]:
        """The list, and what is under construction: as it is, and as it was loaded."""
        made, loaded = self._builder.combination, self._builder.loaded
        return {
            "combinations": edits_combinations.to_plain(self.value),
            "construction": edits_combinations.to_plain([] if made is None else [made]),
            "loaded": edits_combinations.to_plain([] if loaded is None else [loaded]),
        }

    def from_plain(self, plain: Any) -> Draft:
        """The list that was kept; what was under construction goes to the builder."""
        if isinstance(plain, list):  # kept by a version of the program that knew the list only
            return edits_combinations.from_plain(plain)
        made, loaded = (edits_combinations.from_plain(plain[part]) for part in ("construction", "loaded"))
        if made:
            self._builder.load(made[0], loaded[0] if loaded else None)
        return edits_combinations.from_plain(plain["combinations"])
