"""The verdict as values: rules, and what follows from their states."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from ..profiles.model import Level

RuleState = Literal["holds", "open", "accepted"]
State = Literal["ready", "by-decision", "open", "not-safe"]
Stage = Literal["plan", "written", "differs"]
"""What was assessed: a plan, the written file as it was read back, or one that is not what was decided."""

CRITERIA = ("deciding-model", "household-risk")
"""Rules whose records make a file unsafe by the criterion itself."""
OTHER_ESTIMATE = "other-model"
"""The rule on what the alternative estimates find."""


@dataclass(frozen=True)
class TargetRule:
    """One rule of a target, and how the file keeps it.

    Attributes
    ----------
    id : of its check
    level : what the rule does while it is open
    words : the rule
    cause : what keeps it open, or what was accepted
    about : names of the variables concerned
    named : variables that the rule itself names
    number : what was counted; None: nothing is
    is_shown : whether the file was examined by it
    by, on, reason : of the acceptance
    """

    id: str
    level: Level
    state: RuleState
    words: str
    cause: str = ""
    about: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    number: int | None = None
    is_shown: bool = True
    by: str = ""
    on: date | None = None
    reason: str = ""

    @property
    def counts(self) -> bool:
        """Whether the rule is one of those that are counted."""
        return self.level != "note"

    @property
    def fails(self) -> bool:
        """Whether the criterion itself finds records or households."""
        return self.id in CRITERIA and self.state == "open" and self.is_shown


@dataclass(frozen=True)
class ReleaseVerdict:
    """Whether a safe file is ready for release.

    Attributes
    ----------
    target : name in the recipe, or of the file; empty: none
    name : in words
    rules : in the order of the target
    stage : what they were assessed on; None: nothing yet
    found : records that any estimate finds at or above a threshold in the file, accepted or not
    """

    target: str = ""
    name: str = ""
    rules: tuple[TargetRule, ...] = ()
    stage: Stage | None = None
    found: int = 0

    @cached_property
    def counted(self) -> tuple[TargetRule, ...]:
        """The rules that count: all but the notes."""
        return tuple(rule for rule in self.rules if rule.counts)

    def those(self, state: RuleState, level: Level | None = None) -> tuple[TargetRule, ...]:
        """The rules that count in one state, and of one level."""
        return tuple(r for r in self.counted if r.state == state and level in (None, r.level))

    @property
    def state(self) -> State:
        """What may be said of the file; "ready" only of a written file of which every rule holds or is accepted."""
        if any(rule.fails for rule in self.counted):
            return "not-safe"
        if not self.target or not self.counted or self.stage != "written" or self.those("open"):
            return "open"
        return "by-decision" if self.those("accepted", "stops") else "ready"

    @property
    def is_green(self) -> bool:
        """Whether no estimate finds a record and nothing that stops a release was accepted."""
        accepted = any(rule.id in (OTHER_ESTIMATE, *CRITERIA) for rule in self.those("accepted"))
        return self.state == "ready" and not self.found and not accepted

    @property
    def only_other_estimate(self) -> bool:
        """Whether nothing but records that an alternative estimate finds keeps the file from release."""
        left = self.those("open")
        return bool(left) and all(rule.id == OTHER_ESTIMATE and rule.is_shown for rule in left)
