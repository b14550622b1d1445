"""What the rules *sufficient* and *exact* cost on the demonstration survey: the table of the user guide.

Printed by ``python -m tests.benchmarks.bench_household_rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.recipe.toml import load
from core.session import Session
from core.suppression.plan import Plan

DEMO = Path(__file__).parents[2] / "resources" / "demo" / "survey-households.pavo"
THRESHOLDS = (0.1, 0.05, 0.02, 0.01)


def plans(threshold: float) -> tuple[Plan, Plan]:
    """What either rule suppresses at a household threshold."""
    recipe, session = load(DEMO), Session()
    recipe = recipe.with_(threshold=replace(recipe.threshold, household_risk=threshold))
    sufficient, exact = (
        session.protect(recipe.with_(suppression=replace(recipe.suppression, household_rule=rule))).plan
        for rule in ("sufficient", "exact")
    )
    return sufficient, exact


def lines() -> Iterator[str]:
    """The rows of the table."""
    for threshold in THRESHOLDS:
        one, other = plans(threshold)
        less = 100 * (1 - other.loss / one.loss)
        yield f"| {threshold} | {one.total} ({one.loss:.0f}) | {other.total} ({other.loss:.0f}) | {less:.0f} % |"


if __name__ == "__main__":
    print("| household threshold | sufficient | exact | less |\n|---|---|---|---|")
    print("\n".join(lines()))
