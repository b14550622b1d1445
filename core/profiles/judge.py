"""A safe file judged by a profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.texts import mark, translate
from .model import Judgement, ProfileRule, ReleaseProfile
from .read import ProfileError
from .registry import CHECKS
from .released import VARIABLES, ReleasedFile


def words_of_rule(check: ProfileRule) -> str:
    """A rule in words: the office's own, else those of the check, translated."""
    return check.sentence or CHECKS[check.name].words(check.parameters)


@dataclass(frozen=True, eq=False)
class JudgedRule:
    """A rule and what was found."""

    check: ProfileRule
    found: Judgement

    @property
    def words(self) -> str:
        """The rule in words, in the language in use."""
        return words_of_rule(self.check)


@dataclass(frozen=True, eq=False)
class JudgedProfile:
    """A profile and what was found of each of its rules, in its order."""

    profile: ReleaseProfile
    rules: tuple[JudgedRule, ...]

    @property
    def broken(self) -> tuple[JudgedRule, ...]:
        """The rules that the file does not keep."""
        return tuple(rule for rule in self.rules if not rule.found.holds)

    def summary(self) -> list[dict[str, Any]]:
        """As ``summary.json`` has it."""
        return [{"rule": r.words, "holds": r.found.holds, "records": r.found.records} for r in self.rules]


def judge(
    profile: ReleaseProfile,
    given: ReleasedFile,
    unexamined: Callable[[ProfileRule], str] = lambda rule: "",
    doing: str = mark("Checking the rules of the profile"),
) -> JudgedProfile:
    """What a safe file comes to under each rule of a profile, in its order.

    Parameters
    ----------
    unexamined : why a rule cannot be judged on this file; empty: it can
    doing : what is reported meanwhile

    Raises
    ------
    ProfileError
        A rule names a variable that the original does not have, or one without codes where codes are counted.
    """
    check_variables_of_profile(profile, given)
    rules = []
    for number, check in enumerate(profile.checks):
        given.progress.report(number, len(profile.checks), translate(doing))
        given.progress.check()
        reason = unexamined(check)
        if reason:
            found = Judgement.not_shown(given.records, reason)
        else:
            found = CHECKS[check.name].judge(given, check.parameters)
        rules.append(JudgedRule(check, found))
    return JudgedProfile(profile, tuple(rules))


def check_variables_of_profile(profile: ReleaseProfile, given: ReleasedFile) -> None:
    """Refuse names of variables that the file has not: a rule about nothing would always hold.

    Raises
    ------
    ProfileError
        Id ``profile-variable-unknown``, naming key and line.
    """
    derived = {spec.name for spec in given.recipe.derived}
    for number, check in enumerate(profile.checks, 1):
        for name in check.parameters.get(VARIABLES.name, ()):
            if name not in given.original and name not in derived:
                raise ProfileError(
                    "profile-variable-unknown",
                    mark("{file}, line {line}: {key}: the file has no variable {variable}."),
                    mark("Correct the name, or leave it out there."),
                    file=profile.path.name,
                    line=check.line,
                    key=f"checks[{number}].{VARIABLES.name}",
                    variable=name,
                )
