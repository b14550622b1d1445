"""The targets that come with the program, and files of rules with levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.profiles.read import SHIPPED_TARGETS, ProfileError, load_target, parse_profile, shipped
from core.recipe.model import TARGETS
from core.verdict.judged import with_necessary_rules

EXPECTED = {"public-use": (19, 13, 0.05), "scientific-use": (15, 8, 0.09), "in-house": (8, 4, 0.33)}
"""Rules, those of them that stop the release, and the limit of risks."""


@pytest.mark.parametrize("name", TARGETS)
def test_a_shipped_target_has_its_rules(name: str) -> None:
    profile = load_target(name)
    stops = [rule for rule in profile.checks if rule.level == "stops"]
    limits = {rule.parameters["most"] for rule in profile.checks if "most" in rule.parameters}
    assert (len(profile.checks), len(stops), *limits) == EXPECTED[name]
    assert with_necessary_rules(profile) == profile
    assert len({rule.name for rule in profile.checks}) == len(profile.checks)


def test_shipped_targets_are_those_of_the_recipe_and_no_profiles() -> None:
    assert {path.stem for path in SHIPPED_TARGETS.glob("*.toml")} == set(TARGETS)
    assert not {path.parent for path in shipped()} & {SHIPPED_TARGETS}


def test_a_rule_without_a_level_stops_the_release() -> None:
    text = 'profile = 1\nname = "Office"\n[[checks]]\ncheck = "random-order"\n'
    assert parse_profile(text, Path("p.toml")).checks[0].level == "stops"
    assert parse_profile(f'{text}level = "note"\n', Path("p.toml")).checks[0].level == "note"
    with pytest.raises(ProfileError, match=r"line 5: checks\[1\].level"):
        parse_profile(f'{text}level = "stop"\n', Path("p.toml"))
