"""How many suppressed values can be filled in again by somebody who knows the rules, table by table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.derive.needs import hidden_variables
from core.derive.results import Derived
from core.derive.suppressing import homes_of, models_of, rules_of
from core.errors import Notice
from core.progress import SILENT, Progress
from core.suppression.elimination import Inference, possible_values
from core.suppression.models import Models, coupled_models
from core.suppression.plan import Plan
from core.suppression.rules import Rules
from core.texts import mark

CERTAIN = "blanks-certain"
"""Id of the warning that suppressed values can be filled in with certainty."""


def inferences(derived: Derived, plan: Plan, progress: Progress = SILENT) -> dict[int, Inference]:
    """What elimination leaves of the suppressed values of each table, by its place in the recipe.

    Tables that are coupled, by a variable or by a relation, are decided together and looked at together: their key is
    that of all of them. Left out are tables that lost nothing, and those where an intact key excludes nothing:
    k-anonymity, which lends records of safe keys; household variables and household thresholds, by which records lose
    values because of others; and tables with a variable that the safe file does not have.
    """
    found: dict[int, Inference] = {}
    for names in _decided_by_keys(derived):
        possible = possible_values([derived.columns[name] for name in names], plan.suppressed, progress)
        for index, combination in enumerate(derived.recipe.combinations):
            numbers = [possible[name] for name in combination.variables if name in possible]
            if numbers and set(combination.variables) <= set(names):
                found[index] = Inference.of(numbers)
    return found


def _decided_by_keys(derived: Derived) -> Iterator[tuple[str, ...]]:
    """The variables of each group of tables by whose joint key alone it is decided who loses values."""
    rules, homes = rules_of(derived), homes_of(derived)
    hidden = hidden_variables(derived.metadata) | rules.unseen
    for group in coupled_models(models_of(derived), rules):
        by_others = homes is not None and _by_others(group, rules, homes.variables)
        if not group.anonymous and not by_others and not hidden & set(group.order):
            yield group.order


def _by_others(group: Models, rules: Rules, shared: frozenset[str]) -> bool:
    """Whether members of a household lose values because of one another."""
    names = {name for key in group.order for name in rules.closure(key)}
    return bool(names & shared) or any(table.household_threshold is not None for table in group.risk)


def certain_blanks(derived: Derived, found: Mapping[int, Inference]) -> Iterator[Notice]:
    """Warnings about tables with suppressed values that can be filled in with certainty."""
    for index, inference in found.items():
        if not inference.certain:
            continue
        yield Notice.of(
            CERTAIN,
            mark(
                "{certain} of {blanks} suppressed values of {combination} can be filled in with certainty by someone "
                "who knows the rules: every other value would make a key that stands unsuppressed in the safe file, "
                "and records with such a key lose nothing. Consider a coarser recoding, or k-anonymity."
            ),
            certain=inference.certain,
            blanks=inference.blanks,
            combination=" x ".join(derived.recipe.combinations[index].variables),
        )
