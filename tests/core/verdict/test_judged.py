"""Rules judged on plain figures, and what accepted points do to them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from core.data.variables import Metadata
from core.profiles.model import Judgement, ProfileRule, ReleaseProfile
from core.profiles.released import ReleasedFile, TableEstimates
from core.recipe.model import Accepted, Recipe
from core.risk.released_opinion import ReleasedOpinion
from core.verdict import judged
from core.verdict.judged import judge_target
from core.verdict.model import ReleaseVerdict, TargetRule

PROFILE = ReleaseProfile(Path("office.toml"), "Office", (ProfileRule("other-model", {"most": 0.05}, level="stops"),))


def point(name: str, number: int | None = None, about: tuple[str, ...] = ()) -> Accepted:
    return Accepted(name, about, "M. Lambert", date(2026, 11, 23), "Agreed with users", number)


def other(maximum: float, unsafe: int | None) -> ReleasedOpinion:
    return ReleasedOpinion("calibrated", maximum, 3.0, 0.1, unsafe, (2.0, 5.0), 30)


def verdict(table: TableEstimates, *points: Accepted, profile: ReleaseProfile = PROFILE) -> ReleaseVerdict:
    """The verdict on a file of 30 records with one combination."""
    plain = Metadata((), "delimited")
    given = ReleasedFile(Recipe(), plain, plain, 30, pytest.fail, pytest.fail, estimates=lambda: (table,))
    return judge_target(profile, given, points, "written")


def rule(found: ReleaseVerdict, name: str) -> TargetRule:
    return next(each for each in found.rules if each.id == name)


SAFE = TableEstimates(("A", "B"), "exact", 0.05, unsafe=0, other=other(0.04, 0))


@pytest.mark.parametrize(
    ("changed", "state", "number"),
    [
        ({}, "holds", 0),
        ({"other": other(0.06, 4)}, "open", 4),
        ({"below_exact": 2}, "open", 2),
        ({"other": other(0.06, 4), "below_exact": 9}, "open", 9),
        ({"limit": 0.02, "other": other(0.04, 3)}, "open", 3),  # the recipe asks for more than the target
        ({"limit": 0.1, "other": other(0.04, 0)}, "holds", 0),
        ({"limit": 0.1, "other": other(0.06, 0)}, "open", 30),  # nobody counted by the limit of the target
        ({"limit": None, "other": other(0.04, None)}, "holds", 0),
        ({"limit": None, "other": other(0.06, None)}, "open", 30),
        ({"other": None, "exact": True}, "holds", 0),
        ({"other": None}, "open", None),
    ],
)
def test_the_alternative_estimate_is_counted_by_the_lower_limit(
    changed: dict[str, object], state: str, number: int | None
) -> None:
    table = TableEstimates(**{**vars(SAFE), **changed})  # type: ignore[arg-type]
    found = rule(verdict(table), "other-model")
    assert (found.state, found.number) == (state, number)
    assert bool(found.cause) == (state == "open")
    assert ("were not counted" in found.cause) == (number == 30)


def test_without_usable_weights_a_person_decides() -> None:
    table = TableEstimates(("A", "B"), "exact", 0.05, unsafe=0)
    assert rule(verdict(table), "other-model").level == "decide"
    assert verdict(table).state == "open"
    assert verdict(table, point("other-model")).state == "ready"


def test_an_accepted_estimate_is_ready_and_never_green() -> None:
    found = verdict(TableEstimates(**{**vars(SAFE), "other": other(0.06, 4)}), point("other-model", 4))
    assert (found.state, found.is_green) == ("by-decision", False)
    decide = ReleaseProfile(PROFILE.path, "Office", (ProfileRule("other-model", {}, level="decide"),))
    table = TableEstimates(**{**vars(SAFE), "other": other(0.06, 4)})
    found = verdict(table, point("other-model", 4), profile=decide)
    assert (found.state, found.is_green) == ("ready", False)
    assert verdict(table, point("other-model", 3), profile=decide).state == "open"
    assert (verdict(SAFE, profile=decide).state, verdict(SAFE, profile=decide).is_green) == ("ready", True)


def test_a_target_without_rules_on_risk_has_them_all_the_same() -> None:
    bare = ReleaseProfile(PROFILE.path, "Office", (ProfileRule("other-model", {}, level="note"),))
    assert verdict(SAFE, profile=bare).state == "ready"
    unsafe = TableEstimates(**{**vars(SAFE), "unsafe": 1})
    assert verdict(unsafe, profile=bare).state == "not-safe"
    assert verdict(TableEstimates(**{**vars(SAFE), "below_exact": 1}), profile=bare).state == "open"
    assert verdict(TableEstimates(("A",)), profile=bare).state == "open"


def test_a_rule_that_cannot_be_judged_is_open_with_its_reason() -> None:
    plain = Metadata((), "delimited")
    given = ReleasedFile(Recipe(), plain, plain, 30, pytest.fail, pytest.fail, estimates=lambda: (SAFE,))
    found = judge_target(PROFILE, given, (), "written", lambda rule: "Not in parts." if "other" in rule.name else "")
    assert rule(found, "other-model").cause == "Not in parts."
    assert found.state == "open"


def test_a_direct_identifier_cannot_be_accepted() -> None:
    names = Judgement.of_file(False, 30, "NAME", about=("NAME",))
    check = ProfileRule("no-direct-identifiers", {})
    assert judged._rule(check, names, [point("no-direct-identifiers", 30)]).state == "open"
    assert judged._rule(ProfileRule("random-order", {}), names, [point("random-order")]).state == "accepted"


@pytest.mark.parametrize(
    ("number", "about", "accepted"),
    [(None, (), False), (3, (), False), (4, (), True), (9, (), True), (4, ("A", "B"), True), (4, ("A",), False)],
)
def test_a_point_is_accepted_up_to_its_number(number: int | None, about: tuple[str, ...], accepted: bool) -> None:
    table = TableEstimates(**{**vars(SAFE), "other": other(0.06, 4)})
    found = rule(verdict(table, point("other-model", number, about)), "other-model")
    assert (found.state == "accepted") == accepted
    assert (found.by, found.reason) == (("M. Lambert", "Agreed with users") if accepted else ("", ""))
