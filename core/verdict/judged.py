"""The rules of a target judged on a safe file, with what persons accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..base.texts import mark
from ..profiles.judge import judge, words_of_rule
from ..profiles.model import Judgement, Level, ProfileRule, ReleaseProfile
from ..profiles.released import VARIABLES, ReleasedFile
from ..recipe.model import Accepted
from .model import OTHER_ESTIMATE, ReleaseVerdict, RuleState, Stage, TargetRule

NEVER_ACCEPTED = ("no-direct-identifiers",)
"""Rules that hold or are open: nobody can accept a name in a safe file."""

_ALWAYS: tuple[tuple[str, Level], ...] = (("deciding-model", "stops"), (OTHER_ESTIMATE, "decide"))
"""Rules that every target has, whatever its file says: nothing is ready without an assessment of its risk."""


def with_necessary_rules(profile: ReleaseProfile) -> ReleaseProfile:
    """The rules of a target, with those that every target has."""
    own = {rule.name for rule in profile.checks if rule.level != "note"}
    more = tuple(ProfileRule(name, {}, level=level) for name, level in _ALWAYS if name not in own)
    return replace(profile, checks=(*profile.checks, *more)) if more else profile


def judge_target(
    profile: ReleaseProfile,
    given: ReleasedFile,
    accepted: Sequence[Accepted],
    stage: Stage,
    unexamined: Callable[[ProfileRule], str] = lambda rule: "",
) -> ReleaseVerdict:
    """The verdict on a safe file.

    Parameters
    ----------
    accepted : what persons accepted
    stage : what `given` is of
    unexamined : why a rule cannot be judged on this file; empty: it can

    Raises
    ------
    ProfileError
        A rule names a variable that the original does not have.
    """
    judged = judge(with_necessary_rules(profile), given, unexamined, mark("Checking the rules of the target"))
    rules = tuple(_rule(rule.check, rule.found, accepted) for rule in judged.rules)
    of_estimates = sum((table.unsafe or 0) + table.found_by_others() for table in given.estimates())
    name = profile.path.stem if profile.path.parent.name == "targets" else profile.name
    return ReleaseVerdict(name, profile.name, rules, stage, of_estimates)


def _rule(check: ProfileRule, found: Judgement, accepted: Sequence[Accepted]) -> TargetRule:
    level: Level = "decide" if found.decide and check.level == "stops" else check.level
    point = None if found.holds else next(_accepting(check, found, accepted), None)
    state: RuleState = "holds" if found.holds else "open" if point is None else "accepted"
    rule = TargetRule(
        check.name,
        level,
        state,
        words_of_rule(check),
        "" if found.holds else found.told,
        found.about,
        tuple(check.parameters.get(VARIABLES.name, ())),
        found.number,
        found.is_shown,
    )
    return rule if point is None else replace(rule, by=point.by, on=point.on, reason=point.reason)


def _accepting(check: ProfileRule, found: Judgement, accepted: Sequence[Accepted]) -> Iterator[Accepted]:
    """The points that accept what was found: of this rule, these variables, and no smaller number."""
    for point in accepted:
        if point.rule != check.name or point.rule in NEVER_ACCEPTED:
            continue
        if point.about and not set(found.about) <= set(point.about):
            continue
        if found.number is not None and (point.number is None or found.number > point.number):
            continue
        yield point
