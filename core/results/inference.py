"""Numbers of suppressed values that somebody who knows the rules can fill in again, table by table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from core.base.errors import Notice
from core.base.progress import SILENT, Progress
from core.base.texts import mark
from core.results.results import Results
from core.results.suppression_problem import homes_of, models_of, rules_of
from core.suppression.inference.elimination import Inference, possible_by_released_keys, possible_values
from core.suppression.models import coupled_models
from core.suppression.plan import Plan
from core.suppression.problem import ProtectedTable

CERTAIN = "blanks-certain"
"""Id of the warning that suppressed values can be filled in with certainty."""


def inferences(
    derived: Results, plan: Plan, progress: Progress = SILENT, at_most: bool = False
) -> dict[int, Inference]:
    """What elimination leaves of the suppressed values of each table, by its place in the recipe.

    Tables that are coupled, by a variable or by a relation, are decided together and looked at together: their key is
    that of all of them. Where records are judged by their released keys, an intact key excludes nothing. Left out are
    tables that lost nothing; k-anonymity, which lends records of safe keys as well; household thresholds, by which
    members of one key are treated differently; and tables with a derived key that the safe file does not tell. With
    `at_most` these latter two are looked at, too: what is ruled out then is more than can be known.
    """
    found: dict[int, Inference] = {}
    rules, homes = rules_of(derived), homes_of(derived)
    living = homes.households.household_of_record if homes else None
    for group in coupled_models(models_of(derived), rules):
        names = group.order
        if group.anonymous or (not at_most and (rules.unseen & set(names) or judges_households(group.risk))):
            continue
        of_households = homes.variables if homes else frozenset()
        shared = {name for key in of_households for name in rules.closure(key)}
        columns = [derived.columns[name] for name in names if name not in rules.unseen]
        if group.risk and derived.recipe.suppression.mode != "original-counts":
            possible = possible_by_released_keys(columns, plan.suppressed)
        else:
            possible = possible_values(columns, plan.suppressed, shared, progress, living, of_households)
        for index, combination in enumerate(derived.recipe.combinations):
            numbers = [possible[name] for name in combination.variables if name in possible]
            if numbers and set(combination.variables) <= set(names):
                found[index] = Inference.of(numbers)
    return found


def judges_households(tables: Iterable[ProtectedTable]) -> bool:
    """Whether a table has a household threshold."""
    return any(table.household_threshold is not None for table in tables)


def certain_blanks(derived: Results, found: Mapping[int, Inference]) -> Iterator[Notice]:
    """Warnings about tables with suppressed values that can be filled in with certainty; one for the same variables."""
    said: set[frozenset[str]] = set()
    for index, inference in found.items():
        names = frozenset(derived.recipe.combinations[index].variables)
        if not inference.certain or names in said:
            continue
        said.add(names)
        yield Notice.of(
            CERTAIN,
            _left_open(derived)
            if derived.recipe.suppression.close_gaps
            else mark(
                "{certain} of {blanks} suppressed values of {combination} can be filled in with certainty by someone "
                "who knows the rules: every other value would make a key that stands unsuppressed in the safe file, "
                "and records with such a key lose nothing. Consider a coarser recoding, or k-anonymity."
            ),
            certain=inference.certain,
            blanks=inference.blanks,
            combination=" x ".join(derived.recipe.combinations[index].variables),
        )


def _left_open(derived: Results) -> str:
    """What is said where the gaps were to be closed."""
    if judges_households(models_of(derived).risk):
        return mark(
            "Up to {certain} of {blanks} suppressed values of {combination} can still be filled in by someone who "
            "knows the rules, although the gaps were to be closed (close_gaps): of their records nothing more may go "
            "that would help. Allow suppression of more variables, or recode more coarsely."
        )
    return mark(
        "{certain} of {blanks} suppressed values of {combination} can still be filled in with certainty by someone who "
        "knows the rules, although the gaps were to be closed (close_gaps): of their records nothing more may go that "
        "would help. Allow suppression of more variables, or recode more coarsely."
    )
