"""The draft of Select Combinations: the list, household keys that were made for it, and what is under construction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.base.texts import mark, translate
from core.recipe import edits_combinations
from core.recipe.edits_combinations import Draft
from core.recipe.edits_scenarios import with_proposed
from core.recipe.model import HouseholdKey, MultiResponseKey, Recipe
from gui.document.document import Document
from gui.document.drafts import WindowDraft
from gui.select_combinations.builder import CombinationBuilder

_PROPOSED = mark("Acquaintance")
"""Name of the scenario whose keys are proposed."""


class CombinationDraft(WindowDraft[Draft]):
    """Its value is the list; what is under construction is in the hands of the builder, and is kept with it.

    `made` are the household keys that the session does not have yet, `scenario` the keys of a disclosure scenario that
    the user took as they were proposed.
    """

    name = "selectCombinations"

    def __init__(self, document: Document, builder: CombinationBuilder) -> None:
        self.made: tuple[HouseholdKey, ...] = ()
        self.scenario: tuple[str, ...] = ()
        super().__init__(document)
        self._builder = builder

    def said(self, recipe: Recipe) -> Draft:
        return recipe.combinations

    @property
    def touched(self) -> bool:
        """Whether the list differs from the session's, or a combination is under construction."""
        return super().touched or self._builder.edited

    @property
    def derived(self) -> tuple[HouseholdKey | MultiResponseKey, ...]:
        """The derived keys of the session, and the household keys made here."""
        there = self.document.recipe.derived
        names = {spec.name for spec in there}
        return (*there, *(spec for spec in self.made if spec.name not in names))

    def applied_to(self, recipe: Recipe) -> Recipe:
        """The recipe with the list, the household keys made here that it uses, and the scenario, if the list has it."""
        used = {name for combination in self.value for name in combination.variables}
        new = (spec for spec in self.derived if spec not in recipe.derived and spec.name in used)
        changed = recipe.with_(derived=(*recipe.derived, *new), combinations=self.value)
        if any(set(combination.variables) == set(self.scenario) for combination in self.value):
            return with_proposed(changed, translate(_PROPOSED), self.scenario)
        return changed

    def load(self) -> None:
        """Begin from what the session says, with what was left unfinished where something was."""
        self.made = self.scenario = ()
        super().load()

    def to_plain(self) -> dict[str, Any]:
        """The list, the household keys made for it, and what is under construction: as it is, and as it was loaded."""
        made, loaded = self._builder.combination, self._builder.loaded
        return {
            "combinations": edits_combinations.to_plain(self.value),
            "derived": [asdict(spec) | {"members": list(spec.members)} for spec in self.made],
            "scenario": list(self.scenario),
            "construction": edits_combinations.to_plain([] if made is None else [made]),
            "loaded": edits_combinations.to_plain([] if loaded is None else [loaded]),
        }

    def from_plain(self, plain: Any) -> Draft:
        """The list that was kept; what was under construction goes to the builder."""
        if isinstance(plain, list):  # kept by a version of the program that knew the list only
            return edits_combinations.from_plain(plain)
        self.made = edits_combinations.keys_from_plain(plain.get("derived", ()))
        self.scenario = tuple(map(str, plain.get("scenario", ())))
        made, loaded = (edits_combinations.from_plain(plain[part]) for part in ("construction", "loaded"))
        if made:
            self._builder.load(made[0], loaded[0] if loaded else None)
        return edits_combinations.from_plain(plain["combinations"])
