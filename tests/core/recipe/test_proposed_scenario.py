"""The scenario that is proposed, in a recipe that may have scenarios already."""

from __future__ import annotations

from core.recipe.edits_scenarios import with_proposed
from core.recipe.model import Recipe, Scenario


def test_a_proposed_scenario_keeps_what_was_said_of_it() -> None:
    said = (Scenario("Register", ("A", "B"), source="the register"), Scenario("Neighbour", ("A",), year="2024"))
    recipe = Recipe().with_(scenarios=said)
    assert with_proposed(recipe, "Neighbour", ("B", "A")) == recipe, "there is one of these keys"
    changed = with_proposed(recipe, "Neighbour", ("A", "C"))
    assert changed.scenarios == (said[0], Scenario("Neighbour", ("A", "C"), year="2024"))
    assert with_proposed(recipe, "New", ("C",)).scenarios == (*said, Scenario("New", ("C",)))
