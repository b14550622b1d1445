"""The rules of a profile that a search for a plan can aim at, in plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .model import ReleaseProfile

GoalKind = Literal["least-records", "largest-risk", "certain-blanks"]


@dataclass(frozen=True)
class Goal:
    """One aim.

    Attributes
    ----------
    kind : ``least-records``: each record shares its key with at least `limit` records; ``largest-risk``: no record has
        an individual risk above `limit`; ``certain-blanks``: at most `limit` suppressed values follow from others
    limit : records, a fraction in (0, 1], or values
    variables : of the key; empty: those of every combination
    all_identifying : whether the key is all identifying variables together
    """

    kind: GoalKind
    limit: float
    variables: tuple[str, ...] = ()
    all_identifying: bool = False

    def is_met(self, value: float) -> bool:
        """Whether a plan reaches it; `value`: its smallest key, its largest risk, or its number of certain blanks."""
        return value >= self.limit if self.kind == "least-records" else value <= self.limit


def goals(profile: ReleaseProfile) -> tuple[Goal, ...]:
    """The rules on k, the largest risk and certain blanks; of several of one kind on the same key the strictest."""
    found: dict[tuple[object, ...], Goal] = {}
    for check in profile.checks:
        said = check.parameters
        if check.name == "least-records":
            whole = said.get("keys") == "identifying"
            goal = Goal("least-records", float(said["k"]), said.get("variables", ()), whole)
        elif check.name == "largest-risk":
            goal = Goal("largest-risk", said["most"])
        elif check.name == "no-certain-blanks":
            goal = Goal("certain-blanks", 0.0)
        else:
            continue
        on = goal.kind, goal.variables, goal.all_identifying
        known = found.get(on)
        if known is None or known.is_met(goal.limit):
            found[on] = goal
    return tuple(found.values())
